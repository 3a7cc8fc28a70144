package proofmark.graal.events;

import static jdk.vm.ci.meta.DeoptimizationReason.BoundsCheckException;
import static jdk.vm.ci.meta.DeoptimizationReason.ClassCastException;
import static jdk.vm.ci.meta.DeoptimizationReason.NullCheckException;
import static jdk.vm.ci.meta.DeoptimizationReason.UnreachedCode;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeSet;

import jdk.graal.compiler.graph.Node;
import jdk.graal.compiler.hotspot.nodes.StubForeignCallNode;
import jdk.graal.compiler.hotspot.replacements.arraycopy.CheckcastArrayCopyCallNode;
import jdk.graal.compiler.hotspot.replacements.arraycopy.GenericArrayCopyCallNode;
import jdk.graal.compiler.nodes.AbstractDeoptimizeNode;
import jdk.graal.compiler.nodes.CallTargetNode.InvokeKind;
import jdk.graal.compiler.nodes.IfNode;
import jdk.graal.compiler.nodes.InvokeNode;
import jdk.graal.compiler.nodes.InvokeWithExceptionNode;
import jdk.graal.compiler.nodes.LoopEndNode;
import jdk.graal.compiler.nodes.SafepointNode;
import jdk.graal.compiler.nodes.UnwindNode;
import jdk.graal.compiler.nodes.calc.BinaryArithmeticNode;
import jdk.graal.compiler.nodes.calc.FloatDivNode;
import jdk.graal.compiler.nodes.calc.IntegerDivRemNode;
import jdk.graal.compiler.nodes.calc.RemNode;
import jdk.graal.compiler.nodes.calc.ShiftNode;
import jdk.graal.compiler.nodes.calc.TernaryArithmeticNode;
import jdk.graal.compiler.nodes.calc.UnaryArithmeticNode;
import jdk.graal.compiler.nodes.debug.DynamicCounterNode;
import jdk.graal.compiler.nodes.extended.ForeignCallNode;
import jdk.graal.compiler.nodes.extended.ForeignCallWithExceptionNode;
import jdk.graal.compiler.nodes.extended.MembarNode;
import jdk.graal.compiler.nodes.extended.NullCheckNode;
import jdk.graal.compiler.nodes.gc.WriteBarrierNode;
import jdk.graal.compiler.nodes.java.AbstractCompareAndSwapNode;
import jdk.graal.compiler.nodes.java.AbstractNewObjectNode;
import jdk.graal.compiler.nodes.java.AllocateWithExceptionNode;
import jdk.graal.compiler.nodes.java.ClassIsAssignableFromNode;
import jdk.graal.compiler.nodes.java.InstanceOfDynamicNode;
import jdk.graal.compiler.nodes.java.InstanceOfNode;
import jdk.graal.compiler.nodes.java.LoweredAtomicReadAndAddNode;
import jdk.graal.compiler.nodes.java.LoweredAtomicReadAndWriteNode;
import jdk.graal.compiler.nodes.java.NewMultiArrayNode;
import jdk.graal.compiler.nodes.java.TypeSwitchNode;
import jdk.graal.compiler.nodes.memory.FixedAccessNode;
import jdk.graal.compiler.nodes.memory.ReadNode;
import jdk.graal.compiler.nodes.memory.WriteNode;
import jdk.graal.compiler.replacements.arraycopy.ArrayCopyCallNode;
import jdk.graal.compiler.replacements.nodes.ZeroMemoryNode;
import jdk.graal.compiler.replacements.nodes.arithmetic.IntegerExactArithmeticSplitNode;

/** Every event type: the 43 of the paper and the user's own. An event is known by its index here. */
public final class Catalogue {
    /** Of this JVM; the user's events are those on its class path. */
    static final Catalogue OF_JVM = new Catalogue(ServiceLoader.load(UserEvent.class, ClassLoader.getSystemClassLoader()));

    private static final String STAYS = "lives until code is made from it";
    private static final String LOWERED = "the last moment before LowTierLoweringPhase replaces it by loads, stores and calls";

    private final List<EventType> types = new ArrayList<>();
    /** Why the user's types cannot be used. */
    private volatile String problem;

    private Catalogue(Iterable<UserEvent> own) {
        allocations();
        arithmetics();
        memory();
        control();
        locks();
        speculation();
        types();
        bulk();
        try {
            own.forEach(this::add);
        } catch (RuntimeException | ServiceConfigurationError | LinkageError e) {
            refuse("an event type of your own cannot be used: " + e);
        }
    }

    /** Compilations go on without the user's types; whoever asks for types next is told. */
    void refuse(String why) {
        problem = why;
    }

    private void usable() {
        if (problem != null) {
            throw new IllegalStateException(problem);
        }
    }

