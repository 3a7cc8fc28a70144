//! Counted bytecodes. What a run counted is said on standard error: its output is the program's.

use proofmark_count::{Counted, Coverage};
use proofmark_report::{
    Style, count_comparison, count_summary, coverage_text, number, time_comparison,
};

use super::{json, style};
use crate::console::{print, say};
use crate::request::Format;
use crate::run::count::compare::Compared;
use crate::run::count::overhead::Overhead;

/// A run.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn counted(counted: &Counted, format: Format, quiet: bool) -> anyhow::Result<()> {
    if format == Format::Json {
        return json(counted);
    }
    if !quiet {
        say(&count_summary(counted, plain()));
    }
    Ok(())
}

/// Jars that were rewritten.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn instrumented(coverage: &Coverage, format: Format, quiet: bool) -> anyhow::Result<()> {
    if format == Format::Json {
        return json(coverage);
    }
    if !quiet {
        say(&coverage_text(coverage, plain()));
    }
    Ok(())
}

/// A profile that was read.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn shown(counted: &Counted, format: Format) -> anyhow::Result<()> {
    if format == Format::Json {
        return json(counted);
    }
    Ok(print(&count_summary(counted, style()))?)
}

/// A comparison.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn counts_compared(compared: &Compared, format: Format) -> anyhow::Result<()> {
    match (compared, format) {
        (Compared::Counts(counts), Format::Json) => json(counts)?,
        (Compared::Time(time), Format::Json) => json(time)?,
        (Compared::Counts(counts), _) => print(&count_comparison(counts, style()))?,
        (Compared::Time(time), _) => print(&time_comparison(time, style()))?,
    }
    Ok(())
}

/// What counting costs.
///
/// # Errors
/// When it cannot be written as JSON.
pub fn overhead(overhead: &Overhead, format: Format) -> anyhow::Result<()> {
    if format == Format::Json {
        return json(overhead);
    }
    let clock = match overhead.clock.as_str() {
        "printed" => "the times that the program prints".to_owned(),
        clock => format!("CPU time of the {clock}"),
    };
    let mut text = format!(
        "{clock}; 95 % intervals over n rounds\n\n{:<14} {:>13} {:>13}  overhead\n",
        "program", "plain", "counted"
    );
    for program in &overhead.programs {
        text += &format!(
            "{:<14} {:>10.2} ms {:>10.2} ms  {}\n",
            program.program,
            program.plain_ms,
            program.counted_ms,
            number::signed_percent(&program.overhead_pct)
        );
    }
    text += &format!(
        "\ngeometric mean {}\n",
        number::signed_percent(&overhead.geometric_mean_pct)
    );
    Ok(print(&text)?)
}

/// On standard error, without colour.
fn plain() -> Style {
    Style::default()
}
