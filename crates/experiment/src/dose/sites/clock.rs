//! Clocks of a process: how long an iteration takes, and how long a step of arithmetic takes now.

use super::lab::{SiteLab, SitePlace, SiteWork, WantedSite, Watching};
use crate::dose::{Clock, Dose, DoseKind};

/// The clock of a process.
pub(super) struct LabClock<'l, S> {
    pub(super) lab: &'l mut S,
}

/// Time and iterations for one look at the clock; one iteration will do where it takes so long, ns: under a high dose most of it is the
/// loop, and iterations of 0.3 s differed by 4 to 13 % (standard deviation at eight sites of Json), which is near enough for a dose.
const LOOK_S: f64 = 0.1;
const LOOK_ITERATIONS: u32 = 3;
const LONG_LOOK_NS: f64 = 2e8;

impl<S: SiteLab> Clock for LabClock<'_, S> {
    type Error = S::Error;

    fn iteration_ns(&mut self, dose: Option<Dose>) -> Result<f64, S::Error> {
        let nobody = Watching::Nobody;
        let mut look = self.lab.window(dose, LOOK_S, 1, nobody)?;
        let ran = look.iterations.len() as u32;
        if ran < LOOK_ITERATIONS && look.median_ns() < LONG_LOOK_NS {
            let least = LOOK_ITERATIONS - ran;
            let more = self.lab.window(dose, 0.0, least, nobody)?;
            look.iterations.extend(more.iterations);
        }
        Ok(look.median_ns())
    }
}

/// Time of an iteration at rest, ns.
pub(super) fn rest<S: SiteLab>(lab: &mut S) -> Result<f64, S::Error> {
    let window = lab.window(None, REST_S, REST_ITERATIONS, Watching::Nobody)?;
    Ok(window.median_ns())
}

const REST_S: f64 = 0.3;
const REST_ITERATIONS: u32 = 3;

/// Class and method of the harness with the loop in which nothing stands but a site.
pub(crate) const CLOCK: (&str, &str) = ("proofmark/harness/Turns", "pass");
/// Steps in a turn of that site: so many that the loop around them does not count.
const STEPS: u16 = 64;
/// Turns of the site under both doses. Both are longer than the processor looks ahead.
const TURNS: [u16; 2] = [15, 63];
/// About how long each takes alone, and before a window that is read beside it and behind, ns.
const LONG_NS: f64 = 8e6;
const BESIDE_NS: f64 = 4e6;
/// About how long a step takes in compiled code, ns.
const STEP_NS: f64 = 1.0;
/// Times that only have the loop compiled, and how long they may take where it never is, s.
const COLD: u16 = 6;
const COLD_S: f64 = 0.4;

/// One reading of a [`StepClock`]: its loop is passed so often with few turns, then so often with many.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StepReading {
    /// The number of its site.
    pub site: u16,
    /// Of both the turns and the passes.
    pub loops: [(u16, u32); 2],
}

impl StepReading {
    /// Time of a step, ns, by the CPU time of both, ns.
    #[must_use]
    pub fn step_ns(&self, times_ns: [u64; 2]) -> f64 {
        let per_pass = |at: usize| times_ns[at] as f64 / f64::from(self.loops[at].1);
        let steps = f64::from(self.loops[1].0 - self.loops[0].0) * f64::from(STEPS);
        (per_pass(1) - per_pass(0)) / steps
    }