    private void add(UserEvent own) {
        String name = own.name();
        if (!name.matches("[a-z0-9]+(-[a-z0-9]+)*") || types.stream().anyMatch(known -> known.name().equals(name))) {
            throw new IllegalArgumentException(own.getClass().getName() + ": '" + name + "' is no new name of lower case words joined with -");
        }
        types.add(new EventType(name, "user", "see " + own.getClass().getName(), MarkingPoint.parse(own.when()), "its author says so", null, List.of(),
                own::matches));
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private void atEnd(String category, String name, String predicate, EventType.Test test, Class<? extends Node>... classes) {
        types.add(new EventType(name, category, predicate, MarkingPoint.END, STAYS, null, List.of(classes), test));
    }

    @SafeVarargs
    @SuppressWarnings("varargs")
    private void marked(String category, String name, MarkingPoint point, String why, String predicate, EventType.Test test, Class<? extends Node>... classes) {
        types.add(new EventType(name, category, predicate, point, why, null, List.of(classes), test));
    }

    private void never(String category, String name, String predicate, String reason) {
        types.add(new EventType(name, category, predicate, MarkingPoint.END, "never there", reason, List.of(), node -> false));
    }

    private void allocations() {
        marked("allocations", "allocation", MarkingPoint.BEFORE_LOW_LOWERING, LOWERED, "creates an object or array that escape analysis left over", node -> true,
                AbstractNewObjectNode.class, NewMultiArrayNode.class, AllocateWithExceptionNode.class);
        marked("allocations", "array-duplication", MarkingPoint.BEFORE_LOW_LOWERING, LOWERED, "calls a copy routine whose destination was allocated for it",
                Predicates::duplicates, ArrayCopyCallNode.class);
    }

    private void arithmetics() {
        atEnd("arithmetics", "arithmetic", "integer +, -, *, negation, bit operation, shift, minimum, maximum; not folded into an address", Predicates::integer,
                BinaryArithmeticNode.class, UnaryArithmeticNode.class, ShiftNode.class, IntegerExactArithmeticSplitNode.class);
        atEnd("arithmetics", "int-div-rem", "integer division or remainder that was not replaced by cheaper operations", node -> true, IntegerDivRemNode.class);
        for (int bits : new int[] {32, 64}) {
            atEnd("arithmetics", "float-arithmetic-" + bits, bits + "-bit floating-point operation other than division and remainder",
                    node -> Predicates.floating(node, bits), BinaryArithmeticNode.class, UnaryArithmeticNode.class, TernaryArithmeticNode.class);
            atEnd("arithmetics", "float-div-rem-" + bits, bits + "-bit floating-point division or remainder", node -> Predicates.floatDivision(node, bits),
                    FloatDivNode.class, RemNode.class);
        }
    }

    private void memory() {
        marked("arraycopies", "arraycopy", MarkingPoint.BEFORE_LOW_LOWERING, LOWERED, "calls a copy routine", node -> true, ArrayCopyCallNode.class,
                CheckcastArrayCopyCallNode.class, GenericArrayCopyCallNode.class);
        marked("atomics", "cas", MarkingPoint.BEFORE_LOW_LOWERING, "later it could not be told from the operations inside locks",
                "atomic compare-and-swap, exchange or add of the program", node -> true, AbstractCompareAndSwapNode.class, LoweredAtomicReadAndAddNode.class,
                LoweredAtomicReadAndWriteNode.class);
        atEnd("memory-accesses", "store", "writes memory", node -> true, WriteNode.class);
        atEnd("memory-accesses", "load", "reads memory", node -> true, ReadNode.class);
        atEnd("memory-barriers", "membar-store-load", "full or store-load barrier, the one behind a volatile store included", Predicates::storeLoadBarrier,
                MembarNode.class, WriteNode.class);
        marked("writebarriers", "writebarrier", MarkingPoint.BEFORE_LOW_LOWERING, LOWERED, "tells the collector of a reference that was stored", node -> true,
                WriteBarrierNode.class);
    }

    private void control() {
        atEnd("branches", "if", "two-way branch, those of locks, allocations and guards included", node -> true, IfNode.class);
        atEnd("branches", "loop-end", "back edge of a loop as it is after unrolling", node -> true, LoopEndNode.class);
        atEnd("invokes", "foreign-call", "calls a routine of the VM", node -> true, ForeignCallNode.class, ForeignCallWithExceptionNode.class,
                StubForeignCallNode.class);
        atEnd("invokes", "invokestatic", "calls a static method", node -> Predicates.invoke(node, InvokeKind.Static), InvokeNode.class, InvokeWithExceptionNode.class);
        atEnd("invokes", "invokespecial", "calls a constructor, a private or super method, or one that was proven to be the only target",
                node -> Predicates.invoke(node, InvokeKind.Special), InvokeNode.class, InvokeWithExceptionNode.class);
        atEnd("invokes", "invokevirtual", "calls through a class", node -> Predicates.invoke(node, InvokeKind.Virtual), InvokeNode.class, InvokeWithExceptionNode.class);
        atEnd("invokes", "invokeinterface", "calls through an interface", node -> Predicates.invoke(node, InvokeKind.Interface), InvokeNode.class, InvokeWithExceptionNode.class);
        atEnd("safepoints", "safepoint", "polls in a loop; polls of returns are not counted", node -> true, SafepointNode.class);
        atEnd("unwinds", "unwind", "leaves the unit with an exception", node -> true, UnwindNode.class);
        atEnd("wait-notify", "wait", "calls Object.wait", node -> Predicates.callsObject(node, "wait0"), InvokeNode.class, InvokeWithExceptionNode.class);
        notifying("notify", "object_notify");
        notifying("notify-all", "object_notifyAll");
    }

    private void notifying(String name, String routine) {
        atEnd("wait-notify", name, "wakes threads that wait for an object: calls the VM's routine " + routine + "; where that fails, the method is called besides",
                node -> Predicates.callsForeign(node, routine), ForeignCallNode.class, ForeignCallWithExceptionNode.class);
    }

    private void locks() {
        never("locks", "biased-lock-entry", "enters a monitor that is biased towards the thread", "HotSpot has no biased locking since JDK 18");
        lock("cas-lock-entry", "enters a free monitor with one compare-and-swap", "{lightweight:cas}", "{stack:cas}");
        lock("inflated-lock-entry", "enters a free inflated monitor", "{heavyweight:cas}");
        lock("recursive-lock-entry", "enters a monitor that the thread holds", ":recursive}");
        lock("stubbed-lock-entry", "leaves entering a monitor to the VM", ":failed-cas}", "{lightweight:fulllockstack}", "{heavyweight:owned}");
    }

    private void lock(String name, String predicate, String... paths) {
        marked("locks", name, MarkingPoint.AFTER_LOW_LOWERING, "the first moment at which the ways through a monitor's entry exist; Graal's own counters tell them apart",
                predicate, node -> Predicates.lockEntry(node, paths), DynamicCounterNode.class);
    }

    private void speculation() {
        String guard = "test whose other side leaves for the interpreter, or access that traps";
        atEnd("speculative-ops", "guard", guard, Guards::guards, IfNode.class, NullCheckNode.class, FixedAccessNode.class);
        atEnd("speculative-ops", "guard-bounds-check", guard + ": index outside of an array", node -> Guards.guards(node, BoundsCheckException), IfNode.class);
        atEnd("speculative-ops", "guard-class-cast", guard + ": failed cast", node -> Guards.guards(node, ClassCastException), IfNode.class);
        atEnd("speculative-ops", "guard-null-check", guard + ": null; a trapping access costs no instruction of its own",
                node -> Guards.guards(node, NullCheckException), IfNode.class, NullCheckNode.class, FixedAccessNode.class);
        atEnd("speculative-ops", "guard-unreached-code", guard + ": code that was never reached", node -> Guards.guards(node, UnreachedCode), IfNode.class);
        atEnd("speculative-ops", "deoptimization", "leaves for the interpreter", node -> true, AbstractDeoptimizeNode.class);
    }

    private void types() {
        marked("typechecks", "instanceof", MarkingPoint.BEFORE_MID_LOWERING, "MidTierLoweringPhase replaces it by loads and comparisons",
                "tests the type of an object, casts included", node -> true, InstanceOfNode.class, InstanceOfDynamicNode.class, ClassIsAssignableFromNode.class);
        atEnd("typechecks", "typeswitch", "chooses among classes, for inlined calls with several targets", node -> true, TypeSwitchNode.class);
    }

    private void bulk() {
        String enterprise = "only the enterprise compiler vectorises loops";
        never("vectorization", "bulk-map", "vectorised loop that maps arrays to an array", enterprise);
        never("vectorization", "bulk-read", "vectorised loop that reads arrays", enterprise);
        never("vectorization", "bulk-write", "vectorised loop that writes an array", enterprise);
        atEnd("vectorization", "bulk-initialize", "clears a stretch of memory that is not a small object", node -> true, ZeroMemoryNode.class);
    }

    List<EventType> all() {
        return types;
    }

    /** Indices of the named types; a category stands for its types, {@code all} for all. */
    Set<Integer> indices(Iterable<String> names) {
        usable();
        Set<Integer> indices = new TreeSet<>();
        for (String name : names) {
            boolean found = false;
            for (int i = 0; i < types.size(); i++) {
                EventType type = types.get(i);
                if (name.equals("all") || name.equals(type.name()) || name.equals(type.category())) {
                    indices.add(i);
                    found = true;
                }
            }
            if (!found) {
                throw new IllegalArgumentException("'" + name + "' is neither an event type nor a category");
            }
        }
        return indices;
    }

    /**
     * A type in words.
     *
     * @param name unique
     * @param category group of types
     * @param predicate condition on a node of the compiler's graph
     * @param tier part of the compilation in which it is recognised
     * @param phase moment in that part
     * @param why why then
     * @param cannot why it never occurs in the community compiler; null when it does
     */
    public record Row(String name, String category, String predicate, String tier, String phase, String why, String cannot) {
        private static Row of(EventType type) {
            return new Row(type.name(), type.category(), type.predicate(), type.point().tier(), type.point().words(), type.why(), type.cannot());
        }
    }

    /** Every type of this JVM, the user's own at the end. */
    public static List<Row> rows() {
        OF_JVM.usable();
        return OF_JVM.types.stream().map(Row::of).toList();
    }
}
