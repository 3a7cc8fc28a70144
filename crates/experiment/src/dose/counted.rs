//! A second truth beside the clock: executions, times turns, times steps of a turn, times the time of a step.

use proofmark_stats::{Estimate, mean_t};

/// Iterations under one dose.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed {
    /// Mean CPU time of an iteration, ns.
    pub iteration_ns: f64,
    /// Time of a step where nothing stands beside it, before and behind those iterations, ns.
    pub step_ns: f64,
}

impl Timed {
    /// Steps that would take as long.
    fn in_steps(&self) -> f64 {
        self.iteration_ns / self.step_ns
    }
}

/// What the added time should be by counting, as a part of what the clock measured: 1 where both agree. `pairs` are
/// iterations under the low dose and those under the high dose right behind them; `added_steps` are those that the high
/// dose makes beyond the low one in an iteration (times that its site is reached, times turns, times steps of a turn). None
/// with fewer than two pairs, or where the high dose did not slow the program for certain.
///
/// All times are taken in steps of their moment, so that a machine that was faster or slower then drops out.
///
/// # Accuracy
/// Student's t over pairs. Executions are exact. Steps that take longer in the program than alone, or a loop that takes
/// longer than its steps, make the value smaller than 1; work that is hidden behind turns under the high dose only makes it larger.
#[must_use]
pub fn by_count(pairs: &[(Timed, Timed)], added_steps: f64) -> Option<Estimate> {
    let added: Vec<f64> = (pairs.iter())
        .map(|(low, high)| high.in_steps() - low.in_steps())
        .collect();
    let clock = mean_t(&added).filter(|clock| clock.low > 0.0)?;
    let part = added_steps / clock.value;
    let half = part * clock.half_width() / clock.value;
    Some(Estimate::around(part, half, clock.n))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times of an iteration under both doses, and of a step.
    fn pair([low, high, step_ns]: [f64; 3]) -> (Timed, Timed) {
        let timed = |iteration_ns| Timed {
            iteration_ns,
            step_ns,
        };
        (timed(low), timed(high))
    }

    #[test]
    fn clock_and_count_agree_where_every_step_takes_its_time() {
        // 100 executions with 30 steps more of 2 ns each: 6000 ns. Then the machine takes half as long again.
        let pairs = [
            [1000.0, 7010.0, 2.0],
            [1010.0, 7000.0, 2.0],
            [1500.0, 10_500.0, 3.0],
        ];
        let part = by_count(&pairs.map(pair), 3000.0).unwrap();
        assert!(part.covers(1.0) && part.half_width() < 0.02, "{part:?}");
        assert_eq!(part.n, 3);
    }

    #[test]
    fn time_that_nobody_put_there_is_seen() {
        let pairs = [
            [1000.0, 8000.0, 2.0],
            [1000.0, 8010.0, 2.0],
            [1010.0, 8000.0, 2.0],
        ];
        let part = by_count(&pairs.map(pair), 3000.0).unwrap();
        assert!(part.wholly_below(0.9), "{part:?}");
        assert_eq!(by_count(&[pair(pairs[0])], 3000.0), None);
        let faster = [[8000.0, 1000.0, 2.0], [8000.0, 1010.0, 2.0]];
        assert_eq!(by_count(&faster.map(pair), 3000.0), None);
        let hardly = [[1000.0, 1030.0, 2.0], [1000.0, 980.0, 2.0]];
        assert_eq!(by_count(&hardly.map(pair), 3000.0), None, "not for certain");
    }
}
