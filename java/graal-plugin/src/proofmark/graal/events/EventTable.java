package proofmark.graal.events;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.WeakHashMap;

import jdk.graal.compiler.core.common.CompilationIdentifier;

import proofmark.graal.Positions;

/**
 * How the counters of one compilation are to be read: blocks with their events, edges with what
 * measures them. The format is described in docs/events.md.
 */
public final class EventTable {
    /** Weak, so that a compilation which fails later on leaves nothing behind. */
    private static final Map<CompilationIdentifier, EventTable> MADE = new WeakHashMap<>();

    final Plan plan;
    final Positions positions = new Positions();
    private final List<Block> blocks = new ArrayList<>();
    private final List<String> lines = new ArrayList<>();
    private final List<FlowGraph.Edge> edges;
    private final double[] frequencies;
    /** Nodes of the graph without what was added for counting: what inlining into others looks at. */
    private final int plainNodes;

    /** An event type at a source position, and how often it happens when the block is entered. */
    record Event(int type, int position) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return type != other.type ? Integer.compare(type, other.type) : Integer.compare(position, other.position);
        }
    }

    /** A block's events. */
    static final class Block {
        final Map<Event, Integer> events = new HashMap<>();

        void add(int type, int position) {
            events.merge(new Event(type, position), 1, Integer::sum);
        }

        int count(int type) {
            int count = 0;
            for (Map.Entry<Event, Integer> entry : events.entrySet()) {
                count += entry.getKey().type == type ? entry.getValue() : 0;
            }
            return count;
        }
    }

    EventTable(Plan plan, FlowGraph graph, int plainNodes) {
        this.plan = plan;
        this.plainNodes = plainNodes;
        edges = graph.edges;
        frequencies = new double[graph.size()];
        for (int i = 0; i < frequencies.length; i++) {
            frequencies[i] = graph.blocks[i].getRelativeFrequency();
            blocks.add(new Block());
        }
    }

    public int plainNodes() {
        return plainNodes;
    }

    Block block(int id) {
        return blocks.get(id);
    }

    /** Types that occur, in ascending order. */
    List<Integer> types() {
        Set<Integer> types = new TreeSet<>();
        for (Block block : blocks) {
            for (Event event : block.events.keySet()) {
                types.add(event.type);
            }
        }
        return List.copyOf(types);
    }

    /** A counter that holds a total. */
    void count(int type, String position, String block, int counter) {
        count(type, position, block, counter, 1);
    }

    /** A counter each of whose counts stands for so many events. */
    void count(int type, String position, String block, int counter, long times) {
        lines.add("count\t" + type + '\t' + position + '\t' + block + "\tc" + counter + (times == 1 ? "" : "*" + times));
    }

    /** Path counters. */
    void paths(int first, int number) {
        lines.add("path\t" + first + '\t' + number);
    }

    /** A block that can be left in its middle. */
    void leak(int block, String kind, int times) {
        lines.add("leak\t" + block + '\t' + kind + '\t' + times);
    }

    synchronized static void made(CompilationIdentifier compilation, EventTable table) {
        MADE.put(compilation, table);
    }

    /** The table of a compilation, only once; null when it counts nothing. */
    public synchronized static EventTable take(CompilationIdentifier compilation) {
        return MADE.remove(compilation);
    }

    /** First line and types of a file of tables. */
    public static void writeHead(StringBuilder out) {
        out.append("proofmark-events\t1\n");
        List<EventType> types = Catalogue.OF_JVM.all();
        for (int i = 0; i < types.size(); i++) {
            out.append("type\t").append(i).append('\t').append(types.get(i).name()).append('\t').append(types.get(i).category()).append('\n');
        }
    }

    /** Everything about one code. */
    public void write(StringBuilder out, int code, int unit, int bytes, int entryBci, String name) {
        out.append("code\t").append(code).append('\t').append(plan.strategy().name().toLowerCase(Locale.ROOT)).append('\t').append(unit).append('\t');
        out.append(bytes).append('\t').append(entryBci).append('\t').append(name).append('\n');
        positions.write(out);
        for (int i = 0; i < blocks.size(); i++) {
            writeBlock(out, i);
        }
        for (FlowGraph.Edge edge : edges) {
            out.append("edge\t").append(edge.id).append('\t').append(vertex(edge.from, "in")).append('\t').append(vertex(edge.to, "out")).append('\t');
            out.append(edge.kind.name().toLowerCase(Locale.ROOT)).append('\t').append(edge.weight).append('\t').append(edge.measure).append('\n');
        }
        lines.forEach(line -> out.append(line).append('\n'));
        out.append("end\t").append(code).append('\n');
    }

    private static String vertex(int block, String outside) {
        return block == FlowGraph.OUTSIDE ? outside : Integer.toString(block);
    }

    private void writeBlock(StringBuilder out, int id) {
        out.append("block\t").append(id).append('\t').append(frequencies[id]).append('\t');
        Map<Event, Integer> events = blocks.get(id).events;
        if (events.isEmpty()) {
            out.append('-');
        }
        String comma = "";
        for (Map.Entry<Event, Integer> entry : new TreeMap<>(events).entrySet()) {
            int position = entry.getKey().position;
            out.append(comma).append(entry.getKey().type).append(':').append(entry.getValue()).append('@');
            out.append(position < 0 ? "-" : Integer.toString(position));
            comma = ",";
        }
        out.append('\n');
    }
}
