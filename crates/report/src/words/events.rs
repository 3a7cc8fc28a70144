//! Words about events, the same in the terminal and on the page.

use std::collections::BTreeMap;

use proofmark_events::{Configuration, Coverage, EventsReport, Uncounted};

use crate::number::{count, fixed, grouped};

/// Least part of executed blocks that must be counted, %.
const WANTED_PCT: f64 = 95.0;
/// Least part of a unit that is named as not counted, %.
const NAMED_PCT: f64 = 0.1;
/// Most units that are named as not counted; the JSON has all.
const NAMED: usize = 12;
/// The same of a comparison, whose answer is what differs.
const NAMED_OF_TWO: usize = 5;

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

/// A unit that one of two configurations did not count, or both.
pub(crate) struct LeftOut<'a> {
    /// Its name.
    pub(crate) unit: &'a str,
    /// What its parts are of: `blocks` that were executed, or `time`.
    pub(crate) of: &'static str,
    /// Its part in either configuration, %; none where it was counted or did not run.
    pub(crate) parts: [Option<f64>; 2],
    /// Why it was not counted.
    pub(crate) why: String,
}

impl LeftOut<'_> {
    fn largest_pct(&self) -> f64 {
        self.parts.into_iter().flatten().fold(0.0, f64::max)
    }
}

/// The largest units that one of two configurations executed and did not count.
pub(crate) fn uncounted_of_two(sides: [&Configuration; 2]) -> Vec<LeftOut<'_>> {
    let mut by_name: BTreeMap<&str, [Option<&Uncounted>; 2]> = BTreeMap::new();
    for (at, side) in sides.into_iter().enumerate() {
        for one in &side.uncounted {
            by_name.entry(one.unit.as_str()).or_default()[at] = Some(one);
        }
    }
    let rows = by_name.into_iter().flat_map(|(unit, pair)| {
        let blocks = ("blocks", pair.map(|one| one?.blocks_pct));
        let time = ("time", pair.map(|one| one?.time_pct));
        [blocks, time].map(|(of, parts)| LeftOut {
            unit,
            of,
            parts,
            why: why(pair),
        })
    });
    let is_named = |row: &LeftOut<'_>| row.largest_pct() >= NAMED_PCT;
    let mut largest: Vec<LeftOut<'_>> = rows.filter(is_named).collect();
    largest.sort_by(|a, b| b.largest_pct().total_cmp(&a.largest_pct()));
    largest.truncate(NAMED_OF_TWO);
    largest
}

/// Why a unit was not counted; of either configuration where their reasons differ.
fn why(pair: [Option<&Uncounted>; 2]) -> String {
    match pair.map(|one| one.map(reason)) {
        [Some(a), Some(b)] if a != b => format!("A: {a}; B: {b}"),
        [a, b] => a.or(b).unwrap_or("-").to_owned(),
    }
}

/// Why a unit was not counted; `-` where that is not known.
pub(crate) fn reason(one: &Uncounted) -> &str {
    one.reason.as_deref().unwrap_or("-")
}

/// `12.3 %`; `-` where it is not known.
pub(crate) fn part(pct: Option<f64>) -> String {
    pct.map_or("-".into(), |pct| format!("{} %", fixed(pct, 1)))
}