    /// The same by two readings, those before a window and behind: few and many turns, twice. None by any other number of times.
    #[must_use]
    pub fn mean_step_ns(&self, times_ns: &[u64]) -> Option<f64> {
        let &[few, many, few_behind, many_behind] = times_ns else {
            return None;
        };
        let before = self.step_ns([few, many]);
        let behind = self.step_ns([few_behind, many_behind]);
        Some(f64::midpoint(before, behind))
    }
}

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

    /// The reading to take beside windows of a process, some 8 ms before each and as much behind; has the loop compiled.
    ///
    /// # Errors
    /// When the process fails.
    pub(super) fn beside<S: SiteLab>(self, lab: &mut S) -> Result<StepReading, S::Error> {
        let begin_s = lab.elapsed_s();
        let mut step_ns = self.step_ns(lab)?;
        for _ in 0..COLD {
            // A JVM that only interprets takes thirty times as long.
            if lab.elapsed_s() - begin_s > COLD_S {
                break;
            }
            step_ns = self.step_ns(lab)?;
        }
        Ok(self.reading(BESIDE_NS, step_ns))
    }

    /// A reading whose loops take so long each, ns, if a step takes that long, ns.
    fn reading(self, long_ns: f64, step_ns: f64) -> StepReading {
        let passes = |turns: u16| {
            let pass_ns = f64::from(turns) * f64::from(STEPS) * step_ns.max(STEP_NS / 10.0);
            (long_ns / pass_ns).max(1.0) as u32
        };
        StepReading {
            site: self.site,
            loops: TURNS.map(|turns| (turns, passes(turns))),
        }
    }

    /// Time of a step now, ns.
    ///
    /// # Errors
    /// When the process fails.
    ///
    /// # Accuracy
    /// Some milliseconds: the machine's speed now, not its usual one. What a pass takes besides its turns drops out.
    pub fn step_ns<S: SiteLab>(self, lab: &mut S) -> Result<f64, S::Error> {
        let reading = self.reading(LONG_NS, STEP_NS);
        let mut time = |(turns, passes): (u16, u32)| {
            let site = reading.site;
            lab.passes(Dose { site, turns }, passes)
        };
        let [few, many] = reading.loops;
        Ok(reading.step_ns([time(few)?, time(many)?]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::sites::SiteLabs as _;
    use crate::sim::{SimulatedSites, SitedMethod};

    /// A step of 2 ns, and 100 ns that every pass takes besides its turns.
    #[test]
    fn what_a_pass_takes_besides_its_turns_drops_out() {
        let clock = StepClock::behind(&[]);
        let reading = clock.reading(BESIDE_NS, 2.0);
        let times = reading.loops.map(|(turns, passes)| {
            let pass_ns = 2 * u64::from(turns) * u64::from(STEPS) + 100;
            pass_ns * u64::from(passes)
        });
        assert!((reading.step_ns(times) - 2.0).abs() < 1e-9);
        for time in times {
            assert!((3e6..6e6).contains(&(time as f64)), "{times:?}");
        }
        let [few, many] = times;
        let slower = [few, many, 2 * few, 2 * many];
        let mean = reading.mean_step_ns(&slower).expect("both readings");
        assert!((mean - 3.0).abs() < 1e-9, "{mean}");
        assert_eq!(reading.mean_step_ns(&[]), None);
        // Where nothing sensible was measured there is a reading all the same.
        for step_ns in [f64::NAN, -1.0, 1e12] {
            let [few, many] = clock.reading(BESIDE_NS, step_ns).loops;
            assert!(few.1 >= 1 && many.1 >= 1 && few.1 < 100_000, "{step_ns}");
        }
    }

    /// What a look takes, s, at a program whose iterations take so long, s; each window takes 0.05 s besides.
    fn looked(iteration_s: f64) -> f64 {
        let method = SitedMethod::new("com.acme.Main.run", 1e9 * iteration_s, 1);
        let labs = SimulatedSites::new(vec![method], 7);
        let mut lab = labs.start("one", &[], None).expect("a process");
        let mut clock = LabClock { lab: &mut lab };
        let seen_ns = clock.iteration_ns(None).expect("a time");
        assert!((seen_ns / 1e9 / iteration_s - 1.0).abs() < 0.1, "{seen_ns}");
        lab.elapsed_s()
    }

    #[test]
    fn a_look_has_three_iterations_or_a_long_one() {
        for (iteration_s, took_s) in [
            (0.004, 0.05 + 25.0 * 0.004),
            // Two fill the time.
            (0.06, 2.0 * 0.05 + 3.0 * 0.06),
            (0.15, 2.0 * 0.05 + 3.0 * 0.15),
            (0.3, 0.05 + 0.3),
        ] {
            let took = looked(iteration_s);
            assert!((took / took_s - 1.0).abs() < 0.05, "{iteration_s}: {took}");
        }
    }
}
