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

/// What is to be said of windows in which the program did the same work, where much differs; none where it does not. `parts`: the time
/// of an iteration in each of them, as a part of the usual one in its process; `others`: part of the processors' time that others took,
/// where that is much.
pub(super) fn restless(parts: &[f64], others: Option<f64>) -> Option<String> {
    if parts.len() < LEAST {
        return None;
    }
    let [low, high] = MIDDLE.map(|part| quantile(parts, part));
    let (low, high) = (low?, high?);
    let by = match others {
        Some(part) => format!(
            "others used {:.0} % of the processors meanwhile",
            100.0 * part
        ),
        None => "by the machine or the program itself".to_owned(),
    };
    (low < 1.0 - MUCH || high > 1.0 + MUCH).then(|| {
        format!(
            "Times were restless, {by}: in 9 of 10 windows the same work took {:.0} to {:.0} % of its \
             usual time (n = {} windows), so intervals are wide.",
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
        assert_eq!(restless(&evenly(0.91, 1.09, 40), None), None);
        assert_eq!(restless(&evenly(0.5, 2.0, 9), None), None);
        // From 0.8 to 1.6: nine of ten of them lie between 0.84 and 1.56.
        let said = restless(&evenly(0.8, 1.6, 41), None).expect("much");
        let part = "the same work took 84 to 156 % of its usual time (n = 41 windows)";
        assert!(said.contains(part), "{said}");
        // One window of many that was disturbed is none.
        let mut one = evenly(0.99, 1.01, 40);
        one.push(3.0);
        assert_eq!(restless(&one, None), None);
    }

    #[test]
    fn others_who_used_the_machine_are_named() {
        let parts: Vec<f64> = (0..41_u32).map(|at| 0.8 + 0.02 * f64::from(at)).collect();
        let said = restless(&parts, Some(0.342)).expect("much");
        let part = "Times were restless, others used 34 % of the processors meanwhile: in 9 of 10";
        assert!(said.starts_with(part), "{said}");
        // Nothing is said of steady times.
        assert_eq!(restless(&[1.0; 41], Some(0.342)), None);
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
