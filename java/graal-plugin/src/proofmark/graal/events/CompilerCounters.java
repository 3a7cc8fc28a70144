package proofmark.graal.events;

import java.util.Map;
import java.util.TreeMap;

import jdk.graal.compiler.hotspot.GraalHotSpotVMConfig;
import jdk.graal.compiler.hotspot.HotSpotGraalCompiler;
import jdk.graal.compiler.hotspot.debug.BenchmarkCounters;
import jdk.vm.ci.hotspot.HotSpotJVMCIRuntime;

/**
 * Graal's own counters, which its options {@code ProfileAllocations}, {@code ProfileMonitors} and
 * {@code ProfileCompiledMethods} put into code when {@code GenericDynamicCounters} is on: a source for
 * checks that shares nothing with ours but the pages in which HotSpot keeps both. Graal's take the
 * first numbers.
 */
public final class CompilerCounters {
    private static final char BETWEEN = '#';

    private CompilerCounters() {
    }

    /** Whether Graal counts. */
    static boolean areOn() {
        return BenchmarkCounters.enabled;
    }

    /** Numbers that belong to Graal then. */
    static int reserved(int pageSize) {
        return areOn() ? pageSize / 2 : 0;
    }

    /** Group and name of every counter, with its number. */
    private static Map<String, Integer> numbers() {
        GraalHotSpotVMConfig config = ((HotSpotGraalCompiler) HotSpotJVMCIRuntime.runtime().getCompiler()).getGraalRuntime().getVMConfig();
        Map<String, Integer> numbers = new TreeMap<>();
        for (String key : BenchmarkCounters.counterMap.keySet()) {
            int between = key.lastIndexOf(BETWEEN);
            String group = key.substring(between + 1);
            String name = key.substring(0, between);
            numbers.put(group + ": " + name, BenchmarkCounters.getIndex(name, group, config));
        }
        return numbers;
    }

    /** What they have come to, summed over all threads but the compiler's. */
    public static Map<String, Long> read() {
        Map<String, Long> values = new TreeMap<>();
        if (!areOn()) {
            return values;
        }
        long[] pages = HotSpotJVMCIRuntime.runtime().collectCounters();
        Map<String, Integer> numbers = numbers();
        if (numbers.size() > reserved(pages.length)) {
            throw new IllegalStateException("Graal has " + numbers.size() + " counters, more than half of a thread's page of " + pages.length
                    + "; start the JVM with larger pages (-XX:JVMCICounterSize)");
        }
        numbers.forEach((name, number) -> values.put(name, pages[number]));
        return values;
    }
}
