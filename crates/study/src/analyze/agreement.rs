//! Agreement per program and per two profilers, with intervals.

use proofmark_stats::{Estimate, mean, percentile_interval};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::{Settings, enough, interval, without_interval};
use crate::agree::{Closeness, Unions, closeness, mean_profile, profiles};
use crate::draw::{Draw, replicates};
use crate::model::{Program, Study};
use crate::result::{Agreement, Group, Interval, Pair};

/// Random halves of a profiler's runs that are compared with each other.
const HALVES: usize = 100;

/// One entry per program.
pub(super) fn agreement(study: &Study, settings: Settings) -> Vec<Agreement> {
    let all = Draw::all(study);
    let unions = |p: usize, draw: &Draw| Unions::of(&profiles(study, p, draw));
    let seen: Vec<Unions> = (0..study.programs.len()).map(|p| unions(p, &all)).collect();
    let drawn = replicates(study, settings.resampling(), |draw| {
        let each = |(p, seen): (usize, &Unions)| {
            let now = unions(p, draw);
            let same = f64::from(u8::from(now.groups == seen.groups));
            [now.hottest as f64, now.top as f64, same]
        };
        seen.iter().enumerate().flat_map(each).collect()
    });
    let programs = study.programs.iter().zip(&seen).enumerate();
    programs
        .map(|(p, (program, seen))| {
            let columns = drawn.get(p * 3..p * 3 + 3).unwrap_or_default();
            let known = program.cells.iter().all(enough) && columns.len() == 3;
            one(program, seen, if known { columns } else { &[] })
        })
        .collect()
}

fn one(program: &Program, seen: &Unions, columns: &[Vec<f64>]) -> Agreement {
    let ends = |at: usize, value: usize| -> Option<Interval> {
        let estimate = percentile_interval(value as f64, columns.get(at)?, 0)?;
        Some(interval(estimate, 0.0, f64::MAX))
    };
    let group = |(method, cells): (&usize, &Vec<usize>)| Group {
        method: program.methods[*method].clone(),
        profilers: cells
            .iter()
            .map(|c| program.cells[*c].profiler.clone())
            .collect(),
    };
    let mut groups: Vec<Group> = seen.groups.iter().map(group).collect();
    groups.sort_by_key(|g| std::cmp::Reverse(g.profilers.len()));
    Agreement {
        program: program.name.clone(),
        union_hottest: seen.hottest as u64,
        union_hottest_interval: ends(0, seen.hottest),
        union_top5: seen.top as u64,
        union_top5_interval: ends(1, seen.top),
        groups,
        groups_support: columns.get(2).map(|same| mean(same)),
    }
}

/// Every two profilers, then every profiler with itself.
pub(super) fn pairs(study: &Study, settings: Settings) -> Vec<Pair> {
    let names = study.profilers();
    let pairs: Vec<(&str, &str)> = names
        .iter()
        .enumerate()
        .flat_map(|(i, a)| names[i + 1..].iter().map(move |b| (*a, *b)))
        .collect();
    let cells: Vec<Vec<[usize; 3]>> = pairs.iter().map(|(a, b)| common(study, a, b)).collect();
    let all = between(study, &cells, &Draw::all(study));
    let drawn = replicates(study, settings.resampling(), |draw| {
        let each = between(study, &cells, draw);
        each.into_iter().flat_map(flat).collect()
    });
    let of_two = pairs
        .iter()
        .enumerate()
        .filter(|(at, _)| all[*at].programs > 0);
    let mut out: Vec<Pair> = of_two
        .map(|(at, (a, b))| {
            let known = cells[at].iter().all(|[p, i, j]| {
                let of = &study.programs[*p].cells;
                enough(&of[*i]) && enough(&of[*j])
            });
            let columns = drawn.get(at * 3..at * 3 + 3).filter(|_| known);
            pair((a, b), all[at], columns)
        })
        .collect();
    out.extend(with_itself(study, &names, settings));
    out
}

