//! About how many of the methods that were tested a profiler is right.

use std::collections::BTreeSet;

use proofmark_assess::Verdict;

use super::for_now::some_of;
use super::{Attribution, AttributionRow};

/// `all 9 methods tested`, and how many of them have a row that decides, if not all; `11 of the 12 methods tested (what is undecided about
/// the other is 0.4 points of the program's time at most, too little to matter)`; of a method with a wrong row that is so small by its name.
pub(super) fn tested(one: &Attribution) -> String {
    let all = methods(one, |_| true).len();
    let wrong = methods(one, AttributionRow::is_wrong);
    // What is undecided at one of a method's sites leaves it right at the other.
    let right = methods(one, |row| row.verdict == Verdict::Right);
    let open = methods(one, is_open);
    let rest = open.difference(&right);
    let rest = rest.filter(|method| !wrong.contains(*method)).count();
    let said = match (all, rest + wrong.len()) {
        (1, _) => "the one method tested".to_owned(),
        (2, 0) => "both methods tested".to_owned(),
        (all, 0) => format!("all {all} methods tested"),
        (all, less) => format!("{} of the {all} methods tested", all - less),
    };
    let decide = methods(one, |row| !row.is_void()).len();
    let count = if decide == 1 { "counts" } else { "count" };
    let some = || {
        format!(", of which {decide} {count} (in any other the site itself changes what is shown)")
    };
    let besides = [
        (decide < all).then(some),
        (!open.is_empty()).then(|| undecided(one, (all, rest, wrong.len()))),
        (!wrong.is_empty()).then(|| small_wrong(one, &wrong)),
    ];
    besides
        .into_iter()
        .flatten()
        .fold(said, |said, more| said + &more)
}

/// Whether a row is neither right nor wrong; a wrong one that does not decide is as open as others.
fn is_open(row: &AttributionRow) -> bool {
    row.verdict != Verdict::Right && !row.is_wrong()
}

/// ` (what is undecided about the other is ...)`. `all`: methods tested; `rest`: those that are undecided at each of their sites; `wrong`:
/// others with a wrong row.
fn undecided(one: &Attribution, (all, rest, wrong): (usize, usize, usize)) -> String {
    let which = match (all, rest, wrong) {
        (1, ..) => "it",
        (_, 0, _) => "some of their sites",
        (_, 1, 0) => "the other",
        (_, _, 0) => "the others",
        (_, 1, _) => "another",
        _ => "others",
    };
    format!(
        " (what is undecided about {which} is {:.1} points of the program's time at most, too little to matter)",
        small_pt(one, is_open)
    )
}

/// ` (it is wrong about A.put, but by 0.2 points of the program's time at most, too little to matter)`, of methods with a wrong row.
fn small_wrong(one: &Attribution, wrong: &BTreeSet<&str>) -> String {
    let wrong: Vec<&str> = wrong.iter().copied().collect();
    format!(
        " (it is wrong about {}, but by {:.1} points of the program's time at most, too little to matter)",
        some_of(&wrong),
        small_pt(one, AttributionRow::is_wrong)
    )
}

/// Points that such rows can misplace at most.
fn small_pt(one: &Attribution, such: impl Fn(&AttributionRow) -> bool) -> f64 {
    let rows = one.rows.iter().filter(|row| such(row));
    rows.filter_map(|row| row.small_pt).sum()
}

/// Methods with such a row; one with several sites counts once.
fn methods(one: &Attribution, such: impl Fn(&AttributionRow) -> bool) -> BTreeSet<&str> {
    let rows = one.rows.iter().filter(|row| such(row));
    rows.map(|row| row.method.as_str()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::tests::attribution;

    #[test]
    fn what_is_undecided_and_small_is_said_beside_what_is_right() {
        let mut one = attribution(Verdict::Right, 100.0, "B.place");
        let all = tested(&one);
        assert_eq!(all, "the one method tested");
        let mut second = one.clone();
        second.rows.push(second.rows[0].clone());
        second.rows[1].verdict = Verdict::Undecided;
        second.rows[1].small_pt = Some(0.2);
        let expected = "the one method tested (what is undecided about it is 0.2 points of the program's time at most, too little to matter)";
        assert_eq!(tested(&second), expected);
        for (method, small_pt) in [
            ("A.new", None),
            ("A.put", Some(0.31)),
            ("A.set", Some(0.11)),
        ] {
            let mut row = one.rows[0].clone();
            row.method = method.into();
            row.verdict = small_pt.map_or(Verdict::Right, |_| Verdict::Undecided);
            row.small_pt = small_pt;
            one.rows.push(row);
        }
        let expected = "2 of the 4 methods tested (what is undecided about the others is 0.4 points of the program's time at most, too little to matter)";
        assert_eq!(tested(&one), expected);
    }

    /// It is no spotless profiler, and the reader hears about which method.
    #[test]
    fn a_method_with_a_small_wrong_row_is_not_among_those_that_are_right() {
        let mut one = attribution(Verdict::Right, 100.0, "B.place");
        for (method, verdict) in [
            ("A.put", Verdict::Wrong),
            ("A.new", Verdict::Undecided),
            ("A.set", Verdict::Right),
        ] {
            let mut row = one.rows[0].clone();
            (row.method, row.verdict) = (method.into(), verdict);
            row.small_pt = (verdict != Verdict::Right).then_some(0.2);
            one.rows.push(row);
        }
        let put = " (it is wrong about A.put, but by 0.2 points of the program's time at most, too little to matter)";
        let new = " (what is undecided about another is 0.2 points of the program's time at most, too little to matter)";
        assert_eq!(tested(&one), format!("2 of the 4 methods tested{new}{put}"));
        // Its other site is right.
        one.rows[1].method = "A.get".into();
        one.rows.truncate(2);
        let get = put.replace("A.put", "A.get");
        assert_eq!(tested(&one), format!("the one method tested{get}"));
    }
}
