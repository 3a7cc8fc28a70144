//! About how many of the methods that were tested a profiler is right.

use std::collections::BTreeSet;

use proofmark_assess::Verdict;

use super::Attribution;

/// `all 9 methods tested`, and how many of them have a row that decides, if not all; `11 of the 12 methods tested (what is undecided about
/// the other is 0.4 points of the program's time at most, too little to matter)`.
pub(super) fn tested(one: &Attribution) -> String {
    let all = methods(one, |_| true).len();
    let right = methods(one, |verdict| verdict == Verdict::Right);
    let open = methods(one, |verdict| verdict == Verdict::Undecided);
    // What is undecided at one of a method's sites leaves it right at the other.
    let rest = open.difference(&right).count();
    let said = match (all, rest) {
        (1, _) => "the one method tested".to_owned(),
        (2, 0) => "both methods tested".to_owned(),
        (all, 0) => format!("all {all} methods tested"),
        (all, rest) => format!("{} of the {all} methods tested", all - rest),
    };
    let decide = one.rows.iter().filter(|row| !row.is_void());
    let decide: BTreeSet<&str> = decide.map(|row| row.method.as_str()).collect();
    let mut besides = Vec::new();
    if decide.len() < all {
        let some = decide.len();
        let count = if some == 1 { "counts" } else { "count" };
        besides.push(format!(
            ", of which {some} {count} (in any other the site itself changes what is shown)"
        ));
    }
    if !open.is_empty() {
        let points: f64 = one.rows.iter().filter_map(|row| row.small_pt).sum();
        let rest = match (all, rest) {
            (1, _) => "it",
            (_, 0) => "some of their sites",
            (_, 1) => "the other",
            _ => "the others",
        };
        besides.push(format!(
            " (what is undecided about {rest} is {points:.1} points of the program's time at most, too little to matter)"
        ));
    }
    said + &besides.concat()
}

/// Methods with a row of such a verdict; one with several sites counts once.
fn methods(one: &Attribution, such: impl Fn(Verdict) -> bool) -> BTreeSet<&str> {
    let rows = one.rows.iter().filter(|row| such(row.verdict));
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
}
