//! What was measured at the machine's usual speed.
//!
//! A virtual processor is often a thread of a core, and others use the other thread, caches and memory, or cease to, for
//! seconds to minutes. A program then takes up to half as long again, its slowed code by another factor than the baseline,
//! and the ratio of a pair of windows is off by ten points and more, the same way for many pairs. While the speed stays what
//! it is, pairs agree within one to three points. So those count during which the machine had its *usual* speed: the one
//! around most of them, or a faster one that it had at least half as often. What is seldom says little of the rest.
//!
//! # Accuracy
//! Windows are looked at through the median of five neighbours: to choose them one by one would prefer what is short by
//! chance, on the side that scatters more. In the simulated laboratory the total of an evaluation is off by three
//! quarters at most of what it is without the choice, where a neighbour has the machine in 30 % of the time, and where the machine has one of two speeds in 85 %
//! of the time, the total is that one's (tests). Intel Xeon VM (family 6, model 207), 2 vCPUs, 2026-11-28: of 48 pairs of an
//! evaluation of Queens 42 took 16 to 17 ms an iteration; their ratios have a standard deviation of 1.7 points around 159.5,
//! and those of the first six, of 15 ms, lie at 150 (docs/evaluation). The rule before was to take the fastest.

use proofmark_rules::{SPEED_AROUND, SPEED_NEAR, SPEED_OFTEN};
use proofmark_stats::{median, quantile};

/// Times of one window, or of the two of a pair: what is to be alike.
pub(crate) type Times<const N: usize> = [f64; N];

/// Which of these, in the order in which they were measured, were measured at the machine's usual speed. What windows
/// scatter by themselves is allowed for: it is told from neighbours, which a change of speed seldom parts.
pub(crate) fn at_usual_speed<const N: usize>(times: &[Times<N>]) -> Vec<bool> {
    let side = |side: usize| times.iter().map(|all| all[side]).collect::<Vec<f64>>();
    let sides: [Vec<f64>; N] = std::array::from_fn(side);
    let scatter: Times<N> = std::array::from_fn(|side| scatter_of_smooth(&sides[side]));
    let smooth: Vec<Times<N>> = (0..times.len())
        .map(|at| std::array::from_fn(|side| around(&sides[side], at)))
        .collect();
    let Some(usual) = usual(&smooth, scatter) else {
        return Vec::new();
    };
    let is_usual = |one: &Times<N>| is_near(one, &usual, scatter);
    smooth.iter().map(is_usual).collect()
}

/// The one of these that most others are near to, or a faster one, apart from it, that at least [`SPEED_OFTEN`] as many are near to; none
/// of none. `scatter`: standard deviation of the logarithm of a time at one speed.
pub(crate) fn usual<const N: usize>(times: &[Times<N>], scatter: Times<N>) -> Option<Times<N>> {
    let near = |a: &Times<N>, b: &Times<N>| is_near(a, b, scatter);
    let crowd = |one| times.iter().filter(|other| near(other, one)).count();
    let crowds: Vec<usize> = times.iter().map(crowd).collect();
    let most = *crowds.iter().max()?;
    let all = || times.iter().zip(&crowds);
    // Else it could be one at the edge of a crowd, where the fastest scatter.
    let is_middle = |one: &Times<N>, crowd: usize| {
        let mut around = all().filter(|(other, _)| near(other, one));
        around.all(|(_, others)| *others <= crowd)
    };
    let often = all().filter(|(_, crowd)| **crowd as f64 >= SPEED_OFTEN * most as f64);
    let middles = often.filter(|(one, crowd)| is_middle(one, **crowd));
    let whole = |one: &Times<N>| one.iter().map(|time| time.ln()).sum::<f64>();
    let fastest = middles.min_by(|(a, _), (b, _)| whole(a).total_cmp(&whole(b)));
    fastest.map(|(one, _)| *one)
}

/// Whether every time is as long as the one beside it, but for what scatters.
pub(crate) fn is_near<const N: usize>(one: &Times<N>, other: &Times<N>, scatter: Times<N>) -> bool {
    let sides = one.iter().zip(other).zip(scatter);
    let mut away = sides.map(|((a, b), scatter)| (a / b).ln().abs() <= SPEED_NEAR + 2.0 * scatter);
    away.all(|near| near)
}

/// Median of a time and its neighbours.
fn around(times: &[f64], at: usize) -> f64 {
    let last = (at + SPEED_AROUND + 1).min(times.len());
    median(&times[at.saturating_sub(SPEED_AROUND)..last]).unwrap_or(times[at])
}

/// Standard deviation of the logarithm of such a median, by the steps from one time to the next: by the smaller ones, since at
/// other speeds times may scatter more.
fn scatter_of_smooth(times: &[f64]) -> f64 {
    /// That of the median of five, of one that is 1 and normal.
    const OF_FIVE: f64 = 0.54;
    /// The quarter of all steps that is smallest, and how far steps go that far, in standard deviations of a step.
    const SMALLER: (f64, f64) = (0.25, 0.3186);
    let steps: Vec<f64> = times
        .windows(2)
        .map(|two| (two[1] / two[0]).ln().abs())
        .collect();
    let step = quantile(&steps, SMALLER.0).unwrap_or(0.0) / SMALLER.1;
    OF_FIVE * step / 2f64.sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_out<const N: usize>(times: &[Times<N>]) -> Vec<usize> {
        let usual = at_usual_speed(times);
        (0..times.len()).filter(|at| !usual[*at]).collect()
    }

    #[test]
    fn a_storm_is_left_out_and_a_single_long_window_is_not() {
        let mut times = vec![[10.0]; 20];
        times[3] = [30.0];
        times[10..16].fill([12.0]);
        assert_eq!(left_out(&times), [10, 11, 12, 13, 14, 15]);
    }

    /// Six fast windows of thirty are not what the machine usually does, and one lucky one is nothing.
    #[test]
    fn the_usual_speed_need_not_be_the_fastest() {
        let mut times = vec![[15.0]; 30];
        times[..6].fill([10.0]);
        times[17] = [9.0];
        assert_eq!(left_out(&times), [0, 1, 2, 3, 4, 5]);
        assert!(at_usual_speed::<1>(&[]).is_empty());
        assert_eq!(usual::<1>(&[], [0.0]), None);
    }

    /// Queens: all but the first six pairs have the speed that is counted.
    #[test]
    fn of_measured_pairs_those_of_the_usual_speed_count() {
        let measured = include_str!("../../../docs/evaluation/2026-11-28-two-speeds/pairs.txt");
        let pairs = measured.lines().nth(1).expect("pairs of +50 %");
        let pair = |text: &str| {
            let ms = text.split_whitespace().map(|ms| ms.parse().expect("ms"));
            let both: Vec<f64> = ms.take(2).collect();
            [both[0], both[1]]
        };
        let pairs: Vec<Times<2>> = pairs.split(',').map(pair).collect();
        assert_eq!((pairs.len(), left_out(&pairs)), (48, (0..6).collect()));
    }

    /// Of two speeds the one is taken that pairs have oftener, or the faster one if it is at least half as frequent, on both sides of a pair.
    #[test]
    fn both_sides_of_a_pair_have_one_speed() {
        let mut times = vec![[10.0, 20.0]; 24];
        times[8..].fill([15.0, 33.0]);
        // The slowed windows of these fell into the other speed already.
        times[5..8].fill([10.0, 33.0]);
        assert_eq!(left_out(&times), (0..8).collect::<Vec<_>>());
        times[..10].fill([10.0, 20.0]);
        assert_eq!(left_out(&times), (10..24).collect::<Vec<_>>());
    }
}
