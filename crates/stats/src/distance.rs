//! Distances between two profiles over the same methods (or contexts), in the same order.
//!
//! Weights need not be normalised; `None` if the lengths differ, a weight is negative or a side has no weight.

/// Sum of the smaller shares: 1 equal, 0 disjoint (the overlap percentage of Komorium, as a share).
#[must_use]
pub fn overlap(a: &[f64], b: &[f64]) -> Option<f64> {
    Some(shares(a, b)?.map(|(p, q)| p.min(q)).sum())
}

/// Jensen-Shannon distance with base 2: square root of the divergence (Endres and Schindelin 2003); 0 equal, 1 disjoint.
#[must_use]
pub fn jensen_shannon(a: &[f64], b: &[f64]) -> Option<f64> {
    let part = |p: f64, m: f64| if p > 0.0 { p * (p / m).log2() } else { 0.0 };
    let divergence: f64 = shares(a, b)?
        .map(|(p, q)| {
            let m = (p + q) / 2.0;
            (part(p, m) + part(q, m)) / 2.0
        })
        .sum();
    Some(divergence.clamp(0.0, 1.0).sqrt())
}

fn shares<'a>(a: &'a [f64], b: &'a [f64]) -> Option<impl Iterator<Item = (f64, f64)> + 'a> {
    let (sa, sb): (f64, f64) = (a.iter().sum(), b.iter().sum());
    let sound = a.len() == b.len() && sa > 0.0 && sb > 0.0 && a.iter().chain(b).all(|w| *w >= 0.0);
    sound.then(|| a.iter().zip(b).map(move |(x, y)| (x / sa, y / sb)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// scipy.spatial.distance.jensenshannon([.5, .5, 0], [.25, .25, .5], 2) = 0.5579230.
    #[test]
    fn known_distances() {
        let (a, b) = ([0.5, 0.5, 0.0], [0.25, 0.25, 0.5]);
        assert!((overlap(&a, &b).unwrap() - 0.5).abs() < 1e-12);
        assert!((jensen_shannon(&a, &b).unwrap() - 0.557_923).abs() < 1e-6);
    }

    #[test]
    fn equal_disjoint_and_scale() {
        let both = |a: &[f64], b: &[f64]| (overlap(a, b).unwrap(), jensen_shannon(a, b).unwrap());
        let (common, apart) = both(&[1.0, 3.0], &[10.0, 30.0]);
        assert!((common - 1.0).abs() < 1e-12 && apart < 1e-6);
        assert_eq!(both(&[1.0, 0.0], &[0.0, 2.0]), (0.0, 1.0));
    }

    #[test]
    fn unusable_profiles() {
        assert_eq!(overlap(&[0.0], &[1.0]), None);
        assert_eq!(overlap(&[1.0, 2.0], &[1.0]), None);
        assert_eq!(overlap(&[1.0, -0.5], &[1.0, 1.0]), None);
    }
}
