import com.sun.management.ThreadMXBean;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;

/** Runs a site once with so many turns of a value, TURNS VALUE, and prints what it left. */
public class Effects {
    private static Class<?> sites;

    private static void set(String field, Object value) throws Exception {
        sites.getField(field).set(null, value);
    }

    private static int count(byte[] bytes, int value) {
        int found = 0;
        for (byte one : bytes) {
            found += one == value ? 1 : 0;
        }
        return found;
    }

    /** Whether a thread that runs the site waits for a lock that another one holds. */
    private static boolean waits(Object lock) throws Exception {
        Thread other = new Thread(Once::run);
        boolean blocked = false;
        synchronized (lock) {
            other.start();
            while (other.isAlive() && !blocked) {
                // A thread that starts may wait for a lock of the JVM's own.
                ThreadInfo seen = ManagementFactory.getThreadMXBean().getThreadInfo(other.getId());
                LockInfo awaited = seen == null ? null : seen.getLockInfo();
                blocked = awaited != null && awaited.getIdentityHashCode() == System.identityHashCode(lock);
            }
        }
        other.join();
        return blocked;
    }

    public static void main(String[] arguments) throws Exception {
        sites = Class.forName("java.lang.ProofmarkSites");
        byte[] from = new byte[1 << 14];
        java.util.Arrays.fill(from, (byte) 7);
        byte[] into = new byte[1 << 14];
        int[] chain = new int[1 << 10];
        for (int i = 0; i < chain.length; i++) {
            chain[i] = (i + 1) % chain.length;
        }
        int[] numbers = new int[1 << 13];
        Object lock = new Object();
        set("from", from);
        set("into", into);
        set("chain", chain);
        set("vector", numbers);
        set("lock", lock);
        set("sink", 99);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long self = Thread.currentThread().getId();
        Once.run();
        threads.getThreadAllocatedBytes(self);
        int turns = Integer.parseInt(arguments[0]);
        int value = Integer.parseInt(arguments[1]);
        set("k0", value << 6 | turns);
        long before = threads.getThreadAllocatedBytes(self);
        Once.run();
        long allocated = threads.getThreadAllocatedBytes(self) - before;
        int sum = 0;
        for (int one : numbers) {
            sum += one;
        }
        System.out.println("copied " + count(into, 7) + " filled " + count(into, value) + " at " + sites.getField("at").getInt(null)
                + " sum " + sum + " sink " + sites.getField("sink").getInt(null) + " arrays " + allocated / (1 << 14));
        System.out.println("waits " + waits(lock));
    }
}
