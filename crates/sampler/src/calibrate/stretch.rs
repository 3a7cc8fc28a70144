//! Running a victim on the calling thread, for a known CPU time, timed or sampled.

use proofmark_stats::Estimate;

use crate::error::SamplerError;
use crate::records::{Loss, Sample};
use crate::settings::Settings;
use crate::thread_clock::thread_cpu_ns;
use crate::thread_sampler::ThreadSampler;

/// CPU time between drains, in ns.
const DRAIN_NS: u64 = 50_000_000;

/// CPU time of one run in ns.
pub(super) fn time_ns(victim: impl FnOnce()) -> f64 {
    let start = thread_cpu_ns();
    victim();
    (thread_cpu_ns() - start) as f64
}

/// Turns of a victim that take about this much CPU time.
pub(super) fn turns_for(cpu_ns: u64, victim: impl Fn(u64)) -> u64 {
    let mut turns = 1_000;
    loop {
        let spent = time_ns(|| victim(turns));
        if spent > 500_000.0 {
            return ((turns as f64 * cpu_ns as f64 / spent) as u64).max(1);
        }
        turns *= 2;
    }
}

/// Opens a sampler on the calling thread.
pub(super) fn sampler_of_this_thread(settings: &Settings) -> Result<ThreadSampler, SamplerError> {
    ThreadSampler::open(rustix::thread::gettid().as_raw_pid() as u32, settings)
}

/// Samples a victim on the calling thread for about this much CPU time.
pub(super) fn sample_victim(
    settings: &Settings,
    cpu_ns: u64,
    victim: impl Fn(u64),
) -> Result<(Vec<Sample>, Loss), SamplerError> {
    let turns = turns_for(DRAIN_NS, &victim);
    let mut sampler = sampler_of_this_thread(settings)?;
    let (mut samples, mut loss) = (Vec::new(), Loss::default());
    for _ in 0..cpu_ns.div_ceil(DRAIN_NS) {
        sampler.enable()?;
        victim(turns);
        sampler.disable()?;
        loss += sampler.drain(&mut samples)?;
    }
    Ok((samples, loss))
}

/// Median with its 95 % interval from order statistics, which asks nothing of the shape of the noise; `None` below six values.
pub(super) fn median_estimate(mut values: Vec<f64>) -> Option<Estimate> {
    let n = values.len();
    if n < 6 {
        return None;
    }
    values.sort_by(f64::total_cmp);
    let half = 0.98 * (n as f64).sqrt();
    let low = ((n as f64 / 2.0 - half).floor().max(1.0) as usize) - 1;
    let value = f64::midpoint(values[(n - 1) / 2], values[n / 2]);
    Some(Estimate {
        value,
        low: values[low],
        high: values[n - 1 - low],
        n: n as u64,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_median_of_many_has_the_tabulated_ranks() {
        // n = 25: the exact 95 % interval of the median goes from rank 8 to rank 18; this rule may be one wider.
        let estimate = median_estimate((1..=25).rev().map(f64::from).collect()).unwrap();
        assert_eq!((estimate.value, estimate.n), (13.0, 25));
        assert!(
            (7.0..=8.0).contains(&estimate.low) && (18.0..=19.0).contains(&estimate.high),
            "{estimate:?}"
        );
    }

    #[test]
    fn the_fewest_values_give_their_range_and_fewer_give_nothing() {
        let estimate = median_estimate(vec![3.0, 1.0, 2.0, 6.0, 5.0, 4.0]).unwrap();
        assert_eq!(
            (estimate.low, estimate.value, estimate.high),
            (1.0, 3.5, 6.0)
        );
        assert!(median_estimate(vec![1.0; 5]).is_none());
    }
}
