//! Counts for edges that the flow equations leave open.

use crate::bounds::System;

/// Fitting ends here even if it has not converged: where a solution lies at the edge of what the
/// bounds allow, the error falls only as one over the rounds.
const ROUNDS: usize = 20_000;

/// Fitting has converged when no sum is off by more than this part.
const CLOSE: f64 = 1e-3;

/// Counts for all edges: determined ones as they are, the others by iterative proportional fitting
/// to what the equations leave for them, from a start in proportion to the counts of both ends.
pub(crate) fn split(system: &System, blocks: &[u64]) -> Vec<f64> {
    let start = |(at, (from, to)): (usize, &(Option<usize>, usize))| {
        let bounds = system.bounds[at];
        if bounds.determined() {
            return as_f64(bounds.low);
        }
        let from = from.map_or(blocks[*to], |from| blocks[from]);
        (as_f64(from) * as_f64(blocks[*to])).sqrt()
    };
    let mut values: Vec<f64> = system.edges.iter().enumerate().map(start).collect();
    let remainders: Vec<_> = system
        .remainders()
        .filter(|(open, ..)| !open.is_empty())
        .collect();
    for _ in 0..ROUNDS {
        let mut worst = 0.0_f64;
        for (open, remainder, leaks) in &remainders {
            worst = worst.max(fit(&mut values, open, as_f64(*remainder), *leaks));
        }
        if worst < CLOSE {
            break;
        }
    }
    for (value, bounds) in values.iter_mut().zip(&system.bounds) {
        *value = value.clamp(as_f64(bounds.low), as_f64(bounds.high));
    }
    values
}

/// Scales the values at `open` so that they add up to `sum` (with `leaks`: not to more). Returns the
/// part by which they were off.
fn fit(values: &mut [f64], open: &[usize], sum: f64, leaks: bool) -> f64 {
    let now: f64 = open.iter().map(|at| values[*at]).sum();
    if now <= 0.0 || (leaks && now <= sum) {
        return 0.0;
    }
    for at in open {
        values[*at] *= sum / now;
    }
    (now - sum).abs() / now.max(sum)
}

/// Counts up to 2^53 are exact.
#[allow(clippy::cast_precision_loss)]
fn as_f64(count: u64) -> f64 {
    count as f64
}
