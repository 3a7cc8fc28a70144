//! What is to be assessed.

use serde_json::Value;

use super::Pace;
use super::doses::METHODS;
use crate::divine::{Effort, Plan};

/// An assessment as it is asked for.
#[derive(Debug, Clone)]
pub struct AssessRequest {
    /// Profilers, in their order.
    pub subjects: Vec<Subject>,
    /// The deliberately safepoint-biased control.
    pub safepoint: Subject,
    /// Uniform slowdowns to try, %.
    pub targets_pct: Vec<f64>,
    /// Single blocks to dose besides the hottest methods; 0 leaves doses out.
    pub singles: u32,
    /// Error that separates right from wrong, points of share.
    pub margin_pt: f64,
    /// Time for the windows of each profiler in a run besides doses, s; none: as long as its rate needs.
    pub time_budget_s: Option<f64>,
    /// Runs of each profiler, 1 at least: each with profiles that are collected and code that is compiled anew. Plan, doses
    /// and controls are those of the first one.
    pub runs: u32,
    /// Whether a wrong profiler is run again with what explains it, to test the cause.
    pub cause: bool,
    /// Whether wrong profilers are asked once more under another compiler: costs time.
    pub c2: bool,
    /// What names the program to `proofmark assess`, where the command at hand takes none of the options that remedies name;
    /// none where it does.
    pub to_assess: Option<String>,
    /// Seed of everything that is drawn at random.
    pub seed: u64,
    /// How much is measured while divining.
    pub effort: Effort,
    /// A plan for the program; none: one is divined.
    pub plan: Option<Plan>,
    /// Options that decide plan and controls: a run is gone on with under the same ones only.
    pub options: Value,
}

impl AssessRequest {
    /// Uniform slowdowns in whole percent.
    #[must_use]
    pub fn uniform_pct(&self) -> Vec<u32> {
        self.targets_pct.iter().copied().map(percent).collect()
    }

    /// Methods and blocks that are dosed, at most.
    #[must_use]
    pub fn doses(&self) -> usize {
        match self.singles {
            0 => 0,
            singles => (METHODS + singles) as usize,
        }
    }
}

/// Whole percent of a slowdown.
#[must_use]
pub fn percent(target: f64) -> u32 {
    target.round().clamp(1.0, 10_000.0) as u32
}

/// A profiler under test.
#[derive(Debug, Clone, PartialEq)]
pub struct Subject {
    /// Its name, by which a laboratory knows it.
    pub name: String,
    /// A name of its files.
    pub file: String,
    /// Samples per second that its interval promises.
    pub samples_per_s: f64,
    /// The same profiler told to ask for more debug information; none if that changes nothing.
    pub explained: Option<Box<Subject>>,
    /// Options that decide how it behaves: what is stored of it under others is measured again.
    pub options: Value,
}

impl Subject {
    /// How fast its samples come.
    #[must_use]
    pub fn pace(&self, budget_s: Option<f64>, iteration_ms: f64) -> Pace {
        Pace {
            samples_per_s: self.samples_per_s,
            budget_s,
            iteration_ms,
        }
    }
}

#[cfg(test)]
impl AssessRequest {
    /// One profiler, nothing dosed, one run: tests change what they are about.
    pub(super) fn of_a_test() -> Self {
        let subject = Subject {
            name: "x".into(),
            file: "x".into(),
            samples_per_s: 100.0,
            explained: None,
            options: Value::Null,
        };
        AssessRequest {
            subjects: vec![subject.clone()],
            safepoint: subject,
            targets_pct: vec![100.0],
            singles: 0,
            margin_pt: 5.0,
            time_budget_s: None,
            runs: 1,
            cause: false,
            c2: false,
            to_assess: None,
            seed: 1,
            effort: Effort::default(),
            plan: None,
            options: Value::Null,
        }
    }
}
