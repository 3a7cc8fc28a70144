//! How well block times can be known on a machine, and what follows from that.

use proofmark_rules::{BORDERS_PER_SET, LEAST_BORDER_CYCLES, MOST_BORDER_CYCLES};
use proofmark_stats::Estimate;

use crate::Skid;

/// What samples mean on a machine, and how well block times are known from them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Resolution {
    /// Which instruction's time a sampled address stands for.
    pub skid: Skid,
    /// The border: how far the time of a block can be off, in cycles per execution, because samples around its ends are charged to
    /// the wrong side.
    pub border_cycles: Estimate,
}

impl Resolution {
    /// The border, in cycles, that calculations use: what was measured, and a cycle at least.
    #[must_use]
    pub fn border(&self) -> f64 {
        self.border_cycles.value.max(LEAST_BORDER_CYCLES)
    }

    /// Cycles per execution from which something is judged on its own.
    #[must_use]
    pub fn shortest_judged_cycles(&self) -> f64 {
        BORDERS_PER_SET * self.border()
    }

    /// Whether block times say anything: the border is smaller than most loops.
    #[must_use]
    pub fn resolves_loops(&self) -> bool {
        self.border() < MOST_BORDER_CYCLES
    }

    /// What borders can do to a share, as a part of the program's time (0 to 1): each passage of control across a border of the
    /// thing in question moves up to [`Self::border`] cycles. Passages of one border go the same way, those of different borders do
    /// not, so that the borders add up as squares.
    ///
    /// `passages` holds the passages per iteration of every border, `cycles` the cycles per iteration of the program.
    #[must_use]
    pub fn share_in_doubt(&self, passages: impl IntoIterator<Item = f64>, cycles: f64) -> f64 {
        let squares: f64 = passages
            .into_iter()
            .map(|passages| (passages * self.border()).powi(2))
            .sum();
        squares.sqrt() / cycles.max(f64::MIN_POSITIVE)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(border: f64) -> Resolution {
        Resolution {
            skid: Skid::NextInstruction,
            border_cycles: Estimate::around(border, 0.2, 100_000),
        }
    }

    #[test]
    fn sets_are_eight_borders_long_and_a_border_is_a_cycle_at_least() {
        assert_eq!(with(0.3).shortest_judged_cycles(), 8.0);
        assert_eq!(with(2.5).shortest_judged_cycles(), 20.0);
        assert_eq!(with(20.0).shortest_judged_cycles(), 160.0);
        assert!(with(20.0).resolves_loops() && !with(60.0).resolves_loops());
    }

    #[test]
    fn borders_add_up_as_squares() {
        let doubt = with(2.0).share_in_doubt([30.0, 40.0], 1_000.0);
        assert!((doubt - 0.1).abs() < 1e-12, "{doubt}");
        assert_eq!(with(2.0).share_in_doubt([], 1_000.0), 0.0);
    }
}
