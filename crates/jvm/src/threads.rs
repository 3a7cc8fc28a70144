//! Whose CPU time counts, and which workloads are refused for it: the laboratory measures one thread, sites all of the
//! program's.

use crate::error::LabError;
use crate::harness::{OtherThread, WarmUp};

/// Part of the workload's own CPU time that other threads may use.
const OTHERS: f64 = 0.05;
/// Part of the wall time that the workload must be running.
const BUSY: f64 = 0.2;

/// What the Java names of threads begin with that are the JVM's or the instruments'. All others are the program's.
pub(crate) const NOT_OF_THE_PROGRAM: [&str; 17] = [
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
    // Of async-profiler.
    "Async-profiler",
    // Of older JVMs.
    "Sweeper thread",
    "DestroyJavaVM",
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
            "the workload does its work in several threads ({}); the laboratory measures workloads that run in the thread that calls them (proofmark dose judges several)",
            shares.names()
        ));
    }
    if warm.threads_started as usize >= warm.iterations.len() && !warm.iterations.is_empty() {
        return refuse(format!(
            "the workload starts threads in every iteration ({} in all while it was warmed up); the laboratory measures workloads that run in the thread that calls them (proofmark dose judges several)",
            warm.threads_started
        ));
    }
    shares.busy(waited_ns)
}

/// Checks a workload whose iterations have the CPU time of all its threads: it must be hot. What is to be said of threads
/// that it starts all the time.
pub(crate) fn check_all(warm: &WarmUp, waited_ns: u64) -> Result<Option<String>, LabError> {
    Shares::of(warm).busy(waited_ns)?;
    let started = warm.threads_started;
    let always = started as usize >= warm.iterations.len() && !warm.iterations.is_empty();
    Ok(always.then(|| {
        format!(
            "the program starts threads in every iteration ({started} in all while it was warmed up): the time of each counts from its first Java code to its last, that of starting and ending it does not"
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
            foreign: foreign.filter(|one| !of_others(&one.name)).collect(),
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

fn of_others(name: &str) -> bool {
    let mut all = NOT_OF_THE_PROGRAM.iter();
    all.any(|prefix| name.starts_with(prefix))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ten iterations of 10 ms of the clock, each with so much CPU time, ms; another thread with some, ms in all.
    fn warm(cpu_ms: u64, other: (&str, u64), started: u64) -> WarmUp {
        let iteration = |at: u64| (at * 10_000_000, (at + 1) * 10_000_000, cpu_ms * 1_000_000);
        WarmUp {
            steady: true,
            reason: String::new(),
            together: 1,
            iterations: (0..10).map(iteration).collect(),
            threads_started: started,
            other_threads: vec![OtherThread {
                name: other.0.into(),
                cpu_ns: other.1 * 1_000_000,
            }],
        }
    }

    fn refusal<T>(of: Result<T, LabError>) -> String {
        of.err().map_or(String::new(), |error| error.to_string())
    }

    #[test]
    fn several_threads_are_the_business_of_sites_and_not_of_the_laboratory() {
        let pool = warm(30, ("pool-1-thread-1", 200), 0);
        let said = refusal(check(&pool, 0));
        assert!(said.contains("several threads (pool-1-thread-1)"), "{said}");
        assert!(said.contains("proofmark dose judges several"), "{said}");
        assert_eq!(check_all(&pool, 0).ok(), Some(None));
        let forks = warm(10, ("main-2", 0), 20);
        assert!(refusal(check(&forks, 0)).contains("starts threads in every iteration"));
        let remark = check_all(&forks, 0).ok().flatten().expect("a remark");
        assert!(remark.contains("(20 in all"), "{remark}");
    }

    #[test]
    fn what_waits_is_refused_by_both_and_the_jvms_own_threads_by_none() {
        let cold = warm(1, ("main-2", 0), 0);
        for said in [refusal(check(&cold, 0)), refusal(check_all(&cold, 0))] {
            assert!(said.contains("never hot"), "{said}");
        }
        // It had no processor for nine tenths of the time.
        assert_eq!(check_all(&cold, 90_000_000).ok(), Some(None));
        for name in [
            "C2 CompilerThread0",
            "JFR Recorder Thread",
            "proofmark-where",
        ] {
            assert!(check(&warm(10, (name, 90), 0), 0).is_ok(), "{name}");
        }
    }
}
