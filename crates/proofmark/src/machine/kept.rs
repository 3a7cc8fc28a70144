//! The calibration of this processor, kept in the cache: it is made once, not before every measurement.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use proofmark_jvm::toolchain::Machine;
use proofmark_sampler::{
    CALIBRATION_METHOD, Calibration, Event, Probe, RuleError, SlowdownInstruction,
};
use proofmark_stats::Estimate;
use serde::{Deserialize, Serialize};

use super::{Measured, resolution_of};

/// A calibration as it is kept, with what it is true of.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    key: Key,
    /// When it was made, seconds of Unix time; none in files of earlier versions.
    #[serde(default)]
    made_s: Option<u64>,
    /// What was sampled.
    pub probe: Probe,
    calibration: Calibration,
}

impl Kept {
    /// Whether block times would say nothing here by it.
    pub fn refuses(&self) -> bool {
        !resolution_of(self.calibration.border.as_ref()).resolves_loops()
    }

    /// The machine as it was then, with what is `brought` up to date.
    pub fn measured(self, brought: impl FnOnce(Calibration) -> Calibration) -> Measured {
        let made = self.made_s.map(Duration::from_secs);
        let age = made.and_then(|made| now().checked_sub(made));
        Measured {
            machine: Machine::this(),
            probe: self.probe,
            calibration: brought(self.calibration),
            age: Some(age.unwrap_or_default()),
        }
    }
}

/// Unix time.
fn now() -> Duration {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    since.unwrap_or_default()
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

/// The kept calibration; none if there is no file.
///
/// # Errors
/// Why it cannot be used: it is damaged, holds what cannot be, or was made under another key.
pub(super) fn read(cache: &Path, key: &Key) -> Result<Option<Kept>, String> {
    let file = file_in(cache);
    let bytes = match std::fs::read(&file) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.map_err(|error| format!("{}: {error}", file.display()))?,
    };
    let damaged = |error| format!("{} is damaged ({error})", file.display());
    let mut kept: Kept = serde_json::from_slice(&bytes).map_err(damaged)?;
    kept.made_s = kept.made_s.or_else(|| written_s(&file));
    if kept.key != *key {
        return Err("processor, kernel, event or method were others".to_owned());
    }
    match impossible(&kept) {
        Some(what) => Err(format!("{} says {what}", file.display())),
        None => Ok(Some(kept)),
    }
}

/// When a file was last written, seconds of Unix time.
fn written_s(file: &Path) -> Option<u64> {
    let written = std::fs::metadata(file).ok()?.modified().ok()?;
    let since = written.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    Some(since.as_secs())
}

/// Clocks of one machine may differ so much, s.
const DAY_S: u64 = 86_400;

/// The first thing in it that no machine can have.
fn impossible(kept: &Kept) -> Option<String> {
    let (probe, found) = (&kept.probe, &kept.calibration);
    let event = probe.event.to_string();
    if event != kept.key.best_event && probe.event != Event::CpuClock {
        return Some(format!("that {event} is sampled"));
    }
    if !(1e-3..=1e3).contains(&probe.units_per_ns) {
        return Some(format!("{} units of {event} a ns", probe.units_per_ns));
    }
    let Some(border) = &found.border else {
        return Some("nothing of the border".to_owned());
    };
    if border.victims.is_empty() || border.rules.is_empty() {
        return Some("no victim's border".to_owned());
    }
    let fits = |one: &RuleError| one.skid == border.skid;
    let best = border.rules.iter().find(|one| fits(one));
    let better = |best: &RuleError| {
        let mut rules = border.rules.iter();
        rules.any(|one| one.typical_cycles < best.typical_cycles || one.worst_cycles < 0.0)
    };
    if best.is_none_or(better) {
        return Some("another rule than the one that fits best".to_owned());
    }
    if probe.event == Event::CpuClock && (probe.units_per_ns - 1.0).abs() > 0.01 {
        return Some(format!("{} units of a clock a ns", probe.units_per_ns));
    }
    if kept
        .made_s
        .is_some_and(|made| made > now().as_secs() + DAY_S)
    {
        return Some("that it was made tomorrow or later".to_owned());
    }
    let mut figures = vec![("border", border.cycles, 0.0..=1e5)];
    figures.extend(
        found
            .core_clock_ghz
            .map(|clock| ("core clock", clock, 0.05..=20.0)),
    );
    for slope in &found.slopes {
        figures.push(("block without insertion", slope.base_cycles, 0.1..=1e5));
        figures.push(("slope", slope.cycles_per_instruction, 0.0..=1e3));
        figures.push((
            "number of free instructions",
            slope.free_instructions,
            0.0..=1e5,
        ));
    }
    let wanted = [
        SlowdownInstruction::RotatedMov,
        SlowdownInstruction::TwoByteNop,
    ];
    let lacks = |one| !found.slopes.iter().any(|slope| slope.instruction == one);
    if wanted.into_iter().any(lacks) {
        return Some("nothing of a slowdown instruction".to_owned());
    }
    figures.iter().find_map(|(what, figure, range)| {
        let ordered = figure.low <= figure.value && figure.value <= figure.high;
        let possible = range.contains(&figure.value) && ordered && figure.n > 0;
        let Estimate {
            value,
            low,
            high,
            n,
        } = figure;
        (!possible).then(|| format!("a {what} of {value} ({low} to {high}), n = {n}"))
    })
}

