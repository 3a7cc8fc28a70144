//! Run times that ReBench has recorded (`.data`): tab-separated lines under a head of comments.

use crate::error::ImportError;
use crate::import::Format;

/// One measured value.
#[derive(Clone, Debug, PartialEq)]
pub struct Measurement {
    /// Which process, from 1.
    pub invocation: u32,
    /// Which repetition in it, from 1.
    pub iteration: u32,
    /// The value, in [`Measurement::unit`].
    pub value: f64,
    /// `ms` for run times.
    pub unit: String,
    /// What was measured; `total` is the run time.
    pub criterion: String,
    /// The program.
    pub benchmark: String,
    /// What ran it.
    pub executor: String,
    /// The suite it belongs to.
    pub suite: String,
}

/// Reads every measurement; comments and head lines are skipped.
///
/// # Errors
/// If a line has too few columns or a number that is none.
pub fn read_rebench(bytes: &[u8]) -> Result<Vec<Measurement>, ImportError> {
    let text = String::from_utf8_lossy(bytes);
    let lines = text
        .lines()
        .enumerate()
        .map(|(at, line)| (at, line.trim_end_matches('\r')));
    lines
        .filter(|(_, line)| {
            !line.trim().is_empty() && !line.starts_with('#') && !line.starts_with("invocation\t")
        })
        .map(|(at, line)| {
            measurement(line).map_err(|what| ImportError::line(Format::ReBench, at + 1, what))
        })
        .collect()
}

/// True if a line is one of ReBench's measurements.
pub(crate) fn is_line(line: &str) -> bool {
    line.starts_with("invocation\titeration\t") || measurement(line).is_ok()
}

fn measurement(line: &str) -> Result<Measurement, String> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [
        invocation,
        iteration,
        value,
        unit,
        criterion,
        benchmark,
        executor,
        suite,
        ..,
    ] = cells[..]
    else {
        return Err(format!("{} columns instead of at least 8", cells.len()));
    };
    let count = |text: &str| {
        text.trim()
            .parse::<u32>()
            .map_err(|_| format!("{text:?} is no number"))
    };
    Ok(Measurement {
        invocation: count(invocation)?,
        iteration: count(iteration)?,
        value: value
            .trim()
            .parse()
            .map_err(|_| format!("{value:?} is no number"))?,
        unit: unit.to_owned(),
        criterion: criterion.to_owned(),
        benchmark: benchmark.to_owned(),
        executor: executor.to_owned(),
        suite: suite.to_owned(),
    })
}
