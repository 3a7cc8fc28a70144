//! How many turns each site needs, by the clock.

use proofmark_experiment::dose::{Clock, Dose, Doses, FindSettings, Found, LeftOut, find_doses};
use proofmark_native::{LaunchError, Stretch, TableSite, Wanted};
use proofmark_stats::median;

use super::Session;
use super::choose::Candidate;

/// Steps of arithmetic in a turn of the site's loop.
pub(super) const STEPS: u32 = 4;
/// Growth that one turn of the doses should bring: some forty are then the high dose.
const PER_TURN: f64 = 0.24;
/// Turns of the site's loop that are tried, each time so many more, until the program is twice as slow.
const FIRST: u32 = 16;
const MORE: u32 = 16;
const MOST: u32 = 1 << 28;
const ENOUGH: f64 = 1.0;
/// Growth below which a function cannot be tested.
const LEAST: f64 = 0.3;
/// A look at the clock.
const LOOK: Wanted = Wanted {
    dose: None,
    least_s: 0.05,
    least: 3,
};
const REST: Wanted = Wanted {
    dose: None,
    least_s: 0.3,
    least: 5,
};

/// A function with the doses of its site.
#[derive(Debug, Clone)]
pub(super) struct Tuned {
    pub(super) candidate: Candidate,
    pub(super) site: TableSite,
    /// Turns of the site's loop that a dose counts as one.
    pub(super) unit: u32,
    pub(super) doses: Doses,
}

impl Tuned {
    /// What the program is told.
    pub(super) fn told(&self, turns: u16) -> (u64, u32) {
        (self.site.key, in_loop(turns, self.unit))
    }
}

/// Turns of the site's loop that so many turns of a dose are. The most that can be told is the end: a function that runs once in a second
/// has units of 200 million.
fn in_loop(turns: u16, unit: u32) -> u32 {
    u32::from(turns).saturating_mul(unit)
}

/// Finds doses for each function, or says why there are none.
pub(super) fn tuned(
    session: &mut Session<'_>,
    candidates: &[Candidate],
) -> Result<(Vec<Tuned>, Vec<LeftOut>), LaunchError> {
    session.say("doses by the clock");
    let rest_ns = time(session, REST)?;
    let mut tuned = Vec::new();
    let mut left_out = Vec::new();
    for candidate in candidates {
        let Some(site) = session.program.site(&candidate.name).cloned() else {
            continue;
        };
        session.say(&format!("doses by the clock: {}", candidate.name));
        let found = match unit(session, site.key, rest_ns)? {
            Some(unit) => doses(session, (site.key, unit), rest_ns)?.map(|doses| (unit, doses)),
            None => None,
        };
        match found {
            Some((unit, doses)) => tuned.push(Tuned {
                candidate: candidate.clone(),
                site,
                unit,
                doses,
            }),
            None => left_out.push(LeftOut {
                method: candidate.name.clone(),
                reason: "a loop in it hardly slows the program: with this input it is seldom or never run".into(),
            }),
        }
    }
    Ok((tuned, left_out))
}

/// Turns of the loop that make one turn of a dose; none if the most slow the program by too little.
fn unit(session: &mut Session<'_>, key: u64, rest_ns: f64) -> Result<Option<u32>, LaunchError> {
    let mut turns = FIRST;
    loop {
        let look = Wanted {
            dose: Some((key, turns)),
            least: 1,
            ..LOOK
        };
        let growth = time(session, look)? / rest_ns - 1.0;
        if growth >= ENOUGH || (turns >= MOST && growth >= LEAST) {
            return Ok(Some(
                (f64::from(turns) * PER_TURN / growth).round().max(1.0) as u32,
            ));
        }
        if turns >= MOST {
            return Ok(None);
        }
        turns = turns.saturating_mul(MORE).min(MOST);
    }
}

fn doses(
    session: &mut Session<'_>,
    site: (u64, u32),
    rest_ns: f64,
) -> Result<Option<Doses>, LaunchError> {
    let settings = FindSettings::for_iterations(rest_ns);
    let mut clock = Processes { session, site };
    Ok(match find_doses(&mut clock, 0, rest_ns, None, &settings)? {
        Found::Doses(doses) => Some(doses),
        Found::Rare { .. } => None,
    })
}

/// The clock of processes of which one site gets a dose.
struct Processes<'p, 's> {
    session: &'p mut Session<'s>,
    site: (u64, u32),
}

impl Clock for Processes<'_, '_> {
    type Error = LaunchError;

    fn iteration_ns(&mut self, dose: Option<Dose>) -> Result<f64, LaunchError> {
        let (key, unit) = self.site;
        let dose = dose.map(|dose| (key, in_loop(dose.turns, unit)));
        time(self.session, Wanted { dose, ..LOOK })
    }
}

/// Median CPU time of an iteration, over processes, ns.
fn time(session: &mut Session<'_>, wanted: Wanted) -> Result<f64, LaunchError> {
    let ran = session.unwatched(wanted)?;
    let of_iteration = |one: &Stretch| one.cpu_ns / f64::from(one.iterations);
    let all: Vec<f64> = ran.stretches.iter().map(of_iteration).collect();
    Ok(median(&all).unwrap_or(f64::NAN))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A unit of a function that the most turns slow by a third only, and the most turns of a dose.
    #[test]
    fn turns_do_not_begin_anew_behind_the_most_that_can_be_told() {
        let unit = (f64::from(MOST) * PER_TURN / LEAST) as u32;
        assert_eq!(in_loop(2, unit), 2 * unit);
        let most = in_loop(FindSettings::default().most_turns, unit);
        assert!(most > in_loop(19, unit) && most == u32::MAX);
    }
}
