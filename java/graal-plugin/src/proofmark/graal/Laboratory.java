package proofmark.graal;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jdk.vm.ci.code.BailoutException;
import jdk.graal.compiler.nodes.spi.StableProfileProvider;
import jdk.vm.ci.hotspot.HotSpotInstalledCode;
import jdk.vm.ci.hotspot.HotSpotJVMCIRuntime;
import jdk.vm.ci.hotspot.HotSpotResolvedJavaMethod;
import jdk.vm.ci.meta.ResolvedJavaMethod;
import jdk.vm.ci.meta.ResolvedJavaType;

import proofmark.graal.events.Plan;
import proofmark.graal.events.Plans;

/**
 * The compiled side of the laboratory: units under our own control. Called by the harness from the
 * workload's thread, between iterations. Whatever becomes known about machine code is collected and
 * handed out by {@link #writeNews}.
 */
public final class Laboratory {
    private static final int C1_LEVELS = 3;
    private static final int GRAAL_LEVEL = 4;
    private static final int MOST_INVALIDATIONS = 4;

    private final Recompiler recompiler = new Recompiler();
    private final CodeNews news = new CodeNews();
    /** Methods that may become units, by name. */
    private final Map<String, HotSpotResolvedJavaMethod> methods = new LinkedHashMap<>();
    private final Map<String, UnitState> units = new LinkedHashMap<>();
    private final Map<Integer, UnitState> byIndex = new HashMap<>();
    private final Map<Integer, Compiled> codes = new HashMap<>();
    private final List<String> failures = new ArrayList<>();
    private final EventCodes events = new EventCodes();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private BlockCounting counting;

    /** Writes everything learned since the last call, what compiler threads of the VM did included. */
    public void writeNews(Json json) {
        takeForeign();
        news.write(json);
    }

    private void takeForeign() {
        for (Tables.Installation i : Tables.takeForeign()) {
            methods.put(i.record().unit, (HotSpotResolvedJavaMethod) i.record().compilation.getRequest().getMethod());
            int unit = news.nextUnit();
            events.foreign(i, unit, news.foreign(i));
        }
    }

    /**
     * Remembers the methods of the given classes that run in C1 code, or in Graal code only after
     * on-stack replacement, and returns their names.
     */
    public List<String> slowTierMethods(Iterable<Class<?>> classes) {
        List<String> names = new ArrayList<>();
        for (Class<?> type : classes) {
            ResolvedJavaType resolved = HotSpotJVMCIRuntime.runtime().getHostJVMCIBackend().getMetaAccess().lookupJavaType(type);
            if (resolved.isLinked()) {
                slowTier(resolved.getDeclaredMethods(false), names);
                slowTier(resolved.getDeclaredConstructors(false), names);
            }
        }
        return names;
    }

    private void slowTier(ResolvedJavaMethod[] candidates, List<String> names) {
        for (ResolvedJavaMethod candidate : candidates) {
            HotSpotResolvedJavaMethod method = (HotSpotResolvedJavaMethod) candidate;
            if (!method.hasCompiledCodeAtLevel(GRAAL_LEVEL) && hasC1Code(method)) {
                methods.put(Names.method(method), method);
                names.add(Names.method(method));
            }
        }
    }

