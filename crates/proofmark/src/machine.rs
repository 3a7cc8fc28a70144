//! The machine: what it is, what it can sample, and what victims of known answer showed on it.

mod kept;

use std::path::Path;

use proofmark_blocks::{Resolution, Skid};
use proofmark_divine::Prior;
use proofmark_experiment::lab::Filler;
use proofmark_jvm::toolchain::Machine;
use proofmark_sampler::{
    BorderFinding, Bound, Calibration, Probe, SlowdownInstruction, Victims, calibrate,
    choose_event, probe,
};
use proofmark_stats::Estimate;

use crate::context::Refusal;
use crate::progress::Progress;
use kept::Key;

/// A machine whose samples have been calibrated.
pub struct Measured {
    /// What it is.
    pub machine: Machine,
    /// What it can sample.
    pub probe: Probe,
    /// What the victims of known answer showed.
    pub calibration: Calibration,
}

impl Measured {
    /// Takes the calibration that was kept for this processor, kernel and event; without one, makes one (10 s) and keeps it. The core
    /// clock is measured anew every time.
    ///
    /// # Errors
    /// When nothing can be sampled, with what to do about it; when block times would say nothing here.
    pub fn get(cache: Option<&Path>, progress: &Progress) -> anyhow::Result<Measured> {
        let machine = Machine::this();
        let key = Key::of(&machine, &probe()?);
        let kept = cache.and_then(|cache| kept::read(cache, &key));
        let (probe, calibration) = match kept {
            Some((probe, calibration)) => {
                let core_clock_ghz = calibrate(&probe, CLOCK)?.core_clock_ghz;
                let now = Calibration {
                    core_clock_ghz,
                    ..calibration
                };
                (probe, now)
            }
            None => {
                progress.step("calibrating with victims of known answer, once per processor");
                let (probe, calibration) = choose_event(LASTING)?;
                kept::keep(cache, key, &probe, &calibration);
                (probe, calibration)
            }
        };
        let measured = Measured {
            machine,
            probe,
            calibration,
        };
        measured.refuse_what_says_nothing()?;
        Ok(measured)
    }

    /// Calibrates with every victim, whatever was kept, and keeps the result. Nothing is refused.
    ///
    /// # Errors
    /// When nothing can be sampled, with what to do about it.
    pub fn anew(cache: Option<&Path>) -> anyhow::Result<Measured> {
        let machine = Machine::this();
        let key = Key::of(&machine, &probe()?);
        let (probe, calibration) = choose_event(Victims::ALL)?;
        kept::keep(cache, key, &probe, &calibration);
        Ok(Measured {
            machine,
            probe,
            calibration,
        })
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
        let unknown = Estimate::around(f64::INFINITY, 0.0, 0);
        let border = self.border();
        Resolution {
            skid: match border.map(|border| border.skid) {
                Some(proofmark_sampler::Skid::None) => Skid::None,
                Some(proofmark_sampler::Skid::RetirePair) => Skid::RetirePair,
                Some(proofmark_sampler::Skid::NextInstruction) | None => Skid::NextInstruction,
            },
            border_cycles: border.map_or(unknown, |border| border.cycles),
        }
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

const CLOCK: Victims = Victims {
    clock: true,
    ..Victims::NONE
};

const LASTING: Victims = Victims {
    cost: false,
    ..Victims::ALL
};

/// Cost and free slots of a slowdown instruction before any block was slowed. Real blocks cost some 15 % more than the victims', and
/// hide about as many instructions per cycle as the mean of a block that waits and one that keeps every slot busy (docs/method.md).
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
