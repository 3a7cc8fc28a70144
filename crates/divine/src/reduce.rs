//! From windows to block times: one figure with its variance per tunable and plan.
//!
//! Times are parts of the baseline time of the whole program. A tunable's time under plan j is its
//! share of the samples there times the ratio of the totals of that plan's own interleaved rounds
//! (speed wander cancels inside a round); the baseline is pooled over all rounds.

use proofmark_stats::{Estimate, deviation_by_median, hodges_lehmann, median};

use crate::outcome::outside_share;
use crate::speed::{is_near, usual};
use crate::{Observation, Round, Settings, Tunable};

/// A measured time and its variance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Timed {
    pub(crate) time: f64,
    pub(crate) variance: f64,
}

/// All windows of one plan (or of the baseline), reduced.
#[derive(Debug, Clone)]
pub(crate) struct PlanData {
    pub(crate) counts: Vec<u32>,
    /// Total time, baseline = 1.
    pub(crate) total: Timed,
    pub(crate) tunables: Vec<Timed>,
    pub(crate) outside: f64,
    /// Samples in all windows of this plan.
    pub(crate) samples: f64,
    pub(crate) rounds: u32,
}

/// Everything the rounds say.
#[derive(Debug, Clone)]
pub(crate) struct Reduced {
    /// CPU time of one baseline iteration, ns.
    pub(crate) baseline_ns: f64,
    pub(crate) baseline: PlanData,
    /// Share of the baseline time outside of tunables.
    pub(crate) outside_share: Option<Estimate>,
    /// Distinct plans in the order in which they were first tried.
    pub(crate) plans: Vec<PlanData>,
}

/// Reduces all rounds; none without a sampled baseline window.
pub(crate) fn reduce(
    tunables: &[Tunable],
    settings: &Settings,
    rounds: &[Round],
) -> Option<Reduced> {
    let noise = &settings.noise;
    let windows: Vec<&Observation> = rounds.iter().flat_map(|r| &r.baseline).collect();
    let no_ratio = Timed {
        time: 1.0,
        variance: 0.0,
    };
    let baseline = plan_data(
        vec![0; tunables.len()],
        &windows,
        no_ratio,
        noise.baseline_placement,
        rounds.len(),
    )?;
    let baseline_ns = typical_ns(&windows)?;
    let pair = pair_variance(rounds, settings);
    let sampling = Sampling::seen(rounds, pair);
    let at_usual_speed = match settings.across_processes {
        true => vec![true; rounds.len()],
        false => at_usual_speed(rounds, pair),
    };
    let plans = distinct_plans(rounds).into_iter().filter_map(|counts| {
        let own = (rounds.iter().zip(&at_usual_speed))
            .filter(|(r, _)| r.slowed.first().is_some_and(|o| o.counts == counts));
        let (own, usual): (Vec<&Round>, Vec<bool>) = own.unzip();
        let windows: Vec<&Observation> = own.iter().flat_map(|r| &r.slowed).collect();
        let ratio = pooled_ratio(&own, settings, (pair, &usual), sampling)?;
        plan_data(counts, &windows, ratio, noise.slowed_placement, own.len())
    });
    Some(Reduced {
        baseline_ns,
        plans: plans.collect(),
        baseline,
        outside_share: outside_share(&windows),
    })
}

/// Distinct plans that were measured, oldest first.
pub(crate) fn distinct_plans(rounds: &[Round]) -> Vec<Vec<u32>> {
    let mut plans: Vec<Vec<u32>> = Vec::new();
    for counts in rounds
        .iter()
        .filter_map(|r| r.slowed.first())
        .map(|o| &o.counts)
    {
        if !plans.contains(counts) {
            plans.push(counts.clone());
        }
    }
    plans
}

/// Typical CPU time per iteration of the unsampled windows, or of all where there are none: the median, because a
/// neighbour on the machine takes much of a window now and then.
fn typical_ns(windows: &[&Observation]) -> Option<f64> {
    let of = |sampled: bool| {
        let of = windows.iter().filter(|o| o.sampled == sampled);
        median(&of.map(|o| o.ns_per_iteration()).collect::<Vec<_>>())
    };
    of(false).or_else(|| of(true))
}

