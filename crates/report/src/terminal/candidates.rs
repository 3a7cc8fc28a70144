//! Candidate instructions beside each other.

use proofmark_experiment::candidates::{CandidateRow, CandidatesReport};
use proofmark_stats::Estimate;

use super::cost::aligned;
use crate::Style;
use crate::names::clean;
use crate::number::{duration, fixed, grouped};
use crate::style::hanging;

const TITLES: [&str; 9] = [
    "instruction",
    "inserted",
    "cycles",
    "free",
    "program, %",
    "blocks off",
    "within 10",
    "shares, pt\u{b2}",
    "plans, time",
];

/// A row per candidate, then what the columns mean and which one is recommended.
#[must_use]
pub fn candidates_table(report: &CandidatesReport, style: Style) -> String {
    let target = report.target_pct;
    let rows: Vec<Vec<String>> = (report.candidates.iter()).map(row).collect();
    let mut out = format!(
        "{}: every block slowed by {} % with each candidate\n",
        clean(&report.workload),
        fixed(target, 0)
    );
    out.push_str(&aligned(&TITLES, &rows, style));
    out.push('\n');
    let columns = style.columns();
    let legend = "inserted: instructions in the code. cycles: what one more takes in an execution of a block; free: how many take \
                  nothing. program: its growth. blocks off: mean miss of the judged sets, weighted by time, points. within 10: \
                  part of the judged time within 10 points of the target, %. shares: mean squared difference of the shares that \
                  the profiler shows of the program as it is and slowed, and in brackets what chance alone makes of it. \u{b1}: half \
                  of the 95 % interval; sample sizes stand in the figures.";
    out.push_str(&hanging("", legend, columns));
    for one in &report.candidates {
        if let Some(reason) = &one.failed {
            let start = format!("{} failed: ", one.name());
            out.push_str(&hanging(&start, &clean(reason), columns));
        }
    }
    let advice = match &report.recommended {
        Some(options) if report.not_told_apart.is_empty() => {
            format!("nearest: {options} (options of divine)")
        }
        Some(options) => format!(
            "nearest: {options} (options of divine); not told apart from it: {}",
            report.not_told_apart.join(", ")
        ),
        None => "no candidate brings the program within a tenth of the target".to_owned(),
    };
    out.push_str(&hanging("", &advice, columns));
    if let Some(usual) = &report.usual {
        out.push_str(&hanging(
            "",
            &compared(usual, report.preferred.as_ref()),
            columns,
        ));
    }
    out
}

/// What is told apart from the usual one.
fn compared(usual: &str, preferred: Option<&String>) -> String {
    let usual = format!("{usual}, which the calibration of this machine suggests");
    match preferred {
        Some(preferred) => format!("told apart from {usual}, as better: {preferred}"),
        None => format!("none is told apart from {usual}, as better"),
    }
}

fn row(one: &CandidateRow) -> Vec<String> {
    let mut cells = vec![one.name(), grouped(one.inserted)];
    if one.failed.is_some() {
        cells.extend(["-"; 6].map(str::to_owned));
        cells.push("failed".to_owned());
        return cells;
    }
    let response = one.response.as_ref();
    let cycles = response.and_then(|one| one.cycles_per_instruction);
    let free = response.and_then(|one| one.free_per_execution);
    let shares = one.view.as_ref().map_or("-".into(), |view| {
        let error = &view.mean_squared_error;
        format!("{} ({})", fixed(error.value, 1), fixed(view.noise, 1))
    });
    cells.extend([
        with(cycles, 2),
        with(free, 1),
        with(one.overhead_pct, 1),
        with(one.block_error_pt, 1),
        with(one.within_10_pt_pct, 0),
        shares,
        format!("{}, {}", one.plans_tried, duration(one.wall_s)),
    ]);
    cells
}

/// `101.2 \u{b1}3.2`
fn with(value: Option<Estimate>, digits: usize) -> String {
    value.map_or("-".into(), |one| {
        let [value, half] = [one.value, one.half_width()].map(|it| fixed(it, digits));
        format!("{value} \u{b1}{half}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofmark_divine::Environment;

    #[test]
    fn failed_candidates_stand_with_their_reason_and_the_nearest_is_named() {
        let row = |instruction: &str, overhead: Option<f64>| CandidateRow {
            instruction: instruction.into(),
            at: "spread".into(),
            response: None,
            inserted: 1303,
            blocks: 53,
            overhead_pct: overhead.map(|pct| Estimate::around(pct, 2.0, 9)),
            block_error_pt: None,
            within_10_pt_pct: None,
            histogram: Vec::new(),
            view: None,
            plans_tried: 4,
            wall_s: 61.0,
            failed: overhead.is_none().then(|| "the JVM ended\u{1b}[31m".into()),
        };
        let report = CandidatesReport {
            schema: String::new(),
            workload: "suite:Towers".into(),
            target_pct: 100.0,
            environment: Environment {
                machine: String::new(),
                jdk: String::new(),
                graal: String::new(),
                event: String::new(),
            },
            clock_ghz: 3.0,
            candidates: vec![row("mov", Some(101.25)), row("pause", None)],
            recommended: Some("--filler mov --insertion-point spread".into()),
            not_told_apart: vec!["nop end".into()],
            usual: Some("nop".into()),
            preferred: Some("mov".into()),
        };
        let text = candidates_table(&report, Style::default());
        let line = |word: &str| text.lines().find(|line| line.starts_with(word)).unwrap();
        assert!(line("mov spread").contains("1,303") || line("mov spread").contains("1303"));
        assert!(line("mov spread").contains("\u{b1}2.0"), "{text}");
        assert!(
            text.contains("pause spread failed: the JVM ended"),
            "{text}"
        );
        assert!(!text.contains('\u{1b}'), "no escape sequence of others");
        assert!(text.contains("nearest: --filler mov"), "{text}");
        assert!(text.contains("apart from it: nop end"), "{text}");
        assert!(text.contains("told apart from nop, which"), "{text}");
        let same = CandidatesReport {
            preferred: None,
            ..report
        };
        let text = candidates_table(&same, Style::default());
        assert!(text.contains("none is told apart from nop"), "{text}");
    }
}
