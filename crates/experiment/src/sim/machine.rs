//! Runs a program under a plan: true times, placements, machine speed, samples.

use std::hash::{DefaultHasher, Hash, Hasher};

use super::program::{Block, Program};
use super::random::Random;
use proofmark_divine::{Observation, Round};

/// How a round is measured.
#[derive(Debug, Clone, Copy)]
pub struct Protocol {
    /// Sampled windows per variant.
    pub sampled: usize,
    /// Unsampled windows per variant.
    pub unsampled: usize,
    /// Samples in a baseline window.
    pub samples: f64,
    /// Code placements per window.
    pub placements: u32,
}

impl Default for Protocol {
    /// About 10 s per round at 8 kHz.
    fn default() -> Self {
        Protocol {
            sampled: 4,
            unsampled: 4,
            samples: 10_000.0,
            placements: 3,
        }
    }
}

impl Machine {
    /// The source of everything that is drawn.
    pub(super) fn random(&mut self) -> &mut Random {
        &mut self.random
    }
}

/// Times as they truly are, averaged over placements.
#[derive(Debug, Clone)]
pub struct Truth {
    /// Slowed over baseline time per block.
    pub ratios: Vec<f64>,
    /// The same for the whole program.
    pub total: f64,
}

/// A program on a machine.
#[derive(Debug, Clone)]
pub struct Machine {
    program: Program,
    random: Random,
    seed: u64,
    speed: f64,
    windows: u32,
    /// Relative standard deviation over placements of an unmodified and of a slowed block.
    pub placement_sd: (f64, f64),
    /// Relative standard deviation of what a changed plan re-rolls.
    pub jitter: f64,
    /// Part of the windows in which a neighbour takes the machine, up to two fifths longer; 0 to 1.
    pub disturbed: f64,
    /// Part of the time in which a neighbour takes the machine for some dozen windows, and slowed code more or less of it than
    /// the baseline; 0 to 1.
    pub storms: f64,
    /// How many times as long the baseline and slowed code take in every storm, as on a machine of two speeds. None: each
    /// storm and window has figures of its own.
    pub slower: Option<[f64; 2]>,
    /// How much longer slowed code takes in the storm that rages now, beside the baseline.
    storm: Option<f64>,
    /// Two blocks whose samples are swapped: a planted fault.
    pub swapped: Option<(usize, usize)>,
}

impl Machine {
    /// A machine; the same seed gives the same answers to the same questions.
    #[must_use]
    pub fn new(program: Program, seed: u64) -> Self {
        let random = Random::new(seed.wrapping_mul(0x5851_f42d_4c95_7f2d));
        let placement_sd = (0.12, 0.02);
        Machine {
            program,
            random,
            seed,
            speed: 0.0,
            windows: 0,
            placement_sd,
            jitter: 0.025,
            disturbed: 0.0,
            storms: 0.0,
            slower: None,
            storm: None,
            swapped: None,
        }
    }

