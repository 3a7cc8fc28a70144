//! Figures per profiler with intervals.

use std::collections::BTreeMap;

use proofmark_stats::mirrored_interval;

use super::{Settings, enough, interval};
use crate::draw::{Draw, replicates};
use crate::figures::Figures;
use crate::model::Study;
use crate::result::{DistinctHottest, Interval, Intervals, ProfilerFigures};

/// Precision and reliability of every profiler.
pub(super) fn figures(study: &Study, settings: Settings) -> BTreeMap<String, ProfilerFigures> {
    let names = study.profilers();
    let drawn = replicates(study, settings.resampling(), |draw| {
        let each = |name: &&str| Figures::of(study, name, draw).flat();
        names.iter().flat_map(each).collect()
    });
    let all = Draw::all(study);
    let one = |(at, name): (usize, &&str)| {
        let figures = Figures::of(study, name, &all);
        let width = figures.flat().len();
        let intervals = drawn
            .get(at * width..(at + 1) * width)
            .filter(|_| of(study, name).all(enough))
            .and_then(|columns| intervals(&figures, columns));
        ((*name).to_owned(), result(study, name, figures, intervals))
    };
    names.iter().enumerate().map(one).collect()
}

fn of<'a>(study: &'a Study, name: &'a str) -> impl Iterator<Item = &'a crate::model::Cell> {
    let cells = study.cells().map(|(_, cell)| cell);
    cells.filter(move |cell| cell.profiler == name)
}

fn intervals(figures: &Figures, columns: &[Vec<f64>]) -> Option<Intervals> {
    let value = figures.flat();
    let of = |at: usize, ceiling: f64| -> Option<Interval> {
        Some(interval(
            mirrored_interval(value[at], &columns[at], 0)?,
            0.0,
            ceiling,
        ))
    };
    Some(Intervals {
        unstable_methods: of(0, f64::MAX)?,
        max_difference_pt: of(1, 100.0)?,
        median_difference_pt: of(2, 100.0)?,
        lower_quartile_pt: of(3, 100.0)?,
        upper_quartile_pt: of(4, 100.0)?,
        distinct_hottest_median: of(5, f64::MAX)?,
        distinct_hottest_max: of(6, f64::MAX)?,
    })
}

fn result(
    study: &Study,
    name: &str,
    figures: Figures,
    intervals: Option<Intervals>,
) -> ProfilerFigures {
    ProfilerFigures {
        runs: of(study, name).map(|cell| cell.runs.len() as u64).sum(),
        unstable_methods: figures.unstable,
        max_difference_pt: figures.quantile(1.0),
        median_difference_pt: figures.quantile(0.5),
        lower_quartile_pt: figures.quantile(0.25),
        upper_quartile_pt: figures.quantile(0.75),
        distinct_hottest: DistinctHottest {
            median: figures.hottest_median,
            max: figures.hottest_max,
        },
        differences_pt: figures.differences,
        intervals,
        overhead_pct: None,
    }
}
