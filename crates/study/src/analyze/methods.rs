//! Figures per method with intervals.

use proofmark_stats::{Estimate, mirrored_interval, percentile_interval};

use super::{Settings, enough, without_interval};
use crate::draw::{Draw, replicates};
use crate::figures::{Tally, UNSTABLE_PCT, tallies};
use crate::model::{Cell, Program, Study};
use crate::result::MethodFigures;

/// One method of one cell.
struct Chosen<'a> {
    program: &'a Program,
    cell: &'a Cell,
    method: usize,
    hottest_in: u64,
    tally: Tally,
}

/// Methods with a mean share that counts, and those that were hottest at least once; hottest first in every cell.
pub(super) fn methods(study: &Study, settings: Settings) -> Vec<MethodFigures> {
    let chosen = choose(study);
    let drawn = replicates(study, settings.resampling(), |draw| {
        let mut figures = Vec::with_capacity(chosen.len() * 2);
        let mut rest = &chosen[..];
        for (p, program) in study.programs.iter().enumerate() {
            for (c, cell) in program.cells.iter().enumerate() {
                let here = rest.partition_point(|m| std::ptr::eq(m.cell, cell));
                let now = tallies(cell, draw.runs(p, c));
                for method in &rest[..here] {
                    let tally = &now[method.method];
                    figures.extend([tally.mean(), tally.difference()]);
                }
                rest = &rest[here..];
            }
        }
        figures
    });
    let each = chosen.iter().enumerate();
    each.map(|(at, m)| result(m, drawn.get(at * 2..at * 2 + 2)))
        .collect()
}

fn choose(study: &Study) -> Vec<Chosen<'_>> {
    let all = Draw::all(study);
    let mut chosen = Vec::new();
    for (p, program) in study.programs.iter().enumerate() {
        for (c, cell) in program.cells.iter().enumerate() {
            let tallies = tallies(cell, all.runs(p, c));
            let mut here: Vec<Chosen<'_>> = tallies
                .into_iter()
                .enumerate()
                .map(|(method, tally)| {
                    let hottest = cell.runs.iter().filter(|r| r.hottest == Some(method));
                    Chosen {
                        program,
                        cell,
                        method,
                        hottest_in: hottest.count() as u64,
                        tally,
                    }
                })
                .filter(|m| m.hottest_in > 0 || m.tally.mean() >= UNSTABLE_PCT)
                .collect();
            here.sort_by(|a, b| b.tally.mean().total_cmp(&a.tally.mean()));
            chosen.extend(here);
        }
    }
    chosen
}

fn result(m: &Chosen<'_>, columns: Option<&[Vec<f64>]>) -> MethodFigures {
    let runs = m.cell.runs.len() as u64;
    let columns = columns.filter(|_| enough(m.cell));
    let (mean, difference) = (m.tally.mean(), m.tally.difference());
    let known = |f: fn(f64, &[f64], u64) -> Option<Estimate>, value: f64, at: usize| {
        let estimate = columns.and_then(|c| f(value, &c[at], m.tally.known));
        estimate.map_or_else(
            || without_interval(value, m.tally.known),
            |e| e.clamped(0.0, 100.0),
        )
    };
    MethodFigures {
        program: m.program.name.clone(),
        profiler: m.cell.profiler.clone(),
        method: m.cell.methods[m.method].identity.clone(),
        runs,
        listed_in: m.tally.listed,
        hottest_in: m.hottest_in,
        mean_pct: known(percentile_interval, mean, 0),
        min_pct: m.tally.min,
        max_pct: m.tally.max,
        difference_pt: known(mirrored_interval, difference, 1),
        unstable: m.tally.unstable(runs),
    }
}
