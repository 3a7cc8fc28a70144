//! The sampler on real threads of this machine.

mod common;
mod worker;

use common::probe_or_skip;
use proofmark_sampler::{Sample, SamplerError, Settings, ThreadSampler};
use rustix::time::ClockId;
use worker::{Worker, now_ns};

const CPU_NS: u64 = 200_000_000;

/// Samples that CPU time should give at a rate, on both streams.
fn expected(rate_hz: f64, cpu_ns: u64) -> f64 {
    rate_hz * cpu_ns as f64 / 1e9
}

#[test]
fn both_streams_sample_in_user_mode_at_their_rates_on_the_clock_of_nano_time() {
    let Some(probe) = probe_or_skip() else { return };
    let worker = Worker::start();
    let mut sampler = ThreadSampler::open(worker.tid, &Settings::search(&probe)).unwrap();
    let before_ns = now_ns(ClockId::Monotonic);
    sampler.enable().unwrap();
    worker.compute(CPU_NS);
    sampler.disable().unwrap();
    let after_ns = now_ns(ClockId::Monotonic);

    let mut samples = Vec::new();
    let loss = sampler.drain(&mut samples).unwrap();
    assert_eq!(loss.lost, 0);
    assert!(
        samples
            .iter()
            .all(|sample| (before_ns..=after_ns).contains(&sample.time_ns))
    );
    assert!(
        samples.iter().all(|sample| sample.ip < 1 << 63),
        "a kernel address in a user-only sample"
    );
    let of_stream = |stream| {
        samples
            .iter()
            .filter(|sample| sample.stream == stream)
            .count() as f64
    };
    let ratio = of_stream(0) / of_stream(1);
    assert!(
        (1.1..1.8).contains(&ratio),
        "streams are to differ by 1.347, not {ratio}"
    );
    let share = samples.len() as f64 / expected(proofmark_sampler::SEARCH_HZ, CPU_NS);
    // A virtual machine that does not run, as others have its processor, skips ticks of the timer.
    assert!(
        (0.1..1.5).contains(&share),
        "{} samples are {share} of those expected",
        samples.len()
    );
}

#[test]
fn only_the_enabled_stretch_is_sampled_and_each_sample_is_drained_once() {
    let Some(probe) = probe_or_skip() else { return };
    let worker = Worker::start();
    let mut sampler = ThreadSampler::open(worker.tid, &Settings::search(&probe)).unwrap();
    let mut samples = Vec::new();
    worker.compute(CPU_NS / 4);
    sampler.drain(&mut samples).unwrap();
    assert!(samples.is_empty(), "sampled before being enabled");

    sampler.enable().unwrap();
    worker.compute(CPU_NS / 4);
    sampler.disable().unwrap();
    worker.compute(CPU_NS / 4);
    sampler.drain(&mut samples).unwrap();
    let first = samples.len();
    assert!(first > 0);
    sampler.drain(&mut samples).unwrap();
    assert_eq!(samples.len(), first);

    sampler.enable().unwrap();
    worker.compute(CPU_NS / 4);
    sampler.disable().unwrap();
    sampler.drain(&mut samples).unwrap();
    assert!(
        samples.len() > first,
        "nothing was sampled after enabling again"
    );
}

#[test]
fn a_full_ring_is_reported_exactly_and_sampling_goes_on_after_a_drain() {
    let Some(probe) = probe_or_skip() else { return };
    let worker = Worker::start();
    let roomy = Settings::at_rate(&probe, 10_000.0).unwrap();
    let tiny = Settings {
        ring_bytes: [1, 1],
        ..roomy.clone()
    };
    let mut tiny = ThreadSampler::open(worker.tid, &tiny).unwrap();
    let mut roomy = ThreadSampler::open(worker.tid, &roomy).unwrap();

    for window in 1..=2 {
        tiny.enable().unwrap();
        roomy.enable().unwrap();
        worker.compute(CPU_NS);
        tiny.disable().unwrap();
        roomy.disable().unwrap();
        let (mut few, mut all) = (Vec::new(), Vec::new());
        let loss = tiny.drain(&mut few).unwrap();
        assert!(
            loss.lost > 0 && !few.is_empty(),
            "window {window}: {loss:?}, {} samples",
            few.len()
        );
        assert_eq!(roomy.drain(&mut all).unwrap().lost, 0);
        let accounted = (few.len() as u64 + loss.lost) as f64 / all.len() as f64;
        assert!(
            (0.5..2.0).contains(&accounted),
            "window {window}: kept and lost are {accounted} of all samples"
        );
        assert!(few.is_sorted_by_key(|sample: &Sample| (sample.stream, sample.time_ns)));
    }
}

#[test]
fn what_a_thread_left_is_drained_after_its_end() {
    let Some(probe) = probe_or_skip() else { return };
    let worker = Worker::start();
    let mut sampler = ThreadSampler::open(worker.tid, &Settings::search(&probe)).unwrap();
    sampler.enable().unwrap();
    worker.compute(CPU_NS / 4);
    worker.end();
    let mut samples = Vec::new();
    sampler.drain(&mut samples).unwrap();
    assert!(samples.len() as f64 > expected(proofmark_sampler::SEARCH_HZ, CPU_NS / 4) / 20.0);
}

#[test]
fn a_thread_that_does_not_exist_is_named_in_the_error() {
    let Some(probe) = probe_or_skip() else { return };
    let no_thread = i32::MAX as u32;
    let Err(error) = ThreadSampler::open(no_thread, &Settings::search(&probe)) else {
        panic!("opened on no thread")
    };
    assert!(matches!(error, SamplerError::Open { tid, .. } if tid == no_thread));
    assert!(error.to_string().contains("live thread"), "{error}");
}

#[test]
fn impossible_rates_are_refused() {
    let Some(probe) = probe_or_skip() else { return };
    for rate_hz in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e6] {
        assert!(matches!(
            Settings::at_rate(&probe, rate_hz),
            Err(SamplerError::Rate { .. })
        ));
    }
}

#[test]
fn the_probe_says_what_it_got_and_why_nothing_better() {
    let Some(probe) = probe_or_skip() else { return };
    eprintln!("{probe:?}");
    assert!(probe.units_per_ns > 0.0);
    assert!(
        probe
            .rejected
            .iter()
            .all(|rejected| !rejected.reason.is_empty() && rejected.event != probe.event)
    );
    let json = serde_json::to_string(&probe).unwrap();
    assert_eq!(
        serde_json::from_str::<proofmark_sampler::Probe>(&json).unwrap(),
        probe
    );
}