/// Times per iteration of one side's windows, with or without the sampler, ns.
fn times(windows: &[Observation], sampled: bool) -> impl Iterator<Item = f64> {
    let of = windows.iter().filter(move |o| o.sampled == sampled);
    of.map(Observation::ns_per_iteration)
}

/// Times of the pairs of rounds, with or without the sampler: baseline and slowed.
fn pairs(rounds: &[&Round], sampled: bool) -> Vec<(f64, f64)> {
    let of = |round: &&Round| -> Vec<(f64, f64)> {
        let pairs = times(&round.baseline, sampled).zip(times(&round.slowed, sampled));
        pairs.collect()
    };
    rounds.iter().flat_map(of).collect()
}

/// Logarithms of slowed over baseline time.
fn logs(pairs: &[(f64, f64)]) -> Vec<f64> {
    pairs.iter().map(|(a, b)| (b / a).ln()).collect()
}

/// Slowed over baseline time of one round, by its pairs without the sampler where there are any; none without a pair.
pub(crate) fn round_ratio(round: &Round) -> Option<f64> {
    let of = |sampled| hodges_lehmann(&logs(&pairs(&[round], sampled)));
    of(false).or_else(|| of(true)).map(f64::exp)
}

/// Which rounds were measured at the machine's usual speed: that of most of those around, by their baseline, beyond what its few
/// windows scatter; `pair`: variance of the logarithm of a pair of windows.
fn at_usual_speed(rounds: &[Round], pair: f64) -> Vec<bool> {
    /// Rounds on either side, a minute: a speed that lasts is soon the usual one, and one that drifts hardly does meanwhile. With six a
    /// process that went on at another speed had its rounds taken for disturbed (test `mending_goes_on_where_it_was_cut_off`).
    const AROUND: usize = 3;
    let of = |round: &Round| typical_ns(&round.baseline.iter().collect::<Vec<_>>());
    let times: Vec<Option<f64>> = rounds.iter().map(of).collect();
    let is_usual = |at: usize| {
        let last = (at + AROUND + 1).min(times.len());
        let around = times[at.saturating_sub(AROUND)..last].iter().flatten();
        let around: Vec<[f64; 1]> = around.map(|time| [*time]).collect();
        let windows = rounds[at].baseline.iter().filter(|o| !o.sampled);
        let scatter = [(pair / 2.0 / windows.count().max(1) as f64).sqrt()];
        let known = usual(&around, scatter).zip(times[at]);
        known.is_some_and(|(level, own)| is_near(&[own], &level, scatter))
    };
    (0..times.len()).map(is_usual).collect()
}

/// Ratio of slowed to baseline time of one plan, from its pairs with and without the sampler; `pair`: variance of one.
/// Without a round at the usual speed all count, and pairs of one round are then taken to be off together as far as single ones are.
fn pooled_ratio(
    rounds: &[&Round],
    settings: &Settings,
    (pair, at_usual_speed): (f64, &[bool]),
    sampling: Sampling,
) -> Option<Timed> {
    /// Least standard deviation of the logarithm of a disturbed round's ratio.
    const DISTURBED: f64 = 0.02;
    let usual: Vec<&Round> = (rounds.iter().zip(at_usual_speed))
        .filter_map(|(round, usual)| usual.then_some(*round))
        .collect();
    let rounds = if usual.is_empty() { rounds } else { &usual };
    let of = |sampled: bool| {
        let logs = logs(&pairs(rounds, sampled));
        if !usual.is_empty() {
            return (logs, 0.0);
        }
        let centre = hodges_lehmann(&logs).unwrap_or(0.0);
        let away: Vec<f64> = logs.iter().map(|log| (log - centre).abs()).collect();
        let spread = deviation_by_median(&away).max(DISTURBED);
        (logs, spread * spread / rounds.len() as f64)
    };
    let (plain, sampled) = (of(false), of(true));
    let (mut weights, mut sum) = (0.0, 0.0);
    let mut add = |centre: f64, variance: f64| {
        weights += 1.0 / variance;
        sum += centre / variance;
    };
    if let Some(centre) = hodges_lehmann(&plain.0) {
        add(centre, pair / plain.0.len() as f64 + plain.1);
    }
    if let Some(centre) = hodges_lehmann(&sampled.0) {
        let own = pair / sampled.0.len() as f64 + sampled.1;
        add(
            centre - sampling.bias,
            own + sampling.variance + sampling.own,
        );
    }
    let variance = 1.0 / weights + placement_variance(rounds, settings);
    let time = (sum / weights).exp();
    (weights > 0.0).then_some(Timed {
        time,
        variance: time * time * variance.max(1e-8),
    })
}

