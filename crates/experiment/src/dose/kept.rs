//! Added time of which a profiler has no sample at all.
//!
//! The matrix is made of shares of the samples that there are. A profiler that drops samples where time was added, without
//! saying so, may show the right shares there; how many samples it takes in a second of the program's time gives it away.

use proofmark_rules::{DOSE_COUNTED_PART, DOSE_LEAST_PAIRS};
use proofmark_stats::{Confidence, Estimate, t_quantile};

use super::Window;

/// The part of the time added between low and high windows, pair by pair, that left no sample: 1 less what the samples
/// stand for, each for as much time as one under the low dose does,
///
/// ```text
/// 1 - sum(q T_high - T_low) / sum(T_high - T_low),    q = samples per CPU second, high against low
/// ```
///
/// Below 0 where there are more samples than before: some were lost of the program's own code then (JFR). A window without any sample
/// counts like others. None where windows have no CPU time, or those of an arm no sample at all, or all
/// high ones together take no longer than the low ones.
///
/// # Accuracy
/// Student's interval over the pairs' values of q, never less than twice as many samples as were taken, by a Poisson
/// process, would leave: timers tick more evenly than that.
pub(super) fn missing(low: &[&Window], high: &[&Window]) -> Option<Estimate> {
    let pairs: Vec<(f64, f64)> = low
        .iter()
        .zip(high)
        .map(|(low, high)| Some((rate(low)?, rate(high)?)))
        .collect::<Option<_>>()?;
    let samples = |all: &[&Window]| all.iter().map(|one| one.samples()).sum::<f64>();
    let (in_low, in_high) = (samples(low), samples(high));
    let n = pairs.len() as f64;
    if pairs.len() < DOSE_LEAST_PAIRS || in_low <= 0.0 || in_high <= 0.0 {
        return None;
    }
    let time = |all: &[&Window]| all.iter().map(|one| one.iteration_ns).sum::<f64>();
    let (before, after) = (time(low), time(high));
    if after <= before {
        return None;
    }
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (at_low, at_high) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let ratio = at_high / at_low;
    let residuals = pairs
        .iter()
        .map(|(low, high)| (high - ratio * low) / at_low);
    let spread = residuals.map(|one| one * one).sum::<f64>() / (n - 1.0) / n;
    let counted = ratio * ratio * (1.0 / in_low + 1.0 / in_high) * DOSE_COUNTED_PART;
    let half = t_quantile(n - 1.0, Confidence::P95) * spread.max(counted).sqrt();
    let weight = after / (after - before);
    Some(Estimate::around(
        1.0 - (ratio * after - before) / (after - before),
        half * weight,
        (in_low + in_high) as u64,
    ))
}

/// The same of a profiler that samples by the clock on the wall, and code outside of Java also while its thread has no processor: a
/// second of such code then leaves more samples than one of Java, which is what is added. How many more is not known. So this is what
/// samples in Java methods alone say, as if all other code took no time, where that is less: less cannot be missing. Its upper end is
/// that of what all samples say. The value is no middle: it is what means over JVMs are made of, and a range would shrink there.
pub(super) fn missing_between(low: &[&Window], high: &[&Window]) -> Option<Estimate> {
    let all = missing(low, high)?;
    let in_java = |windows: &[&Window]| -> Vec<Window> {
        let windows = windows.iter().map(|one| Window {
            other: 0.0,
            ..(*one).clone()
        });
        windows.collect()
    };
    let (low, high) = (in_java(low), in_java(high));
    let [low, high] = [&low, &high].map(|windows| windows.iter().collect::<Vec<_>>());
    let java = missing(&low, &high)?;
    let least = if java.value < all.value { java } else { all };
    Some(Estimate {
        high: all.high.max(least.high),
        ..least
    })
}

/// Samples per second of CPU time.
fn rate(window: &Window) -> Option<f64> {
    (window.cpu_ns > 0.0).then(|| window.samples() / window.cpu_ns * 1e9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;
    use std::collections::BTreeMap;

    /// A window of 0.3 s with an iteration time in units of that at rest.
    fn window(iteration: f64, per_s: f64, random: &mut ChaCha8Rng) -> Window {
        let cpu_s = 0.3;
        let expected = per_s * cpu_s;
        // A timer that is off by a few per cent, and the ends of windows.
        let samples =
            expected * (1.0 + 0.03 * (random.random::<f64>() - 0.5)) + random.random::<f64>();
        Window {
            iteration_ns: iteration * 1e6,
            cpu_ns: cpu_s * 1e9,
            methods: BTreeMap::from([("A.get".into(), samples.round())]),
            ..Window::default()
        }
    }

    fn found(low_per_s: f64, high_per_s: f64, seed: u64) -> Estimate {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut arm = |iteration, per_s| -> Vec<Window> {
            (0..8)
                .map(|_| window(iteration, per_s, &mut random))
                .collect()
        };
        let (low, high) = (arm(1.5, low_per_s), arm(9.0, high_per_s));
        let refs = |all: &'static [Window]| all.iter().collect::<Vec<_>>();
        missing(&refs(low.leak()), &refs(high.leak())).unwrap()
    }

    #[test]
    fn dropped_samples_are_missing_and_the_others_are_not() {
        for seed in 0..50 {
            let none = found(1000.0, 1000.0, seed);
            assert!(none.high < 0.15 && none.low > -0.15, "{none:?}");
            // 37 of 100 samples dropped under the high dose: 1 - (0.63 * 9 - 1.5) / 7.5 = 44 % of what was added.
            let some = found(1000.0, 630.0, seed);
            assert!(some.covers(0.444), "{some:?}");
            assert!(some.low > 0.3, "{some:?}");
        }
    }

    /// 0.6 of 1 at rest is native code, which is sampled twice as often as Java. No sample of what is added is missing.
    #[test]
    fn native_code_that_is_sampled_more_often_makes_none_missing() {
        let window = |iteration: f64| {
            let per_iteration = |ns: f64| (100.0 * ns).round();
            Window {
                iteration_ns: iteration * 1e6,
                cpu_ns: iteration * 1e8,
                methods: BTreeMap::from([("A.get".into(), per_iteration(iteration - 0.6))]),
                other: per_iteration(1.2),
                ..Window::default()
            }
        };
        let (low, high) = (window(1.5), window(9.0));
        let (low, high) = ([&low; 8], [&high; 8]);
        let all = missing(&low, &high).expect("samples");
        assert!(all.low > 0.2, "{all:?}");
        let between = missing_between(&low, &high).expect("samples");
        assert!(between.value < 0.0 && between.low < between.value);
        assert_eq!(between.high, all.high, "{between:?}");
    }

    #[test]
    fn without_times_or_samples_nothing_is_said() {
        let untimed = Window::default();
        let empty = Window {
            cpu_ns: 3e8,
            ..Window::default()
        };
        let full = Window {
            methods: BTreeMap::from([("A.get".into(), 100.0)]),
            ..empty.clone()
        };
        let slower = Window {
            iteration_ns: 2e6,
            ..full.clone()
        };
        let faster = [(&slower, &slower), (&slower, &full)];
        let none = [(&untimed, &untimed), (&empty, &slower), (&full, &empty)];
        for (low, high) in none.into_iter().chain(faster) {
            assert_eq!(missing(&[low; 4], &[high; 4]), None);
        }
    }
}
