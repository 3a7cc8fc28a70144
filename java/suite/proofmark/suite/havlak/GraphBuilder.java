package proofmark.suite.havlak;

/** Generates the graphs: straight runs, diamonds and nests of three loops, put together to many nested loops. */
public final class GraphBuilder {
    private static final int OUTER = 10;
    private static final int MIDDLE = 10;
    private static final int INNER = 5;

    private final FlowGraph graph;

    /** A builder that adds to {@code graph}. */
    public GraphBuilder(FlowGraph graph) {
        this.graph = graph;
    }

    /** The small graph: one nest of three loops from block 0, and a way past it to block 2. */
    public void buildSmall() {
        nest(0);
        graph.connect(0, 2);
    }

    /** The large graph, on top of the small one. */
    public void buildLarge() {
        int end = 2;
        for (int outer = 0; outer < OUTER; outer++) {
            graph.connect(2, end + 1);
            end++;
            for (int middle = 0; middle < MIDDLE; middle++) {
                end = loopOfNests(end);
            }
            graph.connect(end, 1);
        }
    }

    private int loopOfNests(int start) {
        int top = start;
        int end = straight(start, 1);
        for (int inner = 0; inner < INNER; inner++) {
            end = nest(end);
        }
        int bottom = straight(end, 1);
        graph.connect(end, top);
        return bottom;
    }

    /** Blocks in a row after {@code start}; returns the last. */
    private int straight(int start, int count) {
        for (int i = 0; i < count; i++) {
            graph.connect(start + i, start + i + 1);
        }
        return start + count;
    }

    /** A fork after {@code start} and the block where its branches join, which is returned. */
    private int diamond(int start) {
        graph.connect(start, start + 1);
        graph.connect(start, start + 2);
        graph.connect(start + 1, start + 3);
        graph.connect(start + 2, start + 3);
        return start + 3;
    }

    /** Two loops around a diamond each inside a third; returns the block after them. */
    private int nest(int start) {
        int header = straight(start, 1);
        int firstEnd = diamond(header);
        int secondStart = straight(firstEnd, 1);
        int secondEnd = diamond(secondStart);
        int footer = straight(secondEnd, 1);
        graph.connect(secondEnd, secondStart);
        graph.connect(firstEnd, header);
        graph.connect(footer, start);
        return straight(footer, 1);
    }
}
