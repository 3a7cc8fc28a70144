//! How long the windows of a profiler must be.

use proofmark_assess::{Request, SAMPLES_PER_CONDITION, Schedule, plan};

use super::CONTROL_HZ;
use crate::ExperimentError;

/// How fast samples come and how long windows must be.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Samples of the profiler per second.
    pub samples_per_s: f64,
    /// Time for all windows, s; none: as long as the rate needs.
    pub budget_s: Option<f64>,
    /// CPU time of an iteration, ms.
    pub iteration_ms: f64,
}

/// Change of conditions, s.
pub(super) const SWITCH_S: f64 = 0.15;

impl Pace {
    /// The oracle: one of two streams, half of the windows, and four times the time that samples alone would need,
    /// because its two sides never saw the same placements.
    #[must_use]
    pub fn oracle(iteration_ms: f64) -> Self {
        Pace {
            samples_per_s: CONTROL_HZ / 16.0,
            budget_s: None,
            iteration_ms,
        }
    }

    /// Time that all windows without a dose need for a clear answer, s.
    #[must_use]
    pub fn needed_s(&self, uniform: usize) -> f64 {
        // The baseline takes part in every comparison and gets two windows of each block.
        let conditions = (2 + uniform) as f64;
        let least = 10.0 * conditions * self.least_window_s();
        (conditions * SAMPLES_PER_CONDITION / self.samples_per_s * 1.15).max(least * 1.3)
    }

    /// Shortest useful window, s.
    pub(super) fn least_window_s(&self) -> f64 {
        (8.0 * self.iteration_ms / 1e3).max(0.5)
    }

    /// Order of windows without a dose.
    ///
    /// # Errors
    /// When the budget is too small.
    pub fn schedule(&self, uniform: &[u32], seed: u64) -> Result<Schedule, ExperimentError> {
        let request = Request {
            uniform_pct: uniform.to_vec(),
            singles: 0,
            budget_s: self
                .budget_s
                .unwrap_or_else(|| self.needed_s(uniform.len())),
            least_window_s: self.least_window_s(),
            switch_s: SWITCH_S,
            samples_per_s: self.samples_per_s,
            seed,
        };
        plan(&request).map_err(|e| ExperimentError::Usage(format!("--time-budget: {e}")))
    }

    /// Code placements in a window of this length, full turns through all alignments.
    #[must_use]
    pub fn placements(&self, window_s: f64, alignments: usize) -> usize {
        let each = (3.0 * self.iteration_ms / 1e3).max(0.12);
        let turns = (window_s / each / alignments as f64) as usize;
        turns.clamp(1, 8 / alignments.min(8)) * alignments
    }
}
