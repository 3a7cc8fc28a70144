//! Refuses workloads whose work is not done by the one thread that is measured.

use crate::error::LabError;
use crate::harness::{OtherThread, WarmUp};

/// Part of the workload's own CPU time that other threads may use.
const OTHERS: f64 = 0.05;
/// Part of the wall time that the workload must be running.
const BUSY: f64 = 0.2;

/// Threads of the JVM and of the instruments.
const OF_THE_JVM: [&str; 14] = [
    "JVMCI",
    "C1 CompilerThread",
    "C2 CompilerThread",
    "Reference Handler",
    "Finalizer",
    "Signal Dispatcher",
    "Common-Cleaner",
    "Notification Thread",
    "Attach Listener",
    "Service Thread",
    "Monitor Deflation Thread",
    "JFR ",
    "Cleaner-",
    "proofmark-",
];

/// Time that a thread was ready to run but had no processor, ns; 0 where the kernel does not say.
pub(crate) fn waited_ns(pid: u32, tid: u32) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{pid}/task/{tid}/schedstat"));
    let second = |text: String| text.split_whitespace().nth(1)?.parse().ok();
    text.ok().and_then(second).unwrap_or(0)
}

/// Checks that one thread does the work, and does it all the time; `waited_ns` is how long it had
/// to wait for a processor meanwhile.
pub(crate) fn check(warm: &WarmUp, waited_ns: u64) -> Result<(), LabError> {
    let own: u64 = warm.iterations.iter().map(|(_, _, cpu)| cpu).sum();
    let wall: u64 = warm
        .iterations
        .iter()
        .map(|(begin, end, _)| end - begin)
        .sum();
    let foreign: Vec<&OtherThread> = warm
        .other_threads
        .iter()
        .filter(|thread| !of_the_jvm(&thread.name))
        .collect();
    let others: u64 = foreign.iter().map(|thread| thread.cpu_ns).sum();
    let refuse = |message: String| Err(LabError::Unmeasurable(message));
    if others as f64 > OTHERS * own as f64 {
        let names: Vec<&str> = foreign
            .iter()
            .map(|thread| thread.name.as_str())
            .take(4)
            .collect();
        return refuse(format!(
            "the workload does its work in several threads ({}); Proofmark measures workloads that run in the thread that calls them",
            names.join(", ")
        ));
    }
    if warm.threads_started as usize >= warm.iterations.len() && !warm.iterations.is_empty() {
        return refuse(format!(
            "the workload starts threads in every iteration ({} in all while it was warmed up); Proofmark measures workloads that run in the thread that calls them",
            warm.threads_started
        ));
    }
    let wall = wall.saturating_sub(waited_ns);
    if (own as f64) < BUSY * wall as f64 {
        return refuse(format!(
            "the workload is never hot: it used the processor for {:.1} % of its time; profilers of CPU time see nothing in it",
            100.0 * own as f64 / wall.max(1) as f64
        ));
    }
    Ok(())
}

fn of_the_jvm(name: &str) -> bool {
    OF_THE_JVM.iter().any(|prefix| name.starts_with(prefix))
}
