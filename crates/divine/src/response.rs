//! Response of one tunable: `t(k) = t0 + s max(0, k - h) + d(k)`.
//!
//! `t0`, `s`, `h` as in docs/search.md#the-response-of-a-slowed-block; `d` is what the hinge does not know: plateaus, overlap
//! and port binding that every change of a count re-rolls. `d` is a Gaussian process over the
//! tried plans, in part shared by neighbouring counts and in part new with every plan, so a tunable
//! that was measured on target is known to be there, and one that moves is not: freezing tunables
//! that are near the target follows from it.
//!
//! The posterior is a grid over (s, h); `t0` and `d` are integrated analytically (everything else
//! is Gaussian), so a fit costs `36 * 26` exponentials and predictions need only moments per h.
//! Times are cycles per execution.
//!
//! *Accuracy.* Poisson counts are taken as Gaussian with variance y + 1: fair from about ten
//! samples on; tunables with fewer belong into a pool.

use crate::Prior;
use crate::linalg::{Matrix, dot, inverse, times};
use crate::reduce::Timed;

const SLOPES: usize = 36;
const HINGES: usize = 26;
/// Part of the wander that is new with every plan, whatever the own count (neighbours moved).
const RENEWED: f64 = 0.5;

/// What the slowed runs said about a tunable: count and time per distinct plan.
#[derive(Debug, Clone)]
pub(crate) struct Data {
    pub(crate) baseline: Timed,
    pub(crate) plans: Vec<(u32, Timed)>,
    /// Covariance of the plans' times that comes from the neighbours' counts, square cycles.
    pub(crate) coupled: Matrix,
}

/// What a prediction needs to know of the neighbours' counts.
#[derive(Debug, Clone)]
pub(crate) struct At {
    /// Index of the plan, if it was measured.
    pub(crate) plan: Option<usize>,
    /// Covariance with each measured plan, and variance, square cycles.
    pub(crate) coupled: Vec<f64>,
    pub(crate) variance: f64,
}

/// Fitted response.
#[derive(Debug, Clone)]
pub(crate) struct Response {
    data: Data,
    /// Inverse covariance of the slowed times minus the baseline time.
    precision: Matrix,
    residual: Vec<f64>,
    wander: f64,
    reach: f64,
    hinges: [f64; HINGES],
    /// Per plan, its instructions beyond each hinge.
    beyond: Vec<[f64; HINGES]>,
    /// Row sums of the precision.
    row_sums: Vec<f64>,
    slopes: Vec<f64>,
    /// Posterior mass and first and second moments of s, per hinge.
    moments: Vec<[f64; 3]>,
    slope_mass: Vec<f64>,
}

/// Mean and variance of `t(k) - ratio * t0`, in cycles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Miss {
    pub(crate) mean: f64,
    pub(crate) variance: f64,
}

impl Response {
    /// Fits the response; `wander` is the standard deviation of d relative to `(1 + target) t0`.
    pub(crate) fn fit(data: Data, prior: &Prior, target: f64, wander: f64) -> Self {
        let tau = data.baseline.time.max(1e-9);
        let wander = (wander * (1.0 + target) * tau).max(1e-12);
        let reach = 1.0 + 0.05 * first_count(tau, prior, target);
        let precision = inverse(&covariance(&data, wander, reach));
        let residual = data
            .plans
            .iter()
            .map(|(_, t)| t.time - data.baseline.time)
            .collect();
        let hinges = hinge_grid(tau, prior);
        let mut response = Response {
            beyond: (data.plans.iter())
                .map(|(k, _)| hinges.map(|h| (f64::from(*k) - h).max(0.0)))
                .collect(),
            row_sums: precision.iter().map(|row| row.iter().sum()).collect(),
            precision,
            residual,
            wander,
            reach,
            hinges,
            slopes: slope_grid(prior),
            moments: Vec::new(),
            slope_mass: Vec::new(),
            data,
        };
        response.integrate(prior);
        response
    }

    fn integrate(&mut self, prior: &Prior) {
        let quadratic: Vec<(f64, f64)> = (0..HINGES).map(|h| self.quadratic(h)).collect();
        // The hinges are quantiles of their prior, so they carry equal prior mass.
        let log_posterior = |s: f64, (linear, square): (f64, f64)| {
            let z = (s / prior.slope_cycles).ln() / prior.slope_log_sd;
            s * linear - 0.5 * s * s * square - 0.5 * z * z
        };
        let logs: Vec<Vec<f64>> = quadratic
            .iter()
            .map(|&q| self.slopes.iter().map(|&s| log_posterior(s, q)).collect())
            .collect();
        let peak = logs
            .iter()
            .flatten()
            .copied()
            .fold(f64::NEG_INFINITY, f64::max);
        let mass: Vec<Vec<f64>> = logs
            .iter()
            .map(|row| row.iter().map(|l| (l - peak).exp()).collect())
            .collect();
        let all: f64 = mass.iter().flatten().sum();
        let moment = |row: &Vec<f64>, power: i32| {
            row.iter()
                .zip(&self.slopes)
                .map(|(m, s)| m * s.powi(power))
                .sum::<f64>()
                / all
        };
        self.moments = mass
            .iter()
            .map(|row| [0, 1, 2].map(|power| moment(row, power)))
            .collect();
        self.slope_mass = (0..SLOPES)
            .map(|i| mass.iter().map(|row| row[i]).sum::<f64>() / all)
            .collect();
    }

