//! What may be tested, of programs on a JVM and of native ones: by weight, and what is said where nothing is left.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use proofmark_rules::DOSE_METHOD_PCT;

use super::LeftOut;

/// What may be tested.
pub trait Weighed {
    /// The user asked for it.
    fn named(&self) -> bool;
    /// The largest share that anybody gives it, %.
    fn weight(&self) -> f64;
}

/// Those that are large enough or asked for: these first, then the hottest.
#[must_use]
pub fn hottest<C: Weighed>(all: impl Iterator<Item = C>) -> Vec<C> {
    let large = |one: &C| one.named() || one.weight() >= DOSE_METHOD_PCT;
    let mut all: Vec<C> = all.filter(large).collect();
    all.sort_by(hotter);
    all
}

/// The order of two of them: what was asked for first, then the hotter one.
pub(super) fn hotter<C: Weighed>(a: &C, b: &C) -> Ordering {
    let of = |one: &C| (one.named(), one.weight());
    of(b).partial_cmp(&of(a)).unwrap_or(Ordering::Equal)
}

/// Whether one of so many profilers works.
///
/// # Errors
/// When all of them failed: what they said.
pub fn one_works(failed: &BTreeMap<String, String>, profilers: usize) -> Result<(), String> {
    if failed.len() < profilers {
        return Ok(());
    }
    let reasons: Vec<String> = (failed.iter())
        .map(|(name, why)| format!("{name}: {why}"))
        .collect();
    Err(reasons.join("; "))
}

/// No `what` (method, function) is left, and these are the reasons; without any, none was large enough.
#[must_use]
pub fn nothing_to_test(what: &str, left_out: &[LeftOut]) -> String {
    if left_out.is_empty() {
        return format!(
            "no {what} can be tested: none has {DOSE_METHOD_PCT:.0} % of the time; does the program do any work?"
        );
    }
    let reasons: Vec<String> = (left_out.iter())
        .map(|one| format!("{}: {}", one.method, one.reason))
        .collect();
    format!("no {what} can be tested: {}", reasons.join("; "))
}

/// By names, without repetitions: several profilers leave out the same.
#[must_use]
pub fn each_once(mut left_out: Vec<LeftOut>) -> Vec<LeftOut> {
    left_out.sort_by(|a, b| a.method.cmp(&b.method));
    left_out.dedup();
    left_out
}

#[cfg(test)]
mod tests {
    use super::*;

    struct One(bool, f64);

    impl Weighed for One {
        fn named(&self) -> bool {
            self.0
        }

        fn weight(&self) -> f64 {
            self.1
        }
    }

    #[test]
    fn what_was_asked_for_comes_first_and_what_is_small_is_left_out() {
        let all = [(false, 1.9), (false, 30.0), (true, 0.0), (false, 2.0)];
        let all = all.into_iter().map(|(named, weight)| One(named, weight));
        let weights: Vec<f64> = hottest(all).iter().map(Weighed::weight).collect();
        assert_eq!(weights, [0.0, 30.0, 2.0]);
    }

    #[test]
    fn what_all_profilers_said_is_told() {
        let said = |name: &str| (name.to_owned(), format!("no {name} here"));
        let failed = BTreeMap::from([said("async"), said("jfr")]);
        assert_eq!(one_works(&failed, 3), Ok(()));
        let all = one_works(&failed, 2).expect_err("none works");
        assert_eq!(all, "async: no async here; jfr: no jfr here");
    }

    #[test]
    fn what_several_left_out_is_said_once() {
        let left_out = |method: &str, reason: &str| LeftOut {
            method: method.into(),
            reason: reason.into(),
        };
        let all = vec![left_out("b", "rare"), left_out("a", "native")];
        let twice = [all.clone(), all].concat();
        let once = each_once(twice);
        assert_eq!(
            nothing_to_test("method", &once),
            "no method can be tested: a: native; b: rare"
        );
    }

    #[test]
    fn where_nothing_is_large_enough_that_is_the_reason() {
        assert_eq!(
            nothing_to_test("function", &[]),
            "no function can be tested: none has 2 % of the time; does the program do any work?"
        );
    }
}
