//! The program as it is, and what sites at rest cost it.

use std::sync::mpsc::channel;

use proofmark_rules::{DOSE_COSTLY_PCT, DOSE_DROWNED_PCT, DOSE_REST_CYCLES, DOSE_STEP_CYCLES};
use proofmark_stats::{Estimate, mean, median, pseudomedian};

use super::clock::StepClock;
use super::lab::{ANEW, SiteLab, SiteLabs, SitePlace, WARM, WantedSite, Watching};
use super::report::SiteReport;
use super::together::{alone, sets};
use super::tune::Tuned;
use super::{DoseError, Test, counted};
use crate::dose::{JvmFacts, LeftOut};

/// The program as it is.
pub(super) struct Plain {
    /// Of each site whether its method was inlined into another one.
    pub(super) inlined: Vec<bool>,
    /// What sites cost with all gates closed, % of an iteration.
    pub(super) rest_cost: Estimate,
    /// What each site, with those of its set, costs without a turn while their gates are open, % of an iteration.
    pub(super) open_costs: Vec<Estimate>,
    pub(super) jvm: JvmFacts,
    /// How long a process took until it was warm, and until gates were open, in the mean, s.
    pub(super) start_s: f64,
    pub(super) gates_s: f64,
}

impl Plain {
    /// Takes out, of each list, what belongs to sites that are left out.
    pub(super) fn leave_out(&mut self, tuned: &mut Vec<Tuned>, out: &[bool]) {
        keep_fine(tuned, out);
        keep_fine(&mut self.inlined, out);
        keep_fine(&mut self.open_costs, out);
    }
}

/// Pairs of windows that tell what sites cost: all gates closed, and one open.
const PAIRS: usize = 9;
const OPEN_PAIRS: usize = 6;
const PAIR_S: f64 = 0.12;
/// Least iterations of such a window.
const LEAST: u32 = 2;
/// Time for what counting says of all sites, s: how well it is known is how small an error is found where it is less than 100 %. For ten
/// sites these are about six pairs each where iterations take 5 ms, and nine where they are short (reckoned from the lengths of windows).
const COUNTED_S: f64 = 12.0;
/// Names of the process without sites and of the one with.
const PLAIN: &str = "plain";
const REST: &str = "rest";

/// Runs the program as it is and with sites, in two processes that take turns, without a profiler; once, however many runs there
/// are. Sites that make another program of it without a turn are taken out of `tuned`, and named.
pub(super) fn plain<L: SiteLabs>(
    test: &Test<'_, L>,
    tuned: &mut Vec<Tuned>,
    at_once: usize,
) -> Result<(Plain, Vec<LeftOut>), DoseError<L::Error>> {
    test.say("what sites cost");
    let mut both = Both::start(test, tuned, at_once)?;
    let closed = both.cost(PAIRS)?;
    let sets = sets(tuned);
    let mut costs: Vec<Option<Cost>> = tuned.iter().map(|_| None).collect();
    for (set, sites) in &sets {
        test.say(&format!(
            "what set {} of {} of sites costs",
            set + 1,
            sets.len()
        ));
        for (site, cost) in both.opened(sites, tuned, &closed)? {
            costs[site] = Some(cost);
        }
    }
    let mut costs: Vec<Cost> = costs.into_iter().flatten().collect();
    both.look(tuned);
    let report = both.without.report();
    let mut inlined = inlined(&report, tuned.len());
    let left_out = without_costly(tuned, (&mut costs, &mut inlined), &closed);
    for (one, cost) in tuned.iter_mut().zip(&costs) {
        one.drowns = cost.pct.low > DOSE_DROWNED_PCT;
    }
    let plain = both.finish(&costs, inlined, &closed)?;
    Ok((plain, left_out))
}

/// Of so many sites whether the method of each was inlined into another one, by the numbers that they have in that process.
fn inlined(report: &SiteReport, sites: usize) -> Vec<bool> {
    (0..sites).map(|site| report.inlined(site as u16)).collect()
}

/// Takes out the sites that cost much more than they take themselves, with what is known of each; not those of methods that the user
/// named, and none if all do: then the program has nothing else to be tested.
fn without_costly(
    tuned: &mut Vec<Tuned>,
    (costs, inlined): (&mut Vec<Cost>, &mut Vec<bool>),
    closed: &Cost,
) -> Vec<LeftOut> {
    let costly = |(one, cost): (&Tuned, &Cost)| {
        !one.candidate.named && one.executions.is_some() && cost.is_too_much(closed)
    };
    let costly: Vec<bool> = tuned.iter().zip(&*costs).map(costly).collect();
    if costly.iter().all(|costly| *costly) {
        return Vec::new();
    }
    let all = tuned.iter().zip(&*costs).zip(&costly);
    let left_out = all.filter(|(_, costly)| **costly).map(|((one, cost), _)| LeftOut {
        method: one.candidate.name.clone(),
        reason: format!(
            "a site at its {} makes the program {:.0} % slower before it adds any time: the JIT compiles the program \
             differently, so that it would no longer be yours (--method tests it all the same)",
            one.place(),
            cost.pct.value
        ),
    });
    let left_out: Vec<LeftOut> = left_out.collect();
    keep_fine(tuned, &costly);
    keep_fine(costs, &costly);
    keep_fine(inlined, &costly);
    left_out
}

