//! Which functions are tested: what a profiler never shows is what matters, so that none is asked alone.

use std::collections::BTreeMap;

use proofmark_experiment::dose::{LeftOut, Weighed, hottest, one_works};
use proofmark_native::{LaunchError, Reported, Wanted};

use super::{CALLGRIND, Session, Shares, kinds, of_profiler};
use crate::context::Refusal;

/// Time that each profiler watches the program, s.
const LOOK_S: f64 = 2.0;
/// Time of marked iterations that callgrind counts together, s: under valgrind they take some fifty times as long.
const COUNTED_S: f64 = 0.05;

/// A function that may be tested.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidate {
    pub(super) name: String,
    /// Share that each profiler reports with all sites at rest, %.
    pub(super) reported_pct: Shares,
    named: bool,
}

impl Weighed for Candidate {
    fn named(&self) -> bool {
        self.named
    }

    fn weight(&self) -> f64 {
        self.reported_pct.values().copied().fold(0.0, f64::max)
    }
}

/// What was found before any dose.
pub(super) struct Chosen {
    /// Functions to test, hottest first.
    pub(super) candidates: Vec<Candidate>,
    /// Names of those that have a site and are beyond the number that is tested, hottest first.
    pub(super) beyond: Vec<String>,
    /// Large ones without a site.
    pub(super) left_out: Vec<LeftOut>,
    /// Profilers that do not work, with the reason.
    pub(super) failed: BTreeMap<String, String>,
}

/// Functions to test, by what every profiler shows.
pub(super) fn chosen(session: &mut Session<'_>) -> anyhow::Result<Chosen> {
    let mut all: BTreeMap<String, Candidate> = BTreeMap::new();
    for name in &session.request.named {
        let name = session.program.name_of(name);
        if session.program.site(&name).is_none() {
            let text = format!(
                "--method {name}: the program has no site in a function of that name; write it as the linker knows it (nm {})",
                session.program.path.display()
            );
            return Err(Refusal::Usage(text).into());
        }
        let one = all.entry(name.clone()).or_default();
        (one.name, one.named) = (name, true);
    }
    let mut failed = BTreeMap::new();
    let names = session.request.profilers.clone();
    for profiler in &names {
        match look(session, profiler) {
            Ok(shares) => {
                for (name, share) in shares {
                    let one = all.entry(name.clone()).or_default();
                    one.name = name;
                    one.reported_pct.insert(profiler.clone(), share);
                }
            }
            Err(error) => drop(failed.insert(profiler.clone(), of_profiler(error)?)),
        }
    }
    one_works(&failed, names.len()).map_err(Refusal::Cannot)?;
    let candidates = hottest(all.into_values());
    let (mut candidates, others): (Vec<_>, Vec<_>) = candidates
        .into_iter()
        .partition(|one| session.program.site(&one.name).is_some());
    let most = session.request.functions.max(session.request.named.len());
    let beyond = candidates.split_off(most.min(candidates.len())).into_iter();
    let left_out = others.into_iter().map(|one| LeftOut {
        reason: format!(
            "{:.0} % of the time, no site: {}",
            one.weight(),
            session.program.why_no_site(&one.name)
        ),
        method: one.name,
    });
    Ok(Chosen {
        candidates,
        beyond: beyond.map(|one| one.name).collect(),
        left_out: left_out.collect(),
        failed,
    })
}

/// What a profiler shows with all sites at rest, %.
fn look(session: &mut Session<'_>, name: &str) -> Result<Shares, LaunchError> {
    session.say(&format!("{name} looks at the program"));
    let rest = |least_s, least| Wanted {
        dose: None,
        least_s,
        least,
    };
    let reported = match name {
        CALLGRIND => {
            // The output that all runs must have is the program's without valgrind.
            let ran = session.unwatched(rest(COUNTED_S, 1))?;
            session.counted = ran.stretches.first().map_or(1, |one| one.iterations);
            session.under_callgrind(None)?.1
        }
        _ => {
            let windows = session.under(name, &[rest(LOOK_S, 2)])?;
            let (ran, reported) = windows.into_iter().next().unwrap_or_default();
            kinds::enough(name, &ran, &reported)?;
            reported
        }
    };
    Ok(shares(&reported))
}

fn shares(reported: &Reported) -> Shares {
    let all = reported.functions.values().sum::<f64>() + reported.other;
    let share = |(name, count): (&String, &f64)| (name.clone(), 100.0 * count / all);
    reported.functions.iter().map(share).collect()
}
