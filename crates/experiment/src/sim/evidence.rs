//! Simulated evidence with a known answer, for the tests of the judge, the report and the command.

use super::fault::Fault;
use proofmark_assess::{
    BlockMap, Condition, Evidence, ProfilerEvidence, ProfilerWindow, Request, Role, SingleTarget,
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
    /// Part of the unslowed time outside of compiled methods (stubs, native code), 0 to 1, which a profiler shows as native.
    pub outside: f64,
    /// Method into which each one is inlined, itself for one that is not. Empty: that is not known.
    pub roots: Vec<usize>,
    /// CPU time of an unslowed iteration, ms.
    pub iteration_ms: f64,
    /// Part of a window's samples, 0 to 1, that all meet one point of the iteration, in each window another.
    pub resonance: f64,
    /// Whether the block map may be called truth.
    pub block_map: Option<BlockMap>,
    /// What is wrong with the profiler.
    pub fault: Fault,
    /// True: profiler and truth look at the same windows; false: the truth has windows of its own.
    pub same_windows: bool,
    /// Seed.
    pub seed: u64,
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
            outside: 0.0,
            roots: vec![],
            iteration_ms: 100.0,
            resonance: 0.0,
            block_map: Some(BlockMap {
                called_truth: true,
                reasons: vec![],
            }),
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
            block_map: self.block_map.clone(),
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
            analyses: 1,
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
                run: 0,
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

    /// Time outside of compiled methods, as the times of methods: baseline total of these = 1.
    fn outside_time(&self) -> f64 {
        self.outside / (1.0 - self.outside)
    }

    /// What the profiler thinks the shares are, parts of the whole; then what it shows as native, and what it loses.
    fn seen(&self, at: &WindowAt, times: &[f64]) -> Vec<f64> {
        let condition = at.condition;
        let total = times.iter().sum::<f64>() + self.outside_time();
        let mut shares: Vec<f64> = times.iter().map(|t| t / total).collect();
        self.resonate(at, &mut shares);
        let inside: f64 = shares.iter().sum();
        let added = match condition {
            Condition::Single(i) | Condition::SingleLow(i) => {
                Some((i as usize % shares.len(), self.added(condition) / total))
            }
            Condition::Baseline | Condition::Uniform(_) => None,
        };
        self.fault.apply(&mut shares, added);
        let more = shares.iter().sum::<f64>() - inside;
        // Less is rounding.
        let (charged, lost) = match more.abs() < 1e-9 {
            true => (0.0, 0.0),
            false => (more.max(0.0), (-more).max(0.0)),
        };
        let native = (self.outside_time() / total - charged).max(0.0);
        shares.extend([native, lost]);
        shares
    }

    /// Moves a part of all samples to the method that runs at one point of the iteration; points of windows lie evenly.
    fn resonate(&self, at: &WindowAt, shares: &mut [f64]) {
        if self.resonance <= 0.0 {
            return;
        }
        let inside: f64 = shares.iter().sum();
        let mut left = inside * (f64::from(at.window) * GOLDEN).fract();
        let met = shares.iter().position(|share| {
            left -= share;
            left < 0.0
        });
        shares
            .iter_mut()
            .for_each(|share| *share *= 1.0 - self.resonance);
        if let Some(met) = met {
            shares[met] += self.resonance * inside;
        }
    }

    fn profiler_window(&self, at: WindowAt, times: &[f64], rng: &mut ChaCha8Rng) -> ProfilerWindow {
        let samples = (self.request.samples_per_s * at.seconds).round() as u32;
        let unnamed = self.fault.unnamed();
        let mut shares: Vec<f64> = self
            .seen(&at, times)
            .iter()
            .map(|s| s * (1.0 - unnamed))
            .collect();
        shares.push(unnamed);
        let mut methods = draw(&shares, samples, rng);
        let [unattributed, lost, native] = [(); 3].map(|()| methods.pop().unwrap_or(0.0));
        ProfilerWindow {
            at,
            methods,
            native,
            unattributed,
            lost,
            other_threads: f64::from(samples / 50),
        }
    }

    fn truth_window(&self, at: WindowAt, times: &[f64], rng: &mut ChaCha8Rng) -> TruthWindow {
        let samples = (self.truth_per_s * at.seconds).round() as u32;
        let stream = |rng: &mut ChaCha8Rng| {
            let mut places = times.to_vec();
            places.push(self.outside_time());
            let mut methods = draw(&places, samples, rng);
            let outside = methods.pop().unwrap_or(0.0);
            let part = |m: usize| self.ambiguous.get(m).copied().unwrap_or(0.0);
            let ambiguous = methods
                .iter()
                .enumerate()
                .map(|(m, w)| w * part(m))
                .collect();
            TruthStream {
                roots: self.by_roots(&methods),
                methods,
                ambiguous,
                outside,
                ..TruthStream::default()
            }
        };
        TruthWindow {
            at,
            streams: vec![stream(rng), stream(rng)],
        }
    }

    /// Samples by the method into which each one is inlined.
    fn by_roots(&self, methods: &[f64]) -> Vec<f64> {
        let mut sums = vec![
            0.0;
            if self.roots.is_empty() {
                0
            } else {
                methods.len()
            }
        ];
        for (root, samples) in self.roots.iter().zip(methods) {
            sums[*root] += samples;
        }
        sums
    }

    fn total_window(&self, at: WindowAt, times: &[f64], rng: &mut ChaCha8Rng) -> TotalWindow {
        let inside = (1.0 - self.outside) * self.iteration_ms;
        let whole = times.iter().sum::<f64>() + self.outside_time();
        let iteration = inside * whole * (1.0 + self.time_noise * normal(rng));
        TotalWindow {
            at,
            iteration_ms: vec![iteration; 5],
        }
    }
}

/// Step from phase to phase that spreads any number of them evenly.
const GOLDEN: f64 = 0.618_033_988_749_895;

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
