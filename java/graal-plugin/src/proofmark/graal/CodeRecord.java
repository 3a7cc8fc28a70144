package proofmark.graal;

import java.util.ArrayList;
import java.util.List;

import jdk.graal.compiler.core.common.cfg.BasicBlock;
import jdk.graal.compiler.core.common.cfg.CFGLoop;
import jdk.graal.compiler.graph.NodeSourcePosition;
import jdk.graal.compiler.hotspot.HotSpotCompilationIdentifier;
import jdk.graal.compiler.lir.LIRInstruction;

import proofmark.graal.events.EventTable;

/** What one compilation produced: blocks, source positions and the offset of every operation. */
final class CodeRecord {
    static final int NO_BLOCK = -1;
    static final int NO_POSITION = Positions.NONE;

    final String unit;
    final HotSpotCompilationIdentifier compilation;
    final Insertion insertion;
    /** What the compilation counts; null when nothing, or once it has been taken. */
    private EventTable events;
    final List<Block> blocks = new ArrayList<>();
    private final Positions positions = new Positions();
    private List<DebugInformation.Entry> debug = List.of();
    private final List<Span> spans = new ArrayList<>();
    private final Signature signature = new Signature();

    /** A block before insertion. */
    record Block(int id, int[] successors, int loopHeader, int loopDepth, double frequency, int cycles, List<String> operations) {
    }

    /** A stretch of code that starts at an offset and ends where the next one starts. */
    record Span(int start, int block, int position, boolean inserted) {
    }

    CodeRecord(String unit, HotSpotCompilationIdentifier compilation, Insertion insertion) {
        this.unit = unit;
        this.compilation = compilation;
        this.insertion = insertion;
        this.events = EventTable.take(compilation);
    }

    /** {@code cycles}: what the compiler believes an execution to take, as {@link CycleEstimates} tells it. */
    void describe(BasicBlock<?> block, int cycles, List<LIRInstruction> operations) {
        int[] successors = new int[block.getSuccessorCount()];
        for (int i = 0; i < successors.length; i++) {
            successors[i] = block.getSuccessorAt(i).getId();
        }
        List<String> names = new ArrayList<>(operations.size());
        for (LIRInstruction op : operations) {
            names.add(op.name());
        }
        CFGLoop<?> loop = block.getLoop();
        int header = loop == null ? NO_BLOCK : loop.getHeader().getId();
        blocks.add(new Block(block.getId(), successors, header, block.getLoopDepth(), block.getRelativeFrequency(), cycles, names));
        signature.add(block.getId(), operations, successors);
    }

    int position(NodeSourcePosition original) {
        return positions.of(original);
    }

    /** Emission may run more than once; only the last one counts. What is in front of the first block is the prologue. */
    void restart() {
        spans.clear();
        spans.add(new Span(0, NO_BLOCK, NO_POSITION, false));
    }

    void span(int start, int block, int position, boolean inserted) {
        if (!spans.isEmpty() && spans.getLast().start == start) {
            spans.removeLast();
        }
        spans.add(new Span(start, block, position, inserted));
    }

    /** Notes what the VM will know; in the same order for every code of the unit, so that positions keep their numbers. */
    void debug(List<DebugInformation.Entry> entries) {
        debug = entries;
        entries.forEach(entry -> positions.intern(entry.position()));
    }

    /** How to read what the code counts; only once, because it is large. Null when it counts nothing. */
    EventTable takeEvents() {
        EventTable taken = events;
        events = null;
        return taken;
    }

    /** Nodes of the graph without what counts; -1 when nothing does. */
    int plainNodes() {
        return events == null ? -1 : events.plainNodes();
    }

    String signature() {
        return signature.hex();
    }

    void writeUnit(Json json, String name) {
        json.object().field("name", name).field("signature", signature());
        json.array("blocks");
        for (Block b : blocks) {
            json.object().field("id", b.id).array("successors");
            for (int s : b.successors) {
                json.value(s);
            }
            json.end().optional("loop_header", b.loopHeader, NO_BLOCK).field("loop_depth", b.loopDepth).field("frequency", b.frequency)
                    .optional("cycles", b.cycles, CycleEstimates.UNKNOWN);
            json.array("operations");
            for (String op : b.operations) {
                json.value(op);
            }
            json.end().end();
        }
        json.end();
        positions.write(json);
        json.end();
    }

    void writeCode(Json json, int code, int unitIndex, int size) {
        json.object().field("id", code).field("unit", unitIndex).field("size", size).array("spans");
        for (Span s : spans) {
            json.object().field("start", s.start).optional("block", s.block, NO_BLOCK).optional("position", s.position, NO_POSITION)
                    .field("inserted", s.inserted).end();
        }
        json.end().array("debug");
        for (DebugInformation.Entry entry : debug) {
            json.array().value(entry.offset()).value(positions.intern(entry.position())).end();
        }
        json.end().end();
    }
}