/// Takes out what belongs to a site that is left out.
fn keep_fine<T>(all: &mut Vec<T>, out: &[bool]) {
    let mut fine = out.iter().map(|out| !out);
    all.retain(|_| fine.next().unwrap_or(true));
}

/// What sites cost.
#[derive(Clone)]
struct Cost {
    /// % of an iteration.
    pct: Estimate,
    /// Steps that take as long as an iteration of the workload without sites.
    iteration_steps: f64,
    /// How often the sites that are there are reached in an iteration, as far as that was counted.
    reached: f64,
}

impl Cost {
    /// What it certainly is beyond the cost with all gates closed, and beyond what sites that are reached so often in an
    /// iteration can take themselves, %.
    fn beyond(&self, closed: &Self) -> f64 {
        let own_steps = self.reached * DOSE_REST_CYCLES / DOSE_STEP_CYCLES;
        self.pct.low - closed.pct.high.max(0.0) - 100.0 * own_steps / self.iteration_steps
    }

    /// Whether that is so much that the program is another one.
    fn is_too_much(&self, closed: &Self) -> bool {
        self.beyond(closed) > DOSE_COSTLY_PCT
    }
}

/// A process without sites and one with.
struct Both<'t, L: SiteLabs> {
    test: &'t Test<'t, L>,
    without: L::Lab,
    with: L::Lab,
    clock: StepClock,
    /// How long the first one took until it was warm, and the other one each time that gates were opened, s.
    start_s: f64,
    gates_s: Vec<f64>,
}

impl<'t, L: SiteLabs> Both<'t, L> {
    /// Starts both; they warm up at the same time if so many may be there that do something.
    fn start(
        test: &'t Test<'t, L>,
        tuned: &[Tuned],
        at_once: usize,
    ) -> Result<Self, DoseError<L::Error>> {
        let (sites, clock) = self::sites(tuned, |_| true);
        let (watched, _) = self::sites(tuned, |_| false);
        // Started here: a process ends with the thread that started it.
        let mut without = test.needed(PLAIN, test.lab(PLAIN, &watched, None))?;
        let mut with = test.needed(REST, test.lab(REST, &sites, None))?;
        let start_s = match at_once {
            0 | 1 => {
                test.needed(PLAIN, without.warm_up(&WARM))?;
                let start_s = without.elapsed_s();
                test.needed(REST, with.warm_up(&WARM))?;
                start_s
            }
            _ => {
                warm_up(test, [(PLAIN, &mut without), (REST, &mut with)])?;
                without.elapsed_s()
            }
        };
        test.needed(PLAIN, clock.warm_up(&mut without))?;
        test.needed(REST, clock.warm_up(&mut with))?;
        Ok(Self {
            test,
            without,
            with,
            clock,
            start_s,
            gates_s: Vec::new(),
        })
    }

    /// What the sites of the one process cost beside the other one, from windows that take turns.
    fn cost(&mut self, pairs: usize) -> Result<Cost, DoseError<L::Error>> {
        let (test, clock) = (self.test, self.clock);
        let mut costs = Vec::with_capacity(pairs);
        let mut plain_steps = Vec::with_capacity(pairs);
        for _ in 0..pairs {
            let plain = test.needed(PLAIN, in_steps(&mut self.without, clock))?;
            let rest = test.needed(REST, in_steps(&mut self.with, clock))?;
            costs.push(100.0 * (rest / plain - 1.0));
            plain_steps.push(plain);
        }
        match pseudomedian(&costs).zip(median(&plain_steps)) {
            Some((pct, iteration_steps)) => Ok(Cost {
                pct,
                iteration_steps,
                reached: 0.0,
            }),
            None => Err(DoseError::Cannot("an iteration takes no time".into())),
        }
    }

    /// Opens the gates of a set: what it costs, which is said of every site in it, and what counting says of them. If it costs
    /// too much, each of them is looked at alone and has a set of its own from then on.
    fn opened(
        &mut self,
        sites: &[usize],
        tuned: &mut [Tuned],
        closed: &Cost,
    ) -> Result<Vec<(usize, Cost)>, DoseError<L::Error>> {
        let cost = self.open(sites, tuned)?;
        if sites.len() == 1 || !cost.is_too_much(closed) {
            self.count(sites, tuned)?;
            return Ok(sites.iter().map(|site| (*site, cost.clone())).collect());
        }
        alone(tuned, &sites[1..]);
        let mut costs = Vec::new();
        for site in sites {
            costs.push((*site, self.open(&[*site], tuned)?));
            self.count(&[*site], tuned)?;
        }
        Ok(costs)
    }

