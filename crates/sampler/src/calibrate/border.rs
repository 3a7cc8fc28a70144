//! How well a block's time is known: what the best rule leaves at the borders between blocks.

use proofmark_stats::{Estimate, normal_quantile, percentile_interval};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::recorded::Recorded;
use super::rule::Skid;
use crate::error::SamplerError;
use crate::records::Loss;

/// Victims without which the border says nothing.
const VICTIMS_NEEDED: usize = 6;

/// Samples of a victim without which it is left out.
const SAMPLES_NEEDED: u64 = 500;

/// Repetitions of the resampling.
const REPLICATES: usize = 400;

/// What samples mean on this machine, and what is left.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BorderFinding {
    /// The rule that fits the victims best.
    pub skid: Skid,
    /// The border: how far the time of a block can be off, in cycles per execution, because samples around its two ends are
    /// charged to the wrong side. It is the root mean square error of the blocks of the victim that fits worst, without the noise
    /// of sampling; n counts samples.
    pub cycles: Estimate,
    /// The same under each rule.
    pub rules: Vec<RuleError>,
    /// Each victim under the chosen rule, the worst first.
    pub victims: Vec<VictimError>,
    /// What the sampler missed meanwhile.
    pub loss: Loss,
}

/// How well a rule fits.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RuleError {
    /// The rule.
    pub skid: Skid,
    /// Error of the worst victim in cycles.
    pub worst_cycles: f64,
    /// Root mean square over the victims, in cycles.
    pub typical_cycles: f64,
}

/// Blocks of one victim: known and sampled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct VictimError {
    /// Its name.
    pub victim: String,
    /// Known lengths of its blocks in cycles.
    pub known_cycles: Vec<f64>,
    /// The same as sampled and corrected.
    pub sampled_cycles: Vec<f64>,
    /// Root mean square error of a block in cycles, without the noise of sampling.
    pub error_cycles: f64,
    /// Samples.
    pub samples: u64,
}

/// Chooses the rule that fits best and says what it leaves.
///
/// # Accuracy
/// The noise of sampling is subtracted from every victim's error (a block's share of N samples has the variance p (1 - p) / N);
/// what is left is the largest of a dozen figures, so it errs to the high side where all of them are small. The interval comes from
/// drawing the samples anew. Borders of real code lie between those of the victims; cache misses and mispredictions are not among them.
///
/// # Errors
/// [`SamplerError::TooFewSamples`] if fewer than six victims got 500 samples.
pub(super) fn find_border(
    recorded: &[Recorded],
    loss: Loss,
) -> Result<BorderFinding, SamplerError> {
    let usable: Vec<&Recorded> = recorded
        .iter()
        .filter(|victim| victim.samples() >= SAMPLES_NEEDED)
        .collect();
    let samples: u64 = usable.iter().map(|victim| victim.samples()).sum();
    let too_few = || SamplerError::TooFewSamples {
        victim: "border",
        samples: recorded.iter().map(Recorded::samples).sum(),
        needed: SAMPLES_NEEDED * recorded.len().max(VICTIMS_NEEDED) as u64,
    };
    if usable.len() < VICTIMS_NEEDED {
        return Err(too_few());
    }
    let rules: Vec<RuleError> = Skid::ALL.map(|skid| rule_error(skid, &usable)).into();
    let skid = rules
        .iter()
        .min_by(|a, b| a.typical_cycles.total_cmp(&b.typical_cycles))
        .map_or(Skid::NextInstruction, |best| best.skid);
    let mut victims: Vec<VictimError> = usable.iter().map(|one| victim_error(skid, one)).collect();
    victims.sort_by(|a, b| b.error_cycles.total_cmp(&a.error_cycles));
    let border = victims[0].error_cycles;
    let replicates = drawn_anew(skid, &usable);
    Ok(BorderFinding {
        skid,
        cycles: percentile_interval(border, &replicates, samples).ok_or_else(too_few)?,
        rules,
        victims,
        loss,
    })
}

fn rule_error(skid: Skid, victims: &[&Recorded]) -> RuleError {
    let errors: Vec<f64> = victims
        .iter()
        .map(|victim| victim_error(skid, victim).error_cycles)
        .collect();
    let squares: f64 = errors.iter().map(|error| error * error).sum();
    RuleError {
        skid,
        worst_cycles: errors.iter().copied().fold(0.0, f64::max),
        typical_cycles: (squares / errors.len() as f64).sqrt(),
    }
}

fn victim_error(skid: Skid, recorded: &Recorded) -> VictimError {
    let known = recorded.lengths();
    let counts = skid.corrected(recorded);
    let turn: f64 = known.iter().sum();
    let all: f64 = counts.iter().sum();
    let sampled: Vec<f64> = counts.iter().map(|count| turn * count / all).collect();
    VictimError {
        victim: recorded.victim.clone(),
        error_cycles: error_beyond_noise(&known, &counts, 1.0),
        known_cycles: known,
        sampled_cycles: sampled,
        samples: recorded.samples(),
    }
}

/// Root mean square error of the blocks in cycles, after subtracting so many times the variance that sampling has.
fn error_beyond_noise(known: &[f64], counts: &[f64], times: f64) -> f64 {
    let turn: f64 = known.iter().sum();
    let all: f64 = counts.iter().sum();
    let excess = |(known, count): (&f64, &f64)| {
        let share = known / turn;
        let error = turn * (count / all - share);
        error * error - times * turn * turn * share * (1.0 - share) / all
    };
    let squares: f64 = known.iter().zip(counts).map(excess).sum();
    (squares / known.len() as f64).max(0.0).sqrt()
}

/// The border from samples that are drawn anew around those that were seen, whose noise is then in it twice.
fn drawn_anew(skid: Skid, victims: &[&Recorded]) -> Vec<f64> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let known: Vec<(Vec<f64>, Vec<f64>)> = victims
        .iter()
        .map(|victim| (victim.lengths(), skid.corrected(victim)))
        .collect();
    let mut once = || {
        let one = |(known, counts): &(Vec<f64>, Vec<f64>)| {
            let drawn: Vec<f64> = counts
                .iter()
                .map(|&count| {
                    // Never 0, whose quantile is infinite.
                    let uniform = random.random::<f64>().clamp(1e-12, 1.0 - 1e-12);
                    (count + count.max(0.0).sqrt() * normal_quantile(uniform)).max(0.0)
                })
                .collect();
            error_beyond_noise(known, &drawn, 2.0)
        };
        known.iter().map(one).fold(0.0, f64::max)
    };
    (0..REPLICATES).map(|_| once()).collect()
}

#[cfg(test)]
#[path = "border_test.rs"]
mod tests;
