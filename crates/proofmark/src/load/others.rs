//! How much of the machine others took while something was measured.

use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;
use proofmark_jvm::toolchain::processors;

use super::times;

/// Part of the processors' time that others take at least where it is said.
const MUCH: f64 = 0.1;

/// A look at the machine before something is measured.
pub struct Others {
    begun: Instant,
    before: Option<Seen>,
}

impl Others {
    /// To be called before.
    #[must_use]
    pub fn begin() -> Self {
        Self {
            begun: Instant::now(),
            before: Seen::now(),
        }
    }

    /// Part of the processors' time that others took since then; none where that is little, or nobody knows. All processes that were
    /// started since then must have been waited for: before, their time is not known to be ours.
    #[must_use]
    pub fn much(&self) -> Option<f64> {
        let (before, now) = (self.before.as_ref()?, Seen::now()?);
        let seconds = self.begun.elapsed().as_secs_f64() * processors() as f64;
        part(before, &now, seconds).filter(|part| *part >= MUCH)
    }
}

/// What was taken until now.
struct Seen {
    /// Time of all processors, and that in which they waited, in ticks.
    ticks: [u64; 2],
    /// CPU time of this process and of those that it started and waited for, s.
    ours_s: f64,
}

impl Seen {
    fn now() -> Option<Self> {
        let stat = std::fs::read_to_string("/proc/stat").ok()?;
        // Others may use processors on which nothing of ours may run; they do no harm.
        if listed(&stat) != processors() {
            return None;
        }
        let ours = [UsageWho::RUSAGE_SELF, UsageWho::RUSAGE_CHILDREN].map(used_s);
        Some(Self {
            ticks: times(&stat)?,
            ours_s: ours.into_iter().sum::<Option<f64>>()?,
        })
    }
}

/// Part of the processors' time that others took in between; `seconds`: the time of all processors.
fn part(before: &Seen, now: &Seen, seconds: f64) -> Option<f64> {
    let [all, waited] = [0, 1].map(|at| now.ticks[at].saturating_sub(before.ticks[at]) as f64);
    if all <= 0.0 || seconds <= 0.0 {
        return None;
    }
    let ours = (now.ours_s - before.ours_s) / seconds;
    Some((1.0 - waited / all - ours).max(0.0))
}

/// Processors that /proc/stat has.
fn listed(stat: &str) -> usize {
    let all = stat.lines().filter(|line| line.starts_with("cpu"));
    all.filter(|line| !line.starts_with("cpu ")).count()
}

/// CPU time, s.
fn used_s(who: UsageWho) -> Option<f64> {
    let used = getrusage(who).ok()?;
    let times = [used.user_time(), used.system_time()];
    let [user, system] = times.map(|time| time.num_microseconds() as f64 / 1e6);
    Some(user + system)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(all: u64, waited: u64, ours_s: f64) -> Seen {
        Seen {
            ticks: [all, waited],
            ours_s,
        }
    }

    /// Two processors for 10 s, which are 2000 ticks.
    #[test]
    fn others_took_what_is_neither_ours_nor_idle() {
        let before = seen(5000, 4000, 3.0);
        let others = |waited: u64, ours_s: f64| {
            part(&before, &seen(7000, 4000 + waited, 3.0 + ours_s), 20.0)
        };
        let near = |part: Option<f64>, is: f64| (part.expect("known") - is).abs() < 1e-9;
        assert!(near(others(1000, 10.0), 0.0));
        assert!(near(others(400, 10.0), 0.3));
        assert!(near(others(0, 20.0), 0.0));
        // Both are measured in different ways.
        assert!(near(others(1000, 10.5), 0.0));
        assert!(part(&before, &before, 20.0).is_none());
    }

    #[test]
    fn processors_are_told_from_their_sum() {
        let stat = "cpu  100 5 20 300 7 1 2 3 9 0\ncpu0 50 2 1 1\ncpu1 50 3 1 1\nintr 1 2 3\n";
        assert_eq!(listed(stat), 2);
    }
}
