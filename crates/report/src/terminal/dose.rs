//! Where profilers report time that was put into known methods.

use std::fmt::Write as _;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{Attribution, AttributionRow, DoseResult};
use proofmark_stats::Estimate;

use crate::names::clean;
use crate::number::fixed;
use crate::style::{Style, columns_of, hanging};
use crate::{Names, words};

/// Notes stand behind a row if they have so many columns there, or fit.
const NOTE_COLUMNS: usize = 40;

/// The result for people with all details: what is wrong and what to do, what else is wrong, then a table per profiler.
#[must_use]
pub fn dose_table(result: &DoseResult, style: Style) -> String {
    with_sentences(result, &dose_details(result, style), style, str::to_owned)
}

/// Figures of a result with what is wrong and what to do above them, each sentence as `as_said` says it.
pub(super) fn with_sentences(
    result: &DoseResult,
    figures: &str,
    style: Style,
    as_said: fn(&str) -> String,
) -> String {
    let sentences = words::sentences(result);
    let said = words::all_advice(&sentences, Some(result));
    let said = said
        .iter()
        .map(|one| hanging("", &as_said(one), style.columns()));
    let said: String = said.collect();
    words::of_kind(format!("{said}\n{figures}"), result)
}

/// The same without the sentences.
pub(super) fn dose_details(result: &DoseResult, style: Style) -> String {
    let names = words::dose_names(result);
    let columns = style.columns();
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{}; {}",
        words::tested(result),
        words::rest_cost(result)
    );
    if let Some(machine) = &result.machine {
        text.push_str(&hanging("machine: ", &words::machine(machine), columns));
    }
    text.push_str(&hanging("", &clean(&result.replication.says), columns));
    if let Some(counted) = words::by_count(result) {
        text.push_str(&hanging("cross-check: ", &counted, columns));
    }
    if let Some(certificate) = words::certificate(result) {
        text.push_str(&hanging("a right verdict covers: ", &certificate, columns));
    }
    for remark in &result.remarks {
        text.push_str(&hanging("note: ", &clean(remark), columns));
    }
    for (name, attribution) in &result.attribution {
        profiler(&mut text, (name, attribution), result, style);
    }
    text.push_str(&notes(result, columns));
    for (name, reason) in &result.failed {
        let start = format!("{}: not judged: ", clean(name));
        let _ = write!(text, "\n{}", hanging(&start, &clean(reason), columns));
    }
    let differently: Vec<String> = (result.methods.iter())
        .filter(|method| method.inlined_differently)
        .map(|method| names.short(&method.name))
        .collect();
    if !differently.is_empty() {
        let start = "inlined differently with sites: ";
        let _ = write!(
            text,
            "\n{}",
            hanging(start, &differently.join(", "), columns)
        );
    }
    if !result.left_out.is_empty() {
        text.push('\n');
    }
    for one in &result.left_out {
        let why = format!("{}: {}", clean(&one.method), clean(&one.reason));
        let start = match words::has_row(result, &one.method) {
            true => "one site not tested: ",
            false => "not tested: ",
        };
        text.push_str(&hanging(start, &why, columns));
    }
    text
}

/// What the notes behind rows mean, a line for each sort that occurs.
fn notes(result: &DoseResult, columns: usize) -> String {
    let sorts = words::sorts(result);
    if sorts.is_empty() {
        return String::new();
    }
    let lines = sorts.into_iter();
    let lines: String = lines
        .map(|(form, means)| hanging("  ", &format!("{form}: {means}"), columns))
        .collect();
    format!("\nnotes in the rows of methods\n{lines}")
}

fn profiler(
    text: &mut String,
    (name, attribution): (&str, &Attribution),
    result: &DoseResult,
    style: Style,
) {
    let names = &words::dose_names(result);
    let verdict = attribution.verdict;
    let word = style.word(&verdict.to_string(), words::tone(verdict));
    let sure = sure(attribution, result, names);
    let scope = words::scope(result, attribution);
    let scope = scope.map_or(String::new(), |scope| format!(", {scope}"));
    let first = format!(
        "{}: {word}{scope}{sure}; {:.0} samples/s",
        clean(name),
        attribution.samples_per_s
    );
    let _ = write!(text, "\n{}", hanging("", &first, style.columns()));
    for (run, why) in words::failed_runs(result, attribution) {
        text.push_str(&hanging(
            &format!("  {run} failed: "),
            &clean(&why),
            style.columns(),
        ));
    }
    let in_points = verdict == Verdict::Wrong || !attribution.certified;
    if let Some(said) = words::misplaced(result, attribution, names).filter(|_| in_points) {
        text.push_str(&hanging("  misplaced: ", &said, style.columns()));
    }
    if let Some(judged) = words::judged_at_sites(result, attribution) {
        let judged = match judged.is_known {
            true => format!("{}, in the methods with a row", judged.said),
            false => judged.said,
        };
        text.push_str(&hanging("  judged: ", &judged, style.columns()));
    }
    if let Some(planted) = words::planted(attribution) {
        text.push_str(&hanging("  planted: ", &planted, style.columns()));
    }
    let sites = attribution.rows.iter();
    let sites = sites.map(|row| site(row, names).chars().count());
    let width = sites.max().unwrap_or(0).max(13).min(style.columns() / 2);
    let _ = writeln!(
        text,
        "  {:<width$}  {:>12}  {:>18}  reported elsewhere",
        "time added to", "program grew", "reported there, %"
    );
    for row in &attribution.rows {
        let growth = format!("+{:.0} %", row.growth_pct[1]);
        let start = format!(
            "  {:<width$}  {growth:>12}  {:>18}  ",
            site(row, names),
            words::of_each_jvm(row).unwrap_or_else(|| with_interval(&row.in_place_pct)),
        );
        let notes = blamed(row, result.margin_pt, names);
        text.push_str(&noted(&start, &notes, style.columns()));
        if let Some(why) = words::why(row, names) {
            text.push_str(&hanging("    why: ", &why, style.columns()));
        }
    }
    profile(text, (result, attribution), (names, style));
}

