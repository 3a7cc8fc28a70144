//! Victims of known answer: what the samples of this machine mean, and what slowing down does on it.

mod border;
mod clock;
mod cost;
mod fusing;
mod hinge;
mod recorded;
mod rule;
mod slope;
mod slope_victims;
mod stretch;
mod victims;

use proofmark_stats::{Estimate, median};
use serde::{Deserialize, Serialize};

use crate::error::SamplerError;
use crate::event::Event;
use crate::probe::{self, Probe, Rejected};
use crate::records::Loss;
use crate::settings::Settings;
use slope::SlopeSittings;
use stretch::{sample_victim, time_ns, turns_for};
use victims::Victim;

pub use border::{BorderFinding, RuleError, VictimError};
pub use cost::{CostFinding, measure_cost};
pub use fusing::Fusing;
pub use recorded::{Recorded, RecordedBlock};
pub use rule::Skid;
pub use slope::{Bound, Slope, SlowdownInstruction};

/// Number of the method; another one makes calibrations that were kept worthless. 2: the division's answer holds on every core, slopes
/// come from three sittings.
pub const CALIBRATION_METHOD: u32 = 2;

/// Rate in Hz for the border: the highest at which shares are unbiased.
const VICTIM_HZ: f64 = 10_000.0;

/// CPU time per victim in ns, at least.
const VICTIM_NS: f64 = 300e6;

/// CPU time in ns per square cycle of a turn: the noise of a block's time is then about 0.6 cycles.
const NS_PER_SQUARE_CYCLE: f64 = 60e3;

/// Stretches by which a victim's length is measured.
const LENGTH_ROUNDS: usize = 15;

/// Pairs of stretches for the cost.
const COST_PAIRS: usize = 40;

/// CPU time of one of these stretches in ns.
const COST_STRETCH_NS: u64 = 8_000_000;

/// Which victims to run; all together take about 9 s of CPU time, most of it for the border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Victims {
    /// The core clock.
    pub clock: bool,
    /// Blocks of known length: what a sampled address means, and how well block times are known.
    pub border: bool,
    /// The cost of a sample at the search rate.
    pub cost: bool,
    /// The slopes of slowdown instructions.
    pub slopes: bool,
}

impl Victims {
    /// Every victim.
    pub const ALL: Victims = Victims {
        clock: true,
        border: true,
        cost: true,
        slopes: true,
    };

    /// No victim; a start for choosing some.
    pub const NONE: Victims = Victims {
        clock: false,
        border: false,
        cost: false,
        slopes: false,
    };
}

/// What the victims showed; belongs in every report. A victim that was skipped leaves its place empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Calibration {
    /// Core clock in GHz (cycles per ns of CPU time); n counts stretches.
    pub core_clock_ghz: Option<Estimate>,
    /// What a sampled address stands for, and how well the time of a block is known.
    pub border: Option<BorderFinding>,
    /// Cost of sampling at the search rate.
    pub cost: Option<CostFinding>,
    /// Slopes of the slowdown instructions; empty if skipped.
    pub slopes: Vec<Slope>,
    /// Whether a slowdown instruction vanishes in the operation behind it.
    pub fusing: Option<Fusing>,
}

impl Calibration {
    /// The slowdown instruction for this processor: rotated `mov`, unless it costs next to nothing here or vanishes in the operation
    /// behind it, and the `nop` does not.
    #[must_use]
    pub fn slowdown_instruction(&self) -> SlowdownInstruction {
        slope::recommended(&self.slopes, self.fusing.as_ref())
    }
}

