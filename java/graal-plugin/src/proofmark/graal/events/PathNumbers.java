package proofmark.graal.events;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Numbers the acyclic paths of a unit (Ball and Larus 1996): every edge gets a value, and the sum of
 * the values along a path is its number. Back edges are cut, and so are all edges into a loop's header
 * and into merges behind which too many paths would begin: there a path ends and another starts.
 */
final class PathNumbers {
    /** Paths behind a merge from which it is cut. */
    private static final int MOST = 16;

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
            if (block == 0 || cut[block]) {
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
            boolean one = edge.leavesUnit() || edge.to <= block || cut[edge.to];
            paths[block] = Math.addExact(paths[block], one ? 1 : paths[edge.to]);
        }
        boolean header = flow.blocks[block].isLoopHeader();
        boolean merge = flow.reaching.get(block).size() > 1;
        cut[block] = header || merge && paths[block] > MOST;
    }

    /** The often taken edge gets the value 0, which needs no code. */
    private static List<FlowGraph.Edge> hottestFirst(List<FlowGraph.Edge> edges) {
        List<FlowGraph.Edge> sorted = new ArrayList<>(edges);
        sorted.sort(Comparator.comparingDouble((FlowGraph.Edge e) -> -e.weight).thenComparingInt(e -> e.id));
        return sorted;
    }

    boolean isCut(FlowGraph.Edge edge) {
        return edge.from != FlowGraph.OUTSIDE && !edge.leavesUnit() && cut[edge.to];
    }

    boolean startsBehind(int block) {
        return block == 0 || cut[block];
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
