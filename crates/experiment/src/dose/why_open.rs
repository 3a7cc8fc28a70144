//! Why a profiler is not decided: rows that are undecided, and what witnesses show otherwise.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;

use super::advice::{listed, shown};
use super::told::of;
use super::{Attribution, JvmWords};

/// Methods that are named; more are counted.
const NAMED: usize = 3;

/// `What leaves async undecided: Words.tokenize is undecided in 1 of 3 JVMs.`, of every profiler that is not decided. What `said`
/// says already is not repeated.
pub(super) fn why_open(
    attribution: &BTreeMap<String, Attribution>,
    margin_pt: f64,
    said: &str,
) -> Vec<String> {
    let undecided = attribution.iter();
    let undecided = undecided.filter(|(_, one)| one.verdict == Verdict::Undecided);
    let why = undecided.filter_map(|(name, one)| {
        let mut reasons = open_rows(one);
        let shown = shown_otherwise(one, margin_pt).filter(|shown| !said.contains(shown));
        reasons.extend(shown.map(|shown| format!("it {shown}")));
        let reasons: Vec<&str> = reasons.iter().map(String::as_str).collect();
        (!reasons.is_empty())
            .then(|| format!("What leaves {name} undecided: {}.", listed(&reasons)))
    });
    why.collect()
}

/// `Words.tokenize is undecided in 1 of 3 JVMs`, of each method with an undecided row that is not too small to matter, those first that
/// are undecided in most JVMs.
fn open_rows(one: &Attribution) -> Vec<String> {
    let rows = one.rows.iter();
    let mut open: Vec<(&str, JvmWords)> = Vec::new();
    for row in rows.filter(|row| row.leaves_open()) {
        if open.iter().all(|(method, _)| *method != row.method) {
            open.push((&row.method, row.jvms));
        }
    }
    open.sort_by_key(|(_, jvms)| std::cmp::Reverse(jvms.undecided));
    let more = match open.len().saturating_sub(NAMED) {
        0 => None,
        1 => Some("one more method is undecided".to_owned()),
        more => Some(format!("{more} more methods are undecided")),
    };
    let named = open.iter().take(NAMED);
    let named = named.map(|(method, jvms)| format!("{method} is undecided{}", open_in(*jvms)));
    named.chain(more).collect()
}

/// ` in 1 of 3 JVMs`; nothing where there are not several.
fn open_in(jvms: JvmWords) -> String {
    match (jvms.total(), jvms.undecided) {
        (0 | 1, _) => String::new(),
        (all, 0) => format!(" by {all} JVMs together"),
        (all, open) => format!(" {}", of(open, all)),
    }
}

/// `shows Words.add at 60 % of the Java time, not at 14 % as jfr does`, where witnesses contradict by more than the margin.
fn shown_otherwise(one: &Attribution, margin_pt: f64) -> Option<String> {
    let check = one.profile.as_ref();
    let check = check.filter(|check| check.misplaced_pt[0] > margin_pt)?;
    Some(shown(check.methods.first()?, &check.witnesses))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::tests::attribution;
    use crate::dose::{ProfileCheck, ProfileDifference};
    use proofmark_stats::Estimate;

    /// A profiler that is open, with a row of each of these methods, open in one of so many JVMs.
    fn open(methods: &[&str], jvms: usize) -> Attribution {
        use Verdict::{Right, Undecided};
        let mut one = attribution(Undecided, 94.0, "B.place");
        let row = one.rows.remove(0);
        for method in methods {
            let mut row = row.clone();
            row.method = (*method).into();
            let right = std::iter::repeat_n(Right, jvms - 1);
            row.jvms = JvmWords::of(right.chain([Undecided]));
            one.rows.push(row);
        }
        one
    }

    fn said(one: Attribution, before: &str) -> Option<String> {
        let all = BTreeMap::from([("async".to_owned(), one)]);
        why_open(&all, 5.0, before).pop()
    }

    #[test]
    fn undecided_rows_are_named_with_the_number_of_jvms() {
        let of = |methods: &[&str], jvms| said(open(methods, jvms), "").expect("a reason");
        let one = "What leaves async undecided: A.get is undecided in 1 of 3 JVMs.";
        assert_eq!(of(&["A.get", "A.get"], 3), one);
        let alone = "What leaves async undecided: A.get is undecided and A.put is undecided.";
        assert_eq!(of(&["A.get", "A.put"], 1), alone);
        let mut small = open(&["A.get", "A.put"], 3);
        small.rows[1].small_pt = Some(0.4);
        assert_eq!(said(small, "").as_deref(), Some(one), "A.put is small");
        let many = of(&["a", "b", "c", "d", "e"], 3);
        assert!(
            many.ends_with(" and 2 more methods are undecided."),
            "{many}"
        );
        assert_eq!(
            said(attribution(Verdict::Right, 100.0, "B.place"), ""),
            None
        );
    }

    #[test]
    fn what_a_witness_shows_otherwise_is_said_once() {
        let mut one = open(&[], 1);
        one.profile = Some(ProfileCheck {
            witnesses: vec!["jfr".into()],
            misplaced_pt: [40.0, 50.0],
            resolves_pt: 4.0,
            methods: vec![ProfileDifference {
                method: "B.place".into(),
                reported_pct: Estimate::around(60.0, 2.0, 900),
                known_pct: Estimate::around(14.0, 2.0, 900),
                apart_pt: 42.0,
            }],
        });
        let shows = "shows B.place at 60 % of the Java time, not at 14 % as jfr does";
        let expected = format!("What leaves async undecided: it {shows}.");
        assert_eq!(said(one.clone(), ""), Some(expected));
        assert_eq!(said(one, &format!("async {shows}.")), None);
    }
}
