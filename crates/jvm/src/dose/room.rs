//! How many JVMs at a time the machine has room for.

use crate::toolchain::Machine;

/// A JVM takes so many times its greatest heap: code, stacks and the profiler's buffers besides.
const BESIDES_HEAP: f64 = 1.25;
/// A program that keeps one processor busy is seen to keep a little more than one busy.
const MORE: f64 = 1.1;

/// How many JVMs with such a heap at most, of a program that keeps so many processors busy, this machine has processors and
/// memory for at the same time; 1 at least.
pub(super) fn places(busy: f64, heap_bytes: u64) -> usize {
    let machine = Machine::this();
    room(machine.vcpus, machine.available_bytes, (busy, heap_bytes))
}

fn room(processors: usize, available_bytes: u64, (busy, heap_bytes): (f64, u64)) -> usize {
    let by_processors = MORE * processors as f64 / busy.max(1.0);
    let by_memory = available_bytes as f64 / (BESIDES_HEAP * heap_bytes.max(1) as f64);
    by_processors.min(by_memory).max(1.0) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    const GB: u64 = 1 << 30;

    #[test]
    fn processors_and_memory_decide() {
        assert_eq!(room(2, 32 * GB, (1.03, GB)), 2);
        assert_eq!(room(16, 32 * GB, (1.0, 8 * GB)), 3);
        assert_eq!(room(16, 32 * GB, (3.9, GB)), 4);
        // One is there already.
        assert_eq!(room(2, GB, (2.0, 8 * GB)), 1);
        assert_eq!(room(1, 0, (f64::NAN, 0)), 1);
    }
}
