//! Shared by the simulated tests.
#![allow(dead_code, reason = "every test file uses its own part")]

use proofmark_assess::{Assessment, Judgement, Request, Settings, Verdict, assess};
use proofmark_experiment::sim::{Fault, Simulation};

/// Right, wrong and undecided verdicts over seeds.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Tally {
    pub right: u32,
    pub wrong: u32,
    pub undecided: u32,
}

/// The default program, seen by a cheaper truth.
pub fn program(samples_per_s: f64, fault: Fault) -> Simulation {
    let mut s = Simulation {
        fault,
        truth_per_s: 400.0,
        ..Simulation::default()
    };
    s.request.samples_per_s = samples_per_s;
    s
}

/// Only unslowed windows: `windows` of them, this many profiler samples altogether.
pub fn unslowed(windows: u32, samples: f64, fault: Fault) -> Simulation {
    let seconds = 80.0;
    let window_s = seconds / f64::from(windows);
    let request = Request {
        uniform_pct: vec![],
        singles: 0,
        budget_s: seconds,
        least_window_s: window_s * 0.999,
        switch_s: 0.0,
        samples_per_s: samples / seconds,
        seed: 1,
    };
    Simulation {
        request,
        fault,
        truth_per_s: 200.0,
        ..Simulation::default()
    }
}

/// The same with another seed for everything.
pub fn seeded(s: &Simulation, seed: u64) -> Simulation {
    let mut out = s.clone();
    out.seed = seed;
    out.request.seed = seed;
    out
}

pub fn judged(s: &Simulation, settings: &Settings) -> Judgement {
    let Assessment { mut profilers, .. } = assess(&s.evidence("x"), settings).unwrap();
    profilers.remove(0)
}

pub fn tally(s: &Simulation, settings: &Settings, tries: u64) -> Tally {
    let mut out = Tally::default();
    for seed in 0..tries {
        match judged(&seeded(s, seed), settings).verdict {
            Verdict::Right => out.right += 1,
            Verdict::Wrong => out.wrong += 1,
            Verdict::Undecided => out.undecided += 1,
        }
    }
    out
}
