//! How long a turn takes, in loops with nothing in them but a site.

use super::lab::SiteLab;
use super::launch::{SitePlace, SiteWork, WantedSite};
use crate::error::LabError;
use crate::harness::DoseTurns;

/// The class with those loops, and how many it has.
const CLASS: &str = "proofmark/harness/Turns";
const LOOPS: usize = 8;

/// Turns of a site under both doses, and about how long each takes, ns. Both are longer than the processor looks ahead.
const TURNS: [u16; 2] = [15, 63];
const LONG_NS: u32 = 8_000_000;
/// Times of each loop that only have it compiled.
const COLD: u16 = 6;

/// The sites of those loops: one for every number of steps. Behind the program's own sites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Calibrators {
    first: u16,
    steps: Vec<u16>,
}

impl Calibrators {
    /// What the sites need, all numbers of steps in them once.
    #[must_use]
    pub fn of(sites: &[WantedSite]) -> Self {
        let mut steps: Vec<u16> = sites.iter().filter_map(|site| site.work.steps()).collect();
        steps.sort_unstable();
        steps.dedup();
        steps.truncate(LOOPS);
        Self {
            first: sites.len() as u16,
            steps,
        }
    }

    /// Sites to add to the program's.
    pub fn sites(&self) -> impl Iterator<Item = WantedSite> + '_ {
        let all = self.steps.iter().enumerate();
        all.map(|(slot, steps)| WantedSite {
            class: CLASS.to_owned(),
            method: format!("slot{slot}"),
            place: SitePlace::Loop(0),
            work: SiteWork::Turns(*steps),
        })
    }

    /// Has the loops compiled.
    ///
    /// # Errors
    /// When the JVM fails.
    pub fn warm_up(&self, lab: &mut SiteLab) -> Result<(), LabError> {
        for steps in &self.steps {
            for _ in 0..COLD {
                self.turn_ns(lab, *steps)?;
            }
        }
        Ok(())
    }

    /// Time of a turn of so many steps now, ns; none if no site has so many.
    ///
    /// # Errors
    /// When the JVM fails.
    ///
    /// # Accuracy
    /// Some milliseconds: the machine's speed now, not its usual one. What a pass takes besides its turns drops out.
    pub fn turn_ns(&self, lab: &mut SiteLab, steps: u16) -> Result<Option<f64>, LabError> {
        let Some(slot) = self.steps.iter().position(|one| *one == steps) else {
            return Ok(None);
        };
        let slot = slot as u16;
        let mut per_pass = |turns: u16| -> Result<f64, LabError> {
            // A step takes about a nanosecond in compiled code.
            let passes = LONG_NS / (u32::from(turns) * u32::from(steps));
            let time = lab.turns(DoseTurns {
                slot,
                site: self.first + slot,
                turns,
                passes,
            })?;
            Ok(time as f64 / f64::from(passes))
        };
        let [few, many] = [per_pass(TURNS[0])?, per_pass(TURNS[1])?];
        Ok(Some((many - few) / f64::from(TURNS[1] - TURNS[0])))
    }
}
