//! What a reader needs to trust a test at sites, or to doubt it, a line each.

use std::collections::BTreeSet;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{AttributionRow, DoseResult, listed};

use super::commands::without_own;
use super::site;
use crate::names::clean;
use crate::number::fixed;
use crate::{Names, words};

/// Methods that a line names; more are counted.
const NAMED: usize = 4;

/// A line: what it is about, and what is said of it.
type Line = (String, String);

/// The lines, those that are about the whole test first.
pub(super) fn lines(result: &DoseResult, names: &Names) -> Vec<Line> {
    let line = |start: &str, said: String| (format!("{start}: "), said);
    let mut all = vec![
        line("test", words::tested(result)),
        line("cost", words::rest_cost(result)),
        match result.native.is_some() {
            true => line(
                "windows",
                words::in_short(&result.replication.says).to_owned(),
            ),
            false => line("JVMs", jvms(result)),
        },
    ];
    let machine = result.machine.as_ref().map(words::machine);
    let some = [
        ("judged", words::judged_alike(result)),
        ("witnesses", words::witnesses(result)),
        ("machine", machine),
        ("cross-check", words::by_count_apart(result)),
        ("a right verdict covers", certificate(result)),
        ("void windows", void_windows(result)),
        ("changed by sites", changed(result, names)),
        (
            "no row in some JVMs",
            of_rows(result, names, |row| row.unknown_runs > 0),
        ),
        (
            words::REVEALS_ITSELF,
            of_rows(result, names, |row| row.reveals_itself == Some(true)),
        ),
        (
            "share moved by the site alone",
            of_rows(result, names, |row| words::own_share(row).is_some()),
        ),
        ("inlined differently with sites", inlined(result, names)),
    ];
    let some = some.into_iter();
    all.extend(some.filter_map(|(start, said)| Some(line(start, said?))));
    let remarks = result.remarks.iter();
    all.extend(remarks.map(|remark| line("note", note(remark))));
    all.extend(result.failed.iter().map(|(name, why)| {
        let first = why.lines().next().unwrap_or_default();
        line(&format!("{} not judged", clean(name)), clean(first))
    }));
    all.extend(not_tested(result, names));
    all
}

/// What a right verdict speaks of; none where nobody is right.
fn certificate(result: &DoseResult) -> Option<String> {
    let mut all = result.attribution.values();
    let any = all.any(|one| one.verdict == Verdict::Right);
    words::certificate(result).filter(|_| any)
}

/// The first clause of a note, without the figures or advice in parentheses at its end.
fn note(remark: &str) -> String {
    let said = words::in_short(remark);
    without_own(&clean(words::before_parentheses(said)))
}

/// `4 per profiler, 2 more for async, 2 at the same time; up to 60 % of all JVMs may differ from them (95 %)`
fn jvms(result: &DoseResult) -> String {
    let how = &result.replication;
    let added = how.added.iter();
    let added = added.map(|(name, more)| format!("{more} more for {}", clean(name)));
    let at_once = (how.at_once > 1).then(|| format!("{} at the same time", how.at_once));
    let said: Vec<String> = std::iter::once(format!("{} per profiler", how.runs))
        .chain(added)
        .chain(at_once)
        .collect();
    let others = match how.may_differ_pct() {
        Some(pct) => format!(
            "up to {} % of all JVMs may differ from them (95 %)",
            fixed(pct, 0)
        ),
        None => "intervals do not cover differences between JVMs".to_owned(),
    };
    format!("{}; {others}", said.join(", "))
}

/// `async 2, jfr 1 (recompiled meanwhile, measured again)`
fn void_windows(result: &DoseResult) -> Option<String> {
    let each = result.attribution.iter().filter_map(|(name, one)| {
        let void: usize = one.rows.iter().map(|row| row.void_windows).sum();
        (void > 0).then(|| format!("{} {void}", clean(name)))
    });
    let each: Vec<String> = each.collect();
    (!each.is_empty()).then(|| format!("{} (recompiled meanwhile)", each.join(", ")))
}

/// Per profiler the method whose share sites change most.
fn changed(result: &DoseResult, names: &Names) -> Option<String> {
    let each = result.attribution.iter().filter_map(|(name, one)| {
        let (method, shares) = words::changed(one, names)?;
        Some(format!("{}: {method} {shares}", clean(name)))
    });
    let each: Vec<String> = each.collect();
    (!each.is_empty()).then(|| each.join("; "))
}

/// The places of rows of which something holds, each once.
fn of_rows(
    result: &DoseResult,
    names: &Names,
    holds: fn(&AttributionRow) -> bool,
) -> Option<String> {
    let rows = result.attribution.values().flat_map(|one| &one.rows);
    let rows = rows.filter(|row| holds(row));
    let places: BTreeSet<String> = rows.map(|row| site(row, names)).collect();
    let places: Vec<&str> = places.iter().map(String::as_str).collect();
    (!places.is_empty()).then(|| some_of(&places))
}

fn inlined(result: &DoseResult, names: &Names) -> Option<String> {
    let methods = result.methods.iter();
    let methods = methods.filter(|method| method.inlined_differently);
    let methods: Vec<String> = methods.map(|method| names.short(&method.name)).collect();
    let methods: Vec<&str> = methods.iter().map(String::as_str).collect();
    (!methods.is_empty()).then(|| some_of(&methods))
}

/// Methods without any row, and those of which one site has none, each once: profilers have reasons of their own. The page has them.
fn not_tested(result: &DoseResult, names: &Names) -> Vec<Line> {
    let left_out = result.left_out.iter();
    let left_out: BTreeSet<&str> = left_out.map(|one| one.method.as_str()).collect();
    let (sites, methods): (Vec<&str>, Vec<&str>) = left_out
        .into_iter()
        .partition(|method| words::has_row(result, method));
    let lines = [("not tested", methods), ("one site not tested", sites)];
    let lines = lines
        .into_iter()
        .filter(|(_, left_out)| !left_out.is_empty());
    let lines = lines.map(|(start, left_out)| {
        let short: Vec<String> = left_out.iter().map(|method| names.short(method)).collect();
        let short: Vec<&str> = short.iter().map(String::as_str).collect();
        (format!("{start}: "), some_of(&short))
    });
    lines.collect()
}

/// `A.get, B.put and 3 more`
fn some_of(all: &[&str]) -> String {
    let more = match all.len().saturating_sub(NAMED) {
        0 => None,
        1 => Some("one more".to_owned()),
        more => Some(format!("{more} more")),
    };
    let named = all.iter().copied().take(NAMED).chain(more.as_deref());
    listed(&named.collect::<Vec<_>>())
}
