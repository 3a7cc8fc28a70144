//! What holds of a profiler at one method of the chart of shares: the sign behind its name.
//!
//! A tick looks like approval, so that an undecided profiler has none, not even at a method about which it is right. Nor has a wrong one
//! where nobody is right: shares differ there, and none of them is known to be true.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{Attribution, DoseResult};

use crate::words;

const RIGHT: &str = "\u{2713}";
const WRONG: &str = "\u{2717}";
const OPEN: &str = "?";

/// Signs, and what they say.
pub(super) static SIGNS: [(&str, &str); 3] = [
    (RIGHT, "right"),
    (WRONG, "wrong"),
    (OPEN, "undecided, or nobody is right who could confirm it"),
];

/// `jfr \u{2717}`: a profiler's name with what holds of it at a method.
pub(super) fn signed(profiler: &str, holds: Option<Verdict>) -> String {
    match holds {
        None => profiler.to_owned(),
        Some(Verdict::Right) => format!("{profiler} {RIGHT}"),
        Some(Verdict::Wrong) => format!("{profiler} {WRONG}"),
        Some(Verdict::Undecided) => format!("{profiler} {OPEN}"),
    }
}

/// What holds of a profiler at a method, by its rows that count and by the share that it shows: wrong if one of the rows is, and where a
/// wrong profiler's share is off by wrong rows (`off`: why, in words) or contradicted by witnesses. A share that is off otherwise is
/// undecided, and so is what a profiler is right about that is undecided itself, or that no right one confirms. None where no row counts
/// and nothing is off.
pub(super) fn holds(
    result: &DoseResult,
    one: &Attribution,
    method: &str,
    off: Option<&[String]>,
) -> Option<Verdict> {
    let rows = one.rows.iter().filter(|row| row.method == method);
    let rows = rows.filter(|row| !row.is_void()).map(|row| row.verdict);
    let contradicted = words::is_contradicted(one, method, result.margin_pt);
    let explained = contradicted || off.is_some_and(|words| !words.is_empty());
    let share = match (contradicted || off.is_some(), one.verdict) {
        (false, _) => None,
        (true, Verdict::Wrong) if explained => Some(Verdict::Wrong),
        (true, _) => Some(Verdict::Undecided),
    };
    let all: Vec<Verdict> = rows.chain(share).collect();
    let there = (!all.is_empty()).then(|| Verdict::all(all))?;
    let mut all = result.attribution.values();
    let confirmed =
        one.verdict != Verdict::Undecided && all.any(|one| one.verdict == Verdict::Right);
    Some(match there {
        Verdict::Right if !confirmed => Verdict::Undecided,
        there => there,
    })
}
