package proofmark.graal.events;

import java.util.HashMap;
import java.util.Map;

import jdk.graal.compiler.graph.Node;
import jdk.graal.compiler.nodes.AbstractBeginNode;
import jdk.graal.compiler.nodes.AbstractDeoptimizeNode;
import jdk.graal.compiler.nodes.AbstractEndNode;
import jdk.graal.compiler.nodes.AbstractMergeNode;
import jdk.graal.compiler.nodes.DeoptimizeNode;
import jdk.graal.compiler.nodes.DynamicDeoptimizeNode;
import jdk.graal.compiler.nodes.EndNode;
import jdk.graal.compiler.nodes.IfNode;
import jdk.graal.compiler.nodes.LoopBeginNode;
import jdk.graal.compiler.nodes.PhiNode;
import jdk.graal.compiler.nodes.ValueNode;
import jdk.graal.compiler.nodes.extended.NullCheckNode;
import jdk.graal.compiler.nodes.memory.FixedAccessNode;
import jdk.vm.ci.hotspot.HotSpotJVMCIRuntime;
import jdk.vm.ci.meta.DeoptimizationReason;
import jdk.vm.ci.meta.MetaAccessProvider;

/**
 * Guards of finished graphs: an {@code if} one side of which does nothing but leave for the
 * interpreter. Grouping of deoptimisations has put merges between them and the reason into a phi, so
 * the path is followed and the phi read along it.
 */
final class Guards {
    private static final MetaAccessProvider META = HotSpotJVMCIRuntime.runtime().getHostJVMCIBackend().getMetaAccess();

    private Guards() {
    }

    /** Whether the node guards anything: an explicit test, or an access that traps on null. */
    static boolean guards(Node node) {
        return node instanceof IfNode test ? reason(test) != null : trapsOnNull(node);
    }

    static boolean guards(Node node, DeoptimizationReason reason) {
        if (node instanceof IfNode test) {
            return reason(test) == reason;
        }
        return reason == DeoptimizationReason.NullCheckException && trapsOnNull(node);
    }

    /** Null checks that the machine's page fault does. */
    static boolean trapsOnNull(Node node) {
        return node instanceof NullCheckNode || node instanceof FixedAccessNode access && access.getUsedAsNullCheck();
    }

    /** Why the test deoptimises; null when it does not. */
    static DeoptimizationReason reason(IfNode test) {
        DeoptimizationReason reason = reason(test.trueSuccessor());
        return reason != null ? reason : reason(test.falseSuccessor());
    }

    private static DeoptimizationReason reason(AbstractBeginNode successor) {
        Map<AbstractMergeNode, EndNode> came = new HashMap<>();
        Node node = successor;
        while (true) {
            if (node instanceof EndNode end) {
                if (end.merge() instanceof LoopBeginNode) {
                    return null;
                }
                came.put(end.merge(), end);
                node = end.merge().next();
            } else if (node instanceof AbstractBeginNode begin) {
                node = begin.next();
            } else {
                return node instanceof AbstractDeoptimizeNode sink ? reason(sink, came) : null;
            }
        }
    }

    private static DeoptimizationReason reason(AbstractDeoptimizeNode sink, Map<AbstractMergeNode, EndNode> came) {
        if (sink instanceof DeoptimizeNode constant) {
            return constant.getReason();
        }
        ValueNode value = ((DynamicDeoptimizeNode) sink).getActionAndReason();
        while (value instanceof PhiNode phi && came.get(phi.merge()) instanceof AbstractEndNode end) {
            value = phi.valueAt(end);
        }
        // A reason that is computed is none that has a type of its own.
        return value.isJavaConstant() ? META.decodeDeoptReason(value.asJavaConstant()) : DeoptimizationReason.None;
    }
}
