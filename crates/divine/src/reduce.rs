//! From windows to block times: one figure with its variance per cell and plan.
//!
//! Times are parts of the baseline time of the whole program. A cell's time under plan j is its
//! share of the samples there times the ratio of the totals of that plan's own interleaved rounds
//! (speed wander cancels inside a round); the baseline is pooled over all rounds.

use crate::{Cell, Observation, Round, Settings};

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
    pub(crate) cells: Vec<Timed>,
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
    /// Distinct plans in the order in which they were first tried.
    pub(crate) plans: Vec<PlanData>,
}

/// Reduces all rounds; none without a sampled baseline window.
pub(crate) fn reduce(cells: &[Cell], settings: &Settings, rounds: &[Round]) -> Option<Reduced> {
    let noise = &settings.noise;
    let windows: Vec<&Observation> = rounds.iter().flat_map(|r| &r.baseline).collect();
    let no_ratio = Timed {
        time: 1.0,
        variance: 0.0,
    };
    let baseline = plan_data(
        vec![0; cells.len()],
        &windows,
        no_ratio,
        noise.baseline_placement,
        rounds.len(),
    )?;
    let baseline_ns = mean_ns(&windows)?;
    let sampling = sampling_bias(rounds, settings);
    let plans = distinct_plans(rounds).into_iter().filter_map(|counts| {
        let own: Vec<&Round> = rounds
            .iter()
            .filter(|r| r.slowed.first().is_some_and(|o| o.counts == counts))
            .collect();
        let windows: Vec<&Observation> = own.iter().flat_map(|r| &r.slowed).collect();
        let ratio = pooled_ratio(&own, settings, sampling)?;
        plan_data(counts, &windows, ratio, noise.slowed_placement, own.len())
    });
    Some(Reduced {
        baseline_ns,
        plans: plans.collect(),
        baseline,
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

/// Mean CPU time per iteration over the unsampled windows, or over all where there are none.
fn mean_ns(windows: &[&Observation]) -> Option<f64> {
    let of = |sampled: bool| {
        windows
            .iter()
            .filter(move |o| o.sampled == sampled)
            .map(|o| o.ns_per_iteration())
    };
    mean(of(false)).or_else(|| mean(of(true)))
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (n, sum) = values.fold((0.0, 0.0), |(n, sum), x| (n + 1.0, sum + x));
    (n > 0.0).then(|| sum / n)
}

/// Ratio of slowed to baseline time over the rounds of one plan, weighted by precision.
fn pooled_ratio(rounds: &[&Round], settings: &Settings, sampling: Timed) -> Option<Timed> {
    let (mut weights, mut sum) = (0.0, 0.0);
    for round in rounds {
        for sampled in [false, true] {
            let Some(mut ratio) = round_ratio(round, sampled, settings) else {
                continue;
            };
            if sampled {
                ratio.time -= sampling.time;
                ratio.variance += sampling.variance;
            }
            weights += 1.0 / ratio.variance;
            sum += ratio.time / ratio.variance;
        }
    }
    (weights > 0.0).then(|| Timed {
        time: (sum / weights).exp(),
        variance: (2.0 * sum / weights).exp() / weights,
    })
}

/// How much larger the logarithm of the ratio is in sampled windows than in unsampled ones (a sample
/// costs faster code more): the mean over all rounds that have both, 0 where none has.
fn sampling_bias(rounds: &[Round], settings: &Settings) -> Timed {
    let difference = |round: &Round| {
        let [plain, sampled] = [false, true].map(|s| round_ratio(round, s, settings));
        let (plain, sampled) = (plain?, sampled?);
        Some((sampled.time - plain.time, sampled.variance + plain.variance))
    };
    let (mut weights, mut sum) = (0.0, 0.0);
    for (bias, variance) in rounds.iter().filter_map(difference) {
        weights += 1.0 / variance;
        sum += bias / variance;
    }
    Timed {
        time: if weights > 0.0 { sum / weights } else { 0.0 },
        variance: if weights > 0.0 { 1.0 / weights } else { 0.0 },
    }
}

/// Logarithm of the ratio of one round, from its windows with or without the sampler.
fn round_ratio(round: &Round, sampled: bool, settings: &Settings) -> Option<Timed> {
    let baseline: Vec<&Observation> = round
        .baseline
        .iter()
        .filter(|o| o.sampled == sampled)
        .collect();
    let slowed: Vec<&Observation> = round
        .slowed
        .iter()
        .filter(|o| o.sampled == sampled)
        .collect();
    let ratio = mean_ns(&slowed)? / mean_ns(&baseline)?;
    // Whole programs wander by an eighth of what single blocks do from placement to placement.
    let placement = (settings.noise.baseline_placement / 8.0).powi(2);
    let placements: u32 = baseline.iter().map(|o| o.placements.max(1)).sum();
    let window = settings.noise.window.powi(2);
    let variance = window * (1.0 / baseline.len() as f64 + 1.0 / slowed.len() as f64)
        + placement / f64::from(placements);
    Some(Timed {
        time: ratio.ln(),
        variance: variance.max(1e-8),
    })
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
    let cells = (0..counts.len())
        .map(|c| cell_time(c, &sampled, samples, total, placement_sd))
        .collect();
    let outside = sampled.iter().map(|o| o.outside_samples).sum::<f64>() / samples * total.time;
    let rounds = u32::try_from(rounds).unwrap_or(u32::MAX);
    Some(PlanData {
        counts,
        total,
        cells,
        outside,
        samples,
        rounds,
    })
}

/// Share times ratio; variance = Poisson + placements + ratio (delta method).
fn cell_time(
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
        let cell = crate::Pool::new(vec![crate::Member {
            block: 0,
            executions_per_iteration: 1.0,
            weight: 1.0,
        }]);
        let cells = [cell.expect("a member").cell("a.B.c()V", 0)];
        let reduced = reduce(&cells, settings, rounds).expect("samples");
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
