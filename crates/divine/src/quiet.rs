//! What was measured while the machine was quiet.
//!
//! On a shared machine somebody else takes caches, memory or half of a core for seconds to minutes. A program then takes up to
//! half as long again, its slowed code by another factor than the baseline, and the ratio of a pair of windows is off by ten
//! points and more, the same way for many pairs. When the machine is quiet, pairs agree within one to three points. So those
//! count around which windows took little longer than the same code at its fastest.
//!
//! # Accuracy
//! Windows are looked at through the median of five neighbours: to choose them one by one would prefer what is short by
//! chance, on the side that scatters more (0.7 points of the total in the simulated laboratory, not seen so). There, with a
//! neighbour who takes the machine in 30 % of the time, the total of an evaluation is off by half as much as
//! without the choice (tests). Emerald Rapids VM, 2 vCPUs, shared, 2026-11-23: the standard deviation of a pair's ratio was
//! 10.5 points over all 30 pairs of an evaluation of Havlak and 3 over its quiet half. A machine that is never quiet has no
//! quiet level: what is left is taken as it is.

use proofmark_rules::{QUIET_AROUND, QUIET_FASTEST, QUIET_NEAR};
use proofmark_stats::{deviation_by_median, median, quantile};

/// What the same code takes when nothing disturbs it; none without times.
pub(crate) fn fastest(times: impl Iterator<Item = f64>) -> Option<f64> {
    quantile(&times.collect::<Vec<f64>>(), QUIET_FASTEST)
}

/// Which of these times, in the order in which they were measured, were measured in quiet. What windows scatter by
/// themselves is allowed for: it is told from neighbours, which a storm meets alike.
pub(crate) fn quiet(times: &[f64]) -> Vec<bool> {
    let around = |at: usize| {
        let last = (at + QUIET_AROUND + 1).min(times.len());
        median(&times[at.saturating_sub(QUIET_AROUND)..last]).unwrap_or(times[at])
    };
    let smooth: Vec<f64> = (0..times.len()).map(around).collect();
    /// Standard deviation of the median of five, of one that is 1 and normal.
    const OF_FIVE: f64 = 0.54;
    let steps: Vec<f64> = times
        .windows(2)
        .map(|two| (two[1] / two[0]).ln().abs())
        .collect();
    let scatter = OF_FIVE * deviation_by_median(&steps) / 2f64.sqrt();
    let near = QUIET_NEAR + 2.0 * scatter;
    let most = fastest(smooth.iter().copied()).map_or(f64::INFINITY, |level| near * level);
    smooth.iter().map(|time| *time <= most).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_storm_is_left_out_and_a_single_long_window_is_not() {
        let mut times = vec![10.0; 20];
        times[3] = 30.0;
        times[10..16].fill(12.0);
        let left_out: Vec<usize> = (0..20).filter(|at| !quiet(&times)[*at]).collect();
        assert_eq!(left_out, [10, 11, 12, 13, 14, 15]);
    }

    #[test]
    fn one_lucky_window_is_not_the_level() {
        let mut times = vec![10.0; 30];
        times[7] = 8.0;
        assert!(quiet(&times).into_iter().all(|quiet| quiet));
        assert_eq!(fastest(std::iter::empty()), None);
        assert!(quiet(&[]).is_empty());
    }
}
