//! Does a sample come from a distribution with more than one mode? Hartigan and Hartigan's dip test (1985).

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// The dip: largest distance between the sample's distribution function and the nearest unimodal one, 1/(2n) to 1/4.
/// `None` below four values or if one is not finite.
///
/// Algorithm of Hartigan (AS 217, 1985) with Maechler's corrections: the modal interval shrinks until the greatest
/// convex minorant on its left and the least concave majorant on its right cannot come closer.
#[must_use]
pub fn dip(values: &[f64]) -> Option<f64> {
    if values.len() < 4 || values.iter().any(|v| !v.is_finite()) {
        return None;
    }
    let mut x = values.to_vec();
    x.sort_by(f64::total_cmp);
    let last = x.len() - 1;
    let mut dip = 1.0;
    if x[0] < x[last] {
        let (minorant, majorant) = (minorant(&x), majorant(&x));
        let (mut low, mut high) = (0, last);
        loop {
            let left = chain(high, |at| at > low, &minorant);
            let right = chain(low, |at| at < high, &majorant);
            let (gap, in_left, in_right) = widest_gap(&x, &left, &right);
            if gap < dip {
                break;
            }
            let below = left[in_left..]
                .windows(2)
                .map(|w| above_chord(&x, w[1], w[0]));
            let above = right[in_right..]
                .windows(2)
                .map(|w| below_chord(&x, w[0], w[1]));
            dip = below.chain(above).fold(dip, f64::max);
            if (low, high) == (left[in_left], right[in_right]) {
                break;
            }
            (low, high) = (left[in_left], right[in_right]);
        }
    }
    Some(dip / (2.0 * x.len() as f64))
}

/// Per point, its neighbour to the left on the greatest convex minorant of the points up to it.
fn minorant(x: &[f64]) -> Vec<usize> {
    let mut next = vec![0; x.len()];
    for j in 1..x.len() {
        next[j] = j - 1;
        while next[j] != 0 {
            let (a, b) = (next[j], next[next[j]]);
            if (x[j] - x[a]) * (a - b) as f64 >= (x[a] - x[b]) * (j - a) as f64 {
                next[j] = b;
            } else {
                break;
            }
        }
    }
    next
}

/// Per point, its neighbour to the right on the least concave majorant of the points from it on.
fn majorant(x: &[f64]) -> Vec<usize> {
    let last = x.len() - 1;
    let mut next = vec![last; x.len()];
    for k in (0..last).rev() {
        next[k] = k + 1;
        while next[k] != last {
            let (a, b) = (next[k], next[next[k]]);
            if (x[a] - x[k]) * (b - a) as f64 >= (x[b] - x[a]) * (a - k) as f64 {
                next[k] = b;
            } else {
                break;
            }
        }
    }
    next
}

fn chain(from: usize, goes_on: impl Fn(usize) -> bool, next: &[usize]) -> Vec<usize> {
    let mut points = vec![from];
    let mut at = from;
    while goes_on(at) {
        at = next[at];
        points.push(at);
    }
    points
}

/// Largest vertical distance between the minorant (from right to left) and the majorant (from left to right), in steps
/// of the distribution function, and the places in both chains where it is.
fn widest_gap(x: &[f64], left: &[usize], right: &[usize]) -> (f64, usize, usize) {
    let (mut in_left, mut in_right) = (left.len() - 1, right.len() - 1);
    if left.len() == 2 && right.len() == 2 {
        return (1.0, in_left, in_right);
    }
    let mut gap = 0.0;
    let (mut l, mut r) = (left.len() - 2, 1);
    loop {
        let (from, to) = (left[l], right[r]);
        if from > to {
            let before = left[l + 1];
            let slope = (from - before) as f64 / (x[from] - x[before]);
            let here = (to as f64 - before as f64 + 1.0) - (x[to] - x[before]) * slope;
            r += 1;
            if here >= gap {
                (gap, in_left, in_right) = (here, l + 1, r - 1);
            }
        } else {
            let before = right[r - 1];
            let slope = (to - before) as f64 / (x[to] - x[before]);
            let here = (x[from] - x[before]) * slope - (from as f64 - before as f64 - 1.0);
            if here >= gap {
                (gap, in_left, in_right) = (here, l, r);
            }
            l = l.saturating_sub(1);
        }
        r = r.min(right.len() - 1);
        if left[l] == right[r] {
            return (gap, in_left, in_right);
        }
    }
}

