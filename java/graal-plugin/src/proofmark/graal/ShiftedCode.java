package proofmark.graal;

import java.util.List;

import jdk.graal.compiler.asm.Assembler;
import jdk.graal.compiler.asm.amd64.AMD64MacroAssembler;
import jdk.graal.compiler.code.CompilationResult;
import jdk.graal.compiler.debug.DebugContext;
import jdk.graal.compiler.hotspot.HotSpotMarkId;
import jdk.graal.compiler.lir.LIR;
import jdk.graal.compiler.lir.asm.CompilationResultBuilder;
import jdk.graal.compiler.lir.asm.CompilationResultBuilderFactory;
import jdk.graal.compiler.lir.asm.DataBuilder;
import jdk.graal.compiler.lir.asm.FrameContext;
import jdk.graal.compiler.lir.framemap.FrameMap;
import jdk.graal.compiler.nodes.spi.CoreProviders;
import jdk.graal.compiler.options.OptionValues;
import jdk.vm.ci.code.Register;

/**
 * Makes code whose body begins so many bytes later in its cache line. HotSpot puts all methods at
 * the same offset in a line, so that installing code again at another address does not show what
 * the offset does to its time. The padding is in front of the verified entry, where direct calls do
 * not execute it.
 */
final class ShiftedCode implements CompilationResultBuilderFactory {
    private final int bytes;

    ShiftedCode(int bytes) {
        this.bytes = bytes;
    }

    @Override
    public CompilationResultBuilder createBuilder(CoreProviders providers, FrameMap frameMap, Assembler<?> asm, DataBuilder data, FrameContext frame,
            OptionValues options, DebugContext debug, CompilationResult result, Register uncompressedNull, LIR lir) {
        return new CompilationResultBuilder(providers, frameMap, asm, data, frame, options, debug, result, uncompressedNull, List.of(), lir) {
            @Override
            public CompilationResult.CodeMark recordMark(CompilationResult.MarkId mark) {
                if (mark == HotSpotMarkId.VERIFIED_ENTRY && bytes > 0) {
                    ((AMD64MacroAssembler) asm).nop(bytes);
                }
                return super.recordMark(mark);
            }
        };
    }
}
