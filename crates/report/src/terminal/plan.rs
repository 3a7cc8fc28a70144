//! What divining found, in two lines and what must be known besides.

use proofmark_divine::{Reason, SearchKind, Stop};
use proofmark_rules::{JUDGED_WANTED_PCT, LEAST_BORDER_CYCLES, SETS_WANTED_PT, TOTAL_WANTED_PT};
use proofmark_stats::Estimate;

use crate::names::clean;
use crate::number::{count, duration, fixed, interval, signed_percent, value};
use crate::style::wrap;
use crate::{Style, words};
use proofmark_experiment::divine::{DivineReport, Resolved};

/// Headline, what was divined, and warnings.
///
/// ```text
/// Queens  1 unit, 43 blocks (31 judged, 12 pooled)  Temurin 25.0.3, Graal 25.0.3, cpu-clock, 2 vCPU Intel
/// reached +100 % after 5 plans, 48 s: program +99.6 % (98.9 to 100.4), 31 sets off by 5.2 points on average as measured
///   (3.1 to 6.4; noise alone 2.2; 4.1 with the noise removed), the worst by 19 (15 to 24), 84 % of their time within 10 points,
///   9 loops by 2.0 (1.1 to 3.0; noise alone 1.4); judged 93 % of the time
/// ```
#[must_use]
pub fn plan_summary(report: &DivineReport, style: Style) -> String {
    laid_out(report, &paragraphs(report), style)
}

/// The same with the first clause of each note alone.
pub(super) fn plan_in_short(report: &DivineReport, style: Style) -> String {
    let short = |one: String| match one.starts_with("note: ") {
        true => words::in_short(&one).to_owned(),
        false => one,
    };
    let short: Vec<String> = paragraphs(report).into_iter().map(short).collect();
    laid_out(report, &short, style)
}

/// What was divined, and warnings.
fn paragraphs(report: &DivineReport) -> Vec<String> {
    let mut paragraphs = vec![divined(report)];
    paragraphs.extend(
        report
            .verification
            .iter()
            .flat_map(super::verification::verified),
    );
    paragraphs.extend(warnings(report));
    paragraphs
}

fn laid_out(report: &DivineReport, paragraphs: &[String], style: Style) -> String {
    let mut out = headline(report, style);
    for paragraph in paragraphs {
        for line in hang(paragraph, style.columns()) {
            out.push_str(&line);
            out.push('\n');
        }
    }
    out
}

/// Wrapped, with two spaces before every line but the first.
fn hang(text: &str, columns: usize) -> Vec<String> {
    let mut lines = wrap(text, columns - 2);
    lines
        .iter_mut()
        .skip(1)
        .for_each(|line| line.insert_str(0, "  "));
    lines
}

/// Program, what of it is judged, and where; in one line if it fits.
fn headline(report: &DivineReport, style: Style) -> String {
    let program = clean(&report.workload);
    let blocks = report.judged_blocks + report.pooled_blocks;
    let judged = format!(
        "{}, {} ({} judged{}, {} pooled)",
        count(report.units.len() as u64, "unit"),
        count(blocks, "block"),
        report.judged_blocks,
        in_sets(report),
        report.pooled_blocks
    );
    one_or_more_lines(
        &[
            program,
            judged,
            clean(&words::environment(&report.environment)),
        ],
        style,
    )
}

/// In how many sets the judged blocks are judged, if short ones are judged together.
fn in_sets(report: &DivineReport) -> String {
    match words::sets(report) {
        Some(sets) if sets != report.judged_blocks => format!(" in {}", count(sets, "set")),
        _ => String::new(),
    }
}

/// Parts in one line with two spaces between them, or each in lines of its own.
pub(super) fn one_or_more_lines(parts: &[String], style: Style) -> String {
    let parts: Vec<&str> = parts
        .iter()
        .map(String::as_str)
        .filter(|p| !p.is_empty())
        .collect();
    let mut lines = vec![String::new()];
    for part in &parts {
        for wrapped in wrap(part, style.columns() - 2) {
            let line = lines.last_mut().expect("one line at least");
            if line.is_empty() {
                *line = wrapped;
            } else if crate::style::columns_of(line) + 2 + crate::style::columns_of(&wrapped)
                <= style.columns()
            {
                line.push_str("  ");
                line.push_str(&wrapped);
            } else {
                lines.push(format!("  {wrapped}"));
            }
        }
    }
    lines.iter().map(|line| format!("{line}\n")).collect()
}

fn divined(report: &DivineReport) -> String {
    let target = format!(
        "+{} %",
        fixed(
            report.target_pct,
            usize::from(report.target_pct.fract() != 0.0)
        )
    );
    let how = match report.search {
        SearchKind::Model => "",
        SearchKind::Stepwise => " step by step",
    };
    let effort = format!(
        "{}{how}, {}",
        count(u64::from(report.plans_tried), "plan"),
        duration(report.wall_s)
    );
    let Some(overhead) = report.overhead_pct else {
        return format!("sought {target} in {effort}: not evaluated in fresh windows");
    };
    let near = (overhead.value - report.target_pct).abs() <= TOTAL_WANTED_PT;
    let start = match (near, overhead.covers(report.target_pct)) {
        (true, _) => format!("reached {target} after {effort}"),
        // Nobody can tell.
        (false, true) => format!("sought {target} in {effort}"),
        (false, false) => format!("{target} missed after {effort}"),
    };
    let mut parts = vec![format!("program {}", signed_percent(&overhead))];
    parts.extend(errors(report));
    format!(
        "{start}: {}; judged {} % of the time",
        parts.join(", "),
        fixed(report.coverage_pct, 0)
    )
}

