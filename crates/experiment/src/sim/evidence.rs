//! Simulated evidence with a known answer, for the tests of the judge, the report and the command.

use proofmark_assess::{
    Condition, Evidence, ProfilerEvidence, ProfilerWindow, Request, Role, SingleTarget,
    TotalWindow, TruthStream, TruthWindow, WindowAt, plan,
};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// A program, a schedule and a profiler with a planted fault.
#[derive(Debug, Clone, PartialEq)]
pub struct Simulation {
    /// True baseline shares of methods 0, 1, ...; sum 1.
    pub shares: Vec<f64>,
    /// Schedule; its `samples_per_s` is the profiler's rate.
    pub request: Request,
    /// Samples of each of our two streams per second.
    pub truth_per_s: f64,
    /// Relative standard deviation of a method's time from window to window: over-dispersion, seen by profiler and truth.
    pub wander: f64,
    /// Relative standard deviation of a window's total time.
    pub time_noise: f64,
    /// Added time of a single-block experiment, relative; experiment i slows method i.
    pub single_added: f64,
    /// Time that its low dose adds, relative, which is in the high one too; 0: there are no windows under a low dose.
    pub single_low: f64,
    /// Part of that time, 0 to 1, that the next method takes, because the processor hides instructions of one block in
    /// the wait of another.
    pub single_leaks: f64,
    /// True change of each method's time in uniform windows relative to the target: 1 is exact; missing entries are 1.
    pub uniform_unevenness: Vec<f64>,
    /// Part of the truth's samples of each method that are ambiguous, 0 to 1; missing entries are 0.
    pub ambiguous: Vec<f64>,
    /// What is wrong with the profiler.
    pub fault: Fault,
    /// True: profiler and truth look at the same windows; false: the truth has windows of its own.
    pub same_windows: bool,
    /// Seed.
    pub seed: u64,
}

/// A planted fault.
#[derive(Debug, Clone, PartialEq)]
pub enum Fault {
    /// None.
    None,
    /// Moves `points` of share from one method to another, in every condition.
    Moves {
        /// Method that loses.
        from: usize,
        /// Method that gains.
        to: usize,
        /// Points of share.
        points: f64,
    },
    /// Charges everything of every method to method 0, except this part (0 to 1), as a safepoint bias would.
    Hoards {
        /// Part that stays where it belongs.
        honest: f64,
    },
    /// Charges a part of one method's time to another, whatever was done to the program.
    Charges {
        /// Method that loses.
        from: usize,
        /// Method that gains.
        to: usize,
        /// Part of the time, 0 to 1.
        part: f64,
    },
    /// Charges the time that a slowdown adds to a method to this other one; right in unslowed code.
    MissesAdded {
        /// Method that gets it.
        to: usize,
    },
    /// Leaves this part of all samples without a name.
    Unnamed {
        /// Part, 0 to 1.
        part: f64,
    },
}

impl Fault {
    /// What a profiler with this fault reports of true shares. `added`: the method to which something was added alone,
    /// and the share that was added.
    pub(super) fn apply(&self, shares: &mut [f64], added: Option<(usize, f64)>) {
        match self {
            Fault::None | Fault::Unnamed { .. } => {}
            Fault::Moves { from, to, points } => {
                let moved = (points / 100.0).min(shares[*from]);
                shares[*from] -= moved;
                shares[*to] += moved;
            }
            Fault::Charges { from, to, part } => {
                let moved = shares[*from] * part;
                shares[*from] -= moved;
                shares[*to] += moved;
            }
            Fault::Hoards { honest } => {
                let all: f64 = shares.iter().sum();
                shares.iter_mut().for_each(|s| *s *= honest);
                shares[0] += all * (1.0 - honest);
            }
            Fault::MissesAdded { to } => {
                if let Some((method, added)) = added {
                    shares[method] -= added;
                    shares[*to] += added;
                }
            }
        }
    }

