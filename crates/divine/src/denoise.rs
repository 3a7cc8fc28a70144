//! Mean absolute error with the measuring noise removed.
//!
//! A block's measured miss is `d_hat = d + noise` with a known standard error, so `mean |d_hat|`
//! is too large; `|d|` has no unbiased estimator for a single block, but the distribution of d over
//! the blocks can be deconvolved. It is taken as a mixture of normals of mean 0 on a fixed grid of
//! widths (adaptive shrinkage: Stephens, Biostatistics 18, 2017), fitted by weighted EM to
//! `d_hat ~ sum_j pi_j N(0, width_j² + se²)`. Then, with the posterior of each block,
//!
//! `mean |d| = sum_b w_b sum_j P(j | d_hat_b) E|N(d_hat v/(v + se²), v se²/(v + se²))|, v = width_j²`
//!
//! and likewise the part of the time within some distance of the target.
//!
//! *Accuracy.* Biased by less than 1 point for 24 to 60 blocks with standard errors of 3 to 12
//! points (tests): -0.3 to -0.9 where the true misses are normal, shifted, or a few large ones among
//! small ones (the raw error: +1.3 to +3.8), +0.8 where they are all 0 (raw: +4.0).

use proofmark_stats::{folded_normal_mean, normal_cdf};

/// A measured miss of something that weighs so much; points.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Miss {
    pub(crate) weight: f64,
    pub(crate) miss: f64,
    pub(crate) se: f64,
}

/// Weighted means over the misses.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MeanErrors {
    /// Mean absolute measured miss, points.
    pub(crate) raw: f64,
    /// The same without the measuring noise.
    pub(crate) denoised: f64,
    /// What `raw` would be if every true miss were 0.
    pub(crate) noise: f64,
    /// Part of the weight whose true miss is within [`NEAR`].
    pub(crate) near: f64,
}

/// Misses up to this many points count as near.
pub(crate) const NEAR: f64 = 10.0;
const WIDTHS: usize = 8;
const ITERATIONS: usize = 80;

/// Removes the noise; the widths of the mixture are 0 and 2 to 128 points.
pub(crate) fn mean_errors(misses: &[Miss]) -> MeanErrors {
    let all: f64 = misses.iter().map(|m| m.weight).sum::<f64>().max(1e-12);
    let grid = grid();
    let densities: Vec<[f64; WIDTHS]> = misses.iter().map(|m| densities(m, &grid)).collect();
    let mixture = fit(misses, &densities);
    let mut means = MeanErrors {
        raw: 0.0,
        denoised: 0.0,
        noise: 0.0,
        near: 0.0,
    };
    for (m, density) in misses.iter().zip(&densities) {
        let weight = m.weight / all;
        let (absolute, near) = posterior(m, &grid, &responsibilities(density, &mixture));
        means.raw += weight * m.miss.abs();
        means.denoised += weight * absolute;
        means.noise += weight * folded_normal_mean(0.0, m.se);
        means.near += weight * near;
    }
    means
}

/// Variances of the components: width 0, then a geometric grid of widths.
fn grid() -> [f64; WIDTHS] {
    let width = |j: usize| 2f64.powf(j as f64);
    std::array::from_fn(|j| if j == 0 { 0.0 } else { width(j).powi(2) })
}

fn fit(misses: &[Miss], densities: &[[f64; WIDTHS]]) -> [f64; WIDTHS] {
    // Roots of the weights: with the weights themselves a few blocks would decide the distribution.
    let all: f64 = misses
        .iter()
        .map(|m| m.weight.sqrt())
        .sum::<f64>()
        .max(1e-12);
    let mut mixture = [1.0 / WIDTHS as f64; WIDTHS];
    for _ in 0..ITERATIONS {
        let mut next = [0.0; WIDTHS];
        for (miss, density) in misses.iter().zip(densities) {
            let part = responsibilities(density, &mixture);
            (0..WIDTHS).for_each(|j| next[j] += miss.weight.sqrt() / all * part[j]);
        }
        mixture = next;
    }
    mixture
}

/// Density of the measured miss under each width, up to a common factor.
fn densities(m: &Miss, grid: &[f64; WIDTHS]) -> [f64; WIDTHS] {
    let logs: [f64; WIDTHS] = std::array::from_fn(|j| {
        let v = (grid[j] + m.se * m.se).max(1e-12);
        -0.5 * (v.ln() + m.miss * m.miss / v)
    });
    let peak = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    logs.map(|l| (l - peak).exp())
}

