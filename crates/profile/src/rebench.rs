//! Run times that ReBench has recorded (`.data`): tab-separated lines under a head of comments.

use crate::error::ImportError;
use crate::import::{Format, Line, lines};

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
}

/// Reads every measurement; comments and head lines are skipped.
///
/// # Errors
/// If a line has too few columns or a number that is none.
pub fn read_rebench(bytes: &[u8]) -> Result<Vec<Measurement>, ImportError> {
    let is_row = |line: &Line<'_>| {
        let text = line.text.as_ref();
        !text.trim().is_empty() && !text.starts_with('#') && !text.starts_with("invocation\t")
    };
    let rows = lines(bytes).filter(is_row);
    rows.map(|row| {
        measurement(&row.text).map_err(|what| ImportError::line(Format::ReBench, &row, what))
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
        _suite,
        ..,
    ] = cells[..]
    else {
        return Err(format!(
            "at least 8 columns were expected, not {}",
            cells.len()
        ));
    };
    let count = |text: &str| {
        text.trim()
            .parse::<u32>()
            .map_err(|_| format!("a whole number was expected, not {text:?}"))
    };
    Ok(Measurement {
        invocation: count(invocation)?,
        iteration: count(iteration)?,
        value: value
            .trim()
            .parse()
            .map_err(|_| format!("a number was expected, not {value:?}"))?,
        unit: unit.to_owned(),
        criterion: criterion.to_owned(),
        benchmark: benchmark.to_owned(),
        executor: executor.to_owned(),
    })
}
