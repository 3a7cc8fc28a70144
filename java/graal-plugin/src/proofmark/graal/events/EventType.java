package proofmark.graal.events;

import java.util.List;

import jdk.graal.compiler.graph.Node;

/**
 * What can be counted.
 *
 * @param name unique
 * @param category group of types
 * @param predicate the condition on a node, in words
 * @param point when it is recognised
 * @param why why then
 * @param cannot why it never occurs in the community compiler; null when it does
 * @param classes the nodes to look at; empty for all
 * @param test the condition on such a node
 */
public record EventType(String name, String category, String predicate, MarkingPoint point, String why, String cannot,
        List<Class<? extends Node>> classes, Test test) {
    /** A condition on a node. */
    interface Test {
        boolean matches(Node node);
    }

    boolean looksAt(Class<?> type) {
        return cannot == null && (classes.isEmpty() || classes.stream().anyMatch(known -> known.isAssignableFrom(type)));
    }
}
