//! Victims of known answer: what the samples of this machine mean, and what slowing down does on it.

mod clock;
mod cost;
mod hinge;
mod shares;
mod skid;
mod slope;
mod slope_victims;
mod stretch;
mod victims;

use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::SamplerError;
use crate::probe::Probe;
use crate::settings::Settings;

pub use cost::{CostFinding, measure_cost};
pub use shares::{BlockShare, SharesFinding};
pub use skid::{Skid, SkidFinding};
pub use slope::{Bound, Slope, SlowdownInstruction};

/// Rate in Hz for skid and shares: the highest at which shares are unbiased.
const VICTIM_HZ: f64 = 10_000.0;

/// CPU time of the skid victim in ns.
const SKID_NS: u64 = 300_000_000;

/// CPU time of the shares victim in ns.
const SHARES_NS: u64 = 600_000_000;

/// Pairs of stretches for the cost.
const COST_PAIRS: usize = 40;

/// CPU time of one of these stretches in ns.
const COST_STRETCH_NS: u64 = 8_000_000;

/// Which victims to run; each costs 0.05 to 0.7 s of CPU time, all together about 2 s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Victims {
    /// The core clock.
    pub clock: bool,
    /// The skid.
    pub skid: bool,
    /// Known shares, corrected by the skid; runs the skid victim as well.
    pub shares: bool,
    /// The cost of a sample at the search rate.
    pub cost: bool,
    /// The slopes of slowdown instructions.
    pub slopes: bool,
}

impl Victims {
    /// Every victim.
    pub const ALL: Victims = Victims {
        clock: true,
        skid: true,
        shares: true,
        cost: true,
        slopes: true,
    };

    /// No victim; a start for choosing some.
    pub const NONE: Victims = Victims {
        clock: false,
        skid: false,
        shares: false,
        cost: false,
        slopes: false,
    };
}

/// What the victims showed; belongs in every report. A victim that was skipped leaves its place empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Calibration {
    /// Core clock in GHz (cycles per ns of CPU time); n counts stretches.
    pub core_clock_ghz: Option<Estimate>,
    /// Which instruction's time a sampled address stands for.
    pub skid: Option<SkidFinding>,
    /// Corrected shares of blocks of known length.
    pub shares: Option<SharesFinding>,
    /// Cost of sampling at the search rate.
    pub cost: Option<CostFinding>,
    /// Slopes of the slowdown instructions; empty if skipped.
    pub slopes: Vec<Slope>,
}

impl Calibration {
    /// Whether block times can be corrected and were found right: the rule is clear and the known answer was found.
    ///
    /// `None` if the victims that show it were skipped.
    pub fn trustworthy(&self) -> Option<bool> {
        let (skid, shares) = (self.skid.as_ref()?, self.shares.as_ref()?);
        Some(skid.skid != Skid::Unclear && shares.known_answer_found)
    }
}

/// Runs the victims on the calling thread, which it samples meanwhile.
///
/// # Errors
/// Those of [`ThreadSampler`](crate::ThreadSampler); [`SamplerError::TooFewSamples`] if the machine hardly sampled.
pub fn calibrate(probe: &Probe, victims: Victims) -> Result<Calibration, SamplerError> {
    let dense = Settings::at_rate(probe, VICTIM_HZ)?;
    let core_clock_ghz = victims.clock.then(clock::core_clock_ghz).flatten();
    let skid = (victims.skid || victims.shares)
        .then(|| skid::find_skid(&dense, SKID_NS))
        .transpose()?;
    let rule = skid
        .as_ref()
        .map(|finding| finding.skid)
        .filter(|_| victims.shares);
    let shares = rule
        .map(|rule| shares::check_shares(&dense, rule, SHARES_NS))
        .transpose()?;
    let cost = victims
        .cost
        .then(|| measure_cost(&Settings::search(probe), COST_PAIRS, COST_STRETCH_NS))
        .transpose()?;
    let slopes = if victims.slopes {
        slope::measure_slopes()
    } else {
        Vec::new()
    };
    Ok(Calibration {
        core_clock_ghz,
        skid,
        shares,
        cost,
        slopes,
    })
}
