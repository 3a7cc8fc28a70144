//! The calibration on this machine.

mod common;

use common::probe_or_skip;
use proofmark_sampler::{
    Bound, Calibration, Probe, SamplerError, SlowdownInstruction, Victims, calibrate,
};

/// None where others have the processor for so long that hardly a sample is taken, which is said.
fn calibrated(probe: &Probe, victims: Victims) -> Option<Calibration> {
    match calibrate(probe, victims) {
        Err(error @ SamplerError::TooFewSamples { .. }) => {
            eprintln!("{error}");
            None
        }
        found => Some(found.unwrap()),
    }
}

#[test]
fn this_machine_is_calibrated_by_degree_and_the_record_survives_json() {
    let Some(probe) = probe_or_skip() else { return };
    let Some(found) = calibrated(&probe, Victims::ALL) else {
        return;
    };

    let border = found.border.as_ref().unwrap();
    assert!(border.victims.len() >= 6, "{border:#?}");
    assert!(
        border.cycles.low <= border.cycles.value && border.cycles.value <= border.cycles.high,
        "{border:#?}"
    );
    for victim in &border.victims {
        let sum = |cycles: &[f64]| cycles.iter().sum::<f64>();
        let (known, sampled) = (sum(&victim.known_cycles), sum(&victim.sampled_cycles));
        assert!((known / sampled - 1.0).abs() < 1e-6, "{victim:?}");
    }
    assert_eq!(found.slopes.len(), 4);
    for slope in &found.slopes {
        let cycles = &slope.cycles_per_instruction;
        assert!(cycles.low < 2.0 && cycles.high >= 0.0, "{slope:?}");
    }
    let free = |bound| {
        let of = |slope: &&proofmark_sampler::Slope| {
            slope.bound == bound && slope.instruction == SlowdownInstruction::RotatedMov
        };
        let slope = found.slopes.iter().find(of).unwrap();
        slope.free_instructions
    };
    // A busy machine makes both intervals wide.
    let (latency, alu) = (free(Bound::Latency), free(Bound::Alu));
    assert!(
        latency.high > alu.low,
        "a block with free slots must hide more instructions: {latency:?} {alu:?}"
    );

    let json = serde_json::to_string(&found).unwrap();
    let read: Calibration = serde_json::from_str(&json).unwrap();
    assert_eq!(read.border.unwrap().skid, border.skid);
    assert_eq!(read.fusing.is_some(), found.fusing.is_some());
}

#[test]
fn a_skipped_victim_leaves_its_place_empty() {
    let Some(probe) = probe_or_skip() else { return };
    let found = calibrate(
        &probe,
        Victims {
            clock: true,
            ..Victims::NONE
        },
    )
    .unwrap();
    let clock_ghz = found.core_clock_ghz.unwrap();
    assert!(
        clock_ghz.low > 0.0
            && clock_ghz.low <= clock_ghz.value
            && clock_ghz.value <= clock_ghz.high
    );
    assert!(found.border.is_none() && found.cost.is_none());
    assert!(found.slopes.is_empty() && found.fusing.is_none());
}
