//! Fits a hinge: flat, then a straight line.

/// `cycles = base + slope * max(0, n - free)`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hinge {
    /// Cycles with nothing inserted.
    pub base: f64,
    /// Cycles per inserted instruction beyond the free ones.
    pub slope: f64,
    /// Instructions that cost nothing.
    pub free: f64,
}

impl Hinge {
    /// Least squares over base, slope (never negative) and hinge (in steps of a quarter instruction).
    ///
    /// Two points always lie beyond the hinge, else any slope would do; a curve that stays flat gets slope 0 there.
    pub fn fit(points: &[(f64, f64)]) -> Option<Hinge> {
        let mut inserted: Vec<f64> = points.iter().map(|point| point.0).collect();
        inserted.sort_by(f64::total_cmp);
        let last = inserted.iter().rev().nth(1)?;
        let hinges = (0..=(last * 4.0) as u32).map(|quarter| f64::from(quarter) / 4.0);
        hinges
            .map(|free| Hinge::line_beyond(points, free))
            .map(|hinge| (hinge, hinge.squared_error(points)))
            .min_by(|a, b| a.1.total_cmp(&b.1))
            .map(|(hinge, _)| hinge)
    }

    /// Largest distance of a point from the fit, in cycles.
    pub fn worst_residual(&self, points: &[(f64, f64)]) -> f64 {
        points
            .iter()
            .map(|&(n, cycles)| (cycles - self.at(n)).abs())
            .fold(0.0, f64::max)
    }

    fn line_beyond(points: &[(f64, f64)], free: f64) -> Hinge {
        let count = points.len() as f64;
        let beyond = |n: f64| (n - free).max(0.0);
        let mean_x = points.iter().map(|point| beyond(point.0)).sum::<f64>() / count;
        let mean_y = points.iter().map(|point| point.1).sum::<f64>() / count;
        let covariance: f64 = points
            .iter()
            .map(|point| (beyond(point.0) - mean_x) * (point.1 - mean_y))
            .sum();
        let variance: f64 = points
            .iter()
            .map(|point| (beyond(point.0) - mean_x).powi(2))
            .sum();
        let slope = if variance > 0.0 {
            (covariance / variance).max(0.0)
        } else {
            0.0
        };
        Hinge {
            base: mean_y - slope * mean_x,
            slope,
            free,
        }
    }

    fn at(&self, n: f64) -> f64 {
        self.base + self.slope * (n - self.free).max(0.0)
    }

    fn squared_error(&self, points: &[(f64, f64)]) -> f64 {
        points
            .iter()
            .map(|&(n, cycles)| (cycles - self.at(n)).powi(2))
            .sum()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const INSERTED: [f64; 13] = [
        0.0, 4.0, 8.0, 12.0, 16.0, 20.0, 24.0, 28.0, 32.0, 40.0, 48.0, 64.0, 96.0,
    ];

    fn points(truth: Hinge) -> Vec<(f64, f64)> {
        INSERTED.iter().map(|&n| (n, truth.at(n))).collect()
    }

    proptest! {
        #[test]
        fn an_exact_hinge_is_found(base in 1.0..20.0_f64, slope in 0.1..1.0_f64, quarters in 0_u32..160) {
            let truth = Hinge { base, slope, free: f64::from(quarters) / 4.0 };
            let found = Hinge::fit(&points(truth)).unwrap();
            prop_assert!((found.slope - slope).abs() < 1e-6, "{:?} for {:?}", found, truth);
            prop_assert!((found.free - truth.free).abs() < 1e-6, "{:?} for {:?}", found, truth);
            prop_assert!(found.worst_residual(&points(truth)) < 1e-6);
        }
    }

    #[test]
    fn a_flat_or_falling_curve_has_no_slope() {
        let falling: Vec<(f64, f64)> = INSERTED.iter().map(|&n| (n, 6.0 - n / 1000.0)).collect();
        assert_eq!(Hinge::fit(&falling).unwrap().slope, 0.0);
    }

    #[test]
    fn fewer_than_two_points_are_no_curve() {
        assert_eq!(Hinge::fit(&[(0.0, 6.0)]), None);
    }
}
