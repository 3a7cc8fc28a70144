package proofmark.graal.events;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.List;

/**
 * A maximum spanning tree of a unit's edges: traversals of its edges follow from those of the others,
 * the chords, because what flows into a block flows out of it (Knuth 1973; for events, Ball 1994).
 */
final class SpanningTree {
    private final FlowGraph graph;
    private final int[] parent;
    /** Tree edges at each vertex; the last is the outside's. */
    private final List<List<FlowGraph.Edge>> at = new ArrayList<>();

    /** Marks the edges of the tree. {@code chords} are kept out of it; the rest must connect all blocks. */
    SpanningTree(FlowGraph graph, Collection<FlowGraph.Edge> chords) {
        this.graph = graph;
        parent = new int[graph.size() + 1];
        for (int i = 0; i < parent.length; i++) {
            parent[i] = i;
            at.add(new ArrayList<>());
        }
        for (FlowGraph.Edge edge : graph.hottestFirst()) {
            if (!chords.contains(edge)) {
                join(edge);
            }
        }
    }

    private void join(FlowGraph.Edge edge) {
        int from = root(vertex(edge.from));
        int to = root(vertex(edge.to));
        if (from != to) {
            parent[from] = to;
            edge.tree = true;
            at.get(vertex(edge.from)).add(edge);
            at.get(vertex(edge.to)).add(edge);
        }
    }

    private int vertex(int block) {
        return block == FlowGraph.OUTSIDE ? graph.size() : block;
    }

    private int root(int vertex) {
        int root = vertex;
        while (parent[root] != root) {
            parent[root] = parent[parent[root]];
            root = parent[root];
        }
        return root;
    }

    /**
     * What each edge must be weighed with when only chords are counted, so that the weighed sum of
     * chord traversals is the sum of {@code values} over all traversals. Tree edges get 0.
     *
     * @param values per edge, a vector; its length is the same for all
     */
    long[][] weights(long[][] values) {
        int width = values.length == 0 ? 0 : values[0].length;
        long[][] potential = new long[parent.length][];
        Deque<Integer> open = new ArrayDeque<>();
        potential[graph.size()] = new long[width];
        open.add(graph.size());
        while (!open.isEmpty()) {
            int vertex = open.remove();
            for (FlowGraph.Edge edge : at.get(vertex)) {
                int from = vertex(edge.from);
                int to = vertex(edge.to);
                int other = from == vertex ? to : from;
                if (potential[other] == null) {
                    potential[other] = sum(potential[vertex], values[edge.id], from == vertex ? 1 : -1);
                    open.add(other);
                }
            }
        }
        long[][] weights = new long[values.length][];
        for (FlowGraph.Edge edge : graph.edges) {
            long[] difference = sum(potential[vertex(edge.from)], potential[vertex(edge.to)], -1);
            weights[edge.id] = sum(difference, values[edge.id], 1);
        }
        return weights;
    }

    private static long[] sum(long[] a, long[] b, int sign) {
        long[] sum = Arrays.copyOf(a, a.length);
        for (int i = 0; i < sum.length; i++) {
            sum[i] += sign * b[i];
        }
        return sum;
    }
}
