//! What is slowed ([`Tunable`]) and what the laboratory saw of it ([`Observation`], [`Round`]).

use serde::{Deserialize, Serialize};

use crate::SearchError;

/// One thing whose count the search may set: a judged block, or a pool of small blocks.
#[derive(Debug, Clone, PartialEq)]
pub struct Tunable {
    /// Name of the compilation unit.
    pub unit: String,
    /// Block id inside the unit; for a pool the smallest id of its members.
    pub block: u32,
    /// Index of the loop cluster; blocks of one cluster overlap in the processor.
    pub cluster: u32,
    /// Blocks of a unit with the same group are judged together: each is too short to be set, or told
    /// from the others, on its own. None: judged alone.
    pub group: Option<u32>,
    /// Executions per iteration, counted exactly. For a pool: see [`crate::Pool::tunable`].
    pub executions_per_iteration: f64,
    /// Tunables from which control comes directly, by index, with passages per iteration; empty: not known.
    pub before: Vec<(usize, f64)>,
    /// Judged on its own, or a pool that only carries its part of the total.
    pub kind: TunableKind,
}

/// How a tunable is judged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TunableKind {
    /// A block that is judged, or short ones of one set under a common density that are judged with it.
    Block,
    /// Blocks below the detectable share under one common density of instructions.
    Pool,
}

/// One window: a stretch of iterations under one plan with one set of instruments.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Observation {
    /// Slowdown instructions per tunable, in the order of the tunables; all 0 in a baseline window.
    pub counts: Vec<u32>,
    /// Iterations measured.
    pub iterations: f64,
    /// Thread CPU time of those iterations, ns.
    pub cpu_ns: f64,
    /// Samples per tunable, corrected for skid and therefore fractional; empty if not sampled.
    pub samples: Vec<f64>,
    /// Samples in no tunable (VM, stubs, blocks that are neither judged nor pooled).
    pub outside_samples: f64,
    /// Code placements (installations) over which the window is spread, at least 1.
    pub placements: u32,
    /// True if the sampler ran; totals are taken from windows without it where there are any.
    pub sampled: bool,
}

impl Observation {
    /// CPU time per iteration, ns.
    #[must_use]
    pub fn ns_per_iteration(&self) -> f64 {
        self.cpu_ns / self.iterations
    }

    /// All samples, inside and outside of tunables.
    #[must_use]
    pub fn all_samples(&self) -> f64 {
        self.samples.iter().sum::<f64>() + self.outside_samples
    }

    /// Checks that the window can be used with `tunables` tunables.
    ///
    /// # Errors
    /// Says which figure of the window is impossible.
    pub fn check(&self, tunables: usize) -> Result<(), SearchError> {
        let fault = |what: String| Err(SearchError::BadObservation(what));
        if self.counts.len() != tunables {
            return fault(format!(
                "{} counts for {tunables} tunables",
                self.counts.len()
            ));
        }
        if !(self.iterations.is_finite() && self.iterations > 0.0) {
            return fault(format!("{} iterations", self.iterations));
        }
        if !(self.cpu_ns.is_finite() && self.cpu_ns > 0.0) {
            return fault(format!("{} ns of CPU time", self.cpu_ns));
        }
        if !self.sampled {
            return Ok(());
        }
        if self.samples.len() != tunables {
            return fault(format!(
                "samples of {} for {tunables} tunables",
                self.samples.len()
            ));
        }
        let mut all = self.samples.iter().chain([&self.outside_samples]);
        if !all.all(|y| y.is_finite() && *y >= 0.0) {
            return fault("a number of samples that is negative or not finite".into());
        }
        if self.all_samples() <= 0.0 {
            return fault("a sampled window without any sample".into());
        }
        Ok(())
    }
}

/// Interleaved windows (ABBA) of the baseline and of one plan.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Round {
    /// Windows with all counts 0.
    pub baseline: Vec<Observation>,
    /// Windows under the plan; empty in the first round, which only looks at the baseline.
    pub slowed: Vec<Observation>,
}
