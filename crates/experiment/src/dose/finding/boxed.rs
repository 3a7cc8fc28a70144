//! Methods about which profilers may be wrong by a known fault of C2, where it is not said of all of them.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;

use super::super::advice::listed;
use super::super::boxing::{ask_again, is_suspected, what_to_do};
use super::super::{Again, Attribution};
use super::everybody::enough;

/// `What async and jfr+nonsafepoints show of A.get may come of a known fault of the JIT compiler C2, ...`, with the command: of the user's own
/// methods the one with most of the program, else of those of the JDK; that method stands in front. `counted_pct`: share of methods, %
/// of the bytecodes, where they were counted; `again`: how the test is asked for again. None where a profiler is right, or is right about
/// the method, which may then be used; and where methods are too small to be said first.
pub(in crate::dose) fn boxed<'a>(
    attribution: &'a BTreeMap<String, Attribution>,
    counted_pct: &BTreeMap<String, f64>,
    again: &Again,
) -> Option<(&'a str, String)> {
    if attribution
        .values()
        .any(|one| one.verdict == Verdict::Right)
    {
        return None;
    }
    let rows = || attribution.values().flat_map(|one| &one.rows);
    let known = |method: &str| {
        let mut right = rows().filter(|row| row.verdict == Verdict::Right && !row.is_void());
        right.any(|row| row.method == method)
    };
    let suspected = rows().filter(|row| is_suspected(row) && !known(&row.method));
    let sized = suspected.filter_map(|row| {
        let size = enough(attribution, counted_pct, &row.method)?;
        Some((size, row.method.as_str()))
    });
    let (_, method) = sized.reduce(|most, next| if next.0 > most.0 { next } else { most })?;
    let wrong = attribution.iter().filter(|(_, one)| {
        let mut rows = one.rows.iter();
        rows.any(|row| row.method == method && is_suspected(row))
    });
    let names: Vec<&str> = wrong.map(|(name, _)| name.as_str()).collect();
    let show = if names.len() == 1 { "shows" } else { "show" };
    let says = format!(
        "What {} {show} of {method} may come of a known fault of the JIT compiler C2, {}",
        listed(&names),
        what_to_do()
    );
    let all = [Some(says), ask_again(method, again)];
    let all: Vec<String> = all.into_iter().flatten().collect();
    Some((method, all.join(" ")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::tests::attribution;
    use crate::dose::{RowCause, RowCauseKind};

    /// Two profilers that are undecided with a wrong row of `A.get`, which may be wrong by the fault, and a third one.
    fn all(third: Verdict) -> BTreeMap<String, Attribution> {
        let mut wrong = attribution(Verdict::Wrong, 1.0, "B.run");
        wrong.verdict = Verdict::Undecided;
        wrong.rows[0].cause = Some(RowCause {
            kinds: vec![RowCauseKind::JitDebugInfo],
            boxing_fault: true,
            ..RowCause::default()
        });
        let mut other = attribution(third, 60.0, "B.run");
        other.verdict = Verdict::Undecided;
        let all = [
            ("async", wrong.clone()),
            ("jfr", other),
            ("jfr+nonsafepoints", wrong),
        ];
        all.map(|(name, one)| (name.to_owned(), one)).into()
    }

    fn said(all: &BTreeMap<String, Attribution>, pct: f64) -> Option<String> {
        let again = Again {
            command: "-- java -jar a.jar".into(),
            ..Again::default()
        };
        let counted = [("A.get".to_owned(), pct)].into();
        let (method, says) = boxed(all, &counted, &again)?;
        assert_eq!(method, "A.get");
        Some(says)
    }

    #[test]
    fn a_known_fault_is_named_where_nobody_is_right() {
        let says = "What async and jfr+nonsafepoints show of A.get may come of a known fault of the JIT compiler C2, where code that is \
                    compiled together boxes numbers, as Map.get(id) does with an int: start the JVM with -XX:-EliminateAutoBox and ask \
                    again about it. That was not tried, and the program may take more time where boxes are then made. To ask again about A.get with \
                    -XX:-EliminateAutoBox: `proofmark dose --method A.get -- java -XX:-EliminateAutoBox -jar a.jar`.";
        assert_eq!(said(&all(Verdict::Undecided), 9.0).as_deref(), Some(says));
        // It is too small, or another profiler may be used.
        assert_eq!(said(&all(Verdict::Undecided), 1.0), None);
        assert_eq!(said(&all(Verdict::Right), 9.0), None);
        let mut right = all(Verdict::Undecided);
        right.get_mut("jfr").expect("it is there").verdict = Verdict::Right;
        assert_eq!(said(&right, 9.0), None);
    }

    #[test]
    fn rows_that_do_not_count_or_have_other_causes_name_nothing() {
        let with = |change: fn(&mut Attribution)| {
            let mut all = all(Verdict::Undecided);
            all.values_mut().for_each(change);
            said(&all, 9.0)
        };
        assert!(with(|_| ()).is_some());
        assert_eq!(with(|one| one.rows[0].cause = None), None);
        assert_eq!(with(|one| one.rows[0].verdict = Verdict::Undecided), None);
    }
}
