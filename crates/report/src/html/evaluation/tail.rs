//! The end of the page: debug information, verdicts, what could not be measured, how the figures come about.

use proofmark_assess::Role;
use proofmark_experiment::evaluate::{
    Evaluation, ProgramResult, PublishedProgram, published_program,
};

use super::super::escape::text;
use super::super::table::{Cell, table};
use super::super::verdict::badge;
use super::{figure, section, unknown};
use crate::number::{fixed, grouped};
use crate::words::evaluation::{control, judged};

/// How the figures come about.
pub(super) const METHOD: [&str; 4] = [
    "Typical: the pseudo-median over programs, the middle of the means of all pairs of programs. Its interval holds what differs between programs, as if these had been drawn at random; n counts programs.",
    "Every other interval is a 95 % interval from the spread between windows of one program; n counts what it rests on: pairs of windows of a total, samples of a share, methods of a correlation, experiments of parts and mean errors.",
    "Noise alone: how far sets would seem to be off, in the mean, if every set were exactly on target. An error near it cannot be told from none.",
    "Predicted gain: if a method has the share p before, and the added time is the part s of the new total, its share ought to become p + s - p s.",
];

/// How much of the machine code knows its source position.
pub(super) fn debug_info(programs: &[ProgramResult]) -> String {
    let whole = |n: u64| figure(&grouped(n), n as f64);
    let known = |name: &str, cell: &dyn Fn(&PublishedProgram) -> Cell| {
        published_program(name).map_or_else(unknown, |of| cell(&of))
    };
    let row = |program: &ProgramResult| {
        let info = program.debug_info?;
        let part = info.positioned_pct()?;
        Some(vec![
            Cell::words(&program.program),
            whole(info.units),
            whole(info.blocks),
            whole(info.operations),
            whole(info.positioned),
            figure(&format!("{} %", fixed(part, 1)), part),
            known(&program.program, &|of| whole(of.units)),
            known(&program.program, &|of| whole(of.blocks)),
            known(&program.program, &|of| {
                of.positioned_pct.map_or_else(unknown, |part| {
                    figure(&format!("{} %", fixed(part, 1)), part)
                })
            }),
        ])
    };
    let rows: Vec<Vec<Cell>> = programs.iter().filter_map(row).collect();
    if rows.is_empty() {
        return String::new();
    }
    let titles = [
        "program",
        "units",
        "blocks",
        "operations",
        "with source position",
        "part",
        "published units",
        "published native blocks",
        "published part",
    ];
    section(
        "debug-info",
        "Does the machine code know its source position?",
        "A profiler finds the method of a sample by the source position that the compiler kept for the instruction. It can only guess where there is none. A \
         <em>unit</em> is a method as machine code, with all methods that were inlined into it. These are counts of all code that was compiled, not samples. Published are \
         units with 2 % of the time at least, and the part of the compiler&#39;s last instructions with a position, which was told of the least and of the greatest.",
        &table("sortable stack", "", &titles, &rows),
    )
}

/// Verdicts, a row per program and a column per profiler.
pub(super) fn verdicts(evaluation: &Evaluation) -> String {
    let names = judged(evaluation);
    if names.is_empty() {
        return String::new();
    }
    let shown =
        |program: &&ProgramResult| !program.profilers.is_empty() || !program.attribution.is_empty();
    let row = |program: &ProgramResult| {
        let cells = names.iter().map(|name| cell(program, name));
        std::iter::once(Cell::words(&program.program))
            .chain(cells)
            .collect()
    };
    let rows: Vec<Vec<Cell>> = evaluation.programs.iter().filter(shown).map(row).collect();
    let heads: Vec<String> = names
        .iter()
        .map(|name| match control(evaluation, name) {
            None => (*name).to_owned(),
            Some(Role::SafepointControl) => format!("{name} (control, must be wrong)"),
            Some(_) => format!("{name} (control, must be right)"),
        })
        .collect();
    let titles: Vec<&str> = std::iter::once("program")
        .chain(heads.iter().map(String::as_str))
        .collect();
    section(
        "verdicts",
        "Verdicts",
        "<em>At sites</em>: time was put into methods on the user&#39;s own JVM, and the profiler must report it there. <em>In the laboratory</em>: blocks of the program&#39;s own machine code were \
         slowed under Graal. Right means that every error lies within the margin with its whole interval, wrong that one lies outside; undecided is everything else. Controls are \
         looked at in the laboratory only.",
        &table("stack", "", &titles, &rows),
    )
}

fn cell(program: &ProgramResult, name: &str) -> Cell {
    let sites = program.attribution.get(name).map(|one| one.verdict);
    let laboratory = program.profilers.iter().find(|one| one.name == name);
    let lines = [
        ("at sites", sites),
        ("laboratory", laboratory.map(|one| one.verdict)),
    ];
    let lines = lines
        .into_iter()
        .filter_map(|(place, verdict)| Some(format!("<p>{place} {}</p>", badge(verdict?))));
    let lines: String = lines.collect();
    match lines.is_empty() {
        true => Cell::words("-"),
        false => Cell::html(lines),
    }
}

/// Programs that failed, and parts that were not run.
pub(super) fn not_measured(programs: &[ProgramResult]) -> String {
    let mut items = String::new();
    for program in programs {
        let name = text(&program.program);
        if let Some(reason) = &program.failed {
            items.push_str(&format!("<li><b>{name}</b> failed: {}</li>", text(reason)));
        }
        for (part, reason) in &program.not_run {
            items.push_str(&format!(
                "<li><b>{name}</b>, {} not run: {}</li>",
                text(part),
                text(reason)
            ));
        }
    }
    match items.is_empty() {
        true => items,
        false => format!(
            "<section id=\"not-measured\"><h2>Not measured</h2><ul class=\"notes\">{items}</ul></section>\n"
        ),
    }
}
