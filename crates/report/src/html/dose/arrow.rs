//! The words at an arrow of the chart of shares: where the time of a method goes, or whose time it gets.

use std::cmp::Ordering;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{Attribution, KnownShare};
use proofmark_stats::Estimate;

use crate::number::fixed;
use crate::{Names, words};

/// Ends words that comparing shares says alone.
pub(super) const BY_SHARES: &str = "?";

/// Whether a share is too small or too large for certain; none where it is neither, or nothing is known.
pub(super) fn side(share: &Estimate, known: Option<KnownShare>) -> Option<Ordering> {
    let (low, high) = known?.ends();
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
    let all_bare: Vec<&str> = others.iter().map(|name| bare(name)).collect();
    let mut words = vec![others.join(", "), all_bare.join(", ")];
    if !rest.is_empty() {
        let more = rest.len();
        words.push(format!("{first} and {more} more"));
        words.push(format!("{} and {more} more", bare(first)));
    }
    let said = words.iter();
    said.map(|words| format!("{sign} {words}{BY_SHARES}"))
        .collect()
}

/// A method without its class, where that leaves no room.
fn bare(method: &str) -> &str {
    method.rsplit('.').next().unwrap_or_default()
}

/// Where the time of a method goes that has a wrong row, from the longest words to the shortest. Without parts, which are of the added
/// time: the chart is of shares.
fn lost(one: &Attribution, method: &str, names: &Names) -> Vec<String> {
    let wrong = one.rows.iter().filter(|row| row.verdict == Verdict::Wrong);
    let Some(row) = wrong
        .filter(|row| row.method == method)
        .min_by(|a, b| a.in_place_pct.value.total_cmp(&b.in_place_pct.value))
    else {
        return Vec::new();
    };
    let Some(to) = row.elsewhere.iter().find(|to| to.pct.value > 0.0) else {
        return vec![format!("of added time {}", words::only_in_place(row))];
    };
    let method = names.short(&to.method);
    let Some(few) = words::few_jvms(row, to) else {
        return vec![
            format!("\u{2192} {method}"),
            format!("\u{2192} {}", bare(&method)),
        ];
    };
    vec![
        format!("\u{2192} {method} in {few}"),
        format!("\u{2192} {method} ({few})"),
        format!("\u{2192} {} ({few})", bare(&method)),
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
    let bare = bare(name);
    vec![
        format!("+ time of {}", all.join(", ")),
        format!("+ time of {name}{in_few}{more}"),
        format!("+ {name}{in_few}{more}"),
        format!("+ {bare}{in_few}{more}"),
    ]
}
