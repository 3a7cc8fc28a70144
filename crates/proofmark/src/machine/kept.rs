//! The calibration of this processor, kept in the cache: it is made once, not before every measurement.

use std::path::{Path, PathBuf};

use proofmark_jvm::toolchain::Machine;
use proofmark_sampler::{CALIBRATION_METHOD, Calibration, Probe};
use serde::{Deserialize, Serialize};

/// A calibration as it is kept, with what it is true of.
#[derive(Serialize, Deserialize)]
struct Kept {
    key: Key,
    probe: Probe,
    calibration: Calibration,
}

/// What makes a calibration another one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Key {
    method: u32,
    cpu: String,
    cpu_id: String,
    kernel: String,
    hypervisor: bool,
    best_event: String,
}

impl Key {
    /// That of this machine, whose best event the probe found.
    pub fn of(machine: &Machine, probe: &Probe) -> Key {
        Key {
            method: CALIBRATION_METHOD,
            cpu: machine.cpu_model.clone(),
            cpu_id: machine.cpu_id.clone(),
            kernel: machine.kernel.clone(),
            hypervisor: machine.hypervisor,
            best_event: probe.event.to_string(),
        }
    }
}

/// The kept calibration, if it is there, whole and made under this key.
pub(super) fn read(cache: &Path, key: &Key) -> Option<(Probe, Calibration)> {
    let kept: Kept = serde_json::from_slice(&std::fs::read(file_in(cache)).ok()?).ok()?;
    let whole = kept.calibration.border.is_some() && !kept.calibration.slopes.is_empty();
    (kept.key == *key && whole).then_some((kept.probe, kept.calibration))
}

/// Keeps a calibration; where that cannot be done, the next run makes one again.
pub(super) fn keep(cache: Option<&Path>, key: Key, probe: &Probe, calibration: &Calibration) {
    let Some(cache) = cache else { return };
    let _ = std::fs::create_dir_all(cache);
    let kept = Kept {
        key,
        probe: probe.clone(),
        calibration: calibration.clone(),
    };
    if let Ok(bytes) = serde_json::to_vec_pretty(&kept) {
        let _ = proofmark_store::write_atomically(&file_in(cache), &bytes);
    }
}

fn file_in(cache: &Path) -> PathBuf {
    cache.join("calibration.json")
}

#[cfg(test)]
mod tests {
    use proofmark_sampler::{BorderFinding, Bound, Event, Loss, Skid, Slope, SlowdownInstruction};
    use proofmark_stats::Estimate;

    use super::*;

    fn key(cpu: &str) -> Key {
        Key {
            method: CALIBRATION_METHOD,
            cpu: cpu.into(),
            cpu_id: "6-207-2".into(),
            kernel: "6.1".into(),
            hypervisor: true,
            best_event: "cpu-clock:u".into(),
        }
    }

    fn probe() -> Probe {
        Probe {
            event: Event::CpuClock,
            units_per_ns: 1.0,
            paranoid: Some(2),
            rejected: Vec::new(),
        }
    }

    fn calibration() -> Calibration {
        let around = |value| Estimate::around(value, 0.1, 9);
        Calibration {
            core_clock_ghz: Some(around(3.0)),
            border: Some(BorderFinding {
                skid: Skid::NextInstruction,
                cycles: around(0.7),
                rules: Vec::new(),
                victims: Vec::new(),
                loss: Loss::default(),
            }),
            cost: None,
            slopes: vec![Slope {
                instruction: SlowdownInstruction::RotatedMov,
                bound: Bound::Latency,
                base_cycles: around(6.0),
                cycles_per_instruction: around(0.2),
                free_instructions: around(19.0),
                worst_residual_cycles: 0.1,
            }],
            fusing: None,
        }
    }

    #[test]
    fn what_is_kept_is_found_again() {
        let cache = tempfile::tempdir().unwrap();
        let folder = cache.path().join("not there yet");
        keep(Some(&folder), key("a"), &probe(), &calibration());
        let (event, found) = read(&folder, &key("a")).unwrap();
        assert_eq!((event, found), (probe(), calibration()));
    }

    #[test]
    fn another_processor_event_or_method_is_calibrated_anew() {
        let cache = tempfile::tempdir().unwrap();
        keep(Some(cache.path()), key("a"), &probe(), &calibration());
        let others = [
            key("b"),
            Key {
                best_event: "cycles:u".into(),
                ..key("a")
            },
            Key {
                method: CALIBRATION_METHOD + 1,
                ..key("a")
            },
        ];
        for other in others {
            assert!(read(cache.path(), &other).is_none(), "{other:?}");
        }
    }

    #[test]
    fn a_damaged_or_incomplete_file_is_no_calibration() {
        let cache = tempfile::tempdir().unwrap();
        assert!(read(cache.path(), &key("a")).is_none());
        let incomplete = Calibration {
            border: None,
            ..calibration()
        };
        keep(Some(cache.path()), key("a"), &probe(), &incomplete);
        assert!(read(cache.path(), &key("a")).is_none());
        keep(Some(cache.path()), key("a"), &probe(), &calibration());
        let file = file_in(cache.path());
        let whole = std::fs::read(&file).unwrap();
        for length in [0, 1, whole.len() / 2, whole.len() - 1] {
            std::fs::write(&file, &whole[..length]).unwrap();
            assert!(read(cache.path(), &key("a")).is_none(), "{length}");
        }
    }
}
