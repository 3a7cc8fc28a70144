//! What a sample costs the sampled thread.

use proofmark_stats::Estimate;
use serde::{Deserialize, Serialize};

use super::stretch::{median_estimate, sampler_of_this_thread, time_ns, turns_for};
use super::victims::chain;
use crate::error::SamplerError;
use crate::records::Loss;
use crate::settings::Settings;

/// Cost of sampling, from pairs of a sampled and an unsampled stretch of the same work, interleaved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CostFinding {
    /// Periods of the two streams in the event's unit.
    pub periods: [u64; 2],
    /// CPU time of the sampled thread per sample in ns: the median extra time of the pairs over the mean number of samples in a pair; n counts pairs.
    pub ns_per_sample: Estimate,
    /// Extra CPU time of the sampled thread, in per cent of that of the unsampled one: median of the pairs; n counts pairs.
    pub slowdown_pct: Estimate,
    /// Samples taken.
    pub samples: u64,
    /// What the sampler missed meanwhile.
    pub loss: Loss,
}

/// Measures the cost on the calling thread with this many pairs (at least 6) of stretches of about `stretch_ns` ns of CPU time each.
///
/// Short stretches share the machine's wander, long ones hide the first samples after switching on, which cost more: about 20 us per stretch.
///
/// # Errors
/// Those of [`ThreadSampler`](crate::ThreadSampler); [`SamplerError::TooFewSamples`] if there were fewer samples than pairs.
pub fn measure_cost(
    settings: &Settings,
    pairs: usize,
    stretch_ns: u64,
) -> Result<CostFinding, SamplerError> {
    let pairs = pairs.max(6);
    let turns = turns_for(stretch_ns, chain);
    let mut sampler = sampler_of_this_thread(settings)?;
    let (mut samples, mut loss) = (Vec::new(), Loss::default());
    let (mut plain_ns, mut extra_ns) = (Vec::new(), Vec::new());
    for pair in 0..pairs {
        let mut sampled = || -> Result<f64, SamplerError> {
            sampler.enable()?;
            let spent_ns = time_ns(|| chain(turns));
            sampler.disable()?;
            loss += sampler.drain(&mut samples)?;
            Ok(spent_ns)
        };
        // A B, then B A: a drift is as often for as against.
        let (plain, with) = if pair % 2 == 0 {
            (time_ns(|| chain(turns)), sampled()?)
        } else {
            let with = sampled()?;
            (time_ns(|| chain(turns)), with)
        };
        plain_ns.push(plain);
        extra_ns.push(with - plain);
    }
    summarise(settings, &plain_ns, &extra_ns, samples.len() as u64, loss)
}

fn summarise(
    settings: &Settings,
    plain_ns: &[f64],
    extra_ns: &[f64],
    samples: u64,
    loss: Loss,
) -> Result<CostFinding, SamplerError> {
    let pairs = plain_ns.len();
    let too_few = || SamplerError::TooFewSamples {
        victim: "cost",
        samples,
        needed: pairs as u64,
    };
    if samples < pairs as u64 {
        return Err(too_few());
    }
    let slowdowns = plain_ns
        .iter()
        .zip(extra_ns)
        .map(|(plain, extra)| 100.0 * extra / plain)
        .collect();
    let extra = median_estimate(extra_ns.to_vec()).ok_or_else(too_few)?;
    Ok(CostFinding {
        periods: settings.periods,
        ns_per_sample: extra.scaled(pairs as f64 / samples as f64),
        slowdown_pct: median_estimate(slowdowns).ok_or_else(too_few)?,
        samples,
        loss,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Event;

    #[test]
    fn extra_time_is_shared_among_the_samples() {
        let settings = Settings::with_rate(Event::CpuClock, 1.0, 5_000.0);
        // Ten pairs of 5 ms with 25 samples each of 10 us, one of them disturbed.
        let mut extra_ns = vec![250_000.0; 10];
        extra_ns[3] = 4_000_000.0;
        let cost = summarise(
            &settings,
            &[5_000_000.0; 10],
            &extra_ns,
            250,
            Loss::default(),
        )
        .unwrap();
        assert_eq!(
            (cost.ns_per_sample.value, cost.slowdown_pct.value),
            (10_000.0, 5.0)
        );
    }

    #[test]
    fn too_few_samples_give_no_cost() {
        let settings = Settings::with_rate(Event::CpuClock, 1.0, 5_000.0);
        let cost = summarise(&settings, &[5e6; 10], &[1e3; 10], 9, Loss::default());
        assert!(matches!(cost, Err(SamplerError::TooFewSamples { .. })));
    }
}
