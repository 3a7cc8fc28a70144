//! From times to gains.
//!
//! A plan slows everything by the factor 1 + a. Without its instructions in a function everything but that is slowed, so that
//! beside the plan the function takes 1 / (1 + a) of its time: `T(plan without it) / T(plan)` is the program's time if the
//! function took that part of its own (Curtsinger and Berger 2015, who insert delays). Of a program in one thread the time is a
//! sum; what the function's own slowdown added, `T(plan) - T(plan without it)`, is then `a` times its time.
//!
//! *Accuracy.* Pseudomedians over rounds, in each of which every variant was run under every alignment; below six rounds Student's
//! interval. What the plan is off by in a function scales its gain.

use proofmark_stats::{Estimate, mean_t, paired_ratio_robust, pseudomedian};

/// Per cent by which a program is longer: pairs of times without and with a plan. None below two pairs.
pub(super) fn growth_pct(pairs: &[(f64, f64)]) -> Option<Estimate> {
    let ratio = paired_ratio_robust(pairs)?;
    Some(ratio.map_increasing(|ratio| 100.0 * (ratio - 1.0)))
}

/// Per cent by which a program would be shorter: pairs of times under a plan, and under it without a function. None below
/// two pairs.
pub(super) fn gain_pct(pairs: &[(f64, f64)]) -> Option<Estimate> {
    let ratio = paired_ratio_robust(pairs)?;
    let gain = |ratio: f64| 100.0 * (1.0 - ratio);
    Some(Estimate {
        value: gain(ratio.value),
        low: gain(ratio.high),
        high: gain(ratio.low),
        n: ratio.n,
    })
}

/// Per cent of the unslowed program's time that a function takes: its times, under a plan, and under it without the function,
/// which the plan slows by the factor 1 + `slowed`. None below two rounds.
pub(super) fn own_pct(rounds: &[[f64; 3]], slowed: f64) -> Option<Estimate> {
    let part = |[baseline, plan, without]: &[f64; 3]| (plan - without) / (slowed * baseline);
    let parts: Vec<f64> = rounds.iter().map(part).collect();
    let centre = pseudomedian(&parts).or_else(|| mean_t(&parts))?;
    Some(centre.scaled(100.0))
}

/// Per cent of its time that a function saves if it takes 1 / (1 + `slowed`) of it.
pub(super) fn saved_pct(slowed: f64) -> f64 {
    100.0 * slowed / (1.0 + slowed)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A function of 60 % of the time, everything slowed by the factor 2.1: 2.1 without it is 0.6 + 0.84.
    #[test]
    fn by_hand() {
        let pairs = [(2.1, 1.44); 8];
        let gain = gain_pct(&pairs).unwrap();
        assert!((gain.value - 31.428_571).abs() < 1e-4, "{gain:?}");
        // The same as making it faster by what the factor says.
        assert!((gain.value - 0.6 * saved_pct(1.1)).abs() < 1e-9);
        let own = own_pct(&[[1.0, 2.1, 1.44]; 8], 1.1).unwrap();
        assert!((own.value - 60.0).abs() < 1e-9 && own.n == 8, "{own:?}");
        let growth = growth_pct(&[(1.0, 2.1); 8]).unwrap();
        assert!((growth.value - 110.0).abs() < 1e-9);
        assert!((saved_pct(1.0) - 50.0).abs() < 1e-12);
    }

    /// A quarter of the time cannot be slowed, and a half is the function's: what is its own is found all the same.
    #[test]
    fn time_that_is_not_slowed_does_not_hide_what_is_the_functions() {
        let [plan, without] = [0.25 + 0.75 * 2.0, 0.25 + 0.25 * 2.0 + 0.5];
        let own = own_pct(&[[1.0, plan, without]; 8], 1.0).unwrap();
        assert!((own.value - 50.0).abs() < 1e-9, "{own:?}");
    }

    #[test]
    fn ends_of_the_interval_stay_in_order() {
        let gain = gain_pct(&[(2.0, 1.4), (2.0, 1.5), (2.0, 1.6)]).unwrap();
        assert!(gain.low < gain.value && gain.value < gain.high, "{gain:?}");
        assert_eq!(gain_pct(&[(2.0, 1.0)]), None);
    }
}
