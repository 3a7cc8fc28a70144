//! Small dense matrices: a search has at most a dozen plans, so nothing clever is needed.

/// A square symmetric matrix, row by row.
pub(crate) type Matrix = Vec<Vec<f64>>;

/// Inverse of a symmetric positive definite matrix by Gauss-Jordan elimination.
pub(crate) fn inverse(matrix: &Matrix) -> Matrix {
    let n = matrix.len();
    let mut left = matrix.clone();
    let mut right: Matrix = (0..n).map(|i| unit_vector(n, i)).collect();
    for column in 0..n {
        let pivot = left[column][column].max(f64::MIN_POSITIVE);
        scale(&mut left[column], 1.0 / pivot);
        scale(&mut right[column], 1.0 / pivot);
        let (pivot_left, pivot_right) = (left[column].clone(), right[column].clone());
        for row in (0..n).filter(|&row| row != column) {
            let factor = left[row][column];
            subtract(&mut left[row], &pivot_left, factor);
            subtract(&mut right[row], &pivot_right, factor);
        }
    }
    right
}

/// `matrix * vector`.
pub(crate) fn times(matrix: &Matrix, vector: &[f64]) -> Vec<f64> {
    matrix.iter().map(|row| dot(row, vector)).collect()
}

/// Inner product.
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

fn unit_vector(n: usize, i: usize) -> Vec<f64> {
    let mut v = vec![0.0; n];
    v[i] = 1.0;
    v
}

fn scale(row: &mut [f64], factor: f64) {
    row.iter_mut().for_each(|x| *x *= factor);
}

fn subtract(row: &mut [f64], other: &[f64], factor: f64) {
    row.iter_mut()
        .zip(other)
        .for_each(|(x, y)| *x -= factor * y);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inverse_of_a_hand_worked_matrix() {
        // det = 4*3 - 2*2 = 8
        let inverse = inverse(&vec![vec![4.0, 2.0], vec![2.0, 3.0]]);
        let expected = [[0.375, -0.25], [-0.25, 0.5]];
        for (row, want) in inverse.iter().zip(expected) {
            for (x, y) in row.iter().zip(want) {
                assert!((x - y).abs() < 1e-12);
            }
        }
    }
}
