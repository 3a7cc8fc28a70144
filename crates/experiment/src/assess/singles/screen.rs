//! Whether time that is added to one block stays where it was put.
//!
//! An inserted instruction may hide in a neighbour's wait, or make a neighbour wait. Such a block is no experiment: it would blame profilers for what the processor did.
//! The windows looked at here are used for nothing else.
//!
//! # Accuracy
//! 8 placements of 0.3 s per variant at the search's rate: some 10,000 samples, a standard error of 0.4 to 0.7
//! points for a method of a third of the time. A block that is let through by luck is found out when it is
//! judged: there the growth comes from unsampled totals, and an experiment that the truth does not confirm
//! does not count.

use std::collections::BTreeSet;

use proofmark_blocks::BlockTimes;

use crate::assess::CONTROL_HZ;
use crate::lab::{Lab, LabError, Variant, WindowSpec, abba};
use crate::progress::Progress;

/// Most that a method's share may be off for the block to serve, points: well below the margin of a verdict.
const MOST_MISPLACED_PT: f64 = 2.0;
/// Placements of each variant.
const PLACEMENTS: usize = 8;
/// Seconds per placement.
const SECONDS: f64 = 0.3;

/// Whether the owner gains what the run time grew by, and nobody else anything; if not, words.
///
/// # Errors
/// When the laboratory fails.
pub fn stays(
    lab: &mut dyn Lab,
    slowed: &Variant,
    owner: &str,
    progress: &dyn Progress,
) -> Result<Result<(), String>, LabError> {
    let variants = [lab.baseline(), slowed.clone()];
    let spec = WindowSpec {
        label: "single",
        seconds: SECONDS,
        iterations: 2,
        rate_hz: Some(CONTROL_HZ),
    };
    let measured = lab.window(&spec, &variants, &abba(PLACEMENTS))?;
    let [before, after] = [0, 1].map(|variant| {
        let mut times = BlockTimes::default();
        let mut cpu_ns = 0.0;
        let mut iterations = 0.0;
        for group in measured.of_variant(variant) {
            times.merge(&group.times);
            cpu_ns += group.cpu_ns();
            iterations += group.iterations.len() as f64;
        }
        (times, cpu_ns / iterations)
    });
    let growth = after.1 / before.1 - 1.0;
    let misplaced = misplaced_pt(&before.0, &after.0, owner, growth);
    let found = format!(
        "run time {:+.1} %, of which {misplaced:.1} points are not {owner}'s",
        growth * 100.0
    );
    progress.step(&found);
    Ok(if misplaced <= MOST_MISPLACED_PT {
        Ok(())
    } else {
        Err(format!("{found} (at most {MOST_MISPLACED_PT} serve)"))
    })
}

/// Largest deviation of a method's share from `(s + [owner] g) / (1 + g)`, points: s is its share
/// before and g the growth of the run time, of which all is the owner's.
fn misplaced_pt(before: &BlockTimes, after: &BlockTimes, owner: &str, growth: f64) -> f64 {
    let methods: BTreeSet<&String> = before.methods.keys().chain(after.methods.keys()).collect();
    let deviation = |method: &String| {
        let added = if method == owner { growth } else { 0.0 };
        let expected = (before.method_share(method).value + added) / (1.0 + growth);
        (after.method_share(method).value - expected).abs() * 100.0
    };
    methods.into_iter().map(deviation).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proofmark_blocks::{BlockTimes, MethodTime, Weight};

    use super::misplaced_pt;

    fn times(methods: &[(&str, u32)]) -> BlockTimes {
        let weight = |samples: u32| Weight {
            sum: f64::from(samples),
            squares: f64::from(samples),
        };
        let time = |samples| MethodTime {
            all: weight(samples),
            ..MethodTime::default()
        };
        let methods: BTreeMap<String, MethodTime> = methods
            .iter()
            .map(|(name, samples)| ((*name).to_owned(), time(*samples)))
            .collect();
        BlockTimes {
            total: weight(methods.values().map(|m| m.all.sum as u32).sum()),
            methods,
            ..BlockTimes::default()
        }
    }

    #[test]
    fn time_that_stays_with_its_owner_is_not_misplaced() {
        let before = times(&[("a", 400), ("b", 600)]);
        assert!(misplaced_pt(&before, &times(&[("a", 500), ("b", 600)]), "a", 0.1) < 1e-9);
        // Half of it went to b: 50 of 1,100 samples.
        let leaked = times(&[("a", 450), ("b", 650)]);
        assert!((misplaced_pt(&before, &leaked, "a", 0.1) - 5000.0 / 1100.0).abs() < 1e-9);
    }
}