    /// `g' W x` and `g' W g` of a hinge, g the instructions beyond it: the log likelihood is `s g'Wx - s² g'Wg / 2` + constant.
    fn quadratic(&self, hinge: usize) -> (f64, f64) {
        let g: Vec<f64> = self.beyond.iter().map(|plan| plan[hinge]).collect();
        let wg = times(&self.precision, &g);
        (dot(&wg, &self.residual), dot(&wg, &g))
    }

    /// `g' w` of each hinge, g the instructions beyond it: all hinges at a time.
    fn beyond_times(&self, weights: &[f64]) -> [f64; HINGES] {
        let mut sums = [0.0; HINGES];
        for (weight, plan) in weights.iter().zip(&self.beyond) {
            for (sum, beyond) in sums.iter_mut().zip(plan) {
                *sum += weight * beyond;
            }
        }
        sums
    }

    /// Predicts `t(k) - ratio t0`, for a new plan or for the plan with that index.
    pub(crate) fn miss(&self, k: u32, at: &At, ratio: f64) -> Miss {
        let excess = ratio - 1.0;
        let v0 = self.data.baseline.variance;
        let d = self.wander_with(k, at);
        let wd = times(&self.precision, &d);
        let w1 = &self.row_sums;
        // Weights of the residuals in d(k) - (ratio - 1) t0.
        let weights: Vec<f64> = wd
            .iter()
            .zip(w1)
            .map(|(d, one)| d - excess * v0 * one)
            .collect();
        let constant = dot(&weights, &self.residual) - excess * self.data.baseline.time;
        let w11: f64 = w1.iter().sum();
        let variance_d = (self.wander.powi(2) + at.variance - dot(&wd, &d)).max(0.0);
        let variance_t0 = (v0 - v0 * v0 * w11).max(0.0);
        let covariance = -v0 * wd.iter().sum::<f64>();
        let gaussian = variance_d + excess * excess * variance_t0 - 2.0 * excess * covariance;
        let (mut mean, mut square) = (0.0, 0.0);
        let explained = self.beyond_times(&weights);
        for ((&h, explained), &[mass, first, second]) in
            self.hinges.iter().zip(explained).zip(&self.moments)
        {
            let slope = (f64::from(k) - h).max(0.0) - explained;
            mean += first * slope + mass * constant;
            square += second * slope * slope
                + 2.0 * first * slope * constant
                + mass * constant * constant;
        }
        Miss {
            mean,
            variance: (square - mean * mean).max(0.0) + gaussian.max(0.0),
        }
    }

    /// What a measured plan needs for [`Response::miss`].
    pub(crate) fn measured(&self, plan: usize) -> At {
        At {
            plan: Some(plan),
            coupled: self.data.coupled[plan].clone(),
            variance: self.data.coupled[plan][plan],
        }
    }

    fn wander_with(&self, k: u32, at: &At) -> Vec<f64> {
        let kernel = |(i, &(other, _)): (usize, &(u32, Timed))| {
            at.coupled[i]
                + self.wander.powi(2) * correlation(k, other, at.plan == Some(i), self.reach)
        };
        self.data.plans.iter().enumerate().map(kernel).collect()
    }

    /// Posterior mean of the baseline time, cycles.
    pub(crate) fn baseline(&self) -> f64 {
        let v0 = self.data.baseline.variance;
        let w1 = &self.row_sums;
        let explained: f64 = self
            .beyond_times(w1)
            .iter()
            .zip(&self.moments)
            .map(|(explained, m)| m[1] * explained)
            .sum();
        (self.data.baseline.time + v0 * (dot(w1, &self.residual) - explained)).max(1e-9)
    }

    /// Mean cost of one instruction beyond the hinge, cycles.
    pub(crate) fn slope(&self) -> f64 {
        self.moments.iter().map(|m| m[1]).sum()
    }

    /// Mean cost of the last of k instructions, cycles: those within the hinge are free.
    pub(crate) fn cost_at(&self, k: u32) -> f64 {
        let hinges = self.hinges.iter().zip(&self.moments);
        let beyond = hinges.filter(|(h, _)| **h < f64::from(k));
        beyond.map(|(_, moments)| moments[1]).sum()
    }

    /// 2.5, 50 and 97.5 % points of the slope, cycles per instruction.
    pub(crate) fn slope_interval(&self) -> [f64; 3] {
        quantiles(&self.slopes, &self.slope_mass)
    }

