//! The attribution matrix and its intervals.

use std::collections::BTreeMap;

use proofmark_stats::{Confidence, Estimate, normal_cdf, t_quantile};

use super::Level;

/// What a window showed.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Window {
    /// Mean CPU time of an iteration, ns.
    pub iteration_ns: f64,
    /// Samples per method.
    pub methods: BTreeMap<String, f64>,
    /// Samples in no Java method, those of failed stack walks included.
    pub other: f64,
    /// A method with a site was compiled meanwhile: the window says nothing.
    pub void: bool,
}

impl Window {
    /// Samples.
    pub(super) fn samples(&self) -> f64 {
        self.methods.values().sum::<f64>() + self.other
    }
}

/// A row of the matrix: where the time is reported that was put into one method. Parts are 1 for all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The site's method.
    pub method: String,
    /// Growth of the program under the low and under the high dose, as a part of its time at rest.
    pub growth: (f64, f64),
    /// The part reported in the method itself.
    pub in_place: Estimate,
    /// Parts reported in other methods whose intervals do not hold 0, largest first.
    pub elsewhere: Vec<(String, Estimate)>,
    /// The part reported in no Java method.
    pub other: Estimate,
    /// Windows that were thrown away.
    pub void_windows: usize,
}

/// Windows of one arm, each with its samples of one cell.
struct Arm {
    /// CPU time of an iteration, in units of the difference of both arms' means.
    times: Vec<f64>,
    counts: Vec<f64>,
    samples: Vec<f64>,
}

/// Smaller parts are not named.
const LEAST_NAMED: f64 = 0.02;

/// The row of a site, from its windows under the low and under the high dose. `rest_ns` is the time of an iteration at
/// rest. None if fewer than two windows of each are left, or the high dose did not slow the program.
///
/// # Accuracy
/// Intervals leave 5 % in all, by the spread from window to window (Welch's t on the residuals of the ratio); never
/// less than the number of samples allows.
#[must_use]
pub fn rows(method: &str, windows: &[(Level, Window)], rest_ns: f64) -> Option<Row> {
    let arm = |level| {
        let of_level = windows.iter().filter(move |(one, _)| *one == level);
        let good = of_level.map(|(_, window)| window);
        good.filter(|window| !window.void && window.samples() > 0.0)
            .collect::<Vec<_>>()
    };
    let (low, high) = (arm(Level::Low), arm(Level::High));
    if low.len() < 2 || high.len() < 2 {
        return None;
    }
    let mean = |arm: &[&Window]| {
        arm.iter().map(|window| window.iteration_ns).sum::<f64>() / arm.len() as f64
    };
    let (at_low, at_high) = (mean(&low), mean(&high));
    let added = at_high - at_low;
    if added <= 0.0 {
        return None;
    }
    let cell = |count: &dyn Fn(&Window) -> f64| {
        let arm = |windows: &[&Window]| Arm {
            times: windows.iter().map(|one| one.iteration_ns / added).collect(),
            counts: windows.iter().map(|one| count(one)).collect(),
            samples: windows.iter().map(|one| one.samples()).collect(),
        };
        part(&arm(&low), &arm(&high))
    };
    let of_method = |name: &str| cell(&|window| window.methods.get(name).copied().unwrap_or(0.0));
    let mut names: Vec<&str> = (low.iter().chain(&high))
        .flat_map(|window| window.methods.keys().map(String::as_str))
        .filter(|name| *name != method)
        .collect();
    names.sort_unstable();
    names.dedup();
    let mut elsewhere: Vec<(String, Estimate)> = names
        .into_iter()
        .map(|name| (name.to_owned(), of_method(name)))
        .filter(|(_, part)| !part.covers(0.0) && part.value.abs() >= LEAST_NAMED)
        .collect();
    elsewhere.sort_by(|a, b| b.1.value.abs().total_cmp(&a.1.value.abs()));
    Some(Row {
        method: method.to_owned(),
        growth: (at_low / rest_ns - 1.0, at_high / rest_ns - 1.0),
        in_place: of_method(method),
        elsewhere,
        other: cell(&|window| window.other),
        void_windows: windows.iter().filter(|(_, window)| window.void).count(),
    })
}

/// The ratio of the difference of what is reported to the difference of the times (which is 1 here), with the interval
/// from its residuals: what is reported, less the ratio times the time.
fn part(low: &Arm, high: &Arm) -> Estimate {
    let reported = |arm: &Arm| -> Vec<f64> {
        let cells = arm.counts.iter().zip(&arm.samples).zip(&arm.times);
        cells
            .map(|((count, all), time)| count / all * time)
            .collect()
    };
    let (in_low, in_high) = (reported(low), reported(high));
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let ratio = mean(&in_high) - mean(&in_low);
    let (a, b) = (
        squared_error(&in_low, low, ratio),
        squared_error(&in_high, high, ratio),
    );
    let degrees = |arm: &Arm| (arm.times.len() - 1) as f64;
    let df = (a + b).powi(2) / (a * a / degrees(low) + b * b / degrees(high));
    let df = if df.is_finite() { df.max(1.0) } else { 1.0 };
    let half = t_quantile(df, Confidence::P95) * (a + b).sqrt();
    let n = low.samples.iter().chain(&high.samples).sum::<f64>();
    Estimate::around(ratio, half, n as u64)
}

/// Squared standard error of an arm's mean residual.
fn squared_error(reported: &[f64], arm: &Arm, ratio: f64) -> f64 {
    let n = reported.len() as f64;
    let residuals: Vec<f64> = (reported.iter().zip(&arm.times))
        .map(|(reported, time)| reported - ratio * time)
        .collect();
    let mean = residuals.iter().sum::<f64>() / n;
    let spread = residuals
        .iter()
        .map(|one| (one - mean).powi(2))
        .sum::<f64>()
        / (n - 1.0);
    // Few samples may happen to be equally many in all windows.
    let (count, all) = (
        arm.counts.iter().sum::<f64>(),
        arm.samples.iter().sum::<f64>(),
    );
    let counting = if count < 25.0 {
        let share = (count + 1.0) / (all + 2.0);
        let time = arm.times.iter().sum::<f64>() / n;
        share * (1.0 - share) / all * time * time
    } else {
        0.0
    };
    (spread / n).max(counting)
}

/// Greatest probability with which a row of a right profiler is called wrong: its interval would have to lie wholly
/// outside of 1 plus and minus `tolerance`.
#[must_use]
pub fn false_alarm(in_place: &Estimate, tolerance: f64) -> f64 {
    let half = in_place.half_width();
    if half <= 0.0 {
        return 0.0;
    }
    2.0 * normal_cdf(-1.96 * (1.0 + tolerance / half))
}
