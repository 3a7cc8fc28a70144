//! The attribution matrix and its intervals.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_rules::{DOSE_ENOUGH_SAMPLES, DOSE_LEAST_NAMED, DOSE_LEAST_PAIRS};
use proofmark_stats::{Confidence, Estimate, Spread, mean, t_quantile};
use serde::Serialize;

use super::growth::growth;
use super::kept::{self, missing};
use super::{Level, Truth};

/// What a window showed.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Window {
    /// Mean CPU time of an iteration, ns.
    pub iteration_ns: f64,
    /// CPU time of all of them, ns; 0 where it is not known.
    pub cpu_ns: f64,
    /// Samples per method.
    pub methods: BTreeMap<String, f64>,
    /// Those of them at the site's line of its own method; none where no lines are told.
    pub at_line: Option<f64>,
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

    fn of_method(&self, name: &str) -> f64 {
        self.methods.get(name).copied().unwrap_or(0.0)
    }
}

/// A row of the matrix: where the time is reported that was put into one method. Parts are 1 for all of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Row {
    /// The site's method.
    pub method: String,
    /// Growth of the program under the low and under the high dose, as a part of its time at rest; n counts pairs of windows, or
    /// JVMs.
    pub growth: [Estimate; 2],
    /// The part reported in the method itself.
    pub in_place: Estimate,
    /// What is right there: all of it, unless more is known of the site.
    pub truth: Truth,
    /// The part reported at the site's line; none where no lines are told.
    pub at_line: Option<Estimate>,
    /// Parts reported in other methods whose intervals do not hold 0, largest first.
    pub elsewhere: Vec<(String, Estimate)>,
    /// Parts reported in all other methods, named above or not.
    pub parts: BTreeMap<String, f64>,
    /// The part reported in no Java method.
    pub other: Estimate,
    /// The part of which there is no sample; none where CPU times are not known.
    pub missing: Option<Estimate>,
    /// Windows that were thrown away.
    pub void_windows: usize,
    /// Degrees of freedom of its intervals: pairs of windows less one, or JVMs less one.
    pub df: f64,
    /// Those of what is missing: pairs in which a window has no sample count there, too.
    pub missing_df: f64,
}

impl Row {
    /// Growth under the low and under the high dose, without intervals.
    #[must_use]
    pub fn grown(&self) -> (f64, f64) {
        (self.growth[0].value, self.growth[1].value)
    }

    /// The same with intervals of another confidence than 95 %: of what is in place, at the line, and missing.
    pub(super) fn with(&self, confidence: Confidence) -> Self {
        let at = |part: &Estimate, df: f64| {
            let wider = t_quantile(df, confidence) / t_quantile(df, Confidence::P95);
            Estimate {
                low: part.value - wider * (part.value - part.low),
                high: part.value + wider * (part.high - part.value),
                ..*part
            }
        };
        let at_line = self.at_line.as_ref();
        let missing = self.missing.as_ref();
        Self {
            in_place: at(&self.in_place, self.df),
            at_line: at_line.map(|part| at(part, self.df)),
            missing: missing.map(|part| at(part, self.missing_df)),
            ..self.clone()
        }
    }
}

/// Windows of one arm, each with its samples of one cell.
struct Arm {
    /// CPU time of an iteration, in units of the difference of both arms' means.
    times: Vec<f64>,
    counts: Vec<f64>,
    samples: Vec<f64>,
}

impl Arm {
    fn of(windows: &[&Window], added: f64, count: &dyn Fn(&Window) -> f64) -> Self {
        Self {
            times: windows.iter().map(|one| one.iteration_ns / added).collect(),
            counts: windows.iter().map(|one| count(one)).collect(),
            samples: windows.iter().map(|one| one.samples()).collect(),
        }
    }

    /// Time that the profiler reports in the cell, per window.
    fn reported(&self) -> Vec<f64> {
        let cells = self.counts.iter().zip(&self.samples).zip(&self.times);
        cells
            .map(|((count, all), time)| count / all * time)
            .collect()
    }
}

