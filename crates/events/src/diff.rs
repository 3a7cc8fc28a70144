//! Which events differ between two configurations by more than their runs differ among themselves.

use proofmark_stats::{
    Confidence, Estimate, Spread, benjamini_hochberg, mean, median, sample_variance,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Events per iteration differ by so much (relative) within equal runs because of garbage collections and
/// allocation buffers, even where the few runs at hand agree to the last event.
const LEAST_SPREAD: f64 = 0.0005;
/// False discoveries among the metrics that are listed.
const RATE: f64 = 0.05;
/// Standard errors beyond the threshold at which four of five changes lie above it (quantile of the normal distribution).
const FOUR_OF_FIVE: f64 = 0.841_621;
/// Halvings of the larger count: the smallest change is found to a millionth of a per cent of it.
const HALVINGS: u32 = 27;

/// A number that was measured in several runs of both configurations.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Metric {
    /// What is counted: an event type.
    pub event: String,
    /// The unit it is counted in; none for the whole program.
    pub unit: Option<String>,
    /// Per run of the program, one value per JVM of the first configuration.
    pub a: Vec<f64>,
    /// The same for the second configuration.
    pub b: Vec<f64>,
}

/// A metric that differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Difference {
    /// Event type.
    pub event: String,
    /// Unit; null for the whole program.
    pub unit: Option<String>,
    /// Events per run of the program in the first configuration; n counts JVMs.
    pub a: Estimate,
    /// Events per run of the program in the second configuration.
    pub b: Estimate,
    /// `b - a`, events per run of the program.
    pub change: Estimate,
    /// `(b - a) / max(a, b)`, in %: -100 to 100.
    pub change_pct: f64,
    /// Adjusted p-value (Benjamini and Hochberg) over all metrics compared.
    pub q: f64,
}

/// What was compared and what differs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Differences {
    /// Metrics compared.
    pub compared: usize,
    /// Share `t`: smaller relative changes are not listed.
    pub threshold: f64,
    /// Smallest change, % of the larger count, that would have been found in four of five cases if it were the only one:
    /// the median of the metrics, at least the threshold, at most 100; none without metrics.
    pub detectable_pct: Option<f64>,
    /// Those that differ, the largest change in events per run of the program first.
    pub found: Vec<Difference>,
}

/// Finds the metrics whose means differ by more than `threshold` times the larger of both, and by more than the
/// spread between runs explains: false-discovery rate 5 % over all metrics (Benjamini and Hochberg 1995).
///
/// # Accuracy
/// Welch's test on run means, with a floor of 0.05 % of the mean on the spread: metrics that are equal in all runs
/// have no spread to learn from. A metric needs two runs on either side; others are left out.
#[must_use]
pub fn differences(metrics: &[Metric], threshold: f64) -> Differences {
    let tested: Vec<Tested> = metrics.iter().filter_map(test).collect();
    let p: Vec<f64> = tested.iter().map(|one| one.p).collect();
    let q = benjamini_hochberg(&p);
    let detectable = tested.iter().map(|one| one.detectable_pct(p.len()));
    let detectable: Vec<f64> = detectable.map(|pct| pct.max(100.0 * threshold)).collect();
    let mut found: Vec<Difference> = tested
        .into_iter()
        .zip(q)
        .map(|(one, q)| Difference {
            q,
            ..one.difference
        })
        .filter(|d| d.q <= RATE && d.change_pct.abs() > 100.0 * threshold)
        .collect();
    found.sort_by(|x, y| {
        let size = y.change.value.abs().total_cmp(&x.change.value.abs());
        size.then_with(|| (&x.event, &x.unit).cmp(&(&y.event, &y.unit)))
    });
    Differences {
        compared: p.len(),
        threshold,
        detectable_pct: median(&detectable),
        found,
    }
}

/// A metric that was compared.
struct Tested {
    difference: Difference,
    /// Spread of the change.
    spread: Spread,
    p: f64,
}

impl Tested {
    /// The smallest change that would have been found among so many metrics, % of the larger count. At most 100.
    fn detectable_pct(&self, metrics: usize) -> f64 {
        let needed = RATE / metrics.max(1) as f64;
        let largest = self.difference.a.value.max(self.difference.b.value);
        let (mut low, mut high) = (0.0, largest);
        for _ in 0..HALVINGS {
            let middle = 0.5 * (low + high);
            if self.spread.p_value(middle) <= needed {
                high = middle;
            } else {
                low = middle;
            }
        }
        let change = high + FOUR_OF_FIVE * self.spread.standard_error();
        (100.0 * change / largest).min(100.0)
    }
}

