package proofmark.graal.events;

import org.graalvm.word.LocationIdentity;

import jdk.graal.compiler.core.amd64.AMD64AddressNode;
import jdk.graal.compiler.core.common.memory.BarrierType;
import jdk.graal.compiler.core.common.memory.MemoryOrderMode;
import jdk.graal.compiler.core.common.type.Stamp;
import jdk.graal.compiler.core.common.type.StampFactory;
import jdk.graal.compiler.hotspot.HotSpotGraalCompiler;
import jdk.graal.compiler.hotspot.nodes.CurrentJavaThreadNode;
import jdk.graal.compiler.nodes.AbstractBeginNode;
import jdk.graal.compiler.nodes.AbstractEndNode;
import jdk.graal.compiler.nodes.ConstantNode;
import jdk.graal.compiler.nodes.FixedNode;
import jdk.graal.compiler.nodes.NamedLocationIdentity;
import jdk.graal.compiler.nodes.StructuredGraph;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.calc.AddNode;
import jdk.graal.compiler.nodes.memory.ReadNode;
import jdk.graal.compiler.nodes.memory.WriteNode;
import jdk.vm.ci.hotspot.HotSpotJVMCIRuntime;
import jdk.vm.ci.meta.JavaKind;

/**
 * Adds the code that counts, to graphs whose addresses are lowered already. An update becomes one
 * instruction, {@code inc} or {@code add} on memory; with counters per thread one more, which loads
 * the thread's page: a virtual thread may go on on another carrier after any call, so that the page
 * is not kept in a register.
 */
final class CounterCode {
    private static final LocationIdentity COUNTER = NamedLocationIdentity.mutable("ProofmarkCounter");
    private static final Stamp LONG = StampFactory.forKind(JavaKind.Long);

    private final StructuredGraph graph;
    private final FlowGraph flow;
    private final boolean threads;

    CounterCode(StructuredGraph graph, FlowGraph flow, boolean threads) {
        this.graph = graph;
        this.flow = flow;
        this.threads = threads;
    }

    int take(int counters) {
        return CounterSpace.OF_JVM.take(counters, threads);
    }

    ConstantNode constant(long value) {
        return ConstantNode.forLong(value, graph);
    }

    ValueNode sum(ValueNode a, ValueNode b) {
        return graph.addOrUnique(new AddNode(a, b));
    }

    /** The node in front of which code runs exactly when the edge is taken. Graphs have no edge from a split to a merge. */
    FixedNode place(FlowGraph.Edge edge) {
        if (edge.from == FlowGraph.OUTSIDE) {
            return graph.start().next();
        }
        FixedNode end = flow.blocks[edge.from].getEndNode();
        return edge.leavesUnit() || end instanceof AbstractEndNode ? end : atBegin(edge.to);
    }

    /** The node in front of which code runs whenever the block is entered. */
    FixedNode atBegin(int block) {
        AbstractBeginNode begin = flow.blocks[block].getBeginNode();
        return begin.next();
    }

    void add(FixedNode before, int counter, long amount) {
        add(before, counter, constant(amount));
    }

    void add(FixedNode before, int counter, ValueNode amount) {
        add(before, address(before, counter, null), amount);
    }

    /** Adds to the counter that lies {@code offset} bytes behind the given one. */
    void add(FixedNode before, int counter, ValueNode offset, long amount) {
        add(before, address(before, counter, offset), constant(amount));
    }

    private void add(FixedNode before, AMD64AddressNode address, ValueNode amount) {
        ReadNode read = read(before, address);
        AddNode sum = graph.addWithoutUnique(new AddNode(read, amount));
        WriteNode write = graph.add(new WriteNode(address, COUNTER, sum, BarrierType.NONE, MemoryOrderMode.PLAIN));
        graph.addBeforeFixed(before, write);
    }

    /** Reads a constant of shared memory, {@code offset} bytes behind the given place. */
    ValueNode load(FixedNode before, int counter, ValueNode offset) {
        return read(before, absolute(counter, offset));
    }

    private ReadNode read(FixedNode before, AMD64AddressNode address) {
        ReadNode read = graph.add(new ReadNode(address, COUNTER, LONG, BarrierType.NONE, MemoryOrderMode.PLAIN));
        graph.addBeforeFixed(before, read);
        return read;
    }

    private AMD64AddressNode address(FixedNode before, int counter, ValueNode offset) {
        if (!threads) {
            return absolute(counter, offset);
        }
        CurrentJavaThreadNode thread = graph.unique(new CurrentJavaThreadNode(JavaKind.Long));
        ReadNode page = read(before, address(thread, null, pagesOffset()));
        return address(page, offset, CounterSpace.offset(counter));
    }

    private AMD64AddressNode absolute(int counter, ValueNode offset) {
        return address(null, offset, CounterSpace.OF_JVM.address(counter));
    }

    /** A constant index is part of the displacement, which needs no register. */
    private AMD64AddressNode address(ValueNode base, ValueNode index, int displacement) {
        boolean constant = index != null && index.isJavaConstant();
        AMD64AddressNode address = new AMD64AddressNode(base, constant ? null : index);
        address.setDisplacement(constant ? Math.toIntExact(displacement + index.asJavaConstant().asLong()) : displacement);
        return graph.unique(address);
    }

    private static int pagesOffset() {
        return ((HotSpotGraalCompiler) HotSpotJVMCIRuntime.runtime().getCompiler()).getGraalRuntime().getVMConfig().jvmciCountersThreadOffset;
    }
}