/// Program and both cells, for every program that both profilers recorded.
fn common(study: &Study, a: &str, b: &str) -> Vec<[usize; 3]> {
    let programs = study.programs.iter().enumerate();
    let at = |program: &Program, name: &str| program.cells.iter().position(|c| c.profiler == name);
    programs
        .filter_map(|(p, program)| Some([p, at(program, a)?, at(program, b)?]))
        .collect()
}

fn between(study: &Study, pairs: &[Vec<[usize; 3]>], draw: &Draw) -> Vec<Closeness> {
    let programs = 0..study.programs.len();
    let means: Vec<Vec<Vec<f64>>> = programs.map(|p| profiles(study, p, draw)).collect();
    let one = |cells: &Vec<[usize; 3]>| {
        let both = |[p, i, j]: &[usize; 3]| (&means[*p][*i][..], &means[*p][*j][..]);
        closeness(&cells.iter().map(both).collect::<Vec<_>>())
    };
    pairs.iter().map(one).collect()
}

fn flat(c: Closeness) -> [f64; 3] {
    [c.same_hottest as f64, 100.0 * c.overlap, c.jensen_shannon]
}

fn pair((a, b): (&str, &str), seen: Closeness, columns: Option<&[Vec<f64>]>) -> Pair {
    let value = flat(seen);
    let figure = |at: usize| -> Estimate {
        let n = seen.programs;
        let known = columns.and_then(|columns| percentile_interval(value[at], &columns[at], n));
        known.unwrap_or_else(|| without_interval(value[at], n))
    };
    Pair {
        a: a.to_owned(),
        b: b.to_owned(),
        same_hottest: figure(0),
        overlap_pct: figure(1),
        jensen_shannon: figure(2),
    }
}

/// One half of every profiler's runs against the other: what noise alone does to these figures.
fn with_itself(study: &Study, names: &[&str], settings: Settings) -> Vec<Pair> {
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut drawn: Vec<Vec<Closeness>> = vec![Vec::new(); names.len()];
    for _ in 0..HALVES.min(settings.resamples) {
        let draw = Draw::shuffled(study, &mut rng);
        for (name, drawn) in names.iter().zip(&mut drawn) {
            drawn.push(halves(study, name, &draw));
        }
    }
    let known = names.iter().zip(drawn);
    known
        .filter_map(|(name, drawn)| {
            let programs = drawn.first().map(|c| c.programs).filter(|n| *n > 0)?;
            let column = |at: usize| drawn.iter().map(|c| flat(*c)[at]).collect::<Vec<f64>>();
            let cells = study.cells().map(|(_, cell)| cell);
            let enough_runs = cells.filter(|cell| cell.profiler == *name).all(enough);
            let figure = |at: usize| {
                let values = column(at);
                let value = mean(&values);
                match enough_runs {
                    true => percentile_interval(value, &values, programs),
                    false => Some(without_interval(value, programs)),
                }
            };
            Some(Pair {
                a: (*name).to_owned(),
                b: (*name).to_owned(),
                same_hottest: figure(0)?,
                overlap_pct: figure(1)?,
                jensen_shannon: figure(2)?,
            })
        })
        .collect()
}

fn halves(study: &Study, name: &str, draw: &Draw) -> Closeness {
    let mut both = Vec::new();
    for (p, program) in study.programs.iter().enumerate() {
        let cells = program.cells.iter().enumerate();
        for (c, cell) in cells.filter(|(_, c)| c.profiler == name && c.runs.len() >= 2) {
            let (a, b) = draw.runs(p, c).split_at(cell.runs.len() / 2);
            both.push((
                mean_profile(program, cell, a),
                mean_profile(program, cell, b),
            ));
        }
    }
    let slices: Vec<(&[f64], &[f64])> = both.iter().map(|(a, b)| (&a[..], &b[..])).collect();
    closeness(&slices)
}
