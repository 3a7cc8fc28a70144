//! The machine: what it is, what it can sample, and what victims of known answer showed on it.

mod kept;
pub mod recommended;

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

use proofmark_blocks::{Resolution, Skid};
use proofmark_divine::Prior;
use proofmark_experiment::lab::Filler;
use proofmark_jvm::LabError;
use proofmark_jvm::toolchain::Machine;
use proofmark_sampler::{
    BorderFinding, Bound, Calibration, Probe, SlowdownInstruction, Victims, calibrate,
    choose_event, probe,
};
use proofmark_stats::Estimate;

use crate::context::Refusal;
use crate::surroundings::Surroundings;
use kept::Key;

/// A machine whose samples have been calibrated.
pub struct Measured {
    /// What it is.
    pub machine: Machine,
    /// What it can sample.
    pub probe: Probe,
    /// What the victims of known answer showed.
    pub calibration: Calibration,
    /// How long ago they were run, if that was not now.
    pub age: Option<Duration>,
}

impl Measured {
    /// Takes the calibration that was kept for this processor, kernel and event; without one, makes one (some 12 s) and keeps it. The core
    /// clock is measured anew every time.
    ///
    /// # Errors
    /// When nothing can be sampled, with what to do about it; when block times would say nothing here; when the user interrupts it.
    pub fn get(around: &Surroundings) -> anyhow::Result<Measured> {
        let of_run = |found: Calibration, core_clock_ghz| Calibration {
            core_clock_ghz,
            ..found
        };
        let measured = match kept_or_noted(around)? {
            // What refuses is not taken on trust.
            Some(kept) if kept.refuses() => {
                let text = "calibrating once more: what is kept would refuse this machine";
                around.progress.step(text);
                calibrated(around, LASTING)?
            }
            Some(kept) => {
                let probe = kept.probe.clone();
                let now = stoppable(&around.interrupted, move || calibrate(&probe, CLOCK))??;
                kept.measured(|found| of_run(found, now.core_clock_ghz))
            }
            None => {
                let text = "calibrating with victims of known answer, once per processor";
                around.progress.step(text);
                calibrated(around, LASTING)?
            }
        };
        measured.refuse_what_says_nothing()?;
        Ok(measured)
    }

    /// For the doctor, who refuses nothing: what was kept, with clock and cost of a sample measured now; without it, or if `anew`,
    /// everything is measured and kept.
    ///
    /// # Errors
    /// When nothing can be sampled, with what to do about it; when the user interrupts it.
    pub fn for_doctor(around: &Surroundings, anew: bool) -> anyhow::Result<Measured> {
        let kept = match anew {
            true => None,
            false => kept_or_noted(around)?,
        };
        let Some(kept) = kept else {
            let text = "sampling victims of known answer, some 12 s";
            around.progress.step(text);
            return calibrated(around, Victims::ALL);
        };
        let probe = kept.probe.clone();
        let now = stoppable(&around.interrupted, move || {
            calibrate(&probe, CLOCK_AND_COST)
        })??;
        Ok(kept.measured(|found| Calibration {
            core_clock_ghz: now.core_clock_ghz,
            cost: now.cost,
            ..found
        }))
    }

    /// What was kept for this machine, with nothing measured; none if it is not calibrated.
    ///
    /// # Errors
    /// When nothing can be sampled.
    pub fn kept(around: &Surroundings) -> anyhow::Result<Option<Measured>> {
        // What would refuse the machine is measured once more when a run begins.
        let kept = kept_or_noted(around)?.filter(|kept| !kept.refuses());
        Ok(kept.map(|kept| kept.measured(|found| found)))
    }

    fn refuse_what_says_nothing(&self) -> anyhow::Result<()> {
        let resolution = self.resolution();
        if resolution.resolves_loops() {
            return Ok(());
        }
        let text = format!(
            "block times say nothing on this machine: what samples mean is known to {:.0} cycles only, more than most loops \
             take (proofmark doctor shows the victims). dose, count, events, study, import and diff work without block times",
            resolution.border()
        );
        Err(Refusal::Cannot(text).into())
    }

    fn border(&self) -> Option<&BorderFinding> {
        self.calibration.border.as_ref()
    }

    /// What a sampled address means here.
    #[must_use]
    pub fn skid(&self) -> Skid {
        self.resolution().skid
    }

    /// What a sampled address means here, and how well block times are known.
    #[must_use]
    pub fn resolution(&self) -> Resolution {
        resolution_of(self.border())
    }

    /// Core clock, GHz.
    #[must_use]
    pub fn clock_ghz(&self) -> f64 {
        let clock = self.calibration.core_clock_ghz;
        clock.map_or(3.0, |clock| clock.value)
    }

    /// The slowdown instruction for this processor.
    #[must_use]
    pub fn filler(&self) -> Filler {
        match self.calibration.slowdown_instruction() {
            SlowdownInstruction::RotatedMov => Filler::Mov,
            SlowdownInstruction::TwoByteNop => Filler::Nop,
        }
    }

