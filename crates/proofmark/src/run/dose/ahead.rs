//! What of a test is behind and what is ahead, in seconds as estimated.

use proofmark_experiment::dose::Times;

use crate::progress::News;

/// A test, as its estimate knows it. Several may follow each other, each of the same program.
#[derive(Debug)]
pub(super) struct Ahead {
    times: Times,
    /// Tests that are still to begin.
    tests: usize,
    /// What is behind this one, s.
    behind_s: f64,
    /// JVMs beyond those that were wanted take so long, s.
    added_s: f64,
    /// When JVMs with profilers were begun, s.
    begun_s: Vec<f64>,
    /// How many of them have ended; the sum of the times at which they did, s.
    ended: usize,
    ends_s: f64,
}

impl Ahead {
    /// So many tests, none of which has begun.
    pub(super) fn of(times: Times, tests: usize) -> Self {
        Self {
            times,
            tests,
            behind_s: 0.0,
            added_s: 0.0,
            begun_s: Vec::new(),
            ended: 0,
            ends_s: 0.0,
        }
    }

    /// The next test begins. What came before it is not estimated: at first use all of the harness is compiled.
    pub(super) fn begins(&mut self) -> News {
        *self = Self::of(self.times, self.tests.saturating_sub(1));
        News {
            done_s: None,
            more_s: 0.0,
            next_s: self.times.choosing_s,
            known: false,
        }
    }

    /// Methods are chosen, and how long an iteration takes is known: so long do the parts take. How long it took until now says
    /// nothing of these: looks have a length of their own, and the first JVM may have started slowly.
    pub(super) fn chosen(&mut self, times: Times) -> News {
        let tests = self.tests as f64;
        let before_s = self.times.total_s() - self.behind_s + tests * self.times.total_s();
        let now_s = times.chosen_s() + tests * times.total_s();
        self.times = times;
        self.behind_s = times.choosing_s;
        News {
            done_s: None,
            more_s: now_s - before_s,
            next_s: times.dosing_s,
            known: true,
        }
    }

    /// Doses are found; what sites cost is looked at next.
    pub(super) fn costs(&mut self) -> News {
        let behind_s = self.times.choosing_s + self.times.dosing_s;
        self.reached(behind_s, self.times.costs_s)
    }

    /// What sites cost is known; the JVMs of profilers are next.
    pub(super) fn costs_are_known(&mut self) -> News {
        let behind_s = self.times.total_s() - self.times.profilers_s;
        self.reached(behind_s, self.turn_s())
    }

    /// They take so long as is known now, s, in this test and in those that are still to begin.
    pub(super) fn profilers_take(&mut self, profilers_s: f64) -> News {
        let more_s = profilers_s - self.times.profilers_s;
        self.times.profilers_s = profilers_s;
        News {
            done_s: None,
            more_s: more_s * (1 + self.tests) as f64,
            next_s: self.turn_s(),
            known: false,
        }
    }

    /// A JVM with a profiler begins at this time, s, beside so many others that run. Of those that were begun before, the first ones have
    /// ended. None where it is one of those that were added.
    pub(super) fn jvm_begins(&mut self, now_s: f64, others: usize) -> Option<News> {
        let waiting = self.times.jvms.checked_sub(self.begun_s.len() + 1)?;
        let ended = self.begun_s.len().saturating_sub(others).max(self.ended);
        self.ends_s += (ended - self.ended) as f64 * now_s;
        self.ended = ended;
        let turn_s = self.turn_s();
        let took_s = self.took_s().unwrap_or(turn_s).max(f64::MIN_POSITIVE);
        let left = |begun_s: &f64| 1.0 - ((now_s - begun_s) / took_s).min(1.0);
        let mut left: Vec<f64> = self.begun_s[ended..].iter().map(left).collect();
        left.push(1.0);
        self.begun_s.push(now_s);
        let turns = turns(&left, waiting, self.times.at_once);
        // The next that is heard is that one of those that run has ended, where others wait for that.
        let next = match waiting {
            0 => turns,
            _ => left.iter().copied().fold(1.0, f64::min),
        };
        let behind_s = self.times.total_s() - turn_s * turns;
        Some(self.reached(behind_s, turn_s * next))
    }

    /// JVMs are added, which take so many seconds as estimated: all others have ended.
    pub(super) fn adds(&mut self, seconds: f64) -> News {
        self.added_s += seconds;
        News {
            done_s: None,
            more_s: seconds,
            next_s: seconds,
            known: false,
        }
    }

    /// All JVMs that were begun have ended; nothing where that is known.
    pub(super) fn ends(&mut self) -> Option<News> {
        let all_s = self.times.total_s() + self.added_s;
        (all_s > self.behind_s).then(|| self.reached(all_s, 0.0))
    }

    /// So much is behind now; what comes next takes so long, s.
    fn reached(&mut self, behind_s: f64, next_s: f64) -> News {
        let done_s = behind_s - self.behind_s;
        self.behind_s = behind_s;
        News {
            done_s: Some(done_s),
            more_s: 0.0,
            next_s,
            known: false,
        }
    }

    /// A JVM with a profiler takes so long, s as estimated.
    fn turn_s(&self) -> f64 {
        let all = turns(&[], self.times.jvms, self.times.at_once);
        self.times.profilers_s / all.max(1.0)
    }

    /// What those that have ended really took, s; none as long as none has.
    fn took_s(&self) -> Option<f64> {
        let begun_s: f64 = self.begun_s[..self.ended].iter().sum();
        (self.ended > 0).then(|| (self.ends_s - begun_s) / self.ended as f64)
    }
}

/// How long it takes until all have ended, in lengths of a JVM: those that run, of which so much is left, and so many that wait, each
/// until one ends.
fn turns(running: &[f64], waiting: usize, at_once: usize) -> f64 {
    let mut busy = running.to_vec();
    busy.resize(busy.len().max(at_once).max(1), 0.0);
    for _ in 0..waiting {
        if let Some(first) = busy.iter_mut().min_by(|a, b| a.total_cmp(b)) {
            *first += 1.0;
        }
    }
    busy.into_iter().fold(0.0, f64::max)
}

#[cfg(test)]
mod tests;