    private static boolean hasC1Code(HotSpotResolvedJavaMethod method) {
        for (int level = 1; level <= C1_LEVELS; level++) {
            if (method.hasCompiledCodeAtLevel(level)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes the named methods under control: compiles each with its profile, which is kept, and
     * installs it. A profile comes from {@code profiles} where it holds one for the method; else it
     * is taken from the JVM and stored there.
     *
     * @param profiles directory of profile files, or null for profiles of this JVM only
     * @return for each unit newly under control its index and the id of its code
     */
    public List<int[]> control(List<String> names, Path profiles) {
        List<int[]> controlled = new ArrayList<>();
        for (String name : names) {
            HotSpotResolvedJavaMethod method = methods.get(name);
            if (method == null) {
                failures.add(name + ": not compiled in this JVM");
                continue;
            }
            try {
                String unit = Names.method(method);
                if (!units.containsKey(unit)) {
                    UnitState state = control(unit, method, profiles);
                    controlled.add(new int[] {state.index, state.baseline.id()});
                }
            } catch (IOException | RuntimeException | Error e) {
                failures.add(name + ": " + e);
            }
        }
        return controlled;
    }

    private UnitState control(String name, HotSpotResolvedJavaMethod method, Path profiles) throws IOException {
        UnitState unit = new UnitState(news.nextUnit(), name, method, profile(name, method, profiles));
        unit.baseline = recompiler.compile(unit, news.nextCode(), Insertion.NONE);
        accept(unit);
        return unit;
    }

    private void accept(UnitState unit) {
        units.put(unit.name, unit);
        Callers.add(unit.name);
        byIndex.put(unit.index, unit);
        news.unit(unit.baseline.record(), unit.name);
        publish(unit.baseline);
        install(unit.baseline);
    }

    private StableProfileProvider profile(String name, HotSpotResolvedJavaMethod method, Path directory) throws IOException {
        if (directory == null) {
            return new StableProfileProvider();
        }
        StableProfileProvider stored = ProfileFiles.load(directory, name, method);
        if (stored == null) {
            StableProfileProvider live = new StableProfileProvider();
            recompiler.compile(method, live, 0);
            ProfileFiles.save(directory, name, live);
            stored = ProfileFiles.load(directory, name, method);
        }
        return stored;
    }

    /**
     * Compiles a unit with insertions; the code can be installed by its id. A unit that no longer
     * compiles to the shape that was described (a speculation failed meanwhile) gets its baseline
     * code back and is given up; the id is then that of code which is not installed any more.
     */
    public int compile(int unitIndex, Insertion insertion) {
        UnitState unit = byIndex.get(unitIndex);
        if (unit == null) {
            throw new IllegalArgumentException("no unit " + unitIndex);
        }
        if (unit.abandoned) {
            return unit.baseline.id();
        }
        Compiled compiled = recompiler.compile(unit, news.nextCode(), insertion);
        if (!sameShape(compiled, unit.baseline)) {
            install(unit.baseline);
            abandon(unit, "its shape changed while it was measured");
            return unit.baseline.id();
        }
        publish(compiled);
        return compiled.id();
    }

    /**
     * Compiles units so that they count events; the codes can be installed by their ids. The JVM's own
     * compilers follow the same plan from now on. How to read the counters is written to {@code table}.
     */
    public List<EventCode> compileEvents(Plan plan, List<Integer> indices, Path table) throws IOException {
        Plans.others(plan);
        List<EventCode> made = new ArrayList<>();
        for (int index : indices) {
            UnitState unit = byIndex.get(index);
            if (unit == null) {
                throw new IllegalArgumentException("no unit " + index);
            }
            try {
                long begin = threads.getCurrentThreadCpuTime();
                Compiled compiled = recompiler.compile(unit, news.nextCode(), Insertion.NONE, plan);
                made.add(EventCodes.described(compiled, threads.getCurrentThreadCpuTime() - begin));
                events.made(compiled);
                codes.put(compiled.id(), compiled);
            } catch (RuntimeException | Error e) {
                failures.add(unit.name + ": " + e);
            }
        }
        events.save(table);
        return made;
    }

    /** Writes how to read the counters of what the JVM's own compilers made since the last table. */
    public void saveEventTable(Path table) throws IOException {
        takeForeign();
        events.save(table);
    }

    private void publish(Compiled compiled) {
        codes.put(compiled.id(), compiled);
        news.code(compiled);
    }

    /** Installs compiled code, at another address than before. */
    public void install(List<Integer> ids) {
        for (int id : ids) {
            Compiled compiled = codes.get(id);
            if (compiled == null) {
                throw new IllegalArgumentException("no code " + id);
            }
            install(compiled);
        }
    }

    private void install(Compiled compiled) {
        if (compiled.unit().abandoned) {
            return;
        }
        try {
            HotSpotInstalledCode code = recompiler.install(compiled);
            news.install(compiled.id(), code.getStart());
        } catch (BailoutException e) {
            abandon(compiled.unit(), e.getMessage());
        }
    }

    /** From now on the VM's own compilers have the unit; it is neither slowed nor judged any more. */
    private void abandon(UnitState unit, String why) {
        if (unit.abandoned) {
            return;
        }
        unit.abandoned = true;
        Callers.remove(unit.name);
        unit.current = null;
        Tables.insert(unit.name, Insertion.NONE);
        failures.add(unit.name + ": no longer under control: " + why);
    }

    /** Forgets codes that will not be installed again; their machine code stays until replaced. */
    public void forget(List<Integer> ids) {
        ids.forEach(codes::remove);
    }

    /**
     * Installs code that counts every block's executions, for all units under control. A unit whose
     * shape has changed since it was taken under control (a failed speculation changes it) is
     * described anew, as another unit; one that keeps changing is given up.
     */
    public void startCounting() {
        if (counting == null) {
            for (UnitState unit : List.copyOf(units.values())) {
                settle(unit);
            }
            counting = new BlockCounting(units.values());
            for (UnitState unit : List.copyOf(units.values())) {
                Compiled compiled = recompiler.compile(unit, news.nextCode(), Insertion.counting(counting.address(unit)));
                if (sameShape(compiled, unit.baseline)) {
                    counting.add(compiled);
                } else {
                    giveUp(unit, "its shape keeps changing");
                }
            }
        }
        counting.codes().forEach(this::install);
    }

    /** If the unit no longer has the shape that was described, a new description replaces it. */
    private void settle(UnitState unit) {
        Compiled again = recompiler.compile(unit, news.nextCode(), Insertion.NONE);
        if (sameShape(again, unit.baseline)) {
            return;
        }
        units.remove(unit.name);
        UnitState renewed = new UnitState(news.nextUnit(), unit.name, unit.method, unit.profile);
        renewed.baseline = recompiler.compile(renewed, news.nextCode(), Insertion.NONE);
        accept(renewed);
    }

    private void giveUp(UnitState unit, String why) {
        units.remove(unit.name);
        Callers.remove(unit.name);
        byIndex.remove(unit.index);
        Tables.insert(unit.name, Insertion.NONE);
        failures.add(unit.name + ": " + why);
    }

    private static boolean sameShape(Compiled one, Compiled other) {
        return one.record().signature().equals(other.record().signature());
    }

    /** Units under control with their baseline code. */
    public List<int[]> controlled() {
        return units.values().stream().map(unit -> new int[] {unit.index, unit.baseline.id()}).toList();
    }

    public void clearCounts() {
        counting.clear();
    }

    /** Executions per block since {@link #clearCounts}. */
    public List<UnitCounts> counts() {
        return counting.read();
    }

    /** Names of units whose code is no longer the one we installed; a unit that comes back too often is abandoned. */
    public List<String> invalidUnits() {
        List<String> names = new ArrayList<>();
        for (UnitState unit : units.values()) {
            if (!unit.abandoned && !unit.isValid()) {
                names.add(unit.name);
                unit.invalidations++;
                if (unit.invalidations >= MOST_INVALIDATIONS) {
                    abandon(unit, "the JVM deoptimised it " + unit.invalidations + " times");
                }
            }
        }
        return names;
    }

    /** Why methods could not be taken under control, since the last call. */
    public List<String> takeFailures() {
        List<String> taken = List.copyOf(failures);
        failures.clear();
        return taken;
    }
}
