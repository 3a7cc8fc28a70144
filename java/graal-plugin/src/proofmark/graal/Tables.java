package proofmark.graal;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import jdk.vm.ci.code.InstalledCode;
import jdk.vm.ci.meta.ProfilingInfo;
import jdk.graal.compiler.core.common.CompilationIdentifier;
import jdk.graal.compiler.nodes.StructuredGraph;

/**
 * What every compilation in this JVM is to insert, and what it produced. Both the compiler threads
 * of the VM and our own recompilations come here, so that code which the VM makes after a
 * deoptimisation gets the same insertions.
 */
final class Tables {
    private static final Map<String, Insertion> INSERTIONS = new ConcurrentHashMap<>();
    private static final Map<CompilationIdentifier, CodeRecord> RECORDS = new IdentityHashMap<>();
    private static final List<Installation> FOREIGN = new ArrayList<>();

    /** Code that a compiler thread of the VM installed. */
    record Installation(CodeRecord record, long start, int size, long timeNs) {
    }

    private Tables() {
    }

    static Insertion insertion(String unit) {
        return INSERTIONS.getOrDefault(unit, Insertion.NONE);
    }

    static void insert(String unit, Insertion insertion) {
        INSERTIONS.put(unit, insertion);
    }

    static synchronized void compiled(CodeRecord record) {
        RECORDS.put(record.compilation, record);
    }

    /** The record of a compilation; forgotten, because records hold on to much memory. */
    static synchronized CodeRecord take(CompilationIdentifier compilation) {
        return RECORDS.remove(compilation);
    }

    /** Called for every installation; those of our own recompilations were taken before. */
    static synchronized void installed(CompilationIdentifier compilation, InstalledCode code, int size) {
        CodeRecord record = RECORDS.remove(compilation);
        if (record != null) {
            FOREIGN.add(new Installation(record, code.getStart(), size, System.nanoTime()));
            if (record.plainNodes() >= 0) {
                // What counts must not make callers inline less.
                ProfilingInfo info = record.compilation.getRequest().getMethod().getProfilingInfo(true, false);
                info.setCompilerIRSize(StructuredGraph.class, record.plainNodes());
            }
        }
    }

    /** What compiler threads installed since the last call. */
    static synchronized List<Installation> takeForeign() {
        List<Installation> taken = List.copyOf(FOREIGN);
        FOREIGN.clear();
        return taken;
    }
}
