//! How long a study takes, and how it is made to fit a time.

use serde::{Deserialize, Serialize};

/// What profilers add to a run: agents are loaded, recordings written and read.
const PROFILED: f64 = 1.1;
/// Time between two runs, s.
const BETWEEN_S: f64 = 0.1;
/// Fewest runs and iterations to which a time budget may lead.
pub const LEAST: (u32, u32) = (3, 10);
/// What is assumed of a program whose trial failed.
const UNKNOWN: Pace = Pace {
    start_s: 2.0,
    iteration_s: 0.1,
};

/// How fast a program is.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Pace {
    /// Start and end of the JVM, and what cold iterations take longer, s.
    pub start_s: f64,
    /// A warm iteration, s.
    pub iteration_s: f64,
}

impl Pace {
    /// From a trial that took `total_s` for all and these times for its iterations, ms.
    pub fn of(total_s: f64, iterations_ms: &[f64]) -> Self {
        let mut late: Vec<f64> = iterations_ms[iterations_ms.len() / 2..].to_vec();
        late.sort_by(f64::total_cmp);
        let iteration_s = late.get(late.len() / 2).copied().unwrap_or(0.0) / 1e3;
        Pace {
            start_s: (total_s - iterations_ms.len() as f64 * iteration_s).max(0.0),
            iteration_s,
        }
    }

    /// What is assumed when nothing is known.
    pub fn unknown() -> Self {
        UNKNOWN
    }

    /// Time of one run under a profiler, s.
    pub fn run_s(&self, iterations: u32) -> f64 {
        PROFILED * (self.start_s + f64::from(iterations) * self.iteration_s) + BETWEEN_S
    }
}

/// Runs and iterations of a study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Runs of every program under every profiler.
    pub runs: u32,
    /// Iterations of every run.
    pub iterations: u32,
}

impl Size {
    /// Time of the whole study, s; `profilers` counts the runs without one as well.
    pub fn total_s(&self, paces: &[Pace], profilers: usize) -> f64 {
        let round: f64 = paces.iter().map(|pace| pace.run_s(self.iterations)).sum();
        round * profilers as f64 * f64::from(self.runs)
    }

    /// The largest study that takes no longer than the budget. Runs and iterations are made fewer by about the same
    /// factor, but not fewer than [`LEAST`] (or than was asked for).
    ///
    /// # Errors
    /// The time of the smallest study, s, if that is longer than the budget.
    pub fn fitted(self, budget_s: f64, paces: &[Pace], profilers: usize) -> Result<Size, f64> {
        if self.total_s(paces, profilers) <= budget_s {
            return Ok(self);
        }
        let least = Size {
            runs: self.runs.min(LEAST.0),
            iterations: self.iterations.min(LEAST.1),
        };
        let part = |size: &Size| {
            let runs = f64::from(size.runs) / f64::from(self.runs);
            let iterations = f64::from(size.iterations) / f64::from(self.iterations);
            (runs.min(iterations), runs * iterations)
        };
        let sizes = (least.runs..=self.runs).filter_map(|runs| {
            let one = Size { runs, ..least };
            let rest_s = budget_s - one.total_s(paces, profilers);
            let each_s = PROFILED * paces.iter().map(|pace| pace.iteration_s).sum::<f64>();
            let more = rest_s / (each_s * profilers as f64 * f64::from(runs)).max(1e-12);
            let iterations = f64::from(least.iterations) + more.floor();
            (rest_s >= 0.0).then(|| Size {
                runs,
                iterations: (iterations as u32).min(self.iterations),
            })
        });
        sizes
            .max_by(|a, b| part(a).partial_cmp(&part(b)).expect("no NaN"))
            .ok_or_else(|| least.total_s(paces, profilers))
    }
}

/// Tells the time left from what finished runs took.
#[derive(Debug, Clone)]
pub struct Clock {
    /// Per program: time that is expected of a run, s; time of its finished runs, s, and their number.
    programs: Vec<(f64, f64, u32)>,
}

impl Clock {
    /// Nothing is finished yet.
    pub fn new(paces: &[Pace], iterations: u32) -> Self {
        let programs = paces.iter().map(|pace| (pace.run_s(iterations), 0.0, 0));
        Clock {
            programs: programs.collect(),
        }
    }

    /// A run of this program took so long, s.
    pub fn finished(&mut self, program: usize, seconds: f64) {
        self.programs[program].1 += seconds;
        self.programs[program].2 += 1;
    }

    /// Time of a run of this program, s: the mean of the finished ones.
    pub fn run_s(&self, program: usize) -> f64 {
        match self.programs[program] {
            (expected_s, _, 0) => expected_s,
            (_, sum_s, runs) => sum_s / f64::from(runs),
        }
    }

    /// Time for runs of these programs, s.
    pub fn left_s(&self, programs: impl Iterator<Item = usize>) -> f64 {
        programs.map(|program| self.run_s(program)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PACES: [Pace; 2] = [
        Pace {
            start_s: 0.5,
            iteration_s: 0.01,
        },
        Pace {
            start_s: 1.0,
            iteration_s: 0.02,
        },
    ];
    const ASKED: Size = Size {
        runs: 30,
        iterations: 300,
    };

    #[test]
    fn a_trial_tells_start_and_iteration() {
        let pace = Pace::of(2.0, &[500.0, 100.0, 20.0, 22.0, 21.0]);
        assert!((pace.iteration_s - 0.021).abs() < 1e-9);
        assert!((pace.start_s - (2.0 - 0.105)).abs() < 1e-9);
        assert_eq!(Pace::of(1.0, &[]).iteration_s, 0.0);
    }

    #[test]
    fn what_fits_stays_as_it_is() {
        let all_s = ASKED.total_s(&PACES, 7);
        assert!((all_s - 7.0 * 30.0 * (1.1 * (1.5 + 9.0) + 0.2)).abs() < 1e-6);
        assert_eq!(ASKED.fitted(all_s, &PACES, 7), Ok(ASKED));
    }

    #[test]
    fn a_budget_is_kept_and_used() {
        for budget_s in [200.0, 500.0, 1000.0, 2000.0] {
            let size = ASKED.fitted(budget_s, &PACES, 7).unwrap();
            let total_s = size.total_s(&PACES, 7);
            assert!(
                total_s <= budget_s && total_s > 0.85 * budget_s,
                "{size:?} {total_s}"
            );
        }
        let half = ASKED.fitted(1000.0, &PACES, 7).unwrap();
        assert!(half.runs >= 15 && half.iterations >= 150, "{half:?}");
    }

    #[test]
    fn a_budget_that_nothing_fits_is_refused_with_the_least_time() {
        let least = Size {
            runs: 3,
            iterations: 10,
        };
        assert_eq!(ASKED.fitted(1.0, &PACES, 7), Err(least.total_s(&PACES, 7)));
        let tiny = Size {
            runs: 1,
            iterations: 4,
        };
        assert_eq!(tiny.fitted(0.1, &PACES, 1), Err(tiny.total_s(&PACES, 1)));
    }

    #[test]
    fn time_left_follows_the_finished_runs() {
        let mut clock = Clock::new(&PACES, 100);
        let expected_s = PACES[0].run_s(100) + PACES[1].run_s(100);
        assert!((clock.left_s([0, 1].into_iter()) - expected_s).abs() < 1e-9);
        clock.finished(0, 4.0);
        clock.finished(0, 6.0);
        assert_eq!(clock.left_s([0, 0, 0].into_iter()), 15.0);
    }
}
