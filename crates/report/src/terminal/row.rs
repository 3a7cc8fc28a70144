//! One profiler in one row of the table.

use proofmark_assess::{Blame, Judgement, Undecided, Verdict};

use crate::number::{fixed, value, with_unit};
use crate::style::Tone;
use crate::{Names, words};

/// The cells of a profiler's row.
pub(super) struct Row {
    /// Name.
    pub(super) name: String,
    /// Verdict with its tone.
    pub(super) verdict: (String, Tone),
    /// Largest error.
    pub(super) error: String,
    /// Share of the program's time in the methods that were compared.
    pub(super) judged: String,
    /// What it blames wrongly and why, or what would decide the verdict; none where nothing is known.
    pub(super) blames: Option<String>,
}

/// Rows of these judgements; a row that only repeats an earlier one says so.
pub(super) fn rows(judgements: &[&Judgement], names: &Names) -> Vec<Row> {
    let row = |(at, j): (usize, &&Judgement)| Row {
        name: crate::names::clean(&j.name),
        verdict: (j.verdict.to_string(), words::tone(j.verdict)),
        error: j.error().map_or("-".into(), |e| {
            format!("{}{}", with_unit(&e, "pt"), words::over_runs(j))
        }),
        judged: crate::words::judged(j),
        blames: blames(j, &judgements[..at], names),
    };
    judgements.iter().enumerate().map(row).collect()
}

fn blames(j: &Judgement, earlier: &[&Judgement], names: &Names) -> Option<String> {
    let mut parts = Vec::new();
    if let Some(undecided) = &j.undecided {
        parts.push(open(undecided));
    }
    let twin = earlier.iter().find(|other| same_pattern(other, j));
    match (twin, j.blames.first()) {
        (Some(twin), _) => parts.push(format!("the same as {}{}", twin.name, tested(j))),
        (None, Some(first)) => {
            parts.push(format!("{}{}", blame(first, j, names), others(j)));
            parts.extend(j.cause.as_ref().map(|cause| format!("cause: {cause}")));
        }
        (None, None) => parts.extend(j.cause.clone()),
    }
    (!parts.is_empty()).then(|| crate::names::clean(&parts.join("; ")))
}

/// Why it is open, and the option that would decide it where that is known.
fn open(undecided: &Undecided) -> String {
    let reason = shorter(&undecided.reason);
    match words::would_decide(undecided) {
        Some(would) => format!("{reason}; {would}"),
        None => reason,
    }
}

/// `a, b, c: why` as `3 tests: why`; the page has them all.
fn shorter(reason: &str) -> String {
    match reason.split_once(": ") {
        Some((tests, why)) if tests.matches(", ").count() >= 2 => {
            format!("{} tests: {why}", tests.matches(", ").count() + 1)
        }
        _ => crate::names::clean(reason),
    }
}

/// `Queens.getRowColumn -> Queens.placeQueen`, with the points if they are not the error already shown.
fn blame(blame: &Blame, j: &Judgement, names: &Names) -> String {
    let pair = format!("{} -> {}", names.short(&blame.from), names.short(&blame.to));
    let shown = j.error().map(|e| fixed(e.value, 0));
    if shown == Some(fixed(blame.points.value, 0)) && j.verdict == Verdict::Wrong {
        return pair;
    }
    format!("{pair} {} pt", value(&blame.points))
}

fn others(j: &Judgement) -> String {
    match j.blames.len() {
        0 | 1 => String::new(),
        n => format!(" and {} more", n - 1),
    }
}

/// Same verdict, same largest misattribution, same kind of cause.
fn same_pattern(a: &Judgement, b: &Judgement) -> bool {
    let pair = |j: &Judgement| {
        j.blames
            .first()
            .map(|blame| (blame.from.clone(), blame.to.clone()))
    };
    a.verdict == Verdict::Wrong
        && b.verdict == Verdict::Wrong
        && a.cause.is_some()
        && pair(a).is_some()
        && pair(a) == pair(b)
        && kind(a) == kind(b)
}

/// The cause without what was measured about it.
fn kind(j: &Judgement) -> Option<&str> {
    j.cause
        .as_deref()
        .map(|cause| cause.split(" (").next().unwrap_or(cause))
}

/// What was measured about the cause: ` (with it: right, 1.9 pt)`.
fn tested(j: &Judgement) -> String {
    let cause = j.cause.as_deref().unwrap_or_default();
    cause
        .find(" (")
        .map_or(String::new(), |at| cause[at..].to_owned())
}
