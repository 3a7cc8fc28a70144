//! CPU time of the calling thread, and using some of it up.

use rustix::time::{ClockId, clock_gettime};

/// User and kernel CPU time of the calling thread in ns.
pub(crate) fn thread_cpu_ns() -> u64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as u64 * 1_000_000_000 + time.tv_nsec as u64
}

/// Computes until the calling thread has used `cpu_ns` more ns of CPU time.
pub(crate) fn spin(cpu_ns: u64) {
    let end = thread_cpu_ns() + cpu_ns;
    while thread_cpu_ns() < end {
        for turn in 0..20_000_u32 {
            std::hint::black_box(turn);
        }
    }
}