    /// The same machine for another process: the program responds as before, everything else is drawn anew.
    #[must_use]
    pub fn process(program: Program, seed: u64, process: u64) -> Self {
        let mut machine = Machine::new(program, seed);
        for _ in 0..=process {
            machine.random = Random::new(machine.random.bits());
        }
        machine
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &Program {
        &self.program
    }

    /// What a plan truly does.
    #[must_use]
    pub fn truth(&self, counts: &[u32]) -> Truth {
        let (times, baseline) = (self.times(counts), self.times(&vec![0; counts.len()]));
        let total = times.iter().sum::<f64>() + self.program.outside;
        Truth {
            ratios: times.iter().zip(baseline).map(|(t, t0)| t / t0).collect(),
            total,
        }
    }

    /// One round: baseline and slowed windows in the order ABBA.
    pub fn round(&mut self, counts: &[u32], protocol: Protocol) -> Round {
        let mut round = Round::default();
        let zero = vec![0; counts.len()];
        let times = [self.times(&zero), self.times(counts)];
        for (sampled, pairs) in [(true, protocol.sampled), (false, protocol.unsampled)] {
            for pair in 0..pairs {
                for side in 0..2 {
                    let slowed = (pair + side) % 2 == 1;
                    let plan = if slowed { counts } else { &zero };
                    let window = self.window(plan, &times[usize::from(slowed)], protocol, sampled);
                    if slowed {
                        round.slowed.push(window)
                    } else {
                        round.baseline.push(window)
                    }
                }
            }
        }
        round
    }

    fn window(
        &mut self,
        counts: &[u32],
        times: &[f64],
        protocol: Protocol,
        sampled: bool,
    ) -> Observation {
        let times = self.placed(counts, times, protocol.placements);
        let total = times.iter().sum::<f64>() + self.program.outside;
        let speed = self.next_speed() * self.weather(counts.iter().any(|&k| k > 0));
        // The sampler costs a quarter of the time at its searching rate.
        let cpu_ns =
            50.0 * self.program.iteration_ns * total * speed * if sampled { 1.25 } else { 1.0 };
        let mut samples: Vec<f64> = Vec::new();
        if sampled {
            samples = times
                .iter()
                .map(|t| self.random.poisson(protocol.samples * t * speed))
                .collect();
            if let Some((a, b)) = self.swapped {
                samples.swap(a, b);
            }
        }
        let outside_samples = if sampled {
            self.random
                .poisson(protocol.samples * self.program.outside * speed)
        } else {
            0.0
        };
        Observation {
            counts: counts.to_vec(),
            iterations: 50.0,
            cpu_ns,
            samples,
            outside_samples,
            placements: protocol.placements,
            sampled,
        }
    }

    /// What a storm makes of a window's time; storms last 40 windows in the mean.
    pub(super) fn weather(&mut self, slowed: bool) -> f64 {
        const LENGTH: f64 = 40.0;
        if self.storms <= 0.0 {
            return 1.0;
        }
        let begins = self.storms / (1.0 - self.storms).max(0.01) / LENGTH;
        let changes = self.random.uniform()
            < if self.storm.is_some() {
                1.0 / LENGTH
            } else {
                begins
            };
        if changes {
            let more = self.random.between(0.9, 1.2);
            self.storm = match self.storm {
                Some(_) => None,
                None => Some(more),
            };
        }
        match (self.storm, self.slower) {
            (Some(_), Some([baseline, with_more])) => {
                if slowed {
                    with_more
                } else {
                    baseline
                }
            }
            (Some(more), None) => self.random.between(1.1, 1.5) * if slowed { more } else { 1.0 },
            (None, _) => 1.0,
        }
    }

    /// Machine speed: wander of 2 % with a correlation over about ten windows, and slow drift.
    pub(super) fn next_speed(&mut self) -> f64 {
        self.windows += 1;
        self.speed = 0.6 * self.speed + 0.8 * 0.015 * self.random.normal();
        let drift = 0.0003 * f64::from(self.windows);
        let speed = (self.speed + drift + 0.008 * self.random.normal()).exp();
        if self.disturbed > 0.0 && self.random.uniform() < self.disturbed {
            speed * (1.0 + 0.4 * self.random.uniform())
        } else {
            speed
        }
    }

    /// Times under one set of placements; a cluster moves as one, and its blocks against each other.
    pub(super) fn placed(&mut self, counts: &[u32], times: &[f64], placements: u32) -> Vec<f64> {
        let mut times = times.to_vec();
        for (time, &k) in times.iter_mut().zip(counts) {
            let sd = if k == 0 {
                self.placement_sd.0
            } else {
                self.placement_sd.1
            };
            let sd = sd / f64::from(placements).sqrt();
            // Mean 1, so that the truth is the mean over placements.
            *time *= (sd * self.random.normal() - 0.5 * sd * sd).exp();
        }
        times
    }

    /// True times per block as parts of the baseline total.
    pub(super) fn times(&self, counts: &[u32]) -> Vec<f64> {
        let blocks = &self.program.blocks;
        let effects: Vec<f64> = blocks
            .iter()
            .zip(counts)
            .enumerate()
            .map(|(i, (b, &k))| self.effect(i, b, k) * b.share / b.tau)
            .collect();
        let mut times: Vec<f64> = blocks
            .iter()
            .zip(&effects)
            .map(|(b, e)| b.share + e)
            .collect();
        let all: f64 = effects.iter().sum();
        for (i, block) in blocks.iter().enumerate() {
            times[i] += block.carried * block.share * (all - effects[i]);
            self.overlap(i, block, effects[i], &mut times);
            let moved = block.displaced * effects[i];
            times[i] -= moved;
            times[self.program.behind(i)] += moved;
        }
        self.re_roll(counts, &mut times);
        times
    }

    /// Cycles per execution that k instructions cost a block on its own.
    fn effect(&self, i: usize, block: &Block, k: u32) -> f64 {
        let line = block.slope * (f64::from(k) - block.hinge).max(0.0);
        if block.plateau == 0.0 || line == 0.0 {
            return line;
        }
        let phase = Random::new(self.seed ^ i as u64).uniform() * block.plateau;
        ((line + phase) / block.plateau).floor() * block.plateau
    }

    /// A block takes more than its effect, its neighbours give way: the cluster keeps its total.
    fn overlap(&self, i: usize, block: &Block, effect: f64, times: &mut [f64]) {
        let blocks = &self.program.blocks;
        let neighbour = |j: usize| j != i && blocks[j].cluster == block.cluster;
        let around: f64 = (0..blocks.len())
            .filter(|&j| neighbour(j))
            .map(|j| blocks[j].share)
            .sum();
        let taken = (block.overlap * effect).min(0.3 * around);
        if around <= 0.0 {
            return;
        }
        times[i] += taken;
        for j in (0..blocks.len()).filter(|&j| neighbour(j)) {
            times[j] -= taken * blocks[j].share / around;
        }
    }

    /// What the same plan always does and every other plan does differently: the blocks of a
    /// cluster against each other, and a fifth of it the cluster as a whole.
    fn re_roll(&self, counts: &[u32], times: &mut [f64]) {
        if counts.iter().all(|&k| k == 0) {
            return;
        }
        let blocks = &self.program.blocks;
        for (i, block) in blocks.iter().enumerate() {
            let cluster: Vec<u32> = (0..blocks.len())
                .filter(|&j| blocks[j].cluster == block.cluster)
                .map(|j| counts[j])
                .collect();
            let own = self.roll(&(i, counts[i])) * 0.7 + self.roll(&(i, &cluster, "own")) * 0.7;
            let common = self.roll(&(block.cluster, &cluster, "all")) * 0.2;
            times[i] *= (self.jitter * (own + common)).exp();
        }
    }

    /// A standard normal number that belongs to what is asked for.
    pub(super) fn roll(&self, what: &impl Hash) -> f64 {
        let mut hasher = DefaultHasher::new();
        (self.seed, what).hash(&mut hasher);
        Random::new(hasher.finish()).normal()
    }
}
