//! How many turns a dose has, where nobody says so: as many as make the program take twice as long, or fewer if it fails each
//! time with fewer.

use proofmark_stats::median;

use super::{Dose, End, RaceLab, RaceLeftOut, RaceRequest, Ran};
use crate::lab::LabError;
use crate::progress::Progress;

/// Runs from which the time under a dose is known.
const LOOKS: usize = 3;
/// Turns that are tried, each time so many more.
const FIRST: u32 = 64;
const MORE: u32 = 8;
const MOST: u32 = 1 << 28;
/// CPU time that a dose adds at least, s: the threads of a short program would come and go one after the other all the same.
const LEAST_S: f64 = 0.05;
/// Part of what is wanted that the largest dose must add.
const ENOUGH: f64 = 0.25;
/// Part of a run's time in which it works, where it takes too long because there is too much to do.
const BUSY: f64 = 0.5;

/// What runs without a dose are like.
struct Rest {
    /// Median CPU time, s.
    cpu_s: f64,
    /// All of them fail.
    fails: bool,
}

/// Doses of the functions, and those that cannot have one.
pub(super) fn doses(
    lab: &mut dyn RaceLab,
    request: &RaceRequest,
    progress: &dyn Progress,
) -> Result<(Vec<Dose>, Vec<RaceLeftOut>), LabError> {
    let functions = 0..request.functions.len();
    if let Some(turns) = request.turns {
        let doses = functions.map(|function| Dose { function, turns });
        return Ok((doses.collect(), Vec::new()));
    }
    progress.step("runs without a dose");
    let looked = looks(lab, None)?;
    let rest = Rest {
        cpu_s: cpu_s(&looked),
        fails: all_fail(&looked),
    };
    let (mut doses, mut left_out) = (Vec::new(), Vec::new());
    for function in functions {
        let name = &request.functions[function];
        progress.step(&format!("looking for a dose: {name}"));
        match found(lab, function, &rest)? {
            Some(turns) => doses.push(Dose { function, turns }),
            None => left_out.push(RaceLeftOut {
                function: name.clone(),
                reason: "a loop in it hardly slows the program: with these arguments it is seldom or never run (--turns N \
                         gives it a dose all the same)"
                    .into(),
            }),
        }
    }
    Ok((doses, left_out))
}

/// Turns of the dose of one function; none if the most slow the program by too little.
fn found(lab: &mut dyn RaceLab, function: usize, rest: &Rest) -> Result<Option<u32>, LabError> {
    let wanted_s = rest.cpu_s.max(LEAST_S);
    let (mut turns, mut failed) = (FIRST, false);
    loop {
        let looked = looks(lab, Some(Dose { function, turns }))?;
        if looked.iter().any(is_overdone) {
            return Ok(Some((turns / MORE).max(1)));
        }
        let fails = !rest.fails && all_fail(&looked);
        // Not by chance: with fewer turns each run failed already.
        if fails && failed {
            return Ok(Some(turns));
        }
        failed = fails;
        let added_s = cpu_s(&looked) - rest.cpu_s;
        if added_s >= wanted_s {
            let scaled = f64::from(turns) * wanted_s / added_s;
            return Ok(Some(scaled.round().max(1.0) as u32));
        }
        if turns >= MOST {
            return Ok((added_s >= ENOUGH * wanted_s).then_some(turns));
        }
        turns = turns.saturating_mul(MORE).min(MOST);
    }
}

fn looks(lab: &mut dyn RaceLab, dose: Option<Dose>) -> Result<Vec<Ran>, LabError> {
    (0..LOOKS).map(|_| lab.run(dose)).collect()
}

fn cpu_s(looked: &[Ran]) -> f64 {
    let times: Vec<f64> = looked.iter().map(|ran| ran.cpu_s).collect();
    median(&times).unwrap_or(0.0)
}

fn all_fail(looked: &[Ran]) -> bool {
    looked.iter().all(|ran| ran.end != End::Passed)
}

/// Whether a run was ended while it still worked: one that hangs, in a deadlock say, does not work.
fn is_overdone(ran: &Ran) -> bool {
    ran.end == End::TooLong && ran.cpu_s > BUSY * ran.wall_s
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program of so much CPU time, whose function is run so often. A turn takes 1 us.
    struct Simple {
        cpu_s: f64,
        calls: f64,
        end: fn(f64) -> End,
    }

    impl RaceLab for Simple {
        fn run(&mut self, dose: Option<Dose>) -> Result<Ran, LabError> {
            let turns = dose.map_or(0.0, |dose| f64::from(dose.turns));
            let cpu_s = self.cpu_s + 1e-6 * turns * self.calls;
            let end = (self.end)(cpu_s);
            let ended_s = if end == End::TooLong { 10.0 } else { cpu_s };
            Ok(Ran {
                end,
                wall_s: ended_s,
                cpu_s: cpu_s.min(ended_s),
            })
        }

        fn keep(&mut self, _dose: Dose) -> Result<String, LabError> {
            Ok(String::new())
        }
    }

    fn turns(mut lab: Simple) -> Option<u32> {
        let looked = looks(&mut lab, None).unwrap();
        let rest = Rest {
            cpu_s: cpu_s(&looked),
            fails: all_fail(&looked),
        };
        found(&mut lab, 0, &rest).unwrap()
    }

    #[test]
    fn a_dose_makes_the_program_twice_as_long_and_a_short_one_by_50_ms() {
        let of = |cpu_s: f64, calls: f64| {
            let end = |_: f64| End::Passed;
            turns(Simple { cpu_s, calls, end })
        };
        assert_eq!(of(0.2, 100.0), Some(2000));
        assert_eq!(of(0.001, 100.0), Some(500));
        // Run once: the largest doses are for it.
        assert_eq!(of(2.0, 1.0), Some(2_000_000));
        assert_eq!(of(0.2, 0.0), None);
    }

    #[test]
    fn what_fails_each_time_or_does_not_end_needs_no_more() {
        let fails = |cpu_s: f64| match cpu_s > 0.201 {
            true => End::Signal(11),
            false => End::Passed,
        };
        fn found(cpu_s: f64, end: fn(f64) -> End) -> Option<u32> {
            let calls = 100.0;
            turns(Simple { cpu_s, calls, end })
        }
        assert_eq!(found(0.2, fails), Some(FIRST * MORE));
        // Without the dose too: then it says nothing.
        assert_eq!(found(0.2, |_| End::Status(1)), Some(2000));
        let too_long = |cpu_s: f64| match cpu_s > 10.0 {
            true => End::TooLong,
            false => End::Passed,
        };
        assert_eq!(found(9.0, too_long), Some(FIRST * MORE * MORE));
    }
}