/// Runs the victims on the calling thread, which it samples meanwhile.
///
/// # Errors
/// Those of [`ThreadSampler`](crate::ThreadSampler); [`SamplerError::TooFewSamples`] if the machine hardly sampled.
pub fn calibrate(probe: &Probe, victims: Victims) -> Result<Calibration, SamplerError> {
    let mut slopes = SlopeSittings::default();
    let mut sit = || {
        if victims.slopes {
            slopes.sit();
        }
    };
    sit();
    let core_clock_ghz = victims.clock.then(clock::core_clock_ghz).flatten();
    let border = victims
        .border
        .then(|| record(probe).and_then(|(recorded, loss)| border::find_border(&recorded, loss)))
        .transpose()?;
    sit();
    let cost = victims
        .cost
        .then(|| measure_cost(&Settings::search(probe), COST_PAIRS, COST_STRETCH_NS))
        .transpose()?;
    let fusing = victims.slopes.then(fusing::measure_fusing).flatten();
    sit();
    Ok(Calibration {
        core_clock_ghz,
        border,
        cost,
        slopes: slopes.slopes(),
        fusing,
    })
}

/// Border in cycles above which a hardware event is unclear: the timer is tried, too.
const UNCLEAR_CYCLES: f64 = 4.0;

/// The event for this machine and its calibration: a hardware event that leaves more than four cycles at a border gives way to
/// `cpu-clock` if that leaves less; the probe says so then.
///
/// # Errors
/// Those of [`crate::probe`] and [`calibrate`].
pub fn choose_event(victims: Victims) -> Result<(Probe, Calibration), SamplerError> {
    let best = probe::probe()?;
    let found = calibrate(&best, victims)?;
    let border = |found: &Calibration| found.border.as_ref().map(|border| border.cycles.value);
    let Some(cycles) = border(&found).filter(|cycles| *cycles > UNCLEAR_CYCLES) else {
        return Ok((best, found));
    };
    if best.event == Event::CpuClock {
        return Ok((best, found));
    }
    let mut rejected = best.rejected.clone();
    rejected.push(Rejected {
        event: best.event,
        errno: None,
        reason: format!("unclear: it leaves {cycles:.1} cycles at a border between blocks"),
    });
    let clock = probe::probe_clock(rejected)?;
    let by_clock = calibrate(&clock, victims)?;
    if border(&by_clock).is_some_and(|clock| clock < cycles) {
        Ok((clock, by_clock))
    } else {
        Ok((best, found))
    }
}

/// Runs a loop of known length, some 10 us, and returns its cycles.
pub(crate) fn known_loop() -> u64 {
    const TURNS: u64 = 150;
    victims::chain(TURNS);
    TURNS * victims::CHAIN_CYCLES
}

/// Chooses rule and border from samples of victims that were recorded before, on this machine or another.
///
/// # Errors
/// [`SamplerError::TooFewSamples`] if fewer than six victims have 500 samples.
pub fn border_of(recorded: &[Recorded]) -> Result<BorderFinding, SamplerError> {
    border::find_border(recorded, Loss::default())
}

/// Samples every victim of known answer: what [`border_of`] decides from.
///
/// # Errors
/// Those of [`ThreadSampler`](crate::ThreadSampler).
pub fn record(probe: &Probe) -> Result<(Vec<Recorded>, Loss), SamplerError> {
    let settings = Settings::at_rate(probe, VICTIM_HZ)?;
    let mut loss = Loss::default();
    let mut recorded = Vec::new();
    for victim in victims::victims() {
        let cycles = cycles_per_turn(&victim);
        let cpu_ns = (NS_PER_SQUARE_CYCLE * cycles * cycles).clamp(VICTIM_NS, 10.0 * VICTIM_NS);
        let (samples, missed) = sample_victim(&settings, cpu_ns as u64, |turns| victim.run(turns))?;
        loss += missed;
        recorded.push(Recorded::of(&victim, cycles, &samples));
    }
    Ok((recorded, loss))
}

/// Length of a turn in cycles: median of the victim against the chain, side by side.
fn cycles_per_turn(victim: &Victim) -> f64 {
    let run = |turns| victim.run(turns);
    let turns = turns_for(200_000, run);
    let cycles: Vec<f64> = (0..LENGTH_ROUNDS)
        .map(|_| time_ns(|| run(turns)) * clock::clock_ghz_now() / turns as f64)
        .collect();
    median(&cycles).unwrap_or(0.0)
}
