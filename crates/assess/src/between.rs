//! Runs: the top level of every interval where there are several.
//!
//! Windows of one JVM share its code, and with it what is inlined and what debug information is left: they repeat the
//! measuring, not the compiling. A *run* collects the compiler's profiles anew and compiles anew. With several runs
//! every figure is found in each run by itself, its value is the mean over runs, and its interval is Student's over
//! them. It is never narrower than what the windows of the runs leave, for a few runs may happen to show the same.
//!
//! # Accuracy
//! Runs are independent and count the same. With two or three of them Student's quantiles are so large that hardly
//! anything is decided; from five on they are not. Simulated coverage: `crates/experiment/tests/runs.rs`.

use crate::aa::rate;
use crate::deviation::Deviation;
use crate::largest::{Limits, MOST_TIMES, decides};
use crate::{AaTest, ProfilerEvidence};
use proofmark_stats::{ClusteredShare, Confidence, Estimate, Spread, clustered_share, t_quantile};
use std::collections::{BTreeMap, BTreeSet};

/// More runs are not worth proposing.
pub const MOST_RUNS: u32 = 50;

/// Numbers of the runs, ascending; empty if there is only one.
pub(crate) fn runs_of(p: &ProfilerEvidence) -> Vec<u32> {
    let seen = p.windows.iter().map(|w| w.at.run);
    let all: BTreeSet<u32> = seen.chain(p.truth.iter().map(|w| w.at.run)).collect();
    match all.len() {
        0 | 1 => Vec::new(),
        _ => all.into_iter().collect(),
    }
}

/// The deviation over runs, from that of each run; the one of all windows together if fewer than two runs have one.
pub(crate) fn deviation(together: Deviation, runs: &[Deviation]) -> Deviation {
    if runs.len() < 2 {
        return together;
    }
    let values: Vec<(f64, Spread)> = runs.iter().map(|one| (one.points, one.spread)).collect();
    let (points, spread) = over(&values);
    Deviation {
        points,
        spread,
        runs: runs.len() as u32,
        ..together
    }
}

/// The same of several methods; each run has them in the order of `together`.
pub(crate) fn deviations(together: Vec<Deviation>, runs: &[Vec<Deviation>]) -> Vec<Deviation> {
    let over_runs = |(at, one): (usize, Deviation)| {
        let each: Vec<Deviation> = runs.iter().filter_map(|run| run.get(at).copied()).collect();
        deviation(one, &each)
    };
    together.into_iter().enumerate().map(over_runs).collect()
}

/// The pooled share of windows whose runs are given, window by window; `None` as in [`clustered_share`].
pub(crate) fn share(hits: &[f64], totals: &[f64], runs: &[u32]) -> Option<ClusteredShare> {
    let by_window = clustered_share(hits, totals)?;
    if runs.windows(2).all(|pair| pair[0] == pair[1]) {
        return Some(by_window);
    }
    let of_runs = |values: &[f64]| -> Vec<f64> {
        let mut sums: BTreeMap<u32, f64> = BTreeMap::new();
        for (run, value) in runs.iter().zip(values) {
            *sums.entry(*run).or_default() += value;
        }
        sums.into_values().collect()
    };
    let Some(mut by_run) = clustered_share(&of_runs(hits), &of_runs(totals)) else {
        return Some(by_window);
    };
    by_run.spread.floor = within(&by_window.spread);
    Some(by_run)
}

/// A ratio of total times over runs, as [`crate::totals::ratio_of`] gives it of each; `None` below two runs.
pub(crate) fn ratio(runs: &[(Estimate, f64, Spread)]) -> Option<(Estimate, f64, Spread)> {
    if runs.len() < 2 {
        return None;
    }
    let values = runs.iter().map(|(_, log, spread)| (*log, *spread));
    let values: Vec<(f64, Spread)> = values.collect();
    let (log, spread) = over(&values);
    let n = runs.iter().map(|(ratio, _, _)| ratio.n).sum();
    let ratio = Estimate::around(log, spread.half_width(Confidence::P95), n);
    Some((ratio.map_increasing(f64::exp), log, spread))
}

/// Comparisons of unslowed windows with each other, which are made inside of runs, of all runs together.
pub(crate) fn aa(runs: &[AaTest]) -> Option<AaTest> {
    let drifts = |a: &&AaTest, b: &&AaTest| a.drift_pt.value.total_cmp(&b.drift_pt.value);
    let worst = runs.iter().max_by(drifts)?;
    let alarms = runs.iter().map(|run| run.alarms).sum();
    let comparisons = runs.iter().map(|run| run.rate.n).sum();
    Some(AaTest {
        alarms,
        rate: rate(alarms, comparisons)?,
        drift: runs.iter().any(|run| run.drift),
        ..worst.clone()
    })
}

/// How many runs there would have to be for intervals that clear a limit if the errors stay what they are; `None` if
/// [`MOST_RUNS`] would not do. From one run it is not known how runs differ: then no more than their windows say.
pub(crate) fn runs_needed(deviations: &[Deviation], limits: Limits) -> Option<u32> {
    let have = deviations.iter().map(|one| one.runs).min()?;
    let decided = |runs: &u32| {
        let then = |one: &Deviation| Deviation {
            spread: after_runs(one, *runs),
            ..*one
        };
        let then: Vec<Deviation> = deviations.iter().map(then).collect();
        decides(&then, limits)
    };
    (have + 1..=MOST_RUNS).find(decided)
}