/// How far sets and loops are off, as measured, with the noise beside it; of a single set that is the error of the total.
fn errors(report: &DivineReport) -> Vec<String> {
    let Some(raw) = report.block_error_raw_pt else {
        return Vec::new();
    };
    let noise = |noise: Option<Estimate>| {
        noise.map_or(String::new(), |e| format!("; noise alone {}", value(&e)))
    };
    let beside = noise(report.block_error_noise_pt);
    let shown = format!("{} points", value(&raw));
    if words::sets(report) == Some(1) {
        let ends = interval(&raw);
        return vec![format!(
            "judged as one set, so its error is that of the total: {shown} ({ends}{beside})"
        )];
    }
    let sets = words::sets(report).map_or("sets".into(), |sets| count(sets, "set"));
    let denoised = report.block_error_denoised_pt.map_or(String::new(), |e| {
        format!("; {} with the noise removed", value(&e))
    });
    let ends = interval(&raw);
    let mut parts = vec![format!(
        "{sets} off by {shown} on average as measured ({ends}{beside}{denoised})"
    )];
    parts.extend(
        report
            .block_error_worst_pt
            .map(|e| format!("the worst by {} ({})", value(&e), interval(&e))),
    );
    parts.extend(
        report
            .within_10_pt_pct
            .map(|e| format!("{} % of their time within 10 points", fixed(e.value, 0))),
    );
    parts.extend(report.cluster_error_pt.map(|e| {
        let loops = report
            .judged_loops
            .map_or("loops".into(), |loops| count(loops, "loop"));
        let beside = noise(report.cluster_error_noise_pt);
        format!("{loops} by {} ({}{beside})", value(&e), interval(&e))
    }));
    parts
}

/// What makes the plan worth less than it looks.
fn warnings(report: &DivineReport) -> Vec<String> {
    let mut out = Vec::new();
    if report.coverage_pct < JUDGED_WANTED_PCT {
        out.push(format!(
            "note: judged blocks hold only {} % of the program's time (wanted: {JUDGED_WANTED_PCT:.0} %){}",
            fixed(report.coverage_pct, 0),
            largest_excluded(report)
        ));
    }
    let short = report.blocks.iter().any(|b| b.reason == Reason::InSet);
    let coarse = |known: &&Resolved| known.border_cycles.value > LEAST_BORDER_CYCLES;
    if let Some(known) = report.resolution.as_ref().filter(coarse).filter(|_| short) {
        out.push(format!("note: {}", words::resolution(known)));
    }
    if let Some(earlier) = &report.rejected_overhead_pct {
        out.push(format!(
            "note: an earlier plan was evaluated too, the program {}; this one was found with what that showed, and judged in new windows",
            signed_percent(earlier)
        ));
    }
    out.extend(words::disturbed(report).map(|sentence| format!("note: {sentence}")));
    if report.stop == Some(Stop::Budget) && is_off(report) {
        out.push(format!(
            "note: the search ended early: {}; on a quieter machine it may come nearer. What is tested with this plan is told \
             from the slowdown that was reached",
            words::stop(Stop::Budget)
        ));
    }
    if let Some(warm) = report.warm_up.as_ref().filter(|warm| !warm.steady) {
        out.push(format!(
            "note: no steady state after {}: {}",
            count(warm.iterations, "iteration"),
            clean(&warm.reason)
        ));
    }
    if let Some(sampling) = report
        .sampling
        .as_ref()
        .filter(|s| s.lost * 100 > s.samples)
    {
        out.push(format!(
            "note: {} were lost, {} taken",
            count(sampling.lost, "sample"),
            sampling.samples
        ));
    }
    out
}

/// True if the plan misses what was wanted by more than usual.
fn is_off(report: &DivineReport) -> bool {
    let blocks = report.block_error_raw_pt.map_or(0.0, |blocks| blocks.value);
    let total = report
        .overhead_pct
        .map_or(0.0, |total| (total.value - report.target_pct).abs());
    blocks > SETS_WANTED_PT || total > TOTAL_WANTED_PT
}

fn largest_excluded(report: &DivineReport) -> String {
    let largest = report
        .excluded
        .iter()
        .max_by(|a, b| a.share_pct.value.total_cmp(&b.share_pct.value));
    largest.map_or(String::new(), |e| {
        let (what, reason) = (clean(&e.what), clean(&e.reason));
        format!(
            "; largest part left out: {what}, {} % ({reason})",
            value(&e.share_pct)
        )
    })
}
