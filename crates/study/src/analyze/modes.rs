//! One method under all profilers against run time, and tests for several modes.

use std::collections::BTreeMap;

use proofmark_stats::{DipTable, benjamini_hochberg, dip, mean};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::{Settings, times};
use crate::NO_PROFILER;
use crate::agree::{hottest, profiles};
use crate::draw::Draw;
use crate::model::{Cell, Run, Study};
use crate::result::{ModeTest, Part, Quantity, Scatter, ScatterPoint};

/// Fewer runs show no modes.
const LEAST_RUNS: usize = 8;
/// Uniform samples behind a p-value: the smallest one is 1/20,001, so that one find among hundreds of tests counts.
const UNIFORM_SAMPLES: usize = 20_000;
/// False-discovery rate.
const ALARM: f64 = 0.05;

/// Per program, the method with the largest share (mean over profilers).
pub(super) fn hottest_methods(study: &Study) -> Vec<Option<usize>> {
    let all = Draw::all(study);
    let of = |p: usize| {
        let profiles = profiles(study, p, &all);
        let columns = 0..study.programs[p].methods.len();
        let over = |m: usize| profiles.iter().map(|profile| profile[m]).sum::<f64>();
        let sums: Vec<f64> = columns.map(over).collect();
        hottest(&sums, 1).first().copied()
    };
    (0..study.programs.len()).map(of).collect()
}

/// Its share against run time.
pub(super) fn scatter(study: &Study, methods: &[Option<usize>]) -> Vec<Scatter> {
    let programs = study.programs.iter().zip(methods);
    programs
        .filter_map(|(program, method)| {
            let method = (*method)?;
            let of = |cell: &Cell| {
                let points = cell.runs.iter().enumerate();
                let point = |(at, run): (usize, &Run)| {
                    Some(ScatterPoint {
                        profiler: cell.profiler.clone(),
                        run: at as u64,
                        iteration_ms: run.iteration_ms?,
                        share_pct: share(cell, run, method).unwrap_or(0.0),
                    })
                };
                points.filter_map(point).collect::<Vec<_>>()
            };
            Some(Scatter {
                program: program.name.clone(),
                method: program.methods[method].clone(),
                points: program.cells.iter().flat_map(of).collect(),
            })
        })
        .collect()
}

/// Share of a method of the program in one run, %, overloads together; none if the recording does not tell.
fn share(cell: &Cell, run: &Run, method: usize) -> Option<f64> {
    let shares = cell.methods.iter().zip(&run.shares_pct);
    let known = shares.filter(|(m, share)| m.common == method && !share.is_nan());
    known.map(|(_, share)| *share).reduce(|a, b| a + b)
}

/// Dip tests of all run times and of all shares of the hottest methods.
pub(super) fn tests(study: &Study, methods: &[Option<usize>], settings: Settings) -> Vec<ModeTest> {
    let mut tables: BTreeMap<usize, DipTable> = BTreeMap::new();
    let mut tests = Vec::new();
    let mut test = |program: &str, profiler: &str, quantity, values: Vec<f64>| {
        if values.len() < LEAST_RUNS {
            return;
        }
        let Some(dip) = dip(&spread_out(&values, settings.seed)) else {
            return;
        };
        let size = values.len();
        let table = tables
            .entry(size)
            .or_insert_with(|| DipTable::new(size, UNIFORM_SAMPLES, settings.seed));
        let result = ModeTest {
            program: program.to_owned(),
            profiler: profiler.to_owned(),
            quantity,
            runs: size as u64,
            dip,
            p_value: table.p_value(dip),
            adjusted: 1.0,
            several: false,
            parts: None,
        };
        tests.push((result, values));
    };
    for (program, method) in study.programs.iter().zip(methods) {
        let unprofiled = program.unprofiled_ms.clone();
        test(
            &program.name,
            NO_PROFILER,
            Quantity::IterationMs,
            unprofiled,
        );
        for cell in &program.cells {
            let name = &cell.profiler;
            test(
                &program.name,
                name,
                Quantity::IterationMs,
                times::times(cell),
            );
            let of = |run| method.and_then(|m| share(cell, run, m));
            let shares = cell.runs.iter().filter_map(of).collect();
            test(&program.name, name, Quantity::SharePct, shares);
        }
    }
    judged(tests)
}

fn judged(tests: Vec<(ModeTest, Vec<f64>)>) -> Vec<ModeTest> {
    let p_values: Vec<f64> = tests.iter().map(|(t, _)| t.p_value).collect();
    let adjusted = benjamini_hochberg(&p_values);
    let both = tests.into_iter().zip(adjusted);
    both.map(|((mut test, values), adjusted)| {
        test.adjusted = adjusted;
        test.several = adjusted <= ALARM;
        test.parts = test.several.then(|| parts(values));
        test
    })
    .collect()
}

/// Rounded values, spread evenly over what was rounded away: ties would look like modes.
fn spread_out(values: &[f64], seed: u64) -> Vec<f64> {
    let fits = |step: &f64| {
        values
            .iter()
            .all(|v| (v / step - (v / step).round()).abs() < 1e-6)
    };
    let Some(step) = [1.0, 0.1, 0.01, 0.001].into_iter().find(fits) else {
        return values.to_vec();
    };
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let moved = values
        .iter()
        .map(|v| v + step * (rng.random::<f64>() - 0.5));
    moved.collect()
}

/// The two parts of the ordered values with the smallest sum of squares.
fn parts(mut values: Vec<f64>) -> [Part; 2] {
    values.sort_by(f64::total_cmp);
    let squares = |part: &[f64]| {
        let centre = mean(part);
        part.iter().map(|v| (v - centre).powi(2)).sum::<f64>()
    };
    let cost = |at: &usize| squares(&values[..*at]) + squares(&values[*at..]);
    let best = (1..values.len()).min_by(|a, b| cost(a).total_cmp(&cost(b)));
    let (low, high) = values.split_at(best.unwrap_or(1));
    [low, high].map(|part| Part {
        mean: mean(part),
        runs: part.len() as u64,
    })
}

#[cfg(test)]
mod tests_of_parts {
    use super::*;

    #[test]
    fn rounding_makes_no_modes() {
        let table = DipTable::new(40, 4000, 1);
        let mut rng = ChaCha8Rng::seed_from_u64(9);
        let bell = |rng: &mut ChaCha8Rng| (0..12).map(|_| rng.random::<f64>()).sum::<f64>() / 12.0;
        let (mut raw, mut spread) = (0, 0);
        for round in 0..200 {
            let rounded = |v: f64| (v * 10.0).round() / 10.0;
            let values: Vec<f64> = (0..40).map(|_| rounded(bell(&mut rng))).collect();
            let alarm = |values: &[f64]| table.p_value(dip(values).unwrap()) <= ALARM;
            raw += usize::from(alarm(&values));
            spread += usize::from(alarm(&spread_out(&values, round)));
        }
        assert!(raw > 150 && spread < 10, "{raw} {spread}");
    }

    #[test]
    fn two_parts_by_hand() {
        let [low, high] = parts(vec![9.0, 1.0, 2.0, 3.0, 11.0]);
        assert_eq!(
            (low.mean, low.runs, high.mean, high.runs),
            (2.0, 3, 10.0, 2)
        );
    }
}