    /// Part of all samples that it leaves without a name, 0 to 1.
    pub(super) fn unnamed(&self) -> f64 {
        match self {
            Fault::Unnamed { part } => *part,
            _ => 0.0,
        }
    }
}

impl Default for Simulation {
    /// Six methods; 40 s of unslowed and slowed windows; a profiler at 100 samples/s; two streams at 1 kHz.
    fn default() -> Self {
        Self {
            shares: vec![0.36, 0.27, 0.17, 0.1, 0.06, 0.04],
            request: Request {
                uniform_pct: vec![100],
                singles: 1,
                budget_s: 160.0,
                least_window_s: 0.5,
                switch_s: 0.0,
                samples_per_s: 100.0,
                seed: 1,
            },
            truth_per_s: 1000.0,
            wander: 0.02,
            time_noise: 0.02,
            single_added: 0.12,
            single_low: 0.0,
            single_leaks: 0.0,
            uniform_unevenness: vec![],
            ambiguous: vec![],
            fault: Fault::None,
            same_windows: true,
            seed: 1,
        }
    }
}

impl Simulation {
    /// Evidence with this one profiler.
    ///
    /// # Panics
    /// If the request cannot be scheduled.
    #[must_use]
    pub fn evidence(&self, name: &str) -> Evidence {
        self.evidence_of(vec![self.profiler(name, Role::Subject)])
    }

    /// Evidence with these profilers of the same program.
    #[must_use]
    pub fn evidence_of(&self, profilers: Vec<ProfilerEvidence>) -> Evidence {
        Evidence {
            program: "simulated".into(),
            machine: "none".into(),
            method: format!("simulation with seed {}", self.seed),
            methods: (0..self.shares.len()).map(|m| format!("m{m}")).collect(),
            excluded_blocks: vec![],
            profilers,
        }
    }

    /// The windows of one simulated JVM.
    ///
    /// # Panics
    /// If the request cannot be scheduled.
    #[must_use]
    pub fn profiler(&self, name: &str, role: Role) -> ProfilerEvidence {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let schedule = plan(&self.request).expect("a schedule for the simulation");
        let mut out = ProfilerEvidence {
            name: name.into(),
            role,
            looks: 1,
            failure: None,
            windows: vec![],
            truth: vec![],
            totals: vec![],
            targets: self.targets(),
            border_doubt: Vec::new(),
        };
        let doses = |(block, condition)| match condition {
            Condition::Single(i) if self.single_low > 0.0 => {
                vec![(block, Condition::SingleLow(i)), (block, condition)]
            }
            _ => vec![(block, condition)],
        };
        for (number, (block, condition)) in schedule.windows().flat_map(doses).enumerate() {
            let at = |window: u32| WindowAt {
                window,
                block,
                condition,
                seconds: schedule.window_s,
            };
            let (first, second) = (at(2 * number as u32), at(2 * number as u32 + 1));
            let times = self.window_times(condition, &mut rng);
            let own_times = if self.same_windows {
                times.clone()
            } else {
                self.window_times(condition, &mut rng)
            };
            out.windows
                .push(self.profiler_window(first, &times, &mut rng));
            out.truth.push(self.truth_window(
                if self.same_windows { first } else { second },
                &own_times,
                &mut rng,
            ));
            out.totals.push(self.total_window(first, &times, &mut rng));
        }
        out
    }

    fn targets(&self) -> Vec<SingleTarget> {
        let target = |i: u32| SingleTarget {
            owner: i as usize % self.shares.len(),
            label: format!("block {i}"),
        };
        (0..self.request.singles).map(target).collect()
    }

    /// Time per method in a window, baseline total = 1, without wander.
    fn true_times(&self, condition: Condition) -> Vec<f64> {
        let mut times = self.shares.clone();
        match condition {
            Condition::Baseline => {}
            Condition::Uniform(pct) => {
                for (m, time) in times.iter_mut().enumerate() {
                    let factor = self.uniform_unevenness.get(m).unwrap_or(&1.0);
                    *time *= 1.0 + factor * f64::from(pct) / 100.0;
                }
            }
            Condition::Single(i) | Condition::SingleLow(i) => {
                let (owner, next) = (i as usize, i as usize + 1);
                let added = self.added(condition);
                let leaks = added * self.single_leaks;
                times[owner % self.shares.len()] += added - leaks;
                times[next % self.shares.len()] += leaks;
            }
        }
        times
    }

