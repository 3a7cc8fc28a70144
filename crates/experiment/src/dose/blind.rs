//! Right verdicts that would not have seen an error.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;

use super::advice::listed;
use super::{Attribution, Planted};

/// Planted errors of fewer rows say little of how many are found.
const ENOUGH: usize = 3;

/// `Errors of 15 % of the added time can hide in what is called right: of those planted into right rows, one at a time, 0 of 9 of async
/// would have been called wrong.` Of right profilers in which fewer than half of the planted errors were found; none where there are no
/// such.
pub(super) fn blind(attribution: &BTreeMap<String, Attribution>) -> Option<String> {
    let right = attribution.iter();
    let right = right.filter(|(_, one)| one.verdict == Verdict::Right);
    let planted = right.filter_map(|(name, one)| Some((name, one.planted.filter(is_blind)?)));
    let planted: Vec<(&String, Planted)> = planted.collect();
    let (_, first) = planted.first()?;
    let each: Vec<String> = (planted.iter())
        .map(|(name, one)| format!("{} of {} of {name}", one.wrong, one.of))
        .collect();
    let each: Vec<&str> = each.iter().map(String::as_str).collect();
    Some(format!(
        "Errors of {:.0} % of the added time can hide in what is called right: of those planted into right rows, one at a time, {} would \
         have been called wrong.",
        first.size_pct,
        listed(&each)
    ))
}

/// Whether fewer than half of the errors were found.
fn is_blind(planted: &Planted) -> bool {
    planted.of >= ENOUGH && 2 * planted.wrong < planted.of
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::tests::attribution;

    /// A right profiler, of whose planted errors so many were found.
    fn right(wrong: usize, of: usize) -> Attribution {
        let planted = Planted {
            size_pct: 15.0,
            of,
            wrong,
            right: 0,
        };
        Attribution {
            planted: Some(planted),
            ..attribution(Verdict::Right, 100.0, "B.place")
        }
    }

    fn said(all: &[(&str, Attribution)]) -> Option<String> {
        let all = all.iter().cloned();
        blind(&all.map(|(name, one)| (name.to_owned(), one)).collect())
    }

    #[test]
    fn right_verdicts_that_saw_few_planted_errors_say_so() {
        let all = [
            ("async", right(0, 9)),
            ("jfr", right(4, 9)),
            ("jfr-cpu", right(5, 9)),
        ];
        let expected = "Errors of 15 % of the added time can hide in what is called right: of those planted into right rows, one at a time, \
                        0 of 9 of async and 4 of 9 of jfr would have been called wrong.";
        assert_eq!(said(&all).as_deref(), Some(expected));
    }

    #[test]
    fn half_of_them_or_too_few_to_tell_are_not_mentioned() {
        assert_eq!(said(&[("async", right(4, 8)), ("jfr", right(0, 2))]), None);
        let wrong = Attribution {
            verdict: Verdict::Wrong,
            ..right(0, 9)
        };
        assert_eq!(said(&[("jfr", wrong)]), None);
    }
}
