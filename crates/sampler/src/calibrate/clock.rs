//! The core's clock, from a chain of known length.

use proofmark_stats::Estimate;

use super::stretch::{median_estimate, time_ns};
use super::victims::{CHAIN_CYCLES, chain};

/// Turns of one stretch: about 0.15 ms.
const TURNS: u64 = 2_000;

/// Stretches.
const ROUNDS: usize = 101;

/// Core clock now, in GHz (cycles per ns), by one stretch of the chain.
pub(super) fn clock_ghz_now() -> f64 {
    (TURNS * CHAIN_CYCLES) as f64 / time_ns(|| chain(TURNS))
}

/// Core clock in GHz: the median over stretches.
pub(super) fn core_clock_ghz() -> Option<Estimate> {
    chain(TURNS);
    median_estimate((0..ROUNDS).map(|_| clock_ghz_now()).collect())
}
