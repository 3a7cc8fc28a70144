//! What divining found, in two lines and what must be known besides.

use std::collections::BTreeSet;

use proofmark_divine::{Reason, Stop};

use crate::names::clean;
use crate::number::{count, duration, fixed, interval, signed_percent, value};
use crate::style::wrap;
use crate::{Style, words};
use proofmark_experiment::divine::DivineReport;

/// Judged blocks must cover this much of the program's time, or the result says so, %.
const COVERAGE_WANTED_PCT: f64 = 85.0;

/// Misses of the blocks and of the program, in points, above which it is said why the search ended.
const BLOCKS_WANTED_PT: f64 = 8.0;
const TOTAL_WANTED_PT: f64 = 2.0;

/// Headline, what was divined, and warnings.
///
/// ```text
/// Queens  1 unit, 43 blocks (31 judged, 12 pooled)  Temurin 25.0.3, Graal 25.0.3, cpu-clock, 2 vCPU Intel
/// divined +100 % in 5 plans, 48 s: program +99.6 % (98.9 to 100.4), blocks off by 5.2 points (4.4 to 6.1), loops by 2.0
/// ```
#[must_use]
pub fn plan_summary(report: &DivineReport, style: Style) -> String {
    let mut out = headline(report, style);
    let mut paragraphs = vec![divined(report)];
    paragraphs.extend(
        report
            .verification
            .iter()
            .flat_map(super::verification::verified),
    );
    paragraphs.extend(warnings(report));
    for paragraph in paragraphs {
        for line in hang(&paragraph, style.columns()) {
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
    let judged = report
        .blocks
        .iter()
        .filter(|row| row.reason != Reason::Pooled);
    let (together, alone): (Vec<_>, Vec<_>) = judged.partition(|row| row.group.is_some());
    let sets: BTreeSet<_> = together.iter().map(|row| (&row.unit, row.group)).collect();
    if sets.is_empty() {
        return String::new();
    }
    format!(" in {}", count((sets.len() + alone.len()) as u64, "set"))
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
    let start = format!(
        "divined {target} in {}, {}",
        count(u64::from(report.plans_tried), "plan"),
        duration(report.wall_s)
    );
    let Some(overhead) = report.overhead_pct else {
        return format!("{start}: not evaluated in fresh windows");
    };
    let mut parts = vec![format!("program {}", signed_percent(&overhead))];
    if let Some(blocks) = report.block_error_pt {
        parts.push(format!(
            "blocks off by {} points ({})",
            value(&blocks),
            interval(&blocks)
        ));
    }
    if let Some(loops) = report.cluster_error_pt {
        parts.push(format!("loops by {}", value(&loops)));
    }
    format!("{start}: {}", parts.join(", "))
}

/// What makes the plan worth less than it looks.
fn warnings(report: &DivineReport) -> Vec<String> {
    let mut out = Vec::new();
    if report.coverage_pct < COVERAGE_WANTED_PCT {
        out.push(format!(
            "note: judged blocks hold only {} % of the program's time (wanted: {COVERAGE_WANTED_PCT:.0} %){}",
            fixed(report.coverage_pct, 0),
            largest_excluded(report)
        ));
    }
    if let Some(earlier) = &report.rejected_overhead_pct {
        out.push(format!(
            "note: an earlier plan was evaluated too, the program {}; this one was found with what that showed, and judged in new windows",
            signed_percent(earlier)
        ));
    }
    if report.stop == Some(Stop::Budget) && is_off(report) {
        out.push(format!(
            "note: the search ended early: {}",
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
    let blocks = report.block_error_pt.map_or(0.0, |blocks| blocks.value);
    let total = report
        .overhead_pct
        .map_or(0.0, |total| (total.value - report.target_pct).abs());
    blocks > BLOCKS_WANTED_PT || total > TOTAL_WANTED_PT
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
