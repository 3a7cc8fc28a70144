//! Measures the figures of the crate's *Accuracy* section on this machine.

use std::time::Instant;

use proofmark_sampler::{SamplerError, Settings, Victims, calibrate, measure_cost, probe};

/// Interleaved pairs of stretches per rate.
const PAIRS: usize = 150;

/// CPU time of a stretch in ns.
const STRETCH_NS: u64 = 40_000_000;

fn main() -> Result<(), SamplerError> {
    let probe = probe()?;
    println!("{probe:#?}");
    let start = Instant::now();
    println!("{:#?}", calibrate(&probe, Victims::ALL)?);
    println!("calibrated in {:?}", start.elapsed());
    println!("rate_hz pairs samples slowdown_pct low high us_per_sample low high lost throttled");
    for rate_hz in [400.0, 500.0, 1_000.0, 5_000.0, 10_000.0] {
        let cost = measure_cost(&Settings::at_rate(&probe, rate_hz)?, PAIRS, STRETCH_NS)?;
        let [slowdown, us] = [cost.slowdown_pct, cost.ns_per_sample.scaled(1e-3)];
        println!(
            "{rate_hz} {PAIRS} {} {:.2} {:.2} {:.2} {:.1} {:.1} {:.1} {} {}",
            cost.samples,
            slowdown.value,
            slowdown.low,
            slowdown.high,
            us.value,
            us.low,
            us.high,
            cost.loss.lost,
            cost.loss.throttled
        );
    }
    Ok(())
}
