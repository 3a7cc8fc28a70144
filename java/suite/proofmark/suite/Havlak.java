package proofmark.suite;

import proofmark.suite.havlak.FlowGraph;
import proofmark.suite.havlak.GraphBuilder;
import proofmark.suite.havlak.LoopFinder;
import proofmark.suite.havlak.LoopForest;

/**
 * Havlak: finds the loops, and how they nest, in generated control-flow graphs.
 *
 * <p>Size: 15 searches in a graph of one loop nest, which find 3 loops each, then one search in a graph of 5213
 * blocks and four more of the same. Expected: 1647 loops in all, with the root, and 5213 blocks, the published numbers
 * for 15 small searches; 1602 again in each further search. An independent program found the large graph's 1601 loop
 * headers and that 2 of them (and one in the small graph) have a second way in; the depth of 5 is our own result.
 *
 * <p>Described in: P. Havlak, "Nesting of Reducible and Irreducible Loops", TOPLAS 19(4), 1997; the generated graphs
 * in R. Hundt, "Loop Recognition in C++/Java/Go/Scala", Scala Days 2011.
 */
public final class Havlak extends Program {
    private static final int SMALL_SEARCHES = 15;
    private static final int LARGE_SEARCHES = 4;
    private static final String COUNTS =
            "1647 loops, 17 irreducible, 5 deep, 5213 blocks, 1602 again";

    @Override
    public Object run() {
        FlowGraph graph = new FlowGraph();
        GraphBuilder builder = new GraphBuilder(graph);
        LoopForest forest = new LoopForest();
        builder.buildSmall();
        for (int i = 0; i < SMALL_SEARCHES; i++) {
            new LoopFinder(graph, forest).search();
        }
        builder.buildLarge();
        new LoopFinder(graph, forest).search();
        return forest.size() + " loops, " + forest.irreducible() + " irreducible, " + forest.deepest() + " deep, "
                + graph.size() + " blocks, " + searchAgain(graph) + " again";
    }

    /** The loops of the graph, with the root; -1 when not every search finds the same number. */
    private static int searchAgain(FlowGraph graph) {
        int found = 0;
        for (int i = 0; i < LARGE_SEARCHES; i++) {
            LoopForest forest = new LoopForest();
            new LoopFinder(graph, forest).search();
            if (i > 0 && forest.size() != found) {
                return -1;
            }
            found = forest.size();
        }
        return found;
    }

    @Override
    public boolean check(Object result) {
        return result.equals(COUNTS);
    }

    @Override
    public int repetitions() {
        return 4;
    }
}