/// How far the distribution function rises above the chord between two points; one step at least.
fn above_chord(x: &[f64], from: usize, to: usize) -> f64 {
    over_chord(x, from, to, |steps, chord| steps + 1.0 - chord)
}

/// How far it falls below the chord.
fn below_chord(x: &[f64], from: usize, to: usize) -> f64 {
    over_chord(x, from, to, |steps, chord| chord - (steps - 1.0))
}

fn over_chord(x: &[f64], from: usize, to: usize, distance: impl Fn(f64, f64) -> f64) -> f64 {
    if to - from <= 1 || x[to] == x[from] {
        return 1.0;
    }
    let slope = (to - from) as f64 / (x[to] - x[from]);
    let at = |i: usize| distance((i - from) as f64, (x[i] - x[from]) * slope);
    (from..=to).map(at).fold(1.0, f64::max)
}

/// Dips of uniform samples of one size: what a single flat mode shows. Seeded.
#[derive(Debug, Clone)]
pub struct DipTable {
    ascending: Vec<f64>,
}

impl DipTable {
    /// `times` uniform samples of `size` values; 2,000 give p-values near 0.05 to about 0.005. Empty below four values.
    #[must_use]
    pub fn new(size: usize, times: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed ^ (size as u64) << 32);
        let mut draw = || dip(&(0..size).map(|_| rng.random::<f64>()).collect::<Vec<f64>>());
        let mut ascending: Vec<f64> = (0..times).filter_map(|_| draw()).collect();
        ascending.sort_by(f64::total_cmp);
        Self { ascending }
    }

    /// Probability of such a dip or a larger one from a uniform sample: `(1 + larger) / (1 + all)`.
    ///
    /// # Accuracy
    /// Among unimodal distributions the uniform one has about the largest dips, so that the rate of false alarms is at
    /// most nominal, and far below for a normal distribution. 30 values show two equal modes that are eight standard
    /// deviations apart in over 95 %, modes of 70 and 30 % in about 60 %: small or near modes stay unseen. Values that are rounded
    /// coarsely look like many modes; spread them out first.
    #[must_use]
    pub fn p_value(&self, dip: f64) -> f64 {
        let below = self.ascending.partition_point(|known| *known < dip);
        (self.ascending.len() - below + 1) as f64 / (self.ascending.len() + 1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ages of R's `statfaculty`: `dip` of package diptest gives 0.05952381, p = 0.087.
    const AGES: [f64; 63] = [
        30., 33., 35., 36., 37., 37., 39., 39., 39., 39., 39., 40., 40., 40., 40., 41., 42., 43.,
        43., 43., 44., 44., 45., 45., 46., 46., 47., 47., 48., 48., 48., 49., 50., 50., 51., 52.,
        52., 53., 53., 53., 53., 53., 54., 54., 57., 57., 59., 60., 60., 60., 61., 61., 61., 61.,
        62., 62., 62., 62., 63., 66., 70., 72., 72.,
    ];

    /// Whether a unimodal function with its mode at point `k` stays within `d` of the distribution function: the
    /// largest convex function below the upper limits must reach the lower ones, and mirrored on the right.
    fn fits(x: &[f64], k: usize, d: f64) -> bool {
        let n = x.len() as f64;
        let left: Vec<(f64, f64, f64)> = (0..=k)
            .map(|i| {
                (
                    x[i],
                    i as f64 / n + d,
                    if i < k { (i + 1) as f64 / n - d } else { -1.0 },
                )
            })
            .collect();
        let right: Vec<(f64, f64, f64)> = (k..x.len())
            .rev()
            .map(|i| {
                let low = (i + 1) as f64 / n - d;
                (
                    -x[i],
                    1.0 - low,
                    if i > k {
                        1.0 - (i as f64 / n + d)
                    } else {
                        -1.0
                    },
                )
            })
            .collect();
        // Where both sides meet, the left one must not be above the right one.
        convex_fits(&left)
            && convex_fits(&right)
            && least_end(&left) + least_end(&right) <= 1.0 + 1e-12
    }

    /// Smallest value that a convex function between the limits can have at its last point.
    fn least_end(points: &[(f64, f64, f64)]) -> f64 {
        let end = points[points.len() - 1].0;
        let mut least = 0.0f64;
        for (at, b) in points.iter().enumerate().filter(|(_, b)| b.2 >= 0.0) {
            least = least.max(b.2);
            for a in points[..at].iter().filter(|a| a.0 < b.0) {
                least = least.max(b.2 + (b.2 - a.1) / (b.0 - a.0) * (end - b.0));
            }
        }
        least
    }

    /// `(x, upper, lower)` in ascending x.
    fn convex_fits(points: &[(f64, f64, f64)]) -> bool {
        let under = |at: f64| {
            let mut least = f64::INFINITY;
            for a in points.iter().filter(|p| p.0 <= at) {
                for b in points.iter().filter(|p| p.0 >= at) {
                    let part = if b.0 > a.0 {
                        (at - a.0) / (b.0 - a.0)
                    } else {
                        0.0
                    };
                    let value = if b.0 > a.0 {
                        a.1 + part * (b.1 - a.1)
                    } else {
                        a.1.min(b.1)
                    };
                    least = least.min(value);
                }
            }
            least
        };
        points.iter().all(|p| under(p.0) >= p.2 - 1e-12)
    }

    fn slow_dip(values: &[f64]) -> f64 {
        let mut x = values.to_vec();
        x.sort_by(f64::total_cmp);
        let best = |k: usize| {
            let (mut low, mut high) = (0.5 / x.len() as f64, 0.5);
            for _ in 0..40 {
                let middle = (low + high) / 2.0;
                if fits(&x, k, middle) {
                    high = middle
                } else {
                    low = middle
                }
            }
            high
        };
        (0..x.len()).map(best).fold(f64::INFINITY, f64::min)
    }

    #[test]
    fn as_the_slow_search_over_all_modes() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for round in 0..60 {
            let n = 4 + round % 12;
            let gap = f64::from(u32::try_from(round % 4).unwrap());
            let values: Vec<f64> = (0..n)
                .map(|_| rng.random::<f64>() + if rng.random_bool(0.4) { gap } else { 0.0 })
                .collect();
            let (fast, slow) = (dip(&values).unwrap(), slow_dip(&values));
            assert!((fast - slow).abs() < 1e-8, "{values:?}: {fast} {slow}");
        }
    }

    #[test]
    fn known_dips() {
        assert!((dip(&AGES).unwrap() - 0.059_523_81).abs() < 1e-7);
        let p = DipTable::new(63, 2000, 1).p_value(0.059_523_81);
        assert!((p - 0.087).abs() < 0.02, "{p}");
        let level: Vec<f64> = (0..20).map(f64::from).collect();
        assert!((dip(&level).unwrap() - 0.025).abs() < 1e-12, "1/(2n)");
        let two = [0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
        assert!((dip(&two).unwrap() - 0.25).abs() < 1e-12);
        assert_eq!(dip(&[1.0, 2.0, 3.0]), None);
        assert_eq!(dip(&[1.0, 2.0, 3.0, f64::NAN]), None);
    }

    #[test]
    fn order_scale_and_shift_do_not_matter() {
        let turned: Vec<f64> = AGES.iter().rev().map(|v| 100.0 - 3.0 * v).collect();
        assert!((dip(&turned).unwrap() - dip(&AGES).unwrap()).abs() < 1e-12);
    }

    /// 30 values: uniform ones alarm at the nominal rate, normal ones hardly ever, two modes eight standard deviations
    /// apart nearly always if they are equal, in about 60 % if one has 30 %.
    #[test]
    fn rates_of_alarms() {
        let table = DipTable::new(30, 2000, 7);
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let mut rate = |draw: &dyn Fn(&mut ChaCha8Rng) -> f64| {
            let alarms = (0..1000).filter(|_| {
                let values: Vec<f64> = (0..30).map(|_| draw(&mut rng)).collect();
                table.p_value(dip(&values).unwrap()) <= 0.05
            });
            alarms.count() as f64 / 1000.0
        };
        let bell = |r: &mut ChaCha8Rng| (0..12).map(|_| r.random::<f64>()).sum::<f64>();
        let uniform = rate(&|r| r.random());
        assert!((0.03..=0.07).contains(&uniform), "{uniform}");
        assert!(rate(&bell) < 0.02);
        let two = rate(&|r| bell(r) + if r.random_bool(0.5) { 8.0 } else { 0.0 });
        assert!(two > 0.95, "{two}");
        let uneven = rate(&|r| bell(r) + if r.random_bool(0.3) { 8.0 } else { 0.0 });
        assert!((0.45..0.75).contains(&uneven), "{uneven}");
    }
}
