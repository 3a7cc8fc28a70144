//! The program as it is, and what sites at rest cost it.

use proofmark_rules::{DOSE_COSTLY_PCT, DOSE_MUCH_PCT, DOSE_REST_CYCLES, DOSE_STEP_CYCLES};
use proofmark_stats::{Estimate, median, pseudomedian};

use super::clock::StepClock;
use super::lab::{SiteLab, SiteLabs, SitePlace, WARM, WantedSite};
use super::report::SiteReport;
use super::tune::Tuned;
use super::{DoseError, Test, counted};
use crate::dose::{JvmFacts, LeftOut};

/// The program as it is.
pub(super) struct Plain {
    pub(super) report: SiteReport,
    /// What sites cost at rest, % of an iteration.
    pub(super) rest_cost: Estimate,
    /// What each of them has of that by how often it is reached, where that was counted.
    pub(super) rest_pct: Vec<Option<f64>>,
    /// What the time that each site adds should be by counting, as a part of what the clock says.
    pub(super) by_count: Vec<Option<Estimate>>,
    pub(super) jvm: JvmFacts,
}

/// Pairs of windows that tell what sites cost at rest.
const PAIRS: usize = 9;
const PAIR_S: f64 = 0.12;
/// Least iterations of such a window.
const LEAST: u32 = 2;
/// How often at most sites are tried alone.
const TRIALS: usize = 2;

/// Runs the program as it is and with all sites at rest, in two processes that take turns, without a profiler; once, however
/// many runs there are. Sites that make another program of it even at rest are taken out of `tuned`, and named.
pub(super) fn plain<L: SiteLabs>(
    test: &Test<'_, L>,
    tuned: &mut Vec<Tuned>,
) -> Result<(Plain, Vec<LeftOut>), DoseError<L::Error>> {
    test.say("what sites cost at rest");
    let mut left_out = Vec::new();
    let mut both = Both::start(test, tuned)?;
    let mut cost = both.cost()?;
    // What a site does alone differs from process to process: those that are left are tried once more.
    for _ in 0..TRIALS {
        // Sites of which nobody knows how often they are reached are tried as well, but never left out.
        let reached: f64 = tuned.iter().filter_map(|one| one.executions).sum();
        if cost.beyond(reached) <= DOSE_MUCH_PCT {
            break;
        }
        let costly = both.without_costly(test, tuned)?;
        if costly.is_empty() {
            break;
        }
        left_out.extend(costly);
        both.end();
        both = Both::start(test, tuned)?;
        cost = both.cost()?;
    }
    both.look(tuned);
    Ok((both.finish(tuned, &cost)?, left_out))
}

/// What sites at rest cost.
struct Cost {
    /// % of an iteration.
    pct: Estimate,
    /// Steps that take as long as an iteration of the workload without sites.
    iteration_steps: f64,
}

impl Cost {
    /// What it certainly is beyond what sites that are reached so often in an iteration can take themselves, %.
    fn beyond(&self, reached: f64) -> f64 {
        let own_steps = reached * DOSE_REST_CYCLES / DOSE_STEP_CYCLES;
        self.pct.low - 100.0 * own_steps / self.iteration_steps
    }

    /// What a site has of it that is reached so often in an iteration, %, if all sites together are reached so often: no more
    /// than it can take itself.
    fn of_site(&self, reached: f64, all: f64) -> f64 {
        let own_steps = reached * DOSE_REST_CYCLES / DOSE_STEP_CYCLES;
        let own = 100.0 * own_steps / self.iteration_steps;
        own.min(self.pct.value * reached / all)
    }
}

/// A process without sites and one with.
struct Both<L: SiteLabs> {
    without: L::Lab,
    with: L::Lab,
    clock: StepClock,
}

impl<L: SiteLabs> Both<L> {
    fn start(test: &Test<'_, L>, tuned: &[Tuned]) -> Result<Self, L::Error> {
        let (sites, clock) = self::sites(tuned, |_| true);
        let (watched, _) = self::sites(tuned, |_| false);
        // Started here: a process ends with the thread that started it.
        let mut without = test.lab("plain", &watched, None)?;
        let mut with = test.lab("rest", &sites, None)?;
        let (cold, warmed) = std::thread::scope(|scope| {
            let warming = scope.spawn(|| with.warm_up(&WARM));
            (without.warm_up(&WARM), warming.join())
        });
        cold?;
        warmed.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
        clock.warm_up(&mut without)?;
        clock.warm_up(&mut with)?;
        Ok(Self {
            without,
            with,
            clock,
        })
    }

    fn cost(&mut self) -> Result<Cost, DoseError<L::Error>> {
        cost(&mut self.without, &mut self.with, self.clock)
    }

