//! Many tests at once: adjusted p-values.
//!
//! Each function returns, in the order given, the smallest family-wise (or false-discovery) level at which that test is
//! still significant; compare with 0.05.

/// Holm's step-down procedure (Holm 1979): family-wise level, never less powerful than multiplying by the number of tests.
#[must_use]
pub fn holm(p_values: &[f64]) -> Vec<f64> {
    let m = p_values.len();
    let mut adjusted = vec![1.0; m];
    let mut running: f64 = 0.0;
    for (rank, index) in ascending(p_values).into_iter().enumerate() {
        running = running.max((p_values[index] * (m - rank) as f64).min(1.0));
        adjusted[index] = running;
    }
    adjusted
}

/// Benjamini and Hochberg's step-up procedure (1995): false-discovery rate.
#[must_use]
pub fn benjamini_hochberg(p_values: &[f64]) -> Vec<f64> {
    let m = p_values.len();
    let mut adjusted = vec![1.0; m];
    let mut running: f64 = 1.0;
    for (rank, index) in ascending(p_values).into_iter().enumerate().rev() {
        running = running.min(p_values[index] * m as f64 / (rank + 1) as f64);
        adjusted[index] = running;
    }
    adjusted
}

fn ascending(p_values: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..p_values.len()).collect();
    order.sort_by(|a, b| p_values[*a].total_cmp(&p_values[*b]));
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(got: &[f64], want: &[f64]) {
        assert_eq!(got.len(), want.len());
        for (g, w) in got.iter().zip(want) {
            assert!((g - w).abs() < 1e-12, "{got:?} instead of {want:?}");
        }
    }

    /// R: `p.adjust(c(0.01, 0.04, 0.03, 0.005), m)` for "holm", "BH".
    #[test]
    fn as_p_adjust_in_r() {
        let p = [0.01, 0.04, 0.03, 0.005];
        close(&holm(&p), &[0.03, 0.06, 0.06, 0.02]);
        close(&benjamini_hochberg(&p), &[0.02, 0.04, 0.04, 0.02]);
    }

    #[test]
    fn empty_and_certain() {
        assert!(holm(&[]).is_empty());
        close(&holm(&[1.0, 1.0]), &[1.0, 1.0]);
    }
}