/// The row of a site, from its windows under the low and under the high dose. `rest` are times of an iteration in
/// windows at rest, ns. None if fewer than two pairs of windows are left, or the high dose did not slow the program.
///
/// The first window under the low dose and the first under the high one are a pair, and so on. They follow each other, so
/// that what slows the machine for longer than a pair of windows slows both and drops out. A pair with a window that is
/// void, or has no samples, does not count; for what is missing only void ones do not.
///
/// # Accuracy
/// Intervals leave 5 % in all, by the spread from pair to pair (Student's t on the residuals of the ratio); never less
/// than the number of samples allows.
#[must_use]
pub fn rows(method: &str, windows: &[(Level, Window)], rest: &[f64]) -> Option<Row> {
    let (low, high) = pairs(windows);
    if low.len() < DOSE_LEAST_PAIRS {
        return None;
    }
    let times = |arm: &[&Window]| -> Vec<f64> { arm.iter().map(|one| one.iteration_ns).collect() };
    let (at_low, at_high) = (times(&low), times(&high));
    let added = mean(&at_high) - mean(&at_low);
    if added <= 0.0 {
        return None;
    }
    let cell = |count: &dyn Fn(&Window) -> f64| {
        part(&Arm::of(&low, added, count), &Arm::of(&high, added, count))
    };
    let of_method = |name: &str| cell(&|window| window.of_method(name));
    let names: BTreeSet<&str> = (low.iter().chain(&high))
        .flat_map(|window| window.methods.keys().map(String::as_str))
        .filter(|name| *name != method)
        .collect();
    let all: Vec<(String, Estimate)> = names
        .into_iter()
        .map(|name| (name.to_owned(), of_method(name)))
        .collect();
    let lines = low.iter().chain(&high).all(|one| one.at_line.is_some());
    Some(Row {
        method: method.to_owned(),
        growth: [growth(rest, &at_low), growth(rest, &at_high)],
        in_place: of_method(method),
        truth: Truth::CLOCK,
        at_line: lines.then(|| cell(&|window| window.at_line.unwrap_or(0.0))),
        parts: (all.iter())
            .map(|(name, part)| (name.clone(), part.value))
            .collect(),
        elsewhere: named(all),
        other: cell(&|window| window.other),
        missing: missing_of(windows),
        void_windows: windows.iter().filter(|(_, window)| window.void).count(),
        df: (low.len() - 1) as f64,
        missing_df: quiet(windows).len().saturating_sub(1) as f64,
    })
}

/// What left no sample of a profiler that samples code outside of Java by another clock than Java.
pub(super) fn missing_between(windows: &[(Level, Window)]) -> Option<Estimate> {
    let (low, high): (Vec<&Window>, Vec<&Window>) = quiet(windows).into_iter().unzip();
    kept::missing_between(&low, &high)
}

/// What left no sample. Windows without any count too: who loses whole windows under a high dose loses what was added.
fn missing_of(windows: &[(Level, Window)]) -> Option<Estimate> {
    let (low, high): (Vec<&Window>, Vec<&Window>) = quiet(windows).into_iter().unzip();
    missing(&low, &high)
}

/// Windows that can be used, pair by pair.
fn pairs(windows: &[(Level, Window)]) -> (Vec<&Window>, Vec<&Window>) {
    quiet(windows).into_iter().filter(is_seen).unzip()
}

/// Pairs of windows in neither of which a method with a site was compiled.
fn quiet(windows: &[(Level, Window)]) -> Vec<(&Window, &Window)> {
    let arm = |level| {
        let of_level = windows.iter().filter(move |(one, _)| *one == level);
        of_level.map(|(_, window)| window)
    };
    let both = arm(Level::Low).zip(arm(Level::High));
    both.filter(|(low, high)| !low.void && !high.void).collect()
}

/// Whether both windows of a pair have samples.
fn is_seen((low, high): &(&Window, &Window)) -> bool {
    low.samples() > 0.0 && high.samples() > 0.0
}

/// What keeps windows from giving a row ([`rows`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lacking {
    /// Too few pairs in which nothing was compiled: that says nothing of the profiler.
    Quiet,
    /// Too few of these have samples.
    Samples,
    /// The high dose did not slow the program beyond the low one.
    Growth,
}

