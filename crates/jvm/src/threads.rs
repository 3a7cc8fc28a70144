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
    let shares = Shares::of(warm);
    let refuse = |message: String| Err(LabError::Unmeasurable(message));
    if shares.others() > OTHERS {
        return refuse(format!(
            "the workload does its work in several threads ({}); Proofmark measures workloads that run in the thread that calls them",
            shares.names()
        ));
    }
    if warm.threads_started as usize >= warm.iterations.len() && !warm.iterations.is_empty() {
        return refuse(format!(
            "the workload starts threads in every iteration ({} in all while it was warmed up); Proofmark measures workloads that run in the thread that calls them",
            warm.threads_started
        ));
    }
    shares.busy(waited_ns)
}

/// The same where only the calling thread is looked at: it must be busy, and do more than all others. What is to be said
/// of the others, if they do much.
pub(crate) fn check_own(warm: &WarmUp, waited_ns: u64) -> Result<Option<String>, LabError> {
    let shares = Shares::of(warm);
    if shares.others() > 1.0 {
        return Err(LabError::Unmeasurable(format!(
            "most of the workload's CPU time is in other threads than the one that calls it ({}); Proofmark looks at that one only",
            shares.names()
        )));
    }
    if warm.threads_started as usize >= warm.iterations.len() && shares.part(waited_ns) < BUSY {
        return Err(LabError::Unmeasurable(format!(
            "the workload starts threads in every iteration ({} in all while it was warmed up) and waits for them; Proofmark looks at the thread that calls it",
            warm.threads_started
        )));
    }
    shares.busy(waited_ns)?;
    Ok((shares.others() > OTHERS).then(|| {
        format!(
            "other threads ({}) used {:.0} % as much CPU time as the one that calls the program; they are not looked at",
            shares.names(),
            100.0 * shares.others()
        )
    }))
}

/// Whose CPU time it was.
struct Shares<'w> {
    own_ns: u64,
    wall_ns: u64,
    foreign: Vec<&'w OtherThread>,
}

impl<'w> Shares<'w> {
    fn of(warm: &'w WarmUp) -> Self {
        let iterations = warm.iterations.iter();
        let foreign = warm.other_threads.iter();
        Self {
            own_ns: iterations.clone().map(|(_, _, cpu)| cpu).sum(),
            wall_ns: iterations.map(|(begin, end, _)| end - begin).sum(),
            foreign: foreign.filter(|one| !of_the_jvm(&one.name)).collect(),
        }
    }

    /// CPU time of other threads, as a part of its own.
    fn others(&self) -> f64 {
        let others: u64 = self.foreign.iter().map(|thread| thread.cpu_ns).sum();
        others as f64 / self.own_ns.max(1) as f64
    }

    fn names(&self) -> String {
        let names: Vec<&str> = self.foreign.iter().map(|one| one.name.as_str()).collect();
        names[..names.len().min(4)].join(", ")
    }

    /// Part of the time in which it had a processor, or needed none, that it ran.
    fn part(&self, waited_ns: u64) -> f64 {
        self.own_ns as f64 / self.wall_ns.saturating_sub(waited_ns).max(1) as f64
    }

    fn busy(&self, waited_ns: u64) -> Result<(), LabError> {
        let part = self.part(waited_ns);
        if part < BUSY {
            return Err(LabError::Unmeasurable(format!(
                "the workload is never hot: it used the processor for {:.1} % of its time; profilers of CPU time see nothing in it",
                100.0 * part
            )));
        }
        Ok(())
    }
}

fn of_the_jvm(name: &str) -> bool {
    OF_THE_JVM.iter().any(|prefix| name.starts_with(prefix))
}
