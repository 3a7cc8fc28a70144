//! What a profiler shows of the program as it is, and slowed: a uniform slowdown moves no share.

use std::collections::BTreeMap;

use proofmark_stats::{Estimate, mean_t};

use super::{MethodView, View};
use crate::lab::{Lab, LabError, ProfiledWindow, Variant, WindowSpec};

/// Pairs of windows, one as it is and one slowed.
const PAIRS: usize = 8;
/// Length of a window, s.
const WINDOW_S: f64 = 0.5;
/// Placements of a window.
const PLACEMENTS: usize = 4;
/// Methods that are compared, those with the largest shares of the program as it is.
pub(super) const TOP: usize = 6;

type Shares = BTreeMap<String, f64>;

/// Runs pairs of windows under the profiler, in the order ABBA. `profiler`: its name, and where its files go.
///
/// # Errors
/// When the process or the profiler fails.
pub(super) fn view(
    lab: &mut dyn Lab,
    slowed: &Variant,
    profiler: (&str, &str),
) -> Result<View, LabError> {
    lab.start_profiler(profiler.0, profiler.1)?;
    let normal = lab.baseline();
    let mut order = Vec::new();
    for pair in 0..PAIRS {
        let pair = if pair % 2 == 0 { [0, 1] } else { [1, 0] };
        order.extend(pair);
    }
    for (at, which) in order.iter().enumerate() {
        let label = format!("w{at:03}");
        let spec = WindowSpec {
            label: &label,
            seconds: WINDOW_S / PLACEMENTS as f64,
            iterations: 1,
            rate_hz: None,
        };
        let variant = if *which == 0 { &normal } else { slowed };
        lab.window(&spec, std::slice::from_ref(variant), &[0; PLACEMENTS])?;
    }
    let seen = lab.stop_profiler()?;
    let arm = |wanted: usize| -> Vec<Shares> {
        let of_arm = seen
            .iter()
            .zip(&order)
            .filter(|(_, which)| **which == wanted);
        of_arm.map(|(window, _)| samples(window)).collect()
    };
    Ok(compared(profiler.0, &arm(0), &arm(1)))
}

/// Samples per method.
fn samples(window: &ProfiledWindow) -> Shares {
    let mut all = Shares::new();
    for (method, weight) in &window.methods {
        *all.entry(method.to_string()).or_default() += weight;
    }
    all
}

/// Shares of both arms and their mean squared difference.
///
/// # Accuracy
/// The interval is Student's over pseudo-values, one pair left out at a time (jackknife). The noise is what the two halves
/// of the windows of the program as it is differ by, halved, because each has half of the samples.
fn compared(profiler: &str, normal: &[Shares], slowed: &[Shares]) -> View {
    let all = |_: usize| true;
    let before = shares(normal, all);
    let mut top: Vec<(&String, &f64)> = before.iter().collect();
    top.sort_by(|a, b| b.1.total_cmp(a.1));
    let top: Vec<String> = top
        .iter()
        .take(TOP)
        .map(|(name, _)| (*name).clone())
        .collect();
    let squared = |a: &Shares, b: &Shares| -> f64 {
        let one = |name: &String| {
            let of = |all: &Shares| all.get(name).copied().unwrap_or(0.0);
            (of(a) - of(b)).powi(2)
        };
        top.iter().map(one).sum::<f64>() / top.len().max(1) as f64
    };
    let after = shares(slowed, all);
    let whole = squared(&before, &after);
    let n = normal.len().min(slowed.len());
    let left_out = |at: usize| {
        let but = |one: usize| one != at;
        squared(&shares(normal, but), &shares(slowed, but))
    };
    let values: Vec<f64> = (0..n)
        .map(|at| n as f64 * whole - (n as f64 - 1.0) * left_out(at))
        .collect();
    let interval = mean_t(&values);
    let halves = [0, 1].map(|half| shares(normal, |at| at % 2 == half));
    let method = |name: &String| MethodView {
        method: name.clone(),
        normal_pct: before.get(name).copied().unwrap_or(0.0),
        slowed_pct: after.get(name).copied().unwrap_or(0.0),
    };
    let count = |arm: &[Shares]| arm.iter().flat_map(|one| one.values()).sum::<f64>();
    View {
        profiler: profiler.to_owned(),
        mean_squared_error: Estimate {
            value: whole,
            low: interval.map_or(0.0, |one| one.low.max(0.0)).min(whole),
            high: interval.map_or(f64::MAX, |one| one.high).max(whole),
            n: (count(normal) + count(slowed)) as u64,
        },
        noise: 0.5 * squared(&halves[0], &halves[1]),
        methods: top.iter().map(method).collect(),
    }
}

/// Shares over some of the windows, %.
fn shares(windows: &[Shares], which: impl Fn(usize) -> bool) -> Shares {
    let mut all = Shares::new();
    for (_, window) in windows.iter().enumerate().filter(|(at, _)| which(*at)) {
        for (name, count) in window {
            *all.entry(name.clone()).or_default() += count;
        }
    }
    let total: f64 = all.values().sum();
    all.values_mut()
        .for_each(|count| *count *= 100.0 / total.max(1.0));
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(a: f64, b: f64) -> Shares {
        BTreeMap::from([("A.a".into(), a), ("A.b".into(), b)])
    }

    #[test]
    fn shares_that_move_have_a_squared_error_beyond_the_noise() {
        let normal = [
            window(60.0, 40.0),
            window(62.0, 38.0),
            window(58.0, 42.0),
            window(60.0, 40.0),
        ];
        let same = [
            window(61.0, 39.0),
            window(59.0, 41.0),
            window(60.0, 40.0),
            window(60.0, 40.0),
        ];
        let still = compared("p", &normal, &same);
        assert_eq!(still.mean_squared_error.value, 0.0);
        let other = normal
            .clone()
            .map(|one| window(one["A.a"] + 10.0, one["A.b"] - 10.0));
        let moved = compared("p", &normal, &other);
        assert!((moved.mean_squared_error.value - 100.0).abs() < 1e-9);
        assert!(
            moved.mean_squared_error.low > 90.0 && moved.noise < 3.0,
            "{moved:?}"
        );
        assert_eq!(moved.methods[0].method, "A.a");
        assert_eq!(moved.mean_squared_error.n, 800);
    }
}
