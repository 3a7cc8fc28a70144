package proofmark.graal;

import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jdk.graal.compiler.graph.NodeSourcePosition;
import jdk.vm.ci.code.BytecodePosition;
import jdk.vm.ci.meta.LineNumberTable;
import jdk.vm.ci.meta.ResolvedJavaMethod;

/** Source positions of one compilation with the inlining that led there, numbered in order of first appearance. */
public final class Positions {
    static final int NONE = -1;
    private static final int NO_LINE = -1;

    private final Map<String, Integer> indices = new LinkedHashMap<>();
    private final List<BytecodePosition> positions = new ArrayList<>();
    /** Nodes share few objects; spelling a position takes time. */
    private final Map<NodeSourcePosition, Integer> known = new IdentityHashMap<>();

    /** Number of a node's position. Snippet code counts as its caller, as it does in the debug information that HotSpot gets. */
    public int of(NodeSourcePosition original) {
        return original == null ? NONE : known.computeIfAbsent(original, this::find);
    }

    private int find(NodeSourcePosition original) {
        NodeSourcePosition position = original.isPlaceholder() ? null : original.trim();
        if (position == null || position.isPlaceholder()) {
            return NONE;
        }
        return intern(position);
    }

    int intern(BytecodePosition position) {
        return indices.computeIfAbsent(key(position), k -> {
            positions.add(position);
            return positions.size() - 1;
        });
    }

    private static String key(BytecodePosition position) {
        StringBuilder key = new StringBuilder();
        for (BytecodePosition p = position; p != null; p = p.getCaller()) {
            key.append(Names.method(p.getMethod())).append('@').append(p.getBCI()).append(';');
        }
        return key.toString();
    }

    private static int line(BytecodePosition p) {
        LineNumberTable lines = p.getMethod().getLineNumberTable();
        return lines == null || p.getBCI() < 0 ? NO_LINE : lines.getLineNumber(p.getBCI());
    }

    void write(Json json) {
        json.array("positions");
        for (BytecodePosition innermost : positions) {
            json.array();
            for (BytecodePosition p = innermost; p != null; p = p.getCaller()) {
                ResolvedJavaMethod method = p.getMethod();
                json.object().field("method", Names.method(method)).field("bci", p.getBCI()).optional("line", line(p), NO_LINE).end();
            }
            json.end();
        }
        json.end();
    }

    /** One line per position: {@code position}, number, then {@code method:bci:line} of every frame, innermost first. */
    public void write(StringBuilder out) {
        for (int i = 0; i < positions.size(); i++) {
            out.append("position\t").append(i);
            for (BytecodePosition p = positions.get(i); p != null; p = p.getCaller()) {
                int line = line(p);
                out.append('\t').append(Names.method(p.getMethod())).append(':').append(p.getBCI()).append(':');
                out.append(line == NO_LINE ? "-" : Integer.toString(line));
            }
            out.append('\n');
        }
    }
}
