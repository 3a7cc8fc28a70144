package proofmark.graal.events;

import jdk.graal.compiler.core.common.type.FloatStamp;
import jdk.graal.compiler.core.common.type.IntegerStamp;
import jdk.graal.compiler.core.common.type.Stamp;
import jdk.graal.compiler.graph.Node;
import jdk.graal.compiler.nodes.CallTargetNode.InvokeKind;
import jdk.graal.compiler.nodes.Invoke;
import jdk.graal.compiler.nodes.NodeView;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.calc.FloatDivNode;
import jdk.graal.compiler.nodes.calc.RemNode;
import jdk.graal.compiler.nodes.debug.DynamicCounterNode;
import jdk.graal.compiler.nodes.extended.ForeignCall;
import jdk.graal.compiler.nodes.extended.MembarNode;
import jdk.graal.compiler.nodes.java.AbstractNewArrayNode;
import jdk.graal.compiler.nodes.memory.WriteNode;
import jdk.graal.compiler.nodes.util.GraphUtil;
import jdk.graal.compiler.core.common.memory.MemoryOrderMode;
import jdk.graal.compiler.replacements.arraycopy.ArrayCopyCallNode;
import jdk.vm.ci.meta.ResolvedJavaMethod;

/** Conditions on nodes that need more than their class. */
final class Predicates {
    private Predicates() {
    }

    static boolean integer(Node node) {
        return ((ValueNode) node).stamp(NodeView.DEFAULT) instanceof IntegerStamp;
    }

    /** Float arithmetic of that width, division and remainder left out. */
    static boolean floating(Node node, int bits) {
        return !(node instanceof FloatDivNode) && !(node instanceof RemNode) && width(node) == bits;
    }

    static boolean floatDivision(Node node, int bits) {
        return width(node) == bits;
    }

    private static int width(Node node) {
        Stamp stamp = ((ValueNode) node).stamp(NodeView.DEFAULT);
        return stamp instanceof FloatStamp floating ? floating.getBits() : 0;
    }

    static boolean invoke(Node node, InvokeKind kind) {
        return ((Invoke) node).callTarget() != null && ((Invoke) node).getInvokeKind() == kind;
    }

    /** A call of one of {@code java.lang.Object}'s methods. */
    static boolean callsObject(Node node, String name) {
        ResolvedJavaMethod target = node instanceof Invoke invoke && invoke.callTarget() != null ? invoke.callTarget().targetMethod() : null;
        return target != null && target.getName().equals(name) && target.getDeclaringClass().getName().equals("Ljava/lang/Object;");
    }

    static boolean callsForeign(Node node, String name) {
        return node instanceof ForeignCall call && call.getDescriptor().getName().equals(name);
    }

    /** A copy into an array that was made for it. */
    static boolean duplicates(Node node) {
        return GraphUtil.unproxify(((ArrayCopyCallNode) node).getDestination()) instanceof AbstractNewArrayNode;
    }

    static boolean storeLoadBarrier(Node node) {
        if (node instanceof WriteNode write) {
            return write.getMemoryOrder() == MemoryOrderMode.VOLATILE;
        }
        MembarNode.FenceKind kind = ((MembarNode) node).getFenceKind();
        return kind == MembarNode.FenceKind.STORE_LOAD || kind == MembarNode.FenceKind.FULL;
    }

    /** One of the ways through the code of a monitor's entry that Graal itself names (its option ProfileMonitors). */
    static boolean lockEntry(Node node, String... endings) {
        DynamicCounterNode counter = (DynamicCounterNode) node;
        if (!counter.getGroup().equals(LockPaths.ENTERS)) {
            return false;
        }
        for (String ending : endings) {
            if (counter.getName().endsWith(ending)) {
                return true;
            }
        }
        return false;
    }
}
