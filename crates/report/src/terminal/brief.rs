//! A result in short: what to do, all rows of all profilers in one table, and a line for each thing that a reader needs to trust
//! it. What is longer stands in the details ([`super::dose_table`]), on the page and in the JSON document.

mod commands;
mod matrix;
mod trust;

use proofmark_assess::Verdict;
use proofmark_experiment::assess::AssessReport;
use proofmark_experiment::divine::Plan;
use proofmark_experiment::dose::blocks::BlockDoses;
use proofmark_experiment::dose::{Attribution, AttributionRow, DoseResult};

use super::assessment::assessment_in_short;
use super::both::{Form, both};
use super::dose::{site, spoken, with_sentences};
use super::plan::plan_in_short;
use crate::names::clean;
use crate::number::{count, fixed};
use crate::style::{Style, hanging};
use crate::{Names, words};

/// Methods that get time of a row's method and are named; the details name more.
const ELSEWHERE: usize = 2;
/// Rows of a profiler that are described; the table marks the others, and the details describe them.
const ROWS: usize = 3;

/// The result of a test at sites for people, in short.
#[must_use]
pub fn dose_brief(result: &DoseResult, style: Style) -> String {
    with_sentences(result, &sites(result, style), style, commands::without_own)
}

/// An assessment for people, in short.
#[must_use]
pub fn assess_brief(
    report: &AssessReport,
    sites_result: Option<&DoseResult>,
    plan: Option<&Plan>,
    style: Style,
) -> String {
    let form = Form {
        sentence: commands::without_own,
        sites: |result, style| format!("\n{}", sites(result, style)),
        plan: plan_in_short,
        laboratory: assessment_in_short,
        blocks,
        before_not_run: "",
    };
    both(report, (sites_result, plan), style, &form)
}

/// The figures: the table, a paragraph per profiler, what is needed to trust them.
fn sites(result: &DoseResult, style: Style) -> String {
    let names = words::dose_names(result);
    let mut out = matrix::matrix(result, &names, style);
    if !out.is_empty() {
        out.push('\n');
    }
    for (name, one) in &result.attribution {
        out.push_str(&profiler((name, one), result, &names, style));
    }
    if !result.attribution.is_empty() {
        out.push('\n');
    }
    for (start, said) in trust::lines(result, &names) {
        out.push_str(&hanging(&start, &said, style.columns()));
    }
    out
}

/// `jfr: wrong in one JVM; judged 97 % of the Java time; planted errors 3 of 3 found; ...`, and what is wrong with it.
fn profiler(
    (name, one): (&str, &Attribution),
    result: &DoseResult,
    names: &Names,
    style: Style,
) -> String {
    let columns = style.columns();
    let verdict = style.word(&one.verdict.to_string(), words::tone(one.verdict));
    let jvms = words::jvms_asked(one).map_or(String::new(), |jvms| format!(" {jvms}"));
    let open = one.verdict == Verdict::Undecided && one.certified;
    let parts = [
        Some(format!("{verdict}{jvms}")),
        open.then(|| "every row that counts is right".to_owned()),
        words::small_wrong(one),
        judged(result, one),
        (one.verdict == Verdict::Wrong || !one.certified)
            .then(|| words::misplaced_points(result, one))
            .flatten()
            .map(|points| format!("{points} misplaced")),
        planted(one),
        (!one.rows.is_empty()).then(|| {
            let rate = fixed(100.0 * one.false_alarm, 2);
            format!("false alarms by rows {rate} % at most")
        }),
        Some(samples(one)),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let mut out = hanging(&format!("{}: ", clean(name)), &parts.join("; "), columns);
    for failed in &one.failed_runs {
        let start = format!("  run {} failed: ", failed.run);
        out.push_str(&hanging(&start, &clean(&failed.why_in_short()), columns));
    }
    let rows = one.rows.iter();
    let rows = rows.filter_map(|row| row_in_short(row, result.margin_pt, names));
    let rows: Vec<String> = rows.collect();
    for said in rows.iter().take(ROWS) {
        out.push_str(&hanging("  ", said, columns));
    }
    if rows.len() > ROWS {
        let more = count((rows.len() - ROWS) as u64, "more row");
        out.push_str(&hanging("  ", &format!("{more}: see the table"), columns));
    }
    if let Some(said) = shown(result, one, names) {
        out.push_str(&hanging("  share shown: ", &said, columns));
    }
    out
}

/// `judged 97 % of the Java time`; none where the same stands below, for all profilers.
fn judged(result: &DoseResult, one: &Attribution) -> Option<String> {
    let judged = words::judged_at_sites(result, one)?;
    let alike = words::judged_alike(result);
    alike.is_none().then(|| format!("judged {}", judged.said))
}

/// `planted errors 3 of 3 found`; and how many were called right, which none should be.
fn planted(one: &Attribution) -> Option<String> {
    let planted = one.planted?;
    let right = match planted.right {
        0 => String::new(),
        right => format!(", {right} called right"),
    };
    Some(format!(
        "planted errors {} of {} found{right}",
        planted.wrong, planted.of
    ))
}

/// `897 samples/s, 3 lost`
fn samples(one: &Attribution) -> String {
    let lost = match one.lost_samples {
        lost if lost > 0.0 => format!(", {} lost", fixed(lost, 0)),
        _ => String::new(),
    };
    format!("{} samples/s{lost}", fixed(one.samples_per_s, 0))
}

/// `Parser.getText:107 WRONG in 2 of 3 JVMs, reported: Parser._finishString 95 %`: of a row that counts and is wrong, open, or right by a
/// wider range, which is named; none where the table says all of it.
fn row_in_short(row: &AttributionRow, margin_pt: f64, names: &Names) -> Option<String> {
    matrix::mark(row, margin_pt).filter(|mark| mark.counts)?;
    let place = site(row, names);
    if row.verdict == Verdict::Right {
        return Some(format!("{place} {}", words::truth(row, margin_pt)?));
    }
    let elsewhere = words::elsewhere(row, names, ELSEWHERE).join(", ");
    let though = match words::only_missing(row, margin_pt) {
        true => ", though the part in place is accepted",
        false => "",
    };
    let said = format!("{place} {}{though}", spoken(row));
    match (elsewhere.is_empty(), row.jvms.total() > 1) {
        (true, false) => None,
        (true, true) => Some(said),
        (false, _) => Some(format!("{said}, reported: {elsewhere}")),
    }
}

/// The method whose share differs most from that of witnesses, of a profiler that is not right.
fn shown(result: &DoseResult, one: &Attribution, names: &Names) -> Option<String> {
    let contradicted = words::contradicted(result, one, names);
    let (method, shares) = contradicted.first()?;
    let more = match contradicted.len() - 1 {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    (one.verdict != Verdict::Right).then(|| format!("{method} {shares}{more}"))
}

/// `time added to blocks: async right, jfr wrong`, and whether the block map may be called truth.
fn blocks(doses: &BlockDoses, style: Style) -> String {
    let names = words::attributed_names(&doses.attribution);
    let each = doses.attribution.iter().map(|(name, one)| {
        let word = style.word(&one.verdict.to_string(), words::tone(one.verdict));
        format!("{} {word}", clean(name))
    });
    let each: Vec<String> = each.collect();
    let map = words::map_truth(doses, &names);
    let columns = style.columns();
    [
        hanging("time added to blocks: ", &each.join(", "), columns),
        hanging("block map: ", words::in_short(&map), columns),
    ]
    .concat()
}
