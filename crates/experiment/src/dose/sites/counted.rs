//! A second truth beside the clock: how often sites are reached, and how long a step takes.

use proofmark_stats::Estimate;

use super::clock::StepClock;
use super::cool;
use super::lab::{SiteLab, SiteLabs, SitePlace, SiteWork, WantedSite};
use super::report::SiteReport;
use super::tune::Tuned;
use super::{DoseError, Test};
use crate::dose::{Dose, DoseKind, Timed, by_count, least_by_others};

/// Iterations that are counted, behind one in which classes are initialised.
const ITERATIONS: u32 = 3;

/// Pairs of times per site, and how many do where they take long: the interval of two is six times as wide as that of five.
const PAIRS: usize = 16;
const FEW_PAIRS: usize = 5;
/// Steps of a turn from which on counting says how long turns take. With fewer the processor does the turns of several
/// passes at once, whose steps do not wait for each other: with two steps counting says twice what the clock does.
const LEAST_STEPS: u16 = 16;
/// Time for iterations under one dose, s.
const TIMED_S: f64 = 0.05;

/// Counts how often each site is reached in an iteration of the workload, modulo 2^32; none where iterations differ. Sites that
/// are reached very often move to branches that are run less often.
pub(super) fn executions<L: SiteLabs>(
    test: &Test<'_, L>,
    tuned: &mut [Tuned],
) -> Result<(), DoseError<L::Error>> {
    test.say("how often sites are reached");
    let branches = cool::branches(tuned);
    let counting = |one: &Tuned, place: SitePlace| WantedSite {
        place,
        work: SiteWork::Count,
        ..one.site.clone()
    };
    let own = tuned.iter().map(|one| counting(one, one.site.place));
    let others = branches.iter();
    let others = others.map(|&(site, place)| counting(&tuned[site], place));
    let sites: Vec<WantedSite> = own.chain(others).collect();
    let (counts, report) = test.done_in("executions", &sites, counts)?;
    let reached: Vec<Option<f64>> = (0..sites.len())
        .map(|site| agreed(counts[1..].iter().map(|all| all[site])))
        .collect();
    for (one, reached) in tuned.iter_mut().zip(&reached) {
        one.executions = *reached;
    }
    let of_branches = &reached[tuned.len()..];
    cool::move_sites(tuned, &branches, of_branches, &report);
    Ok(())
}

/// Counts of each site in each iteration, and what became of the sites.
fn counts<S: SiteLab>(mut lab: S) -> Result<(Vec<Vec<u32>>, SiteReport), S::Error> {
    let counts = lab.count(1 + ITERATIONS)?;
    let report = lab.report();
    lab.end();
    Ok((counts, report))
}

/// Only a step of arithmetic takes a time that the clock's own site knows.
fn is_arithmetic(one: &Tuned) -> bool {
    matches!(one.site.work, SiteWork::Turns(DoseKind::Arithmetic, _))
}

/// The number that all say.
fn agreed(mut counts: impl Iterator<Item = u32>) -> Option<f64> {
    let first = counts.next()?;
    let same = counts.all(|count| count == first);
    (same && first > 0).then_some(f64::from(first))
}

/// What the time that a site adds should be by counting, as a part of what the clock says of iterations without a profiler;
/// none where turns are too short for that. Its gate is open; `clock` is in that process, warm. `most_s`: time for it, s.
pub(super) fn part<S: SiteLab>(
    lab: &mut S,
    (site, one): (usize, &Tuned),
    clock: StepClock,
    most_s: f64,
) -> Result<Option<Estimate>, S::Error> {
    let Some(executions) = one.executions else {
        return Ok(None);
    };
    if one.steps < LEAST_STEPS || !is_arithmetic(one) {
        return Ok(None);
    }
    let begin_s = lab.elapsed_s();
    let mut pairs = Vec::new();
    let mut together = 1;
    while pairs.len() < PAIRS {
        if pairs.len() >= FEW_PAIRS && lab.elapsed_s() - begin_s > most_s {
            break;
        }
        let mut at = |turns| -> Result<Timed, S::Error> {
            let before = clock.step_ns(lab)?;
            let dose = Dose {
                site: site as u16,
                turns,
            };
            let window = lab.window(Some(dose), TIMED_S, 1, false)?;
            let behind = clock.step_ns(lab)?;
            together = window.together;
            Ok(Timed {
                iteration_ns: window.mean_ns(),
                step_ns: f64::midpoint(before, behind),
            })
        };
        let [low, high] = one.turns;
        pairs.push((at(low)?, at(high)?));
    }
    let turns = f64::from(one.turns[1] - one.turns[0]) * f64::from(together);
    Ok(by_count(&pairs, executions * turns * f64::from(one.steps)))
}

/// What counting says of each site by the others, where it knows enough of them.
pub(super) fn by_others(tuned: &mut [Tuned]) {
    let counted: Vec<Estimate> = tuned.iter().filter_map(|one| one.by_count).collect();
    let least = least_by_others(&counted);
    for one in tuned {
        one.by_others = least;
    }
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
