//! The words at an arrow of the chart of shares: where the time of a method goes, or whose time it gets.

use std::cmp::Ordering;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{Attribution, KnownShare};
use proofmark_stats::Estimate;

use crate::number::fixed;
use crate::{Names, words};

/// Ends words that comparing shares says alone.
pub(super) const BY_SHARES: &str = "?";

/// The share that a profiler reports of a method.
pub(super) fn reported(one: &Attribution, method: &str) -> Estimate {
    let none = Estimate::around(0.0, 0.0, 0);
    one.shares_pct.get(method).copied().unwrap_or(none)
}

/// Whether that share is too small or too large for certain; none where it is neither, or nothing is known.
pub(super) fn side(one: &Attribution, method: &str, known: Option<KnownShare>) -> Option<Ordering> {
    let (low, high) = known?.ends();
    let share = reported(one, method);
    match (share.high < low, share.low > high) {
        (true, _) => Some(Ordering::Less),
        (_, true) => Some(Ordering::Greater),
        _ => None,
    }
}

/// What wrong rows say of a share that is too small or too large; empty where none explains it. Words that speak of time that is lost
/// stand at a share that is too small, and others at one that is too large.
pub(super) fn explained(
    (one, side): (&Attribution, Ordering),
    method: &str,
    names: &Names,
) -> Vec<String> {
    match side {
        Ordering::Less => lost(one, method, names),
        _ => gained(one, method, names),
    }
}

/// What is said of a share that no wrong row explains, from the longest words to the shortest: `→ Queens.placeQueen?`, of the methods
/// whose shares the same profiler shows off the other way, `others`; `too small by 28 pt` where there are none.
pub(super) fn unexplained(
    (share, known): (&Estimate, KnownShare),
    side: Ordering,
    others: &[String],
) -> Vec<String> {
    let (sign, size) = match side {
        Ordering::Less => ("\u{2192}", "small"),
        _ => ("+", "large"),
    };
    let Some((first, rest)) = others.split_first() else {
        let right = match known {
            KnownShare::Certified(right) => right.value,
            KnownShare::Between(low, high) => share.value.clamp(low, high),
        };
        let points = (share.value - right).abs();
        let points = fixed(points, usize::from(points < 9.95));
        return vec![format!("too {size} by {points} pt")];
    };
    let more = match rest.len() {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let bare = first.rsplit('.').next().unwrap_or_default();
    [first.as_str(), bare]
        .map(|name| format!("{sign} {name}{more}{BY_SHARES}"))
        .to_vec()
}

/// Where the time of a method goes that has a wrong row, from the longest words to the shortest.
fn lost(one: &Attribution, method: &str, names: &Names) -> Vec<String> {
    let wrong = one.rows.iter().filter(|row| row.verdict == Verdict::Wrong);
    let Some(row) = wrong
        .filter(|row| row.method == method)
        .min_by(|a, b| a.in_place_pct.value.total_cmp(&b.in_place_pct.value))
    else {
        return Vec::new();
    };
    let Some(to) = row.elsewhere.iter().find(|to| to.pct.value > 0.0) else {
        return vec![words::only_in_place(row)];
    };
    let method = names.short(&to.method);
    let Some(few) = words::few_jvms(row, to) else {
        let part = fixed(to.pct.value, 0);
        return vec![
            format!("\u{2192} {method} {part} %"),
            format!("\u{2192} {method}"),
        ];
    };
    // Parts are means over JVMs, which say nothing where only some of these report any.
    let part = words::in_some_jvms(row, to).unwrap_or_else(|| format!("in {few}"));
    // The method alone, where its class leaves no room.
    let bare = method.rsplit('.').next().unwrap_or_default();
    vec![
        format!("\u{2192} {method} {part}"),
        format!("\u{2192} {method} ({few})"),
        format!("\u{2192} {bare} ({few})"),
    ]
}

/// A method whose time another one gets, and in how many JVMs, where that is not all of them.
type Giver = (String, Option<String>);

/// Whose time a method gets, from the longest words to the shortest. None of them is without the number of JVMs.
fn gained(one: &Attribution, method: &str, names: &Names) -> Vec<String> {
    let wrong = one.rows.iter().filter(|row| row.verdict == Verdict::Wrong);
    let from = wrong.filter_map(|row| {
        let mut gets = row.elsewhere.iter().filter(|to| to.pct.value > 0.0);
        let to = gets.find(|to| to.method == method)?;
        Some((names.short(&row.method), words::few_jvms(row, to)))
    });
    let mut from: Vec<Giver> = from.collect();
    from.dedup();
    let in_full = |(method, few): &Giver| match few {
        Some(few) => format!("{method} in {few}"),
        None => method.clone(),
    };
    let all: Vec<String> = from.iter().map(in_full).collect();
    let Some((first, rest)) = from.split_first() else {
        return Vec::new();
    };
    let more = match rest.len() {
        0 => String::new(),
        rest => format!(" and {rest} more"),
    };
    let (name, few) = first;
    let in_few = few.as_ref().map(|few| format!(" ({few})"));
    let in_few = in_few.unwrap_or_default();
    let bare = name.rsplit('.').next().unwrap_or_default();
    vec![
        format!("+ time of {}", all.join(", ")),
        format!("+ time of {name}{in_few}{more}"),
        format!("+ {name}{in_few}{more}"),
        format!("+ {bare}{in_few}{more}"),
    ]
}
