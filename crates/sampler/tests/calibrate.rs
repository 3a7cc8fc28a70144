//! The calibration on this machine.

mod common;

use common::probe_or_skip;
use proofmark_sampler::{Bound, Calibration, Skid, SlowdownInstruction, Victims, calibrate};

#[test]
fn every_victim_gives_its_known_answer_and_the_record_survives_json() {
    let Some(probe) = probe_or_skip() else { return };
    let found = calibrate(&probe, Victims::ALL).unwrap();

    let skid = found.skid.as_ref().unwrap();
    assert!(skid.division_expected > 0.0, "{skid:?}");
    if skid.skid == Skid::Unclear {
        eprintln!("the skid of this machine is unclear: {skid:?}");
        assert_eq!(found.trustworthy(), Some(false));
    } else {
        assert_eq!(found.trustworthy(), Some(true), "{:?}", found.shares);
    }
    assert_eq!(found.slopes.len(), 4);
    for slope in &found.slopes {
        if slope.bound == Bound::Latency {
            // Two multiplications of three cycles.
            assert!((slope.base_cycles.value - 6.0).abs() < 0.6, "{slope:?}");
        }
        assert!(
            (0.0..2.0).contains(&slope.cycles_per_instruction.value),
            "{slope:?}"
        );
    }
    let free = |bound| {
        let of = |slope: &&proofmark_sampler::Slope| {
            slope.bound == bound && slope.instruction == SlowdownInstruction::RotatedMov
        };
        found
            .slopes
            .iter()
            .find(of)
            .unwrap()
            .free_instructions
            .value
    };
    assert!(
        free(Bound::Latency) > free(Bound::Alu),
        "a block with free slots must hide more instructions"
    );

    let json = serde_json::to_string(&found).unwrap();
    let read: Calibration = serde_json::from_str(&json).unwrap();
    assert_eq!(read.skid.unwrap().skid, skid.skid);
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
    assert!(
        found.skid.is_none()
            && found.shares.is_none()
            && found.cost.is_none()
            && found.slopes.is_empty()
    );
    assert_eq!(found.trustworthy(), None);
}
