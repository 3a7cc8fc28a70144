package proofmark.graal;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandle;

/**
 * Eight-byte counters below 2 GB, where one instruction with an absolute 32-bit address reaches
 * them. Plain increments: exact as long as one thread runs the counted code.
 */
final class Counters {
    private static final int PROT_READ_WRITE = 3;
    private static final int MAP_PRIVATE_ANONYMOUS_32BIT = 0x02 | 0x20 | 0x40;
    private final MemorySegment memory;

    Counters(int count) {
        long bytes = Math.max(1, count) * 8L;
        Linker linker = Linker.nativeLinker();
        FunctionDescriptor type = FunctionDescriptor.of(ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG, ValueLayout.JAVA_LONG,
                ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_INT, ValueLayout.JAVA_LONG);
        try {
            MethodHandle mmap = linker.downcallHandle(linker.defaultLookup().find("mmap").orElseThrow(), type);
            long address = (long) mmap.invokeExact(0L, bytes, PROT_READ_WRITE, MAP_PRIVATE_ANONYMOUS_32BIT, -1, 0L);
            if (address == -1) {
                throw new IllegalStateException("no memory below 2 GB for " + bytes + " bytes of counters");
            }
            memory = MemorySegment.ofAddress(address).reinterpret(bytes, Arena.global(), null);
        } catch (RuntimeException e) {
            throw e;
        } catch (Throwable e) {
            throw new IllegalStateException("mmap failed", e);
        }
    }

    long address(int index) {
        return memory.address() + 8L * index;
    }

    long read(int index) {
        return memory.getAtIndex(ValueLayout.JAVA_LONG, index);
    }

    void clear() {
        memory.fill((byte) 0);
    }
}
