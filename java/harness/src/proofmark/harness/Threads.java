package proofmark.harness;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.HashMap;
import java.util.Map;

import proofmark.graal.Json;

/** Which threads beside the workload's own used CPU time or were started during the warm-up. */
final class Threads {
    private final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
    private final Map<Long, Long> cpuBefore = new HashMap<>();
    private long startedBefore;

    void begin() {
        cpuBefore.clear();
        for (long id : bean.getAllThreadIds()) {
            cpuBefore.put(id, Math.max(0, bean.getThreadCpuTime(id)));
        }
        startedBefore = bean.getTotalStartedThreadCount();
    }

    void write(Json reply) {
        reply.field("threads_started", bean.getTotalStartedThreadCount() - startedBefore).array("other_threads");
        for (long id : bean.getAllThreadIds()) {
            ThreadInfo info = bean.getThreadInfo(id);
            if (info == null || id == Thread.currentThread().threadId()) {
                continue;
            }
            long cpu = bean.getThreadCpuTime(id) - cpuBefore.getOrDefault(id, 0L);
            if (cpu > 0) {
                reply.object().field("name", info.getThreadName()).field("cpu_ns", cpu).end();
            }
        }
        reply.end();
    }
}
