//! Do profilers name the same methods? Hottest methods, groups, overlap and distance of mean profiles.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_stats::{jensen_shannon, mean, overlap};

use crate::draw::Draw;
use crate::model::{Cell, Program, Study};

/// How many of the hottest methods are compared.
pub const TOP: usize = 5;

/// Mean share per method of the program, %, over these runs; what a recording does not list counts as zero.
pub(crate) fn mean_profile(program: &Program, cell: &Cell, runs: &[usize]) -> Vec<f64> {
    let mut sums = vec![0.0; program.methods.len()];
    for run in runs.iter().map(|at| &cell.runs[*at]) {
        for method in &run.reported {
            sums[cell.methods[*method].common] += run.shares_pct[*method];
        }
    }
    let count = runs.len().max(1) as f64;
    sums.iter_mut().for_each(|sum| *sum /= count);
    sums
}

/// The hottest methods, at most so many; equal ones by name.
pub(crate) fn hottest(profile: &[f64], count: usize) -> Vec<usize> {
    let mut order: Vec<usize> = (0..profile.len()).filter(|m| profile[*m] > 0.0).collect();
    order.sort_by(|a, b| profile[*b].total_cmp(&profile[*a]).then(a.cmp(b)));
    order.truncate(count);
    order
}

/// Mean profiles of one program, one per cell.
pub(crate) fn profiles(study: &Study, program: usize, draw: &Draw) -> Vec<Vec<f64>> {
    let of = &study.programs[program];
    let cells = of.cells.iter().enumerate();
    cells
        .map(|(c, cell)| mean_profile(of, cell, draw.runs(program, c)))
        .collect()
}

/// Agreement on one program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Unions {
    pub(crate) hottest: usize,
    pub(crate) top: usize,
    /// Cells by the method that they name.
    pub(crate) groups: BTreeMap<usize, Vec<usize>>,
}

impl Unions {
    /// From the mean profiles of all cells.
    pub(crate) fn of(profiles: &[Vec<f64>]) -> Self {
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        let mut top = BTreeSet::new();
        for (cell, profile) in profiles.iter().enumerate() {
            let methods = hottest(profile, TOP);
            if let Some(first) = methods.first() {
                groups.entry(*first).or_default().push(cell);
            }
            top.extend(methods);
        }
        Self {
            hottest: groups.len(),
            top: top.len(),
            groups,
        }
    }
}

/// Two profilers over the programs that both recorded.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Closeness {
    pub(crate) programs: u64,
    pub(crate) same_hottest: u64,
    /// 0 to 1.
    pub(crate) overlap: f64,
    /// 0 to 1.
    pub(crate) jensen_shannon: f64,
}

/// Closeness over these pairs of mean profiles, one pair per program.
pub(crate) fn closeness(pairs: &[(&[f64], &[f64])]) -> Closeness {
    let same = |(a, b): &&(&[f64], &[f64])| hottest(a, 1) == hottest(b, 1);
    let over = |f: fn(&[f64], &[f64]) -> Option<f64>| {
        let values: Vec<f64> = pairs.iter().filter_map(|(a, b)| f(a, b)).collect();
        if values.is_empty() {
            0.0
        } else {
            mean(&values)
        }
    };
    Closeness {
        programs: pairs.len() as u64,
        same_hottest: pairs.iter().filter(same).count() as u64,
        overlap: over(overlap),
        jensen_shannon: over(jensen_shannon),
    }
}
