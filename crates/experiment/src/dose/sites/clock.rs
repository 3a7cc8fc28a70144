//! Clocks of a process: how long an iteration takes, and how long a step of arithmetic takes now.

use super::lab::{SiteLab, SitePlace, SiteWork, WantedSite};
use crate::dose::{Clock, Dose, DoseKind};

/// The clock of a process.
pub(super) struct LabClock<'l, S> {
    pub(super) lab: &'l mut S,
}

/// Time and iterations for one look at the clock.
const LOOK_S: f64 = 0.1;
const LOOK_ITERATIONS: u32 = 3;

impl<S: SiteLab> Clock for LabClock<'_, S> {
    type Error = S::Error;

    fn iteration_ns(&mut self, dose: Option<Dose>) -> Result<f64, S::Error> {
        let window = self.lab.window(dose, LOOK_S, LOOK_ITERATIONS, false)?;
        Ok(window.median_ns())
    }
}

/// Time of an iteration at rest, ns.
pub(super) fn rest<S: SiteLab>(lab: &mut S) -> Result<f64, S::Error> {
    let window = lab.window(None, REST_S, REST_ITERATIONS, false)?;
    Ok(window.median_ns())
}

const REST_S: f64 = 0.3;
const REST_ITERATIONS: u32 = 3;

/// Class and method of the harness with the loop in which nothing stands but a site.
pub(crate) const CLOCK: (&str, &str) = ("proofmark/harness/Turns", "pass");
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
        let (class, method) = CLOCK;
        WantedSite {
            class: class.to_owned(),
            method: method.to_owned(),
            place: SitePlace::Loop(0),
            work: SiteWork::Turns(DoseKind::Arithmetic, STEPS),
            gated: false,
        }
    }

    /// Has the loop compiled.
    ///
    /// # Errors
    /// When the process fails.
    pub fn warm_up<S: SiteLab>(self, lab: &mut S) -> Result<(), S::Error> {
        (0..COLD).try_for_each(|_| self.step_ns(lab).map(drop))
    }

    /// Time of a step now, ns.
    ///
    /// # Errors
    /// When the process fails.
    ///
    /// # Accuracy
    /// Some milliseconds: the machine's speed now, not its usual one. What a pass takes besides its turns drops out.
    pub fn step_ns<S: SiteLab>(self, lab: &mut S) -> Result<f64, S::Error> {
        let mut per_pass = |turns: u16| -> Result<f64, S::Error> {
            // A step takes about a nanosecond in compiled code.
            let passes = LONG_NS / (u32::from(turns) * u32::from(STEPS));
            let dose = Dose {
                site: self.site,
                turns,
            };
            let time = lab.passes(dose, passes)?;
            Ok(time as f64 / f64::from(passes))
        };
        let [few, many] = [per_pass(TURNS[0])?, per_pass(TURNS[1])?];
        let steps = f64::from(TURNS[1] - TURNS[0]) * f64::from(STEPS);
        Ok((many - few) / steps)
    }
}
