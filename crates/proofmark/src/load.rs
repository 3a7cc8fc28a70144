//! Whether others use this machine.

mod others;

pub use others::Others;

use std::time::Duration;

use proofmark_jvm::toolchain::processors;

/// Part of the processors' time that others take at least where they are said to use the machine.
const BUSY: f64 = 0.25;
/// How long the processors are looked at.
const LOOK: Duration = Duration::from_millis(500);

/// What is to be said if others use it; none if they do not, or nobody knows. Where many ran in the last minute, which may have been a run
/// that has ended, it takes half a second to see whether they still do.
#[must_use]
pub fn busy() -> Option<String> {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    said(&load, processors(), busy_now)
}

/// `load` as /proc/loadavg has it; `busy_now`: part of the processors' time that is taken now, none if nobody knows.
fn said(load: &str, processors: usize, busy_now: impl FnOnce() -> Option<f64>) -> Option<String> {
    let load: f64 = load.split(' ').next()?.parse().ok()?;
    if load <= processors as f64 + 0.5 {
        return None;
    }
    let now = busy_now().unwrap_or(1.0);
    (now >= BUSY).then(|| {
        format!(
            "others use this machine (load {load:.1}, {processors} processors): what is measured takes longer, and \
             intervals are wider, than on a quiet one"
        )
    })
}

/// Part of the processors' time that is taken while they are looked at.
fn busy_now() -> Option<f64> {
    let read = || times(&std::fs::read_to_string("/proc/stat").ok()?);
    let [all, idle] = read()?;
    std::thread::sleep(LOOK);
    let [all_later, idle_later] = read()?;
    let ran = all_later.checked_sub(all).filter(|ran| *ran > 0)?;
    Some(1.0 - idle_later.saturating_sub(idle) as f64 / ran as f64)
}

/// Time of all processors since the start, and that in which they waited, from the first line of /proc/stat (proc_stat(5)): user, nice,
/// system, idle, iowait, irq, softirq, steal. What guests take is in user already.
fn times(stat: &str) -> Option<[u64; 2]> {
    let line = stat.lines().next()?.strip_prefix("cpu ")?;
    let ticks: Vec<u64> = line
        .split_whitespace()
        .take(8)
        .map_while(|word| word.parse().ok())
        .collect();
    let waited = ticks.get(3)? + ticks.get(4)?;
    Some([ticks.iter().sum(), waited])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_busy_machine_is_said_to_be_one() {
        let busy = "3.13 5.79 6.61 2/391 4711";
        let text = said(busy, 2, || Some(0.9)).expect("a note");
        assert!(text.contains("load 3.1, 2 processors"), "{text}");
        assert!(said(busy, 2, || None).is_some());
        assert_eq!(said("1.40 0.20 0.10 1/391 4711", 1, || Some(0.9)), None);
        assert_eq!(said("", 2, || Some(0.9)), None);
    }

    /// A run of many minutes leaves a load that falls slowly.
    #[test]
    fn what_has_ended_is_nobody_who_uses_it() {
        assert_eq!(said("3.13 5.79 6.61 1/391 4711", 2, || Some(0.05)), None);
    }

    #[test]
    fn time_is_that_of_all_processors() {
        let stat = "cpu  100 5 20 300 7 1 2 3 9 0\ncpu0 50 2 10 150 3 0 1 1 4 0\n";
        assert_eq!(times(stat), Some([438, 307]));
        assert_eq!(times("intr 1 2 3"), None);
        assert_eq!(times("cpu  100 5"), None);
    }
}