    /// Opens the gates of these sites and closes all others: what they cost.
    fn open(&mut self, sites: &[usize], tuned: &[Tuned]) -> Result<Cost, DoseError<L::Error>> {
        let numbers: Vec<u16> = sites.iter().map(|site| *site as u16).collect();
        let begin_s = self.with.elapsed_s();
        let opened = self.with.gates(&numbers, &ANEW);
        self.test.needed(REST, opened)?;
        self.gates_s.push(self.with.elapsed_s() - begin_s);
        let reached = sites.iter().filter_map(|site| tuned[*site].executions);
        Ok(Cost {
            reached: reached.sum(),
            ..self.cost(OPEN_PAIRS)?
        })
    }

    /// What counting says of these sites, whose gates are open.
    fn count(&mut self, sites: &[usize], tuned: &mut [Tuned]) -> Result<(), DoseError<L::Error>> {
        let most_s = COUNTED_S / tuned.len() as f64;
        for site in sites {
            let this = (*site, &tuned[*site]);
            let counted = counted::counted(&mut self.with, this, self.clock, most_s);
            let counted = self.test.needed(REST, counted)?;
            (tuned[*site].by_count, tuned[*site].doses) = (counted.part, counted.doses);
        }
        Ok(())
    }

    /// Whether sites reveal themselves that were only counted so far.
    fn look(&self, tuned: &mut [Tuned]) {
        let report = self.with.report();
        for (site, one) in (0..).zip(tuned) {
            one.reveals_itself = one.reveals_itself.or(Some(report.revealed(site)));
        }
    }

    fn finish(
        self,
        costs: &[Cost],
        inlined: Vec<bool>,
        closed: &Cost,
    ) -> Result<Plain, DoseError<L::Error>> {
        let jvm = self.without.facts();
        self.test.needed(PLAIN, self.without.finish())?;
        self.test.needed(REST, self.with.finish())?;
        Ok(Plain {
            inlined,
            rest_cost: closed.pct,
            open_costs: costs.iter().map(|cost| cost.pct).collect(),
            jvm,
            start_s: self.start_s,
            gates_s: mean(&self.gates_s),
        })
    }
}

/// Warms processes of these names up at the same time. Where one fails there is no test, and the other one is ended at once.
fn warm_up<L: SiteLabs>(
    test: &Test<'_, L>,
    labs: [(&str, &mut L::Lab); 2],
) -> Result<(), DoseError<L::Error>> {
    let (tell, ends) = channel();
    std::thread::scope(|scope| {
        for (name, lab) in labs {
            let tell = tell.clone();
            scope.spawn(move || {
                // Who does not listen any more panics too.
                let _ = tell.send((name, lab.warm_up(&WARM)));
            });
        }
        drop(tell);
        let mut warmed = Ok(());
        for (name, end) in ends {
            // What the one answers that is ended then is no failure of its own.
            if end.is_err() && warmed.is_ok() {
                test.labs.end_all();
                warmed = test.needed(name, end.map(drop));
            }
        }
        warmed
    })
}

/// The program's sites, of which some are in, and the one that is a clock.
fn sites(tuned: &[Tuned], inside: impl Fn(usize) -> bool) -> (Vec<WantedSite>, StepClock) {
    let all = tuned.iter().enumerate();
    let mut sites: Vec<WantedSite> = all
        .map(|(at, one)| match inside(at) {
            true => one.gated(),
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

/// Time of an iteration of the workload without a turn, in steps of that moment: a machine that is faster or slower
/// then drops out.
fn in_steps<S: SiteLab>(lab: &mut S, clock: StepClock) -> Result<f64, S::Error> {
    let before = clock.step_ns(lab)?;
    let window = lab.window(None, PAIR_S, LEAST, Watching::Nobody)?;
    let behind = clock.step_ns(lab)?;
    Ok(window.median_ns() / f64::from(window.together) / f64::midpoint(before, behind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::sites::report::Compilation;

    fn cost(value: f64, half: f64, reached: f64) -> Cost {
        Cost {
            pct: Estimate::around(value, half, 9),
            // 30,000 cycles.
            iteration_steps: 10_000.0,
            reached,
        }
    }

    /// The first of three sites is taken out: what is known of the others stays theirs.
    #[test]
    fn what_was_inlined_stays_with_its_site() {
        let report = SiteReport {
            compiled: vec![Compilation {
                ns: 1,
                inside: [1].into(),
                inlined: [1].into(),
                revealed: [].into(),
            }],
            ..SiteReport::default()
        };
        let mut known = inlined(&report, 3);
        assert_eq!(known, [false, true, false]);
        keep_fine(&mut known, &[true, false, false]);
        assert_eq!(known, [true, false]);
    }

    #[test]
    fn what_a_site_itself_takes_is_no_reason_to_leave_it_out() {
        let open = |reached| cost(60.0, 10.0, reached);
        let closed = cost(-0.5, 0.5, 0.0);
        // 3000 times 4 cycles are 40 %.
        assert!((open(3000.0).beyond(&closed) - 10.0).abs() < 1e-9);
        assert!((open(30.0).beyond(&closed) - 49.6).abs() < 1e-9);
        assert!(open(30_000.0).beyond(&closed) < 0.0);
        // What closed gates cost is not the site's.
        assert!((open(30.0).beyond(&cost(20.0, 5.0, 0.0)) - 24.6).abs() < 1e-9);
    }
}
