//! Which functions are tested: what a profiler never shows is what matters, so that none is asked alone.

use std::collections::BTreeMap;

use proofmark_experiment::dose::LeftOut;
use proofmark_native::{Reported, Wanted, callgrind, perf_windows};
use proofmark_rules::DOSE_METHOD_PCT;

use super::{CALLGRIND, Session, Shares, of_profiler};
use crate::context::Refusal;

/// Time that each profiler watches the program, s.
const LOOK_S: f64 = 2.0;

/// A function that may be tested.
#[derive(Debug, Clone, Default)]
pub(super) struct Candidate {
    pub(super) name: String,
    /// Share that each profiler reports with all sites at rest, %.
    pub(super) reported_pct: Shares,
    named: bool,
}

impl Candidate {
    fn weight(&self) -> f64 {
        self.reported_pct.values().copied().fold(0.0, f64::max)
    }
}

/// What was found before any dose.
pub(super) struct Chosen {
    /// Functions to test, hottest first.
    pub(super) candidates: Vec<Candidate>,
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
    if failed.len() == names.len() {
        let reasons: Vec<String> = (failed.iter())
            .map(|(name, why)| format!("{name}: {why}"))
            .collect();
        return Err(Refusal::Cannot(reasons.join("; ")).into());
    }
    let mut candidates: Vec<Candidate> = all.into_values().collect();
    candidates.retain(|one| one.named || one.weight() >= DOSE_METHOD_PCT);
    candidates.sort_by(|a, b| {
        (b.named, b.weight())
            .partial_cmp(&(a.named, a.weight()))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let (mut candidates, others): (Vec<_>, Vec<_>) = candidates
        .into_iter()
        .partition(|one| session.program.site(&one.name).is_some());
    candidates.truncate(session.request.functions.max(session.request.named.len()));
    let left_out = others.into_iter().map(|one| LeftOut {
        reason: format!("{:.0} % of the time or more, without a site: not compiled by proofmark cc, or left alone", one.weight()),
        method: one.name,
    });
    Ok(Chosen {
        candidates,
        left_out: left_out.collect(),
        failed,
    })
}

/// What a profiler shows with all sites at rest, %.
fn look(session: &mut Session<'_>, name: &str) -> Result<Shares, proofmark_native::LaunchError> {
    session.say(&format!("{name} looks at the program"));
    let reported = match name {
        CALLGRIND => {
            // The output that all runs must have is the program's without valgrind.
            rest(session)?;
            callgrind(
                &session.program,
                &session.launch,
                None,
                &session.around.interrupted,
            )?
            .1
        }
        _ => {
            let wanted = Wanted {
                dose: None,
                least_s: LOOK_S,
                least: 2,
            };
            let settings = session.perf(name);
            let windows =
                perf_windows(&session.program, &mut session.launch, &[wanted], &settings)?;
            windows.into_iter().next().unwrap_or_default().1
        }
    };
    Ok(shares(&reported))
}

/// One run without a profiler: its output is what all must have.
fn rest(session: &mut Session<'_>) -> Result<(), proofmark_native::LaunchError> {
    let wanted = Wanted {
        dose: None,
        least_s: 0.0,
        least: 1,
    };
    let interrupted = &session.around.interrupted;
    proofmark_native::windows(&mut session.launch, &[wanted], interrupted).map(drop)
}

fn shares(reported: &Reported) -> Shares {
    let all = reported.functions.values().sum::<f64>() + reported.other;
    let share = |(name, count): (&String, &f64)| (name.clone(), 100.0 * count / all);
    reported.functions.iter().map(share).collect()
}
