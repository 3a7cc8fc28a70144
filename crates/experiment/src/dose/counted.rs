//! A second truth beside the clock: executions, times turns, times the time of a turn.

use proofmark_stats::{Estimate, mean_t};

/// Iterations under one dose, without a profiler.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Timed {
    /// Mean CPU time of an iteration, ns.
    pub iteration_ns: f64,
    /// Time of a turn of the site's loop where nothing stands beside it, before and behind those iterations, ns.
    pub turn_ns: f64,
}

impl Timed {
    /// Turns that would take as long.
    fn in_turns(&self) -> f64 {
        self.iteration_ns / self.turn_ns
    }
}

/// What the added time should be by counting, as a part of what the clock measured: 1 where both agree. `pairs` are
/// iterations under the low dose and those under the high dose right behind them; `added_turns` are those that the high
/// dose makes beyond the low one in an iteration (times that its site is reached, times turns). None with fewer than two
/// pairs, or where the high dose did not slow the program.
///
/// All times are taken in turns of their moment, so that a machine that was faster or slower then drops out.
///
/// # Accuracy
/// Student's t over pairs. Executions are exact. Work that is hidden behind turns under the high dose only makes
/// the value larger than 1; turns that take longer in the program than alone make it smaller.
#[must_use]
pub fn by_count(pairs: &[(Timed, Timed)], added_turns: f64) -> Option<Estimate> {
    let added: Vec<f64> = (pairs.iter())
        .map(|(low, high)| high.in_turns() - low.in_turns())
        .collect();
    let clock = mean_t(&added).filter(|clock| clock.value > 0.0)?;
    let part = added_turns / clock.value;
    let half = part * clock.half_width() / clock.value;
    Some(Estimate::around(part, half, clock.n))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times of an iteration under both doses, and of a turn.
    fn pair([low, high, turn_ns]: [f64; 3]) -> (Timed, Timed) {
        let timed = |iteration_ns| Timed {
            iteration_ns,
            turn_ns,
        };
        (timed(low), timed(high))
    }

    #[test]
    fn clock_and_count_agree_where_every_turn_takes_its_time() {
        // 100 executions with 30 turns more of 2 ns each: 6000 ns. Then the machine takes half as long again.
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
    }
}