    /// Takes out the sites that alone cost much more than they take, each tried in a process of its own; not those of
    /// methods that the user named, and none if all do: then the program has nothing else to be tested.
    fn without_costly(
        &mut self,
        test: &Test<'_, L>,
        tuned: &mut Vec<Tuned>,
    ) -> Result<Vec<LeftOut>, DoseError<L::Error>> {
        let mut costly = Vec::new();
        for at in 0..tuned.len() {
            if tuned[at].candidate.named {
                continue;
            }
            test.say(&format!(
                "what site {} of {} costs alone at rest",
                at + 1,
                tuned.len()
            ));
            let (sites, clock) = sites(tuned, |site| site == at);
            let mut with = test.lab(&format!("alone-{}", at + 1), &sites, None)?;
            with.warm_up(&WARM)?;
            clock.warm_up(&mut with)?;
            let cost = cost(&mut self.without, &mut with, clock)?;
            with.end();
            let reached = tuned[at].executions;
            if reached.is_some_and(|reached| cost.beyond(reached) > DOSE_COSTLY_PCT) {
                costly.push((at, cost.pct));
            }
        }
        if costly.len() == tuned.len() {
            return Ok(Vec::new());
        }
        let named = costly.iter().map(|(at, cost)| LeftOut {
            method: tuned[*at].candidate.name.clone(),
            reason: format!(
                "a site at its {} makes the program {:.0} % slower without a single turn: the JIT compiles it \
                 otherwise, and it would be another program (--method tests it all the same)",
                tuned[*at].place(),
                cost.value
            ),
        });
        let left_out = named.collect();
        let mut at = 0;
        tuned.retain(|_| {
            at += 1;
            costly.iter().all(|(one, _)| *one != at - 1)
        });
        Ok(left_out)
    }

    /// Whether sites reveal themselves that were only counted so far.
    fn look(&self, tuned: &mut [Tuned]) {
        let report = self.with.report();
        for (site, one) in (0..).zip(tuned) {
            one.reveals_itself = one.reveals_itself.or(Some(report.revealed(site)));
        }
    }

    fn end(self) {
        self.without.end();
        self.with.end();
    }

    fn finish(mut self, tuned: &[Tuned], cost: &Cost) -> Result<Plain, L::Error> {
        let report = self.without.report();
        let jvm = self.without.facts();
        self.without.finish()?;
        let by_count = counted::parts(&mut self.with, tuned, self.clock)?;
        self.with.finish()?;
        let all: f64 = tuned.iter().filter_map(|one| one.executions).sum();
        let of_site = |one: &Tuned| Some(cost.of_site(one.executions?, all));
        Ok(Plain {
            report,
            rest_cost: cost.pct,
            rest_pct: tuned.iter().map(of_site).collect(),
            by_count,
            jvm,
        })
    }
}

/// The program's sites, of which some are in, and the one that is a clock.
fn sites(tuned: &[Tuned], inside: impl Fn(usize) -> bool) -> (Vec<WantedSite>, StepClock) {
    let all = tuned.iter().enumerate();
    let mut sites: Vec<WantedSite> = all
        .map(|(at, one)| match inside(at) {
            true => one.site.clone(),
            false => WantedSite {
                place: SitePlace::Watch,
                ..one.site.clone()
            },
        })
        .collect();
    let clock = StepClock::behind(&sites);
    sites.push(clock.site());
    (sites, clock)
}

/// What the sites of one process cost beside another one, from windows that take turns.
fn cost<S: SiteLab>(
    without: &mut S,
    with: &mut S,
    clock: StepClock,
) -> Result<Cost, DoseError<S::Error>> {
    let mut costs = Vec::with_capacity(PAIRS);
    let mut plain_steps = Vec::with_capacity(PAIRS);
    for _ in 0..PAIRS {
        let plain = in_steps(without, clock)?;
        let rest = in_steps(with, clock)?;
        costs.push(100.0 * (rest / plain - 1.0));
        plain_steps.push(plain);
    }
    match pseudomedian(&costs).zip(median(&plain_steps)) {
        Some((pct, iteration_steps)) => Ok(Cost {
            pct,
            iteration_steps,
        }),
        None => Err(DoseError::Cannot("an iteration takes no time".into())),
    }
}

/// Time of an iteration of the workload with all sites at rest, in steps of that moment: a machine that is faster or slower
/// then drops out.
fn in_steps<S: SiteLab>(lab: &mut S, clock: StepClock) -> Result<f64, S::Error> {
    let before = clock.step_ns(lab)?;
    let window = lab.window(None, PAIR_S, LEAST, false)?;
    let behind = clock.step_ns(lab)?;
    Ok(window.median_ns() / f64::from(window.together) / f64::midpoint(before, behind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_site_itself_takes_is_no_reason_to_leave_it_out() {
        let cost = Cost {
            pct: Estimate::around(60.0, 10.0, 9),
            // 30,000 cycles.
            iteration_steps: 10_000.0,
        };
        // 3000 times 4 cycles are 40 %.
        assert!((cost.beyond(3000.0) - 10.0).abs() < 1e-9);
        assert!((cost.beyond(30.0) - 49.6).abs() < 1e-9);
        assert!(cost.beyond(30_000.0) < 0.0);
    }

    #[test]
    fn a_site_has_its_part_of_the_cost_but_no_more_than_it_can_take() {
        let cost = Cost {
            pct: Estimate::around(30.0, 10.0, 9),
            iteration_steps: 10_000.0,
        };
        assert!((cost.of_site(3000.0, 4000.0) - 22.5).abs() < 1e-9);
        // Four cycles a time are 4 %.
        assert!((cost.of_site(300.0, 400.0) - 4.0).abs() < 1e-9);
    }
}
