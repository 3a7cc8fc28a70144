package proofmark.graal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Zeroed memory below 2 GB, where instructions with an absolute 32-bit address reach it. The system's
 * own flag for that looks only between 1 and 2 GB, which a heap may have taken; so free places are
 * tried one after the other. Pages cost nothing until they are touched.
 */
public final class LowMemory {
    private static final int PROT_READ_WRITE = 3;
    /** Private, anonymous, no swap reserved, never over something else. */
    private static final int FLAGS = 0x02 | 0x20 | 0x4000 | 0x100000;
    private static final long FIRST = 0x08000000L;
    private static final long STEP = 0x01000000L;
    private static final long END = 0x80000000L;
    private final MemorySegment memory;

    public LowMemory(long bytes) {
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
        try {
            MethodHandle mmap = linker.downcallHandle(linker.defaultLookup().find("mmap").orElseThrow(), type);
            long wish = FIRST;
            while ((long) mmap.invokeExact(wish, bytes, PROT_READ_WRITE, FLAGS, -1, 0L) != wish) {
                wish += STEP;
                if (wish + bytes > END) {
                    throw new IllegalStateException("no memory below 2 GB for " + bytes + " bytes of counters");
                }
            }
            memory = MemorySegment.ofAddress(wish).reinterpret(bytes, Arena.global(), null);
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("mmap failed", e);
        }
    }

    public long address() {
        return memory.address();
    }

    public long get(int index) {
        return memory.getAtIndex(ValueLayout.JAVA_LONG, index);
    }

    public void set(int index, long value) {
        memory.setAtIndex(ValueLayout.JAVA_LONG, index, value);
    }

    void clear() {
        memory.fill((byte) 0);
    }
}
