package proofmark.graal.events;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Numbers the acyclic paths of a unit (Ball and Larus 1996): every edge gets a value, and the sum of
 * the values along a path is its number. Back edges are cut: there a path ends and another starts. So
 * are all edges into merges behind which too many paths would begin, and into the headers of loops that
 * run long, whose own path then needs no register when it is entered.
 */
final class PathNumbers {
    /** Paths behind a merge from which it is cut. */
    private static final int MOST = 16;
    /** Iterations per entry from which a loop's header is cut. */
    private static final double LONG = 4;

    private final FlowGraph flow;
    private final boolean[] cut;
    /** Paths that begin at a block. */
    private final int[] paths;
    /** Number of the first path that begins at a block: the entry, or one behind a cut. */
    private final int[] start;
    private final int[] value;
    private int total;

    PathNumbers(FlowGraph flow) {
        this.flow = flow;
        cut = new boolean[flow.size()];
        paths = new int[flow.size()];
        start = new int[flow.size()];
        value = new int[flow.edges.size()];
        for (int block = flow.size() - 1; block >= 0; block--) {
            number(block);
        }
        for (int block = 0; block < flow.size(); block++) {
            if (startsBehind(block)) {
                start[block] = total;
                total = Math.addExact(total, paths[block]);
            }
        }
        for (FlowGraph.Edge edge : flow.edges) {
            edge.measure = isCut(edge) ? "x" + value[edge.id] + ',' + start[edge.to] : "v" + (edge == flow.entry() ? start[0] : value[edge.id]);
        }
    }

    private void number(int block) {
        // Blocks behind this one are numbered already, but for the header of a loop that ends here.
        for (FlowGraph.Edge edge : hottestFirst(flow.leaving.get(block))) {
            value[edge.id] = paths[block];
            boolean one = edge.leavesUnit() || isCut(edge);
            paths[block] = Math.addExact(paths[block], one ? 1 : paths[edge.to]);
        }
        boolean merge = flow.reaching.get(block).size() > 1;
        cut[block] = merge && paths[block] > MOST || flow.blocks[block].isLoopHeader() && runsLong(block);
    }

    private boolean runsLong(int header) {
        double back = 0;
        double entered = 0;
        for (FlowGraph.Edge edge : flow.reaching.get(header)) {
            if (edge.kind == FlowGraph.Kind.BACK) {
                back += edge.weight;
            } else {
                entered += edge.weight;
            }
        }
        return back >= LONG * entered;
    }

    /** The often taken edge gets the value 0, which needs no code. */
    private static List<FlowGraph.Edge> hottestFirst(List<FlowGraph.Edge> edges) {
        List<FlowGraph.Edge> sorted = new ArrayList<>(edges);
        sorted.sort(Comparator.comparingDouble((FlowGraph.Edge e) -> -e.weight).thenComparingInt(e -> e.id));
        return sorted;
    }

    boolean isCut(FlowGraph.Edge edge) {
        return edge.from != FlowGraph.OUTSIDE && !edge.leavesUnit() && (cut[edge.to] || edge.kind == FlowGraph.Kind.BACK);
    }

    /** Whether paths begin at the block. */
    boolean startsBehind(int block) {
        return block == 0 || cut[block] || flow.blocks[block].isLoopHeader();
    }

    int start(int block) {
        return start[block];
    }

    int value(FlowGraph.Edge edge) {
        return value[edge.id];
    }

    int total() {
        return total;
    }

    /** Calls back with the blocks of every path, by number. */
    void forEach(Visitor visitor) {
        for (int block = 0; block < flow.size(); block++) {
            if (startsBehind(block)) {
                walk(block, start[block], new ArrayList<>(), visitor);
            }
        }
    }

    private void walk(int block, int number, List<Integer> before, Visitor visitor) {
        before.add(block);
        for (FlowGraph.Edge edge : flow.leaving.get(block)) {
            if (edge.leavesUnit() || isCut(edge)) {
                visitor.path(number + value[edge.id], before);
            } else {
                walk(edge.to, number + value[edge.id], before, visitor);
            }
        }
        before.removeLast();
    }

    /** Is shown a path's number and blocks. */
    interface Visitor {
        void path(int number, List<Integer> blocks);
    }
}