/// What stands behind a verdict: in which methods and JVMs it holds, which rows are wrong all the same, or how much is misplaced.
fn sure(one: &Attribution, result: &DoseResult, names: &Names) -> String {
    let small = words::small_wrong(one).map_or(String::new(), |said| format!("; {said}"));
    match (one.certified, one.verdict) {
        (true, Verdict::Right) => {
            let mut rows = one.rows.iter();
            let all_count = rows.all(|row| words::not_counted(row, names).is_none());
            let which = if all_count { "tested" } else { "that counts" };
            let jvms = words::jvms_right(one);
            format!(" (in every method {which}{jvms}){small}")
        }
        (true, Verdict::Undecided) => format!(", though every row that counts is right{small}"),
        (_, Verdict::Wrong) => {
            format!("{}{}", words::where_wrong(one.jvms), misplaces(one, result))
        }
        (false, Verdict::Undecided) => misplaces(one, result),
        (false, Verdict::Right) => String::new(),
    }
}

/// `, 17 to 23 points of the Java time misplaced`; nothing where that is hardly any, or nobody knows.
fn misplaces(one: &Attribution, result: &DoseResult) -> String {
    let points = words::misplaced_points(result, one);
    points.map_or(String::new(), |points| format!(", {points} misplaced"))
}

/// A row with its notes behind it, or below it where few columns are left.
fn noted(start: &str, notes: &str, columns: usize) -> String {
    let room = columns.saturating_sub(columns_of(start));
    match room >= columns_of(notes).min(NOTE_COLUMNS) {
        true if notes.is_empty() => format!("{}\n", start.trim_end()),
        true => hanging(start, notes, columns),
        false => format!("{}\n{}", start.trim_end(), hanging("    ", notes, columns)),
    }
}

/// What its profile is beside those of others, and beside itself with sites.
fn profile(
    text: &mut String,
    (result, attribution): (&DoseResult, &Attribution),
    (names, style): (&Names, Style),
) {
    if let Some(compared) = words::compared(attribution) {
        text.push_str(&hanging("  profile ", &compared, style.columns()));
    }
    if let Some((method, shares)) = words::changed(attribution, names) {
        let start = "  share of the Java time changed by sites: ";
        text.push_str(&hanging(
            start,
            &format!("{method} {shares}"),
            style.columns(),
        ));
    }
    let shown = words::contradicted(result, attribution, names);
    if !shown.is_empty() {
        let shown: Vec<String> = shown
            .iter()
            .take(words::CONTRADICTED)
            .map(|(name, pct)| format!("{name} {pct}"))
            .collect();
        let start = "  share of the Java time it shows: ";
        text.push_str(&hanging(start, &shown.join("; "), style.columns()));
    }
}

/// `Queens.getRowColumn:48`
pub(crate) fn site(row: &AttributionRow, names: &Names) -> String {
    let short = names.short(&row.method);
    row.line
        .map_or(short.clone(), |line| format!("{short}:{line}"))
}

fn blamed(row: &AttributionRow, margin_pt: f64, names: &Names) -> String {
    let mut parts = words::elsewhere(row, names, 3);
    if row.void_windows > 0 {
        parts.push(words::discarded(row.void_windows));
    }
    if row.reveals_itself == Some(true) {
        parts.push(words::REVEALS_ITSELF.to_owned());
    }
    parts.extend(words::truth(row, margin_pt));
    parts.extend(words::own_share(row));
    parts.extend(words::not_counted(row, names));
    let verdict = spoken(row);
    let said = parts.join(", ");
    match (verdict.is_empty(), said.is_empty()) {
        (true, _) => said,
        (false, true) => verdict,
        (false, false) => format!("{verdict}: {said}"),
    }
}

/// `WRONG in 2 of 3 JVMs`; nothing of a row that is right in all of them.
pub(super) fn spoken(row: &AttributionRow) -> String {
    let jvms = row.jvms;
    match (row.verdict, jvms.total() > 1) {
        (Verdict::Right, true) if jvms.right < jvms.total() => {
            words::in_jvms(jvms).unwrap_or_default()
        }
        (Verdict::Right, _) => String::new(),
        (Verdict::Wrong, false) => "WRONG".to_owned(),
        (Verdict::Wrong, true) => format!("WRONG{}", words::where_wrong(jvms)),
        (Verdict::Undecided, false) => "undecided".to_owned(),
        // None of them says so by itself.
        (Verdict::Undecided, true) if jvms.undecided == 0 => {
            format!("undecided over {} JVMs", jvms.total())
        }
        (Verdict::Undecided, true) => {
            format!("undecided in {} of {} JVMs", jvms.undecided, jvms.total())
        }
    }
}

fn with_interval(part: &Estimate) -> String {
    format!(
        "{} ({} to {})",
        fixed(part.value, 1),
        fixed(part.low, 0),
        fixed(part.high, 0)
    )
}
