//! How much the time of the same work differs from window to window.

use proofmark_stats::quantile;

/// Windows that tell it, at least.
const LEAST: usize = 10;
/// Between which parts of the windows, by their times, those lie that are spoken of: nine of ten.
const MIDDLE: [f64; 2] = [0.05, 0.95];
/// By how much these differ from the usual time, as a part of it, where it is said.
const MUCH: f64 = 0.1;

/// What is to be said of others who use the machine, once: the part of the processors' time that they took, where that is much, else
/// what was seen before the test (`busy`).
pub(super) fn of_others(part: Option<f64>, busy: Option<String>) -> Option<String> {
    let measured = part.map(|part| {
        format!(
            "others used {:.0} % of the processors while it was measured, which makes intervals wider",
            100.0 * part
        )
    });
    measured.or(busy)
}

/// What is to be said of windows in which the program did the same work, where much differs; none where it does not. `parts`: the CPU time
/// of an iteration in each of them, as a part of the usual one in its process; `others`: part of the processors' time that others took,
/// where that is much; `at_once`: processes of the test that were measured at the same time.
///
/// Nobody is blamed: that times scatter was measured, and not why. The test's own processes may do it to each other, the program or the
/// machine to each of them.
pub(super) fn restless(parts: &[f64], others: Option<f64>, at_once: usize) -> Option<String> {
    if parts.len() < LEAST {
        return None;
    }
    let [low, high] = MIDDLE.map(|part| quantile(parts, part));
    let (low, high) = (low?, high?);
    let used = others.map(|part| {
        format!(
            "others used {:.0} % of the processors meanwhile",
            100.0 * part
        )
    });
    let own = (at_once > 1).then(|| format!("{at_once} JVMs of this test ran at the same time"));
    let known: String = [used, own]
        .into_iter()
        .flatten()
        .map(|one| format!("; {one}"))
        .collect();
    (low < 1.0 - MUCH || high > 1.0 + MUCH).then(|| {
        format!(
            "Times scattered, so intervals are wide: in 9 of 10 windows the same work took {:.0} to {:.0} % of its usual CPU \
             time (n = {} windows). Why was not measured{known}.",
            100.0 * low,
            100.0 * high,
            parts.len()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_much_is_said_and_of_enough_windows() {
        let evenly = |from: f64, to: f64, n: usize| -> Vec<f64> {
            let step = (to - from) / (n - 1) as f64;
            (0..n).map(|at| from + step * at as f64).collect()
        };
        assert_eq!(restless(&evenly(0.91, 1.09, 40), None, 1), None);
        assert_eq!(restless(&evenly(0.5, 2.0, 9), None, 1), None);
        // From 0.8 to 1.6: nine of ten of them lie between 0.84 and 1.56.
        let said = restless(&evenly(0.8, 1.6, 41), None, 1).expect("much");
        assert_eq!(
            said,
            "Times scattered, so intervals are wide: in 9 of 10 windows the same work took 84 to 156 % of its usual CPU time (n = \
             41 windows). Why was not measured."
        );
        // One window of many that was disturbed is none.
        let mut one = evenly(0.99, 1.01, 40);
        one.push(3.0);
        assert_eq!(restless(&one, None, 1), None);
    }

    /// A stranger's machine was quiet but for the test's own second JVM, and "the machine" was blamed.
    #[test]
    fn what_ran_beside_is_said_and_nobody_is_blamed() {
        let parts: Vec<f64> = (0..41_u32).map(|at| 0.8 + 0.02 * f64::from(at)).collect();
        let ends = |others, at_once| {
            let said = restless(&parts, others, at_once).expect("much");
            let (_, why) = said.split_once(". ").expect("two sentences");
            why.to_owned()
        };
        let own = "Why was not measured; 2 JVMs of this test ran at the same time.";
        assert_eq!(ends(None, 2), own);
        let used = "Why was not measured; others used 34 % of the processors meanwhile.";
        assert_eq!(ends(Some(0.342), 1), used);
        let both = "Why was not measured; others used 34 % of the processors meanwhile; 2 JVMs of this test ran at the same time.";
        assert_eq!(ends(Some(0.342), 2), both);
        // Nothing is said of steady times.
        assert_eq!(restless(&[1.0; 41], Some(0.342), 2), None);
    }

    #[test]
    fn what_was_measured_of_others_is_said_in_place_of_what_was_seen_before() {
        let busy = || Some("others use this machine (load 3.1)".to_owned());
        let both = of_others(Some(0.342), busy()).expect("a remark");
        assert!(both.starts_with("others used 34 % of the processors while"));
        assert!(!both.contains("load"), "{both}");
        assert_eq!(of_others(None, busy()), busy());
        assert_eq!(of_others(None, None), None);
    }
}
