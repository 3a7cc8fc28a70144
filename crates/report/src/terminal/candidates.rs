//! Candidate instructions beside each other.

use proofmark_experiment::candidates::{CandidateRow, CandidatesReport};
use proofmark_stats::Estimate;

use super::cost::aligned;
use crate::Style;
use crate::names::clean;
use crate::number::{duration, fixed, grouped};
use crate::style::hanging;

const TITLES: [&str; 8] = [
    "instruction",
    "inserted",
    "cycles each",
    "free",
    "program, %",
    "blocks off, pt",
    "shares, pt\u{b2}",
    "time within 10 / 50 points of the target",
];

/// A row per candidate, then what the columns mean and which one is recommended.
#[must_use]
pub fn candidates_table(report: &CandidatesReport, style: Style) -> String {
    let target = report.target_pct;
    let rows: Vec<Vec<String>> = (report.candidates.iter())
        .map(|one| row(one, target))
        .collect();
    let mut out = format!(
        "{}: every block slowed by {} % with each candidate\n",
        clean(&report.workload),
        fixed(target, 0)
    );
    out.push_str(&aligned(&TITLES, &rows, style));
    out.push('\n');
    let columns = style.columns();
    let legend = "inserted: instructions in the code. cycles each: what one more takes in an execution of a block; free: how \
                  many take nothing. program: its growth. blocks off: mean miss of the judged sets, weighted by time. shares: mean \
                  squared difference of the shares that the profiler shows of the program as it is and slowed, with what chance \
                  alone makes of it.";
    out.push_str(&hanging("", legend, columns));
    let advice = match &report.recommended {
        Some(options) => format!("nearest: {options} (options of divine)"),
        None => "no candidate brings the program within a tenth of the target".to_owned(),
    };
    out.push_str(&hanging("", &advice, columns));
    out
}

fn row(one: &CandidateRow, target: f64) -> Vec<String> {
    let mut cells = vec![one.name(), grouped(one.inserted)];
    if let Some(reason) = &one.failed {
        cells.extend(["-"; 5].map(str::to_owned));
        cells.push(format!("failed: {}", clean(reason)));
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
        shares,
        format!(
            "{} / {} % in {} plans, {}",
            one.within_10_pt_pct
                .map_or("-".into(), |part| fixed(part.value, 0)),
            fixed(within(one, target - 50.0, target + 50.0), 0),
            one.plans_tried,
            duration(one.wall_s)
        ),
    ]);
    cells
}

/// Part of the judged time with a slowdown between two borders of the histogram, %.
fn within(one: &CandidateRow, from: f64, to: f64) -> f64 {
    let inside = one.histogram.iter().filter(|part| {
        part.from_pct.is_some_and(|pct| pct >= from) && part.to_pct.is_some_and(|pct| pct <= to)
    });
    inside.map(|part| part.time_pct).sum()
}

/// `101.2 (98.0 to 104.4)`
fn with(value: Option<Estimate>, digits: usize) -> String {
    value.map_or("-".into(), |one| {
        let [value, low, high] = [one.value, one.low, one.high].map(|it| fixed(it, digits));
        format!("{value} ({low} to {high})")
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
            recommended: Some("--filler mov --placement spread".into()),
        };
        let text = candidates_table(&report, Style::default());
        let line = |word: &str| text.lines().find(|line| line.starts_with(word)).unwrap();
        assert!(line("mov spread").contains("1,303") || line("mov spread").contains("1303"));
        assert!(
            line("mov spread").contains("101.2 (99.2 to 103.2)"),
            "{text}"
        );
        assert!(
            line("pause spread").contains("failed: the JVM ended"),
            "{text}"
        );
        assert!(!text.contains('\u{1b}'), "no escape sequence of others");
        assert!(text.contains("nearest: --filler mov"), "{text}");
    }
}