fn test(metric: &Metric) -> Option<Tested> {
    let (a, spread_a) = summary(&metric.a)?;
    let (b, spread_b) = summary(&metric.b)?;
    let largest = a.value.max(b.value);
    if largest <= 0.0 {
        return None;
    }
    let change = b.value - a.value;
    let spread = spread_a.plus(&spread_b);
    let difference = Difference {
        event: metric.event.clone(),
        unit: metric.unit.clone(),
        change: Estimate::around(change, spread.half_width(Confidence::P95), a.n + b.n),
        a,
        b,
        change_pct: 100.0 * change / largest,
        q: 1.0,
    };
    Some(Tested {
        difference,
        p: spread.p_value(change),
        spread,
    })
}

fn summary(values: &[f64]) -> Option<(Estimate, Spread)> {
    let variance = sample_variance(values)?;
    let n = values.len() as f64;
    let centre = mean(values);
    let mut spread = Spread::from_variance(variance / n, n - 1.0);
    spread.floor = (LEAST_SPREAD * centre).powi(2) / n;
    let half = spread.half_width(Confidence::P95);
    Some((Estimate::around(centre, half, values.len() as u64), spread))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn metric(event: &str, a: &[f64], b: &[f64]) -> Metric {
        Metric {
            event: event.into(),
            unit: None,
            a: a.to_vec(),
            b: b.to_vec(),
        }
    }

    #[test]
    fn a_change_beyond_the_spread_is_found_and_noise_is_not() {
        let metrics = [
            metric("load", &[100.0, 100.0, 100.0], &[150.0, 150.0, 150.0]),
            metric("store", &[100.0, 180.0, 60.0], &[150.0, 90.0, 170.0]),
            metric("if", &[1000.0, 1001.0, 999.0], &[1030.0, 1031.0, 1029.0]),
            metric("cas", &[0.0, 0.0, 0.0], &[0.0, 0.0, 0.0]),
        ];
        let result = differences(&metrics, 0.1);
        let names: Vec<&str> = result.found.iter().map(|d| d.event.as_str()).collect();
        assert_eq!(names, ["load"]);
        assert_eq!(result.compared, 3);
        assert!((result.found[0].change_pct - 33.333).abs() < 0.01);
        assert!(result.found[0].change.covers(50.0) && result.found[0].change.low > 49.0);
    }

    #[test]
    fn sides_swapped_give_the_opposite_change() {
        let there = differences(&[metric("load", &[3.0, 3.1], &[9.0, 9.2])], 0.1);
        let back = differences(&[metric("load", &[9.0, 9.2], &[3.0, 3.1])], 0.1);
        assert!((there.found[0].change_pct + back.found[0].change_pct).abs() < 1e-9);
    }

    #[test]
    fn the_largest_change_comes_first() {
        let metrics = [
            metric("unwind", &[1.0, 1.0], &[2.0, 2.0]),
            metric("load", &[1e6, 1e6], &[2e6, 2e6]),
        ];
        let found = differences(&metrics, 0.1).found;
        assert_eq!(found[0].event, "load");
        assert_eq!(found[1].event, "unwind");
    }

    #[test]
    fn the_smallest_change_that_would_be_found_grows_with_the_spread() {
        let detectable = |a: &[f64], b: &[f64], threshold: f64| {
            let found = differences(&[metric("load", a, b)], threshold);
            found.detectable_pct.unwrap()
        };
        let equal = [100.0, 100.0, 100.0];
        let quiet = detectable(&equal, &equal, 0.0);
        assert!((0.1..0.13).contains(&quiet), "{quiet}");
        let noisy = detectable(&[100.0, 102.0, 98.0], &[100.0, 103.0, 97.0], 0.0);
        assert!((3.0..20.0).contains(&noisy), "{noisy}");
        assert_eq!(detectable(&equal, &equal, 0.1), 10.0);
        let noise = detectable(&[100.0, 180.0, 60.0], &[150.0, 90.0, 170.0], 0.1);
        assert_eq!(noise, 100.0);
        assert_eq!(differences(&[], 0.1).detectable_pct, None);
    }

    #[test]
    fn one_run_is_no_evidence() {
        assert_eq!(
            differences(&[metric("load", &[1.0], &[9.0])], 0.1).compared,
            0
        );
    }
}