/// Keeps a calibration; where that cannot be done, the next run makes one again.
pub(super) fn keep(cache: Option<&Path>, key: Key, probe: &Probe, calibration: &Calibration) {
    let Some(cache) = cache else { return };
    let _ = std::fs::create_dir_all(cache);
    let kept = Kept {
        key,
        made_s: Some(now().as_secs()),
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
    use proofmark_sampler::{BorderFinding, Bound, Loss, Skid, Slope, VictimError};

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
                rules: vec![RuleError {
                    skid: Skid::NextInstruction,
                    worst_cycles: 0.7,
                    typical_cycles: 0.3,
                }],
                victims: vec![VictimError {
                    victim: "even".into(),
                    known_cycles: vec![6.0],
                    sampled_cycles: vec![6.7],
                    error_cycles: 0.7,
                    samples: 900,
                }],
                loss: Loss::default(),
            }),
            cost: None,
            slopes: [
                SlowdownInstruction::RotatedMov,
                SlowdownInstruction::TwoByteNop,
            ]
            .map(|instruction| Slope {
                instruction,
                bound: Bound::Latency,
                base_cycles: around(6.0),
                cycles_per_instruction: around(0.2),
                free_instructions: around(19.0),
                worst_residual_cycles: 0.1,
            })
            .into(),
            fusing: None,
        }
    }

    #[test]
    fn what_is_kept_is_found_again() {
        let cache = tempfile::tempdir().unwrap();
        let folder = cache.path().join("not there yet");
        keep(Some(&folder), key("a"), &probe(), &calibration());
        let found = read(&folder, &key("a")).unwrap().unwrap();
        assert_eq!(
            (found.probe.clone(), found.calibration.clone()),
            (probe(), calibration())
        );
        assert!(found.measured(|same| same).age.is_some());
    }

    /// As in files of earlier versions, which are found by it: it is no text for people.
    #[test]
    fn a_key_has_the_name_of_the_processor_and_its_numbers_apart() {
        let machine = Machine {
            cpu_model: "AMD EPYC".into(),
            cpu_id: "25-1-1".into(),
            ..Machine::default()
        };
        let key = serde_json::to_value(Key::of(&machine, &probe())).unwrap();
        assert_eq!(key["cpu"], "AMD EPYC");
        assert_eq!(key["cpu_id"], "25-1-1");
    }

    #[test]
    fn what_would_refuse_the_machine_is_known() {
        let refuses = |cycles| {
            let mut found = calibration();
            let border = found.border.as_mut().unwrap();
            border.cycles = Estimate::around(cycles, 0.1, 9);
            let kept = Kept {
                key: key("a"),
                made_s: None,
                probe: probe(),
                calibration: found,
            };
            kept.refuses()
        };
        assert!(refuses(400.0) && !refuses(0.7));
    }

    #[test]
    fn another_processor_event_or_method_is_calibrated_anew() {
        let cache = tempfile::tempdir().unwrap();
        keep(Some(cache.path()), key("a"), &probe(), &calibration());
        let others = [
            key("b"),
            Key {
                cpu_id: "6-143-8".into(),
                ..key("a")
            },
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
            assert!(read(cache.path(), &other).is_err(), "{other:?}");
        }
    }

    /// What reading says of a file that was changed at a place.
    fn with(place: &str, value: serde_json::Value) -> Result<Option<Kept>, String> {
        let cache = tempfile::tempdir().unwrap();
        keep(Some(cache.path()), key("a"), &probe(), &calibration());
        let file = file_in(cache.path());
        let mut kept: serde_json::Value =
            serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
        *kept.pointer_mut(place).expect(place) = value;
        std::fs::write(&file, kept.to_string()).unwrap();
        read(cache.path(), &key("a"))
    }

    #[test]
    fn what_no_machine_can_have_is_no_calibration() {
        let null = serde_json::Value::Null;
        let places = [
            ("/calibration/border/cycles/value", (-3.0).into()),
            ("/calibration/border/cycles/value", 1e9.into()),
            ("/calibration/border/cycles/value", null.clone()),
            ("/calibration/border/cycles/n", 0.into()),
            ("/calibration/border/cycles/low", 7.0.into()),
            ("/calibration/border/victims", Vec::<u8>::new().into()),
            ("/calibration/border", null.clone()),
            ("/calibration/core_clock_ghz/value", (-2.0).into()),
            ("/calibration/slopes", Vec::<u8>::new().into()),
            (
                "/calibration/slopes/0/cycles_per_instruction/value",
                (-0.2).into(),
            ),
            ("/calibration/slopes/1/free_instructions/value", 1e12.into()),
            ("/calibration/slopes/1/base_cycles", null),
            ("/probe/units_per_ns", 0.0.into()),
            ("/probe/units_per_ns", 500.0.into()),
            ("/calibration/border/skid", "none".into()),
            ("/calibration/border/rules/0/worst_cycles", (-5.0).into()),
            ("/made_s", u64::MAX.into()),
        ];
        for (place, value) in places {
            let why = with(place, value).expect_err(place);
            assert!(why.contains("calibration.json"), "{place}: {why}");
        }
        assert!(
            with("/calibration/border/cycles/n", 8.into())
                .unwrap()
                .is_some()
        );
    }

    #[test]
    fn a_damaged_file_is_no_calibration() {
        let cache = tempfile::tempdir().unwrap();
        assert!(read(cache.path(), &key("a")).unwrap().is_none());
        keep(Some(cache.path()), key("a"), &probe(), &calibration());
        let file = file_in(cache.path());
        let whole = std::fs::read(&file).unwrap();
        for length in [0, 1, whole.len() / 2, whole.len() - 1] {
            std::fs::write(&file, &whole[..length]).unwrap();
            assert!(read(cache.path(), &key("a")).is_err(), "{length}");
        }
    }
}
