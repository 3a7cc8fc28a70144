package proofmark.harness;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which threads beside the workload's own used CPU time or were started during the warm-up. */
final class Threads {
    private final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    private final Map<Long, Long> cpuBefore = new HashMap<>();
    private long startedBefore;

    /** CPU time that another thread used. */
    record OtherThread(String name, long cpuNs) {
    }

    void begin() {
        cpuBefore.clear();
        for (long id : bean.getAllThreadIds()) {
            cpuBefore.put(id, Math.max(0, bean.getThreadCpuTime(id)));
        }
        startedBefore = bean.getTotalStartedThreadCount();
    }

    /** Threads started since the beginning. */
    long started() {
        return bean.getTotalStartedThreadCount() - startedBefore;
    }

    /** CPU time of the others since the beginning. */
    List<OtherThread> others() {
        List<OtherThread> others = new ArrayList<>();
        long own = ownId();
        for (long id : bean.getAllThreadIds()) {
            ThreadInfo info = bean.getThreadInfo(id);
            if (info == null || id == own) {
                continue;
            }
            long cpu = bean.getThreadCpuTime(id) - cpuBefore.getOrDefault(id, 0L);
            if (cpu > 0) {
                others.add(new OtherThread(info.getThreadName(), cpu));
            }
        }
        return others;
    }

    /** The method with the newer name came with Java 19. */
    @SuppressWarnings("deprecation")
    private static long ownId() {
        return Thread.currentThread().getId();
    }
}
