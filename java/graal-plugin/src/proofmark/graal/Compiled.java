package proofmark.graal;

import jdk.graal.compiler.code.CompilationResult;

/** Machine code that can be installed any number of times. */
record Compiled(int id, UnitState unit, CompilationResult result, CodeRecord record) {
    void write(Json json) {
        record.writeCode(json, id, unit.index, result.getTargetCodeSize());
    }
}
