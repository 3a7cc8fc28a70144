//! A second truth beside the clock: how often sites are reached, and how long a step takes.

use proofmark_stats::{Estimate, median};

use super::clock::StepClock;
use super::cool;
use super::lab::{SiteLab, SiteLabs, SitePlace, SiteWork, WantedSite, Watching};
use super::report::SiteReport;
use super::tune::Tuned;
use super::{DoseError, Test};
use crate::dose::doses::doses_between;
use crate::dose::{Dose, DoseKind, Doses, FindSettings, OtherSites, Timed, by_count};

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

/// What counting says of a site.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Counted {
    /// What the time that it adds should be, as a part of what the clock says of iterations without a profiler.
    pub(super) part: Option<Estimate>,
    /// Its doses, by the same iterations: processes with a profiler need not look for them (0.4 to 1.3 s a site).
    pub(super) doses: Option<Doses>,
}

/// What counting says of a site; nothing where its turns are too short for that. Its gate is open; `clock` is in that process, warm.
/// `most_s`: time for it, s.
///
/// # Accuracy
/// That of [`by_count`]. A step is timed between windows, once for the one before and the one behind it: what such a time is off by
/// is in both. Of two pairs only the low window of the later one shares it with the one before, and has about a fifth of the time of a
/// high one, so that pairs are as good as independent.
pub(super) fn counted<S: SiteLab>(
    lab: &mut S,
    (site, one): (usize, &Tuned),
    clock: StepClock,
    most_s: f64,
) -> Result<Counted, S::Error> {
    let Some(executions) = one.executions else {
        return Ok(Counted::default());
    };
    if one.steps < LEAST_STEPS || !is_arithmetic(one) {
        return Ok(Counted::default());
    }
    let nobody = Watching::Nobody;
    let rest_ns = lab.window(None, TIMED_S, 1, nobody)?.median_ns();
    let begin_s = lab.elapsed_s();
    let mut pairs = Vec::new();
    let mut together = 1;
    let mut before = clock.step_ns(lab)?;
    while pairs.len() < PAIRS {
        if pairs.len() >= FEW_PAIRS && lab.elapsed_s() - begin_s > most_s {
            break;
        }
        let mut at = |turns| -> Result<Timed, S::Error> {
            let dose = Dose {
                site: site as u16,
                turns,
            };
            let window = lab.window(Some(dose), TIMED_S, 1, nobody)?;
            let behind = clock.step_ns(lab)?;
            together = window.together;
            let step_ns = f64::midpoint(before, behind);
            before = behind;
            Ok(Timed {
                iteration_ns: window.mean_ns(),
                step_ns,
            })
        };
        let [low, high] = one.turns;
        pairs.push((at(low)?, at(high)?));
    }
    let turns = f64::from(one.turns[1] - one.turns[0]) * f64::from(together);
    Ok(Counted {
        part: by_count(&pairs, executions * turns * f64::from(one.steps)),
        doses: doses(one.turns, &pairs, rest_ns),
    })
}

/// Doses by the times of iterations with so many turns, and of one at rest, ns.
fn doses(turns: [u16; 2], pairs: &[(Timed, Timed)], rest_ns: f64) -> Option<Doses> {
    let growth = |times: Vec<f64>| Some(median(&times)? / rest_ns - 1.0);
    let low = growth(pairs.iter().map(|(low, _)| low.iteration_ns).collect())?;
    let high = growth(pairs.iter().map(|(_, high)| high.iteration_ns).collect())?;
    doses_between(turns, [low, high], &FindSettings::for_iterations(rest_ns))
}

/// What counting says of each site by the others, where it knows enough of them.
pub(super) fn by_others(tuned: &mut [Tuned]) {
    for at in 0..tuned.len() {
        let (before, behind) = (&tuned[..at], &tuned[at + 1..]);
        let others = before.iter().chain(behind);
        let others: Vec<Estimate> = others.filter_map(|one| one.by_count).collect();
        tuned[at].by_others = OtherSites::of(&others);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::sites::together::tests::site;

    #[test]
    fn a_site_is_none_of_the_others() {
        let part = |value: f64| Estimate::around(value, 0.01, 9);
        let mut tuned = [0.97, 0.97, 0.97, 0.92].map(|value| Tuned {
            by_count: Some(part(value)),
            ..site(0.1)
        });
        by_others(&mut tuned);
        let three = OtherSites::of(&[0.97; 3].map(part));
        assert!(three.is_some());
        assert_eq!(tuned[3].by_others, three);
        // Of 97, 97 and 92 % the mean may be all.
        assert_eq!(tuned[0].by_others, None);
    }

    #[test]
    fn only_what_repeats_is_a_number() {
        assert_eq!(agreed([7, 7, 7].into_iter()), Some(7.0));
        assert_eq!(agreed([7, 8, 7].into_iter()), None);
        assert_eq!(agreed([0, 0].into_iter()), None);
    }
}