    /// What calibration says about a slowdown instruction; see [`prior`].
    #[must_use]
    pub fn prior(&self, filler: Filler) -> Prior {
        prior(&self.calibration, filler)
    }
}

/// The calibration that was kept; why one cannot be used is noted.
fn kept_or_noted(around: &Surroundings) -> anyhow::Result<Option<kept::Kept>> {
    let Some(cache) = around.toolchain.cache.as_deref() else {
        return Ok(None);
    };
    let key = Key::of(&Machine::this(), &probe()?);
    Ok(kept::read(cache, &key).unwrap_or_else(|why| {
        let text = format!("the calibration that was kept is not used: {why}; it is measured anew");
        around.progress.note(&text);
        None
    }))
}

/// Runs victims and keeps what they showed.
fn calibrated(around: &Surroundings, victims: Victims) -> anyhow::Result<Measured> {
    let machine = Machine::this();
    let key = Key::of(&machine, &probe()?);
    let (probe, calibration) = stoppable(&around.interrupted, move || choose_event(victims))??;
    kept::keep(around.toolchain.cache.as_deref(), key, &probe, &calibration);
    Ok(Measured {
        machine,
        probe,
        calibration,
        age: None,
    })
}

/// Between two looks at the interrupt.
const LOOK: Duration = Duration::from_millis(100);

/// Does it in a thread of its own, which ends with the process when the user interrupts it.
fn stoppable<T: Send + 'static>(
    interrupted: &AtomicBool,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, LabError> {
    let (send, receive) = mpsc::channel();
    let worker = std::thread::spawn(move || drop(send.send(work())));
    loop {
        match receive.recv_timeout(LOOK) {
            Ok(found) => return Ok(found),
            Err(_) if interrupted.load(Ordering::Relaxed) => return Err(LabError::Interrupted),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => unreachable!("it sends what it found before it ends"),
            },
        }
    }
}

const CLOCK: Victims = Victims {
    clock: true,
    ..Victims::NONE
};

const CLOCK_AND_COST: Victims = Victims {
    cost: true,
    ..CLOCK
};

const LASTING: Victims = Victims {
    cost: false,
    ..Victims::ALL
};

/// Cost and free slots of a slowdown instruction before any block was slowed. Real blocks cost some 15 % more than the victims', and
/// hide about as many instructions per cycle as the mean of a block that waits and one that keeps every slot busy (docs/search.md).
fn prior(calibration: &Calibration, filler: Filler) -> Prior {
    const REAL_BLOCKS: f64 = 1.15;
    /// Below this a victim's line says nothing: nearly all that was inserted was free.
    const LEAST_SLOPE: f64 = 0.02;
    let wanted = match filler {
        Filler::Nop => SlowdownInstruction::TwoByteNop,
        _ => SlowdownInstruction::RotatedMov,
    };
    let of_it = |bound| {
        let mut slopes = calibration.slopes.iter();
        slopes
            .find(|slope| (slope.instruction, slope.bound) == (wanted, bound))
            .filter(|slope| slope.cycles_per_instruction.value > LEAST_SLOPE)
    };
    let seen: Vec<_> = [Bound::Latency, Bound::Alu]
        .into_iter()
        .filter_map(of_it)
        .collect();
    if seen.is_empty() {
        return Prior::default();
    }
    let mean = |value: fn(&proofmark_sampler::Slope) -> f64| {
        seen.iter().map(|slope| value(slope)).sum::<f64>() / seen.len() as f64
    };
    Prior {
        slope_cycles: REAL_BLOCKS * mean(|slope| slope.cycles_per_instruction.value),
        hinge_per_cycle: mean(|slope| {
            slope.free_instructions.value / slope.base_cycles.value.max(1.0)
        }),
        ..Prior::default()
    }
}

/// What a sampled address means by a calibration, and how well block times are known.
fn resolution_of(border: Option<&BorderFinding>) -> Resolution {
    let unknown = Estimate::around(f64::INFINITY, 0.0, 0);
    Resolution {
        skid: match border.map(|border| border.skid) {
            Some(proofmark_sampler::Skid::None) => Skid::None,
            Some(proofmark_sampler::Skid::RetirePair) => Skid::RetirePair,
            Some(proofmark_sampler::Skid::NextInstruction) | None => Skid::NextInstruction,
        },
        border_cycles: border.map_or(unknown, |border| border.cycles),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_ends_what_would_never_end() {
        let (never, waits) = mpsc::channel::<()>();
        let found = stoppable(&AtomicBool::new(true), move || waits.recv());
        assert!(matches!(found, Err(LabError::Interrupted)));
        drop(never);
    }

    #[test]
    fn what_was_found_comes_back() {
        let found = stoppable(&AtomicBool::new(false), || 7);
        assert!(matches!(found, Ok(7)));
    }
}
