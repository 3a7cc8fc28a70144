//! Words about events, the same in the terminal and on the page.

use proofmark_events::{Coverage, EventsReport, Uncounted};

use crate::number::{count, fixed, grouped};

/// Least part of executed blocks that must be counted, %.
const WANTED_PCT: f64 = 95.0;
/// Least part of a unit that is named as not counted, %.
const NAMED_PCT: f64 = 0.1;
/// Most units that are named as not counted; the JSON has all.
const NAMED: usize = 12;

/// What figures are of: an iteration, or one run of the program where an iteration is several.
pub(crate) fn each(runs_per_iteration: u64) -> &'static str {
    if runs_per_iteration > 1 {
        "run"
    } else {
        "iteration"
    }
}

/// `10 iterations`, `10 iterations of 64 runs of the program each`.
pub(crate) fn iterations(report: &EventsReport) -> String {
    let iterations = count(report.iterations, "iteration");
    match report.runs_per_iteration {
        0 | 1 => iterations,
        runs => format!("{iterations} of {} runs of the program each", grouped(runs)),
    }
}

/// That too little of the executed code was counted, if so, and what follows.
pub(crate) fn too_little(blocks_pct: Option<f64>, follows: &str) -> Option<String> {
    let little = blocks_pct.is_some_and(|pct| pct < WANTED_PCT);
    little.then(|| {
        format!("less than {WANTED_PCT:.0} % of the executed blocks were counted: {follows}")
    })
}

/// The same of one program.
pub(crate) fn totals_too_low(coverage: &Coverage) -> Option<String> {
    let follows = match coverage.restricted {
        Some(_) => "totals are those of the chosen units, not of the whole program",
        None => "totals are too low",
    };
    too_little(coverage.graal_blocks_pct, follows)
}

/// The largest units that were executed and not counted.
pub(crate) fn uncounted(coverage: &Coverage) -> Vec<&Uncounted> {
    let largest = coverage.uncounted.iter().take(NAMED);
    largest
        .filter(|one| one.largest_pct() >= NAMED_PCT)
        .collect()
}

/// `12.3 %`; `-` where it is not known.
pub(crate) fn part(pct: Option<f64>) -> String {
    pct.map_or("-".into(), |pct| format!("{} %", fixed(pct, 1)))
}
