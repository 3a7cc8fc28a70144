//! How long a step of arithmetic takes now, in a loop with nothing in it but a site.

use super::lab::SiteLab;
use super::launch::{SitePlace, SiteWork, WantedSite};
use crate::error::LabError;
use crate::harness::DoseTurns;

/// Steps in a turn of that site: so many that the loop around them does not count.
const STEPS: u16 = 64;
/// Turns of the site under both doses, and about how long each takes, ns. Both are longer than the processor looks ahead.
const TURNS: [u16; 2] = [15, 63];
const LONG_NS: u32 = 8_000_000;
/// Times that only have the loop compiled.
const COLD: u16 = 6;

/// The site that is a clock: its steps wait for each other, so that each takes as many cycles as a multiplication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepClock {
    site: u16,
}

impl StepClock {
    /// The clock behind the program's own sites.
    #[must_use]
    pub fn behind(sites: &[WantedSite]) -> Self {
        Self {
            site: sites.len() as u16,
        }
    }

    /// The site to add to the program's.
    #[must_use]
    pub fn site(self) -> WantedSite {
        WantedSite {
            class: "proofmark/harness/Turns".to_owned(),
            method: "pass".to_owned(),
            place: SitePlace::Loop(0),
            work: SiteWork::Turns(STEPS),
        }
    }

    /// Has the loop compiled.
    ///
    /// # Errors
    /// When the JVM fails.
    pub fn warm_up(self, lab: &mut SiteLab) -> Result<(), LabError> {
        (0..COLD).try_for_each(|_| self.step_ns(lab).map(drop))
    }

    /// Time of a step now, ns.
    ///
    /// # Errors
    /// When the JVM fails.
    ///
    /// # Accuracy
    /// Some milliseconds: the machine's speed now, not its usual one. What a pass takes besides its turns drops out.
    pub fn step_ns(self, lab: &mut SiteLab) -> Result<f64, LabError> {
        let mut per_pass = |turns: u16| -> Result<f64, LabError> {
            // A step takes about a nanosecond in compiled code.
            let passes = LONG_NS / (u32::from(turns) * u32::from(STEPS));
            let time = lab.turns(DoseTurns {
                site: self.site,
                turns,
                passes,
            })?;
            Ok(time as f64 / f64::from(passes))
        };
        let [few, many] = [per_pass(TURNS[0])?, per_pass(TURNS[1])?];
        let steps = f64::from(TURNS[1] - TURNS[0]) * f64::from(STEPS);
        Ok((many - few) / steps)
    }
}
