package proofmark.graal.events;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import jdk.graal.compiler.core.common.cfg.CFGLoop;
import jdk.graal.compiler.nodes.AbstractDeoptimizeNode;
import jdk.graal.compiler.nodes.FixedNode;
import jdk.graal.compiler.nodes.UnwindNode;
import jdk.graal.compiler.nodes.cfg.ControlFlowGraph;
import jdk.graal.compiler.nodes.cfg.HIRBlock;

/**
 * Blocks and edges of a unit, with one vertex more, {@link #OUTSIDE}, from which it is entered and to
 * which it is left: what flows into a vertex flows out of it. Blocks are numbered in reverse post
 * order, so that an edge to a smaller or equal number closes a loop.
 */
final class FlowGraph {
    /** Classes of weights per factor e within which edges count as equally often taken. */
    private static final double CLASSES = 4;
    /** The vertex of callers. */
    static final int OUTSIDE = -1;

    final HIRBlock[] blocks;
    final List<Edge> edges = new ArrayList<>();
    /** Per block, the edges that leave and that reach it. */
    final List<List<Edge>> leaving = new ArrayList<>();
    final List<List<Edge>> reaching = new ArrayList<>();
    private List<Edge> sorted;

    /** Kinds of edges, as tables spell them in lower case. */
    enum Kind {
        ENTRY,
        FLOW,
        BACK,
        RETURN,
        UNWIND,
        DEOPT
    }

    /** A way from one block to another, and what the strategy does on it. */
    static final class Edge {
        final int id;
        final int from;
        final int to;
        final Kind kind;
        /** How often the compiler believes it is taken, relative to the unit's entry. */
        final double weight;
        /** Whether its traversals follow from those of others. */
        boolean tree;
        /** What measures it, as tables write it. */
        String measure = "-";

        Edge(int id, int from, int to, Kind kind, double weight) {
            this.id = id;
            this.from = from;
            this.to = to;
            this.kind = kind;
            this.weight = weight;
        }

        boolean leavesUnit() {
            return to == OUTSIDE;
        }
    }

    FlowGraph(ControlFlowGraph cfg) {
        blocks = cfg.getBlocks();
        for (int i = 0; i < blocks.length; i++) {
            leaving.add(new ArrayList<>());
            reaching.add(new ArrayList<>());
        }
        add(OUTSIDE, 0, Kind.ENTRY, blocks[0].getRelativeFrequency());
        for (HIRBlock block : blocks) {
            double frequency = block.getRelativeFrequency();
            for (int i = 0; i < block.getSuccessorCount(); i++) {
                int to = block.getSuccessorAt(i).getId();
                add(block.getId(), to, to <= block.getId() ? Kind.BACK : Kind.FLOW, frequency * block.getSuccessorProbabilityAt(i));
            }
            if (block.getSuccessorCount() == 0) {
                add(block.getId(), OUTSIDE, exitKind(block.getEndNode()), frequency);
            }
        }
    }

    private static Kind exitKind(FixedNode sink) {
        if (sink instanceof UnwindNode) {
            return Kind.UNWIND;
        }
        return sink instanceof AbstractDeoptimizeNode ? Kind.DEOPT : Kind.RETURN;
    }

    private void add(int from, int to, Kind kind, double weight) {
        Edge edge = new Edge(edges.size(), from, to, kind, weight);
        edges.add(edge);
        if (from != OUTSIDE) {
            leaving.get(from).add(edge);
        }
        if (to != OUTSIDE) {
            reaching.get(to).add(edge);
        }
    }

    Edge entry() {
        return edges.getFirst();
    }

    int size() {
        return blocks.length;
    }

    boolean inside(int block, CFGLoop<HIRBlock> loop) {
        for (CFGLoop<?> l = block == OUTSIDE ? null : blocks[block].getLoop(); l != null; l = l.getParent()) {
            if (l == loop) {
                return true;
            }
        }
        return false;
    }

    /** Edges that leave the loop, whatever for. */
    List<Edge> exits(CFGLoop<HIRBlock> loop) {
        List<Edge> exits = new ArrayList<>();
        for (HIRBlock block : loop.getBlocks()) {
            for (Edge edge : leaving.get(block.getId())) {
                if (!inside(edge.to, loop)) {
                    exits.add(edge);
                }
            }
        }
        return exits;
    }

    List<Edge> backEdges(CFGLoop<HIRBlock> loop) {
        List<Edge> back = new ArrayList<>();
        for (Edge edge : reaching.get(loop.getHeader().getId())) {
            if (edge.kind == Kind.BACK) {
                back.add(edge);
            }
        }
        return back;
    }

    static double weight(List<Edge> edges) {
        double weight = 0;
        for (Edge edge : edges) {
            weight += edge.weight;
        }
        return weight;
    }

    /**
     * All edges, the often taken first; about equally often taken ones (within some 28 %) from the entry
     * to the exits. What comes last is what a spanning tree leaves to be counted: between two edges that
     * cost the same, the one nearer to the exit. An update in an arm of a branch, which was empty before,
     * needs a jump; one in front of a return does not, and nothing behind it waits for memory.
     */
    List<Edge> hottestFirst() {
        if (sorted == null) {
            sorted = new ArrayList<>(edges);
            sorted.sort(Comparator.comparingDouble((Edge e) -> -Math.rint(CLASSES * Math.log(e.weight))).thenComparingInt(e -> e.id));
        }
        return sorted;
    }
}