    /// Time that instructions in blocks add, relative.
    fn added(&self, condition: Condition) -> f64 {
        match condition {
            Condition::Single(_) => self.single_low + self.single_added,
            Condition::SingleLow(_) => self.single_low,
            Condition::Baseline | Condition::Uniform(_) => 0.0,
        }
    }

    fn window_times(&self, condition: Condition, rng: &mut ChaCha8Rng) -> Vec<f64> {
        self.true_times(condition)
            .iter()
            .map(|t| t * (1.0 + self.wander * normal(rng)).max(0.0))
            .collect()
    }

    /// What the profiler thinks the shares are.
    fn seen(&self, condition: Condition, times: &[f64]) -> Vec<f64> {
        let total: f64 = times.iter().sum();
        let mut shares: Vec<f64> = times.iter().map(|t| t / total).collect();
        let added = match condition {
            Condition::Single(i) | Condition::SingleLow(i) => {
                Some((i as usize % shares.len(), self.added(condition) / total))
            }
            Condition::Baseline | Condition::Uniform(_) => None,
        };
        self.fault.apply(&mut shares, added);
        shares
    }

    fn profiler_window(&self, at: WindowAt, times: &[f64], rng: &mut ChaCha8Rng) -> ProfilerWindow {
        let samples = (self.request.samples_per_s * at.seconds).round() as u32;
        let unnamed = self.fault.unnamed();
        let mut shares: Vec<f64> = self
            .seen(at.condition, times)
            .iter()
            .map(|s| s * (1.0 - unnamed))
            .collect();
        shares.push(unnamed);
        let mut methods = draw(&shares, samples, rng);
        let unattributed = methods.pop().unwrap_or(0.0);
        ProfilerWindow {
            at,
            methods,
            native: 0.0,
            unattributed,
            lost: 0.0,
            other_threads: f64::from(samples / 50),
        }
    }

    fn truth_window(&self, at: WindowAt, times: &[f64], rng: &mut ChaCha8Rng) -> TruthWindow {
        let samples = (self.truth_per_s * at.seconds).round() as u32;
        let stream = |rng: &mut ChaCha8Rng| {
            let methods = draw(times, samples, rng);
            let part = |m: usize| self.ambiguous.get(m).copied().unwrap_or(0.0);
            let ambiguous = methods
                .iter()
                .enumerate()
                .map(|(m, w)| w * part(m))
                .collect();
            TruthStream {
                methods,
                ambiguous,
                claimable: vec![],
                outside: 0.0,
                reported: vec![],
            }
        };
        TruthWindow {
            at,
            streams: vec![stream(rng), stream(rng)],
        }
    }

    fn total_window(&self, at: WindowAt, times: &[f64], rng: &mut ChaCha8Rng) -> TotalWindow {
        let iteration = 100.0 * times.iter().sum::<f64>() * (1.0 + self.time_noise * normal(rng));
        TotalWindow {
            at,
            iteration_ms: vec![iteration; 5],
        }
    }
}

/// Multinomial draw: samples per category, weights need not sum to one.
fn draw(weights: &[f64], samples: u32, rng: &mut ChaCha8Rng) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    let mut counts = vec![0.0; weights.len()];
    for _ in 0..samples {
        let mut left = rng.random::<f64>() * total;
        let hit = weights.iter().position(|w| {
            left -= w;
            left < 0.0
        });
        counts[hit.unwrap_or(weights.len() - 1)] += 1.0;
    }
    counts
}

/// Standard normal (Box and Muller).
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let (u, v): (f64, f64) = (1.0 - rng.random::<f64>(), rng.random());
    (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
}
