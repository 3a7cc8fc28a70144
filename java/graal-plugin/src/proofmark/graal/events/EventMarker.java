package proofmark.graal.events;

import jdk.graal.compiler.core.common.type.StampFactory;
import jdk.graal.compiler.graph.IterableNodeType;
import jdk.graal.compiler.graph.NodeClass;
import jdk.graal.compiler.nodeinfo.NodeCycles;
import jdk.graal.compiler.nodeinfo.NodeInfo;
import jdk.graal.compiler.nodeinfo.NodeSize;
import jdk.graal.compiler.nodes.FixedWithNextNode;

/**
 * Says that an event happens here. No inputs, no size, no cycles, no effect on memory or state; it is
 * cloned with the code around it and gone before machine code is made.
 */
@NodeInfo(cycles = NodeCycles.CYCLES_0, size = NodeSize.SIZE_0)
public class EventMarker extends FixedWithNextNode implements IterableNodeType {
    public static final NodeClass<EventMarker> TYPE = NodeClass.create(EventMarker.class);
    /** Index in the {@link Catalogue}. */
    protected final int event;

    public EventMarker(int event) {
        super(TYPE, StampFactory.forVoid());
        this.event = event;
    }
}