/// Variance of the logarithm of one pair, by the median absolute deviation of all pairs from the centre of their round,
/// shrunk with the weight of twelve pairs to the known size.
fn pair_variance(rounds: &[Round], settings: &Settings) -> f64 {
    const PRIOR_PAIRS: f64 = 12.0;
    let (mut away, mut degrees) = (Vec::new(), 0.0);
    for (round, sampled) in rounds.iter().flat_map(|r| [(r, false), (r, true)]) {
        let logs = logs(&pairs(&[round], sampled));
        if let Some(centre) = hodges_lehmann(&logs).filter(|_| logs.len() > 1) {
            // The centre is nearer to its own pairs than the truth is.
            let free = (logs.len() as f64 / (logs.len() - 1) as f64).sqrt();
            away.extend(logs.iter().map(|log| (log - centre).abs() * free));
            degrees += logs.len() as f64 - 1.0;
        }
    }
    let known = 2.0 * settings.noise.window.powi(2);
    let seen = deviation_by_median(&away).powi(2);
    (PRIOR_PAIRS * known + degrees * seen) / (PRIOR_PAIRS + degrees)
}

/// Whole programs wander by an eighth of what single blocks do from placement to placement.
fn placement_variance(rounds: &[&Round], settings: &Settings) -> f64 {
    let windows = rounds.iter().flat_map(|round| &round.baseline);
    let placements: u32 = windows.map(|o| o.placements.max(1)).sum();
    (settings.noise.baseline_placement / 8.0).powi(2) / f64::from(placements.max(1))
}

/// How much larger the logarithm of a ratio is in sampled windows than in unsampled ones.
#[derive(Debug, Clone, Copy)]
struct Sampling {
    /// Over all plans: a sample costs faster code more. 0 where no round has both kinds of windows.
    bias: f64,
    /// Its variance.
    variance: f64,
    /// Variance of what a plan's own bias is beyond that: interrupted code does not run as before, and how much that
    /// matters depends on the code (Bounce: -2 to +9 points of the ratio).
    own: f64,
}

impl Sampling {
    fn seen(rounds: &[Round], pair: f64) -> Self {
        /// Standard deviation of a plan's own bias before anything was seen, and its weight in rounds.
        const OWN: f64 = 0.007;
        const PRIOR_ROUNDS: f64 = 3.0;
        let difference = |round: &Round| {
            let [plain, sampled] = [false, true].map(|sampled| logs(&pairs(&[round], sampled)));
            let noise = pair / plain.len() as f64 + pair / sampled.len() as f64;
            Some((hodges_lehmann(&sampled)? - hodges_lehmann(&plain)?, noise))
        };
        let (biases, noise): (Vec<f64>, Vec<f64>) = rounds.iter().filter_map(difference).unzip();
        let n = biases.len() as f64;
        let bias = hodges_lehmann(&biases).unwrap_or(0.0);
        let away: Vec<f64> = biases.iter().map(|own| (own - bias).abs()).collect();
        let seen = deviation_by_median(&away).powi(2);
        let beyond = (seen - noise.iter().sum::<f64>() / n.max(1.0)).max(0.0);
        Sampling {
            bias,
            variance: noise.iter().sum::<f64>() / (n * n).max(1.0),
            own: (PRIOR_ROUNDS * OWN * OWN + n * beyond) / (PRIOR_ROUNDS + n),
        }
    }
}

