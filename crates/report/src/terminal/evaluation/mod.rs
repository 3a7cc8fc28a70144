//! Many programs in the terminal: one table per question, published figures beside ours.

mod checks;
mod costs;
mod experiments;
mod profilers;
mod slowing;

use proofmark_experiment::evaluate::{Evaluation, ProgramResult};

use crate::names::{clean, fit};
use crate::number::{fixed, grouped};
use crate::style::hanging;
use crate::words::evaluation::published_code;
use crate::{Style, words};

use super::cost::aligned_in_parts;

/// Columns of a program's name.
const NAME: usize = 16;

/// What many programs showed: is a program slowed as asked, do shares stay, is added time charged where it was added, how
/// much of the code knows its source position, the verdicts, and what could not be measured.
///
/// Where a table is too wide for the terminal it goes on in a further one, with the programs again.
#[must_use]
pub fn evaluation_text(evaluation: &Evaluation, style: Style) -> String {
    let columns = style.columns();
    let mut out = hanging(
        "",
        &words::evaluation::findings(evaluation).join(" "),
        columns,
    );
    for environment in &evaluation.environments {
        let machine = clean(&words::environment(environment));
        out.push_str(&hanging("", &format!("Measured on {machine}"), columns));
    }
    out.push_str(&hanging("", words::evaluation::PUBLISHED, columns));
    out.push_str(&slowing::section(evaluation, style));
    out.push_str(&checks::protocols(evaluation, style));
    out.push_str(&profilers::shares(evaluation, style));
    out.push_str(&profilers::added(evaluation, style));
    out.push_str(&experiments::section(evaluation, style));
    out.push_str(&debug_info(&evaluation.programs, style));
    out.push_str(&checks::sampler(evaluation, style));
    out.push_str(&costs::static_cost(evaluation, style));
    out.push_str(&profilers::verdicts(evaluation, style));
    out.push_str(&troubles(&evaluation.programs, style));
    out
}

/// A program's name that fits its column.
fn named(program: &str) -> String {
    fit(&clean(program), NAME)
}

/// Heading, table, and what its columns mean.
fn section(title: &str, table: &str, legend: &str, style: Style) -> String {
    let title = hanging("", title, style.columns());
    let legend = hanging("", legend, style.columns());
    format!("\n{title}\n{table}\n{legend}")
}

fn debug_info(programs: &[ProgramResult], style: Style) -> String {
    let row = |program: &ProgramResult| {
        let info = program.debug_info?;
        let part = info.positioned_pct()?;
        Some(vec![
            named(&program.program),
            grouped(info.units),
            grouped(info.blocks),
            grouped(info.operations),
            grouped(info.positioned),
            format!("{} %", fixed(part, 1)),
            published_code(&program.program).unwrap_or_else(|| "-".into()),
        ])
    };
    let rows: Vec<Vec<String>> = programs.iter().filter_map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let titles = [
        "program",
        "units",
        "blocks",
        "operations",
        "with position",
        "part",
        "published",
    ];
    section(
        "Does the machine code know its source position?",
        &aligned_in_parts(&titles, &rows, &[5, 1], style),
        "Counted in all code that the compiler made, not sampled. Unit: a method as machine code, with what was inlined into it. With \
         position: operations of which the compiler kept method and line; a profiler can only guess the others. published: units with 2 % of the time at least, their native blocks, and the part of the compiler's \
         last instructions with position (told of the least and of the greatest).",
        style,
    )
}

/// Programs that failed and parts that were not run, with their reasons.
fn troubles(programs: &[ProgramResult], style: Style) -> String {
    let mut out = String::new();
    for program in programs {
        let name = clean(&program.program);
        if let Some(reason) = &program.failed {
            let start = format!("{name} failed: ");
            out.push_str(&hanging(
                "",
                &format!("{start}{}", clean(reason)),
                style.columns(),
            ));
        }
        for (part, reason) in &program.not_run {
            let line = format!("{name}: {} not run: {}", clean(part), clean(reason));
            out.push_str(&hanging("", &line, style.columns()));
        }
    }
    match out.is_empty() {
        true => out,
        false => format!("\nNot measured\n\n{out}"),
    }
}