/// Why windows gave no row.
#[must_use]
pub fn lacking(windows: &[(Level, Window)]) -> Lacking {
    let quiet = quiet(windows);
    let seen = quiet.iter().filter(|pair| is_seen(pair)).count();
    if quiet.len() < DOSE_LEAST_PAIRS {
        Lacking::Quiet
    } else if seen < DOSE_LEAST_PAIRS {
        Lacking::Samples
    } else {
        Lacking::Growth
    }
}

/// Parts that are surely not 0 and large enough to be named, largest first.
fn named(mut all: Vec<(String, Estimate)>) -> Vec<(String, Estimate)> {
    all.retain(|(_, part)| !part.covers(0.0) && part.value.abs() >= DOSE_LEAST_NAMED);
    all.sort_by(|a, b| b.1.value.abs().total_cmp(&a.1.value.abs()));
    all
}

/// The ratio of the difference of what is reported to the difference of the times (which is 1 here), with the interval
/// from its residuals: what is reported, less the ratio times the time.
fn part(low: &Arm, high: &Arm) -> Estimate {
    let (in_low, in_high) = (low.reported(), high.reported());
    let n = in_low.len() as f64;
    let ratio = (in_high.iter().sum::<f64>() - in_low.iter().sum::<f64>()) / n;
    let residuals: Vec<f64> = (0..in_low.len())
        .map(|at| in_high[at] - in_low[at] - ratio * (high.times[at] - low.times[at]))
        .collect();
    // Their mean is 0.
    let spread = residuals.iter().map(|one| one * one).sum::<f64>() / (n - 1.0);
    let squared = (spread / n).max(counting(low) + counting(high));
    let half = t_quantile(n - 1.0, Confidence::P95) * squared.sqrt();
    let samples = low.samples.iter().chain(&high.samples).sum::<f64>();
    Estimate::around(ratio, half, samples as u64)
}

/// Squared standard error of what an arm reports, from the number of samples alone; 0 where there are so many in the cell
/// and outside of it that the windows' spread says it. Few samples may happen to be equally many in all windows.
fn counting(arm: &Arm) -> f64 {
    let (count, all) = (
        arm.counts.iter().sum::<f64>(),
        arm.samples.iter().sum::<f64>(),
    );
    if count.min(all - count) >= DOSE_ENOUGH_SAMPLES {
        return 0.0;
    }
    let share = (count + 1.0) / (all + 2.0);
    let time = arm.times.iter().sum::<f64>() / arm.times.len() as f64;
    share * (1.0 - share) / all * time * time
}

/// Greatest probability with which a row of a right profiler is called wrong: the interval of this confidence of its part in
/// place would have to lie wholly outside of 1 plus and minus `tolerance`, or that of what is missing wholly above `tolerance`.
///
/// # Accuracy
/// Student's tail, with the row's own degrees of freedom and the spread that was seen.
#[must_use]
pub fn false_alarm(row: &Row, confidence: Confidence, tolerance: f64) -> f64 {
    let in_place = alarm_of(&row.in_place, row.df, confidence, tolerance);
    in_place + missing_alarm(row, confidence, tolerance)
}

/// The same by what is missing alone: too little of it is no alarm.
pub(super) fn missing_alarm(row: &Row, confidence: Confidence, tolerance: f64) -> f64 {
    let missing = row.missing.as_ref();
    let of = |part| alarm_of(part, row.missing_df, confidence, tolerance);
    missing.map_or(0.0, |part| of(part) / 2.0)
}

/// Probability that the interval of a part of a row, with so many degrees of freedom, lies wholly further than the tolerance from what it
/// should be.
fn alarm_of(part: &Estimate, df: f64, confidence: Confidence, tolerance: f64) -> f64 {
    // Over JVMs an interval may be cut at one of its ends.
    let half = (part.value - part.low).max(part.high - part.value);
    let standard_error = half / t_quantile(df, Confidence::P95);
    alarm(standard_error, df, confidence, tolerance)
}

/// The same of a part with this standard error, which has so many degrees of freedom.
pub(super) fn alarm(standard_error: f64, df: f64, confidence: Confidence, tolerance: f64) -> f64 {
    if standard_error <= 0.0 {
        return 0.0;
    }
    let away = t_quantile(df, confidence) + tolerance / standard_error;
    Spread::from_variance(1.0, df).p_value(away)
}