fn plan_data(
    counts: Vec<u32>,
    windows: &[&Observation],
    total: Timed,
    placement_sd: f64,
    rounds: usize,
) -> Option<PlanData> {
    let sampled: Vec<&Observation> = windows.iter().copied().filter(|o| o.sampled).collect();
    let samples: f64 = sampled.iter().map(|o| o.all_samples()).sum();
    if samples <= 0.0 {
        return None;
    }
    let tunables = (0..counts.len())
        .map(|c| tunable_time(c, &sampled, samples, total, placement_sd))
        .collect();
    let outside = sampled.iter().map(|o| o.outside_samples).sum::<f64>() / samples * total.time;
    let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
    Some(PlanData {
        counts,
        total,
        tunables,
        outside,
        samples,
        rounds,
    })
}

/// Share times ratio; variance = Poisson + placements + ratio (delta method).
fn tunable_time(
    c: usize,
    windows: &[&Observation],
    samples: f64,
    total: Timed,
    placement_sd: f64,
) -> Timed {
    let y: f64 = windows.iter().map(|o| o.samples[c]).sum();
    let share = y / samples;
    // One sample more in the variance: a block that got none is not known to take no time.
    let poisson = (y + 1.0) / (samples * samples);
    let spread = placement_spread(c, windows, share, placement_sd);
    let variance = (poisson + share * share * spread) * total.time * total.time
        + share * share * total.variance;
    Timed {
        time: share * total.time,
        variance,
    }
}

/// Relative variance of the mean over placements: what the windows show beyond Poisson, shrunk
/// with the weight of six windows to the known size.
fn placement_spread(c: usize, windows: &[&Observation], share: f64, placement_sd: f64) -> f64 {
    const PRIOR_WINDOWS: f64 = 6.0;
    let n = windows.len() as f64;
    let placements: u32 = windows.iter().map(|o| o.placements.max(1)).sum();
    let prior = placement_sd.powi(2) * n / f64::from(placements);
    if share <= 0.0 || windows.len() < 2 {
        return prior / n;
    }
    let excess = |o: &&Observation| {
        let all = o.all_samples();
        let residual = o.samples[c] / all / share - 1.0;
        residual * residual * n / (n - 1.0) - 1.0 / (share * all)
    };
    let seen: f64 = windows.iter().map(excess).sum::<f64>() / n;
    let per_window =
        (PRIOR_WINDOWS * prior + (n - 1.0) * seen.max(0.0)) / (PRIOR_WINDOWS + n - 1.0);
    per_window / n
}

#[cfg(test)]
mod tests {
    use super::*;

    fn window(count: u32, ns: f64, sampled: bool) -> Observation {
        Observation {
            counts: vec![count],
            iterations: 1.0,
            cpu_ns: ns,
            samples: if sampled { vec![1000.0] } else { Vec::new() },
            outside_samples: 0.0,
            placements: 4,
            sampled,
        }
    }

    /// The sampler makes the baseline 20 % slower and the slowed code 15 %.
    fn round(count: u32, slowed: f64) -> Round {
        let both = |count, ns: f64, cost: f64| {
            vec![window(count, ns, false), window(count, ns * cost, true)]
        };
        Round {
            baseline: both(0, 100.0, 1.20),
            slowed: both(count, slowed, 1.15),
        }
    }

    fn total(settings: &Settings, rounds: &[Round]) -> f64 {
        let tunable = crate::Pool::new(vec![crate::Member {
            block: 0,
            executions_per_iteration: 1.0,
            weight: 1.0,
        }]);
        let tunables = [tunable.expect("a member").tunable("a.B.c()V", 0)];
        let reduced = reduce(&tunables, settings, rounds).expect("samples");
        reduced.plans.last().expect("a plan").total.time
    }

    #[test]
    fn the_samplers_cost_does_not_move_the_total() {
        let settings = Settings::default();
        let rounds = [round(5, 190.0), round(6, 200.0), round(7, 210.0)];
        let found = total(&settings, &rounds);
        assert!((found - 2.10).abs() < 1e-9, "{found}");
    }

    #[test]
    fn sampled_windows_alone_are_taken_as_they_are() {
        let settings = Settings::default();
        let mut only = round(5, 200.0);
        only.baseline.retain(|window| window.sampled);
        only.slowed.retain(|window| window.sampled);
        let found = total(&settings, &[only]);
        assert!((found - 2.0 * 1.15 / 1.20).abs() < 1e-9, "{found}");
    }
}
