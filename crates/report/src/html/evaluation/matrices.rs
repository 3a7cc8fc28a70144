//! Where every profiler reports time that was added, program by program.

use std::collections::BTreeMap;

use proofmark_experiment::dose::Attribution;
use proofmark_experiment::dose::blocks::{BlockDoses, ORACLE};
use proofmark_experiment::evaluate::ProgramResult;

use super::super::dose::{KEY, figures, site};
use super::super::escape::text;
use super::section as part;
use crate::words;

const ABOUT: &str = "Time was put into one method after the other (rows); every profiler reports it somewhere (columns). <em>At sites</em>: on the user&#39;s own JVM, by loops \
     that were put into methods. <em>In blocks</em>: in the laboratory, by instructions in blocks of the program&#39;s own machine code; the oracle is our own sampler.";

/// The matrices of every profiler on every program; nothing if no time was added anywhere.
pub(super) fn section(programs: &[ProgramResult]) -> String {
    let all: String = programs.iter().map(program).collect();
    if all.is_empty() {
        return all;
    }
    part(
        "matrices",
        "Where is added time reported, %?",
        &format!("{ABOUT} {KEY}"),
        &all,
    )
}

fn program(program: &ProgramResult) -> String {
    let sites = at_sites(&program.attribution);
    let blocks = program.block_doses.as_ref().map(in_blocks);
    let both = [sites, blocks.unwrap_or_default()].concat();
    match both.is_empty() {
        true => both,
        false => format!(
            "<details class=\"program\"><summary>{}</summary>\n{both}</details>\n",
            text(&program.program)
        ),
    }
}

fn at_sites(attribution: &BTreeMap<String, Attribution>) -> String {
    let names = words::attributed_names(attribution);
    let all = attribution.iter().map(|(name, one)| (name.as_str(), one));
    under("At sites", &figures(all, &names, site))
}

fn in_blocks(doses: &BlockDoses) -> String {
    let names = words::attributed_names(&doses.attribution);
    let own = doses.attribution.get_key_value(ORACLE);
    let others = doses.attribution.iter().filter(|(name, _)| *name != ORACLE);
    let all = own.into_iter().chain(others);
    let all = all.map(|(name, one)| (name.as_str(), one));
    let shown = figures(all, &names, words::dosed);
    match shown.is_empty() {
        true => shown,
        false => {
            let map = text(&words::map_truth(doses, &names));
            under(
                "In blocks",
                &format!("<p class=\"prose\">The block map is {map}</p>\n{shown}"),
            )
        }
    }
}

fn under(title: &str, shown: &str) -> String {
    match shown.is_empty() {
        true => String::new(),
        false => format!("<h3>{title}</h3>\n{shown}\n"),
    }
}