    /// 2.5, 50 and 97.5 % points of the hinge, instructions.
    pub(crate) fn hinge_interval(&self) -> [f64; 3] {
        let mass: Vec<f64> = self.moments.iter().map(|m| m[0]).collect();
        quantiles(&self.hinges, &mass)
    }
}

/// First guess before anything was slowed: `(1.6 + 4.4 target) tau` with the measured constants.
pub(crate) fn first_count(tau: f64, prior: &Prior, target: f64) -> f64 {
    (prior.hinge_per_cycle + target / prior.slope_cycles) * tau
}

fn covariance(data: &Data, wander: f64, reach: f64) -> Matrix {
    let entry = |i: usize, j: usize| {
        let ((ki, ti), (kj, _)) = (data.plans[i], data.plans[j]);
        let noise = if i == j { ti.variance } else { 0.0 };
        noise
            + data.baseline.variance
            + data.coupled[i][j]
            + wander * wander * correlation(ki, kj, i == j, reach)
    };
    let n = data.plans.len();
    (0..n)
        .map(|i| (0..n).map(|j| entry(i, j)).collect())
        .collect()
}

fn correlation(k: u32, other: u32, same_plan: bool, reach: f64) -> f64 {
    let near = (-f64::from(k.abs_diff(other)) / reach).exp();
    (1.0 - RENEWED) * near + if same_plan { RENEWED } else { 0.0 }
}

/// Quantiles of the exponential prior of the hinge, in instructions; the first is 0.
fn hinge_grid(tau: f64, prior: &Prior) -> [f64; HINGES] {
    std::array::from_fn(|i| -(1.0 - i as f64 / HINGES as f64).ln() * prior.hinge_per_cycle * tau)
}

/// Log-spaced slopes over +-2.75 standard deviations of the prior.
fn slope_grid(prior: &Prior) -> Vec<f64> {
    let z = |i: usize| -2.75 + 5.5 * i as f64 / (SLOPES - 1) as f64;
    (0..SLOPES)
        .map(|i| prior.slope_cycles * (z(i) * prior.slope_log_sd).exp())
        .collect()
}

fn quantiles(values: &[f64], mass: &[f64]) -> [f64; 3] {
    [0.025, 0.5, 0.975].map(|wanted| {
        let mut below = 0.0;
        let mut position = values.iter().zip(mass).filter_map(|(v, m)| {
            below += m;
            (below >= wanted).then_some(*v)
        });
        position.next().or(values.last().copied()).unwrap_or(0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn truth(k: u32) -> f64 {
        5.0 + 0.3 * (f64::from(k) - 6.0).max(0.0)
    }

    fn new_plan(response: &Response) -> At {
        At {
            plan: None,
            coupled: vec![0.0; response.data.plans.len()],
            variance: 0.0,
        }
    }

    fn fitted(counts: &[u32]) -> Response {
        let sharp = |time: f64| Timed {
            time,
            variance: (0.01 * time).powi(2),
        };
        let plans = counts.iter().map(|&k| (k, sharp(truth(k)))).collect();
        Response::fit(
            Data {
                baseline: sharp(5.0),
                plans,
                coupled: vec![vec![0.0; counts.len()]; counts.len()],
            },
            &Prior::default(),
            1.0,
            0.01,
        )
    }

    #[test]
    fn finds_a_hinge_that_three_points_determine() {
        let response = fitted(&[15, 25, 35]);
        assert!(
            (response.slope() - 0.3).abs() < 0.02,
            "{}",
            response.slope()
        );
        // 5 + 0.3 (k - 6) = 10 at k = 22.7
        let (under, over) = (
            response.miss(22, &new_plan(&response), 2.0),
            response.miss(23, &new_plan(&response), 2.0),
        );
        assert!(under.mean < 0.1 && over.mean > -0.1, "{under:?} {over:?}");
    }

    #[test]
    fn instructions_within_the_hinge_cost_nothing() {
        let response = fitted(&[15, 25, 35]);
        assert!(response.cost_at(0) == 0.0 && response.cost_at(3) < 0.05);
        let far = response.cost_at(35);
        assert!((far - 0.3).abs() < 0.02, "{far}");
    }

    #[test]
    fn a_measured_plan_is_known_better_than_a_new_one() {
        let response = fitted(&[15, 25]);
        let new = new_plan(&response);
        let (known, near, far) = (
            response.miss(25, &response.measured(1), 2.0),
            response.miss(25, &new, 2.0),
            response.miss(60, &new, 2.0),
        );
        assert!(known.variance < near.variance && near.variance < far.variance);
    }

    #[test]
    fn without_slowed_runs_the_prior_speaks() {
        let response = fitted(&[]);
        assert!((response.slope() / 0.227 - 1.16).abs() < 0.1);
        assert!((response.baseline() - 5.0).abs() < 1e-9);
    }
}
