//! A second truth beside the clock: how often sites are reached, and how long a turn takes.

use std::time::{Duration, Instant};

use proofmark_experiment::dose::{Timed, by_count};
use proofmark_jvm::LabError;
use proofmark_jvm::dose::{Calibrators, SiteLab, SiteWork, WantedSite};
use proofmark_stats::Estimate;

use super::session::{Session, mean_ns};
use super::tune::Tuned;

/// Iterations that are counted, behind one in which classes are initialised.
const ITERATIONS: u32 = 3;

/// Pairs of times per site, and the time from which on two will do.
const PAIRS: usize = 8;
const FEW_PAIRS: usize = 2;
const LONG: Duration = Duration::from_secs(12);
/// Time for iterations under one dose, s.
const TIMED_S: f64 = 0.05;

/// How often each site is reached in an iteration of the workload, modulo 2^32; none where iterations differ.
pub(super) fn executions(
    session: &Session<'_>,
    tuned: &[Tuned],
) -> Result<Vec<Option<f64>>, LabError> {
    session.say("how often sites are reached");
    let counting = |one: &Tuned| WantedSite {
        work: SiteWork::Count,
        ..one.site.clone()
    };
    let sites: Vec<WantedSite> = tuned.iter().map(counting).collect();
    let mut lab = session.lab("executions", &sites, None)?;
    let counts = lab.count(1 + ITERATIONS)?;
    lab.end();
    Ok((0..sites.len())
        .map(|site| agreed(counts[1..].iter().map(|all| all[site])))
        .collect())
}

/// The number that all say.
fn agreed(mut counts: impl Iterator<Item = u32>) -> Option<f64> {
    let first = counts.next()?;
    let same = counts.all(|count| count == first);
    (same && first > 0).then_some(f64::from(first))
}

/// What the time that each site adds should be by counting, as a part of what the clock says of iterations without a
/// profiler. `calibrators` are in that JVM.
pub(super) fn parts(
    lab: &mut SiteLab,
    tuned: &[Tuned],
    calibrators: &Calibrators,
) -> Result<Vec<Option<Estimate>>, LabError> {
    calibrators.warm_up(lab)?;
    let begin = Instant::now();
    let mut timed: Vec<Vec<(Timed, Timed)>> = vec![Vec::new(); tuned.len()];
    let mut together = 1;
    for round in 0..PAIRS {
        if round >= FEW_PAIRS && begin.elapsed() > LONG {
            break;
        }
        for (site, one) in tuned.iter().enumerate() {
            let mut at = |turns| -> Result<Option<Timed>, LabError> {
                let before = calibrators.turn_ns(lab, one.steps)?;
                let window = lab.window(Some((site as u16, turns)), TIMED_S, 1, false)?;
                let behind = calibrators.turn_ns(lab, one.steps)?;
                together = window.together;
                Ok(before.zip(behind).map(|(before, behind)| Timed {
                    iteration_ns: mean_ns(&window),
                    turn_ns: f64::midpoint(before, behind),
                }))
            };
            let [low, high] = one.turns;
            timed[site].extend(at(low)?.zip(at(high)?));
        }
    }
    let part = |(one, pairs): (&Tuned, &Vec<(Timed, Timed)>)| {
        let turns = f64::from(one.turns[1] - one.turns[0]) * f64::from(together);
        by_count(pairs, one.executions? * turns)
    };
    Ok(tuned.iter().zip(&timed).map(part).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_repeats_is_a_number() {
        assert_eq!(agreed([7, 7, 7].into_iter()), Some(7.0));
        assert_eq!(agreed([7, 8, 7].into_iter()), None);
        assert_eq!(agreed([0, 0].into_iter()), None);
    }
}
