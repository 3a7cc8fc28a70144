//! Words for blocks that were slowed alone.

use proofmark_experiment::evaluate::{Dosed, Evaluation, SingleResult};

use crate::Names;
use crate::names::clean;

/// An experiment with its program.
pub(crate) type OfProgram<'a> = (&'a str, &'a SingleResult);

/// What is slowed alone, with a heading for the experiments.
pub(crate) const KINDS: [(Dosed, &str); 2] = [
    (Dosed::Block, "single blocks"),
    (Dosed::Method, "several blocks of a method"),
];

/// `async: blocks`: a row of figures over experiments of a profiler.
pub(crate) fn kind(of: Dosed) -> &'static str {
    match of {
        Dosed::Block => "blocks",
        Dosed::Method => "methods",
        Dosed::Either => "both",
    }
}

/// Profilers under which something was slowed alone, each once.
pub(crate) fn profilers(evaluation: &Evaluation) -> Vec<&str> {
    let mut names: Vec<&str> = Vec::new();
    for one in &evaluation.added_time {
        if !names.contains(&one.profiler.as_str()) {
            names.push(&one.profiler);
        }
    }
    names
}

/// Experiments under a profiler, in the order of programs.
pub(crate) fn under<'a>(evaluation: &'a Evaluation, profiler: &str) -> Vec<OfProgram<'a>> {
    let mut all = Vec::new();
    for program in &evaluation.programs {
        let here = program.profilers.iter().filter(|one| one.name == profiler);
        let singles = here.flat_map(|one| &one.singles);
        all.extend(singles.map(|single| (program.program.as_str(), single)));
    }
    all
}

/// `Queens.placeQueen, block 138`, `Towers.pushDisk, 26 blocks`.
pub(crate) fn slowed_alone(single: &SingleResult, names: &Names) -> String {
    let blocks = single.label.split_once(" of ");
    let blocks = blocks.map_or(single.label.as_str(), |(blocks, _)| blocks);
    format!("{}, {}", names.short(&single.method), clean(blocks))
}

/// Whether a method was shown; `-` if that is not known.
pub(crate) fn shown(detected: Option<bool>) -> &'static str {
    match detected {
        Some(true) => "yes",
        Some(false) => "no",
        None => "-",
    }
}