/// How many times the windows of the same runs would clear a limit; `None` if [`MOST_TIMES`] as many would not, because
/// what differs between runs stays.
pub(crate) fn windows_needed(deviations: &[Deviation], limits: Limits) -> Option<f64> {
    let decided = |times: &f64| {
        let then = |one: &Deviation| Deviation {
            spread: after_windows(&one.spread, *times),
            ..*one
        };
        let then: Vec<Deviation> = deviations.iter().map(then).collect();
        decides(&then, limits)
    };
    let steps = (1..).map(|step| STEP.powi(step));
    steps.take_while(|times| *times <= MOST_TIMES).find(decided)
}

/// Factor from one number of windows that is tried to the next.
const STEP: f64 = 1.1;

fn after_runs(one: &Deviation, runs: u32) -> Spread {
    let (have, then) = (f64::from(one.runs.max(1)), f64::from(runs));
    let each = match one.runs {
        0 | 1 => one.spread.standard_error().powi(2),
        _ => one.spread.between * have,
    };
    Spread {
        between: each / then,
        df: then - 1.0,
        floor: one.spread.floor * have / then,
    }
}

fn after_windows(spread: &Spread, times: f64) -> Spread {
    let of_windows = spread.between.min(spread.floor);
    Spread {
        between: spread.between - of_windows + of_windows / times,
        df: spread.df,
        floor: spread.floor / times,
    }
}

/// Mean over runs and its spread.
fn over(runs: &[(f64, Spread)]) -> (f64, Spread) {
    let n = runs.len() as f64;
    let mean = runs.iter().map(|(value, _)| value).sum::<f64>() / n;
    let squares = runs.iter().map(|(value, _)| (value - mean).powi(2));
    let spread = Spread {
        between: squares.sum::<f64>() / (n - 1.0) / n,
        df: n - 1.0,
        floor: runs.iter().map(|(_, spread)| within(spread)).sum::<f64>() / (n * n),
    };
    (mean, spread)
}

/// The variance whose normal 95 % interval is as wide as this spread's: what an estimate over runs is never narrower than.
fn within(spread: &Spread) -> f64 {
    let half = spread.half_width(Confidence::P95);
    (half / t_quantile(f64::INFINITY, Confidence::P95)).powi(2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deviation::Ambiguity;

    const MARGIN: Limits = Limits {
        wrong_above: 5.0,
        right_below: 5.0,
    };

    /// Of windows: standard error 0.5 points.
    fn of_run(points: f64) -> Deviation {
        Deviation {
            method: 0,
            points,
            spread: Spread {
                between: 0.25,
                df: 39.0,
                floor: 0.1,
            },
            runs: 1,
            down: 0.0,
            up: 0.0,
            ambiguity: Ambiguity::Unknown,
        }
    }

    /// 2, 4, 6, 8 and 10 points: mean 6, standard deviation 3.162, standard error 1.414, t(4) 2.776.
    #[test]
    fn five_runs_by_hand() {
        let runs = [2.0, 4.0, 6.0, 8.0, 10.0].map(of_run);
        let all = deviation(of_run(5.0), &runs);
        assert!((all.points - 6.0).abs() < 1e-12 && all.runs == 5);
        let half = all.spread.half_width(Confidence::P95);
        assert!((half - 3.926).abs() < 2e-3, "{half}");
    }

    /// Five runs that show the same have the interval of their windows: 2.023 times 0.5 over the root of 5.
    #[test]
    fn runs_that_agree_are_as_uncertain_as_their_windows() {
        let all = deviation(of_run(5.0), &[of_run(5.0); 5]);
        let half = all.spread.half_width(Confidence::P95);
        assert!((half - 2.0227 * 0.5 / 5f64.sqrt()).abs() < 1e-3, "{half}");
    }

    #[test]
    fn one_run_is_left_as_it_is() {
        let one = of_run(5.0);
        assert_eq!(deviation(one, &[of_run(9.0)]), one);
        let windows = share(&[3.0, 5.0], &[10.0, 10.0], &[4, 4]);
        assert_eq!(windows, clustered_share(&[3.0, 5.0], &[10.0, 10.0]));
    }

    /// Two runs at 20 and 40 %, whose windows agree: the windows say nothing of the 10 points between run and mean.
    #[test]
    fn a_share_spreads_as_runs_do() {
        let hits = [20.0, 20.0, 20.0, 40.0, 40.0, 40.0];
        let (of_runs, of_windows) = (
            share(&hits, &[100.0; 6], &[0, 0, 0, 1, 1, 1]).unwrap(),
            clustered_share(&hits, &[100.0; 6]).unwrap(),
        );
        assert!((of_runs.share - 0.3).abs() < 1e-12 && of_runs.spread.df == 1.0);
        assert!((of_runs.spread.standard_error() - 0.1).abs() < 1e-9);
        let half = |share: &ClusteredShare| share.spread.half_width(Confidence::P95);
        assert!(half(&of_runs) > 5.0 * half(&of_windows));
    }

    /// 4 points off at a margin of 5: windows decide where runs agree, only runs where they differ.
    #[test]
    fn what_helps_depends_on_what_differs() {
        let alike = deviation(of_run(4.0), &[4.0, 4.1, 3.9, 4.0, 4.05].map(of_run));
        assert!(decides(&[alike], MARGIN));
        let apart = deviation(of_run(4.0), &[2.0, 6.0, 4.2, 3.8, 4.0].map(of_run));
        assert!(!decides(&[apart], MARGIN));
        assert_eq!(windows_needed(&[apart], MARGIN), None);
        let runs = runs_needed(&[apart], MARGIN).unwrap();
        assert!((8..=10).contains(&runs), "{runs}");
        let noisy = Deviation {
            spread: Spread {
                between: 0.01,
                df: 4.0,
                floor: 1.0,
            },
            ..alike
        };
        let times = windows_needed(&[noisy], MARGIN).unwrap();
        assert!((3.0..4.0).contains(&times), "{times}");
    }
}