fn responsibilities(density: &[f64; WIDTHS], mixture: &[f64; WIDTHS]) -> [f64; WIDTHS] {
    let joint: [f64; WIDTHS] = std::array::from_fn(|j| density[j] * mixture[j]);
    let sum: f64 = joint.iter().sum::<f64>().max(1e-300);
    joint.map(|p| p / sum)
}

/// Posterior mean of |d| and probability that |d| is at most [`NEAR`].
fn posterior(m: &Miss, grid: &[f64; WIDTHS], part: &[f64; WIDTHS]) -> (f64, f64) {
    let (mut absolute, mut near) = (0.0, 0.0);
    for (j, p) in part.iter().enumerate().filter(|(_, p)| **p > 1e-9) {
        let v = grid[j];
        let shrink = v / (v + m.se * m.se).max(1e-12);
        let (mean, sd) = (m.miss * shrink, (shrink * m.se * m.se).sqrt());
        absolute += p * folded_normal_mean(mean, sd);
        near += p * within(mean, sd);
    }
    (absolute, near)
}

fn within(mean: f64, sd: f64) -> f64 {
    if sd < 1e-9 {
        return if mean.abs() <= NEAR { 1.0 } else { 0.0 };
    }
    normal_cdf((NEAR - mean) / sd) - normal_cdf((-NEAR - mean) / sd)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofmark_experiment::sim::Random;

    /// Mean bias of the denoised error and of the near part over repetitions, and of the raw error.
    fn bias(blocks: usize, truth: impl Fn(&mut Random) -> f64, se: (f64, f64)) -> (f64, f64, f64) {
        let mut random = Random::new(7);
        let (mut denoised, mut near, mut raw) = (0.0, 0.0, 0.0);
        let repetitions = 150;
        for _ in 0..repetitions {
            let misses: Vec<(f64, Miss)> = (0..blocks)
                .map(|rank| {
                    let d = truth(&mut random);
                    let se = random.between(se.0, se.1);
                    let weight = 1.0 / (1.0 + rank as f64);
                    (
                        d,
                        Miss {
                            weight,
                            miss: d + se * random.normal(),
                            se,
                        },
                    )
                })
                .collect();
            let all: f64 = misses.iter().map(|m| m.1.weight).sum();
            let true_mean = misses.iter().map(|(d, m)| m.weight * d.abs()).sum::<f64>() / all;
            let is_near = |d: f64| if d.abs() <= NEAR { 1.0 } else { 0.0 };
            let true_near = misses
                .iter()
                .map(|(d, m)| m.weight * is_near(*d))
                .sum::<f64>()
                / all;
            let plain: Vec<Miss> = misses.iter().map(|m| m.1).collect();
            let found = mean_errors(&plain);
            denoised += (found.denoised - true_mean) / f64::from(repetitions);
            near += (found.near - true_near) / f64::from(repetitions);
            raw += (found.raw - true_mean) / f64::from(repetitions);
        }
        (denoised, near, raw)
    }

    #[test]
    fn removes_the_noise_without_bias() {
        for (blocks, se) in [(24, (3.0, 8.0)), (60, (4.0, 12.0))] {
            let normal = bias(blocks, |r| 8.0 * r.normal(), se);
            let mixed = bias(
                blocks,
                |r| {
                    if r.uniform() < 0.15 {
                        30.0 * r.normal()
                    } else {
                        3.0 * r.normal()
                    }
                },
                se,
            );
            let shifted = bias(blocks, |r| 4.0 + 5.0 * r.normal(), se);
            for (denoised, near, raw) in [normal, mixed, shifted] {
                assert!(denoised.abs() < 1.0, "bias {denoised}");
                assert!(near.abs() < 0.06, "bias of the near part {near}");
                assert!(raw > denoised.abs());
            }
        }
    }

    #[test]
    fn all_noise_leaves_little() {
        let (denoised, _, raw) = bias(40, |_| 0.0, (5.0, 5.0));
        assert!(denoised < 1.0 && raw > 3.5);
    }

    #[test]
    fn without_noise_nothing_changes() {
        let misses = [-20.0, 5.0, 0.0, 9.0].map(|miss| Miss {
            weight: 0.25,
            miss,
            se: 1e-6,
        });
        let means = mean_errors(&misses);
        assert!((means.raw - 8.5).abs() < 1e-9 && (means.denoised - 8.5).abs() < 0.01);
        assert!((means.near - 0.75).abs() < 1e-6 && means.noise < 1e-5);
    }
}
