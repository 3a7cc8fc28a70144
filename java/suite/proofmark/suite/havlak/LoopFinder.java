package proofmark.suite.havlak;

import proofmark.suite.collections.Sequence;
import proofmark.suite.collections.Table;

/** Havlak's algorithm: loops from the inside out, each collapsed into its header once it is known. */
public final class LoopFinder {
    private final FlowGraph graph;
    private final LoopForest forest;
    private final Sequence<Node> nodes = new Sequence<>();
    private final Table<Block, Node> nodeOfBlock = new Table<>();

    /** A search in {@code graph} that adds what it finds to {@code forest}. */
    public LoopFinder(FlowGraph graph, LoopForest forest) {
        this.graph = graph;
        this.forest = forest;
    }

    /** Finds all loops. */
    public void search() {
        number(graph.start());
        nodes.forEach(this::sortEdges);
        for (int i = nodes.size() - 1; i >= 0; i--) {
            findLoopOf(nodes.at(i));
        }
        forest.settle();
    }

    /** Numbers the blocks from {@code block} on in depth-first order. */
    private void number(Block block) {
        Node node = new Node(block, nodes.size());
        nodes.add(node);
        nodeOfBlock.put(block, node);
        Sequence<Block> successors = block.successors();
        for (int i = 0; i < successors.size(); i++) {
            Block successor = successors.at(i);
            if (nodeOfBlock.get(successor) == null) {
                number(successor);
            }
        }
        node.setLastDescendant(nodes.size() - 1);
    }

    private void sortEdges(Node node) {
        Sequence<Block> predecessors = node.block().predecessors();
        for (int i = 0; i < predecessors.size(); i++) {
            Node source = nodeOfBlock.get(predecessors.at(i));
            if (source == null) {
                continue;
            }
            if (node.isAncestorOf(source)) {
                node.backEdges().add(source);
            } else {
                node.addOtherEdge(source);
            }
        }
    }

    private void findLoopOf(Node header) {
        Sequence<Node> body = new Sequence<>();
        boolean loopsOnItself = collectEnds(header, body);
        if (body.isEmpty() && !loopsOnItself) {
            return;
        }
        boolean reducible = collectBody(header, body);
        Loop loop = forest.createLoop(header.block(), reducible);
        header.setLoop(loop);
        body.forEach(node -> collapse(node, header, loop));
    }

    /** Collects where the loop's back edges come from; true when one comes from the header itself. */
    private static boolean collectEnds(Node header, Sequence<Node> body) {
        Sequence<Node> sources = header.backEdges();
        boolean loopsOnItself = false;
        for (int i = 0; i < sources.size(); i++) {
            Node source = sources.at(i);
            if (source == header) {
                loopsOnItself = true;
            } else {
                addOnce(source.find(), body);
            }
        }
        return loopsOnItself;
    }

    /** Walks backwards from the ends to the header; false when there is a second way into the loop. */
    private static boolean collectBody(Node header, Sequence<Node> body) {
        boolean reducible = true;
        for (int i = 0; i < body.size(); i++) {
            Sequence<Node> sources = body.at(i).otherEdges();
            for (int j = 0; j < sources.size(); j++) {
                Node source = sources.at(j).find();
                if (!header.isAncestorOf(source)) {
                    reducible = false;
                    header.addOtherEdge(source);
                } else if (source != header) {
                    addOnce(source, body);
                }
            }
        }
        return reducible;
    }

    private static void addOnce(Node node, Sequence<Node> body) {
        if (!body.contains(node)) {
            body.add(node);
        }
    }

    private static void collapse(Node node, Node header, Loop loop) {
        node.mergeInto(header);
        if (node.loop() != null) {
            node.loop().setParent(loop);
        } else {
            loop.add(node.block());
        }
    }
}
