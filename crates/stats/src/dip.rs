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
mod tests;
