//! The windows of one process: its sites one after the other, each with its gate open, and the program with all gates closed.
//!
//! Only the sites of one set are there at a time: what others would cost, and what they would keep the JIT from doing, is not in
//! its windows. Opening gates takes about a second, so that a site has several rounds of windows at each visit.

use std::collections::BTreeMap;

use proofmark_stats::median;

use super::clock::{LabClock, StepReading};
use super::lab::{ANEW, SiteLab, Watching};
use super::measure::{Asked, NoRow, Run, Shown};
use super::narrow::Left;
use super::pace::Pace;
use super::together::sets;
use super::tune::Tuned;
use super::windows::{Ran, joined, kept};
use crate::dose::matrix::missing_between;
use crate::dose::threads::looks_at_the_ready;
use crate::dose::{
    Clock as _, Dose, Doses, FindSettings, Found, Lacking, Level, Planned, Row, ThreadFacts, Visit,
    Window, find_doses, lacking, rows, visits,
};
use crate::lab::ProfiledWindow;

/// Time that must be left for sites to be visited again, s: gates are opened before.
const VISIT_S: f64 = 5.0;
/// Time with all gates closed, before the sites are visited and behind, s each.
pub(in crate::dose) const CLOSED_S: f64 = 1.6;
/// How many times more or less than in another process a dose may slow the program and still do.
const ALIKE: f64 = 2.0;
/// How many times as long an iteration may take with gates open before they are opened again.
const UNSETTLED: f64 = 2.0;

/// A process with a profiler, and what ran in it.
pub(super) struct Rounds<'w, S: SiteLab> {
    pub(super) asked: Asked<'w>,
    /// Number of the process under this profiler.
    pub(super) number: usize,
    /// Names of the process and of the profiler.
    pub(super) name: &'w str,
    pub(super) profiler: &'w str,
    pub(super) lab: S,
    /// What is read beside windows of sites that counting knows.
    pub(super) clock: Option<StepReading>,
    /// Doses of the sites that were visited and have any.
    pub(super) doses: Vec<Option<Doses>>,
    /// Time of an iteration with all gates closed, ns.
    pub(super) rest_ns: f64,
    /// The set of sites that is there now.
    pub(super) opened: Option<usize>,
    pub(super) ran: Vec<Ran>,
    pub(super) seed: u64,
    /// Its time.
    pub(super) pace: Pace,
}

impl<S: SiteLab> Rounds<'_, S> {
    /// Runs the rounds that every site gets and, while its gate is open, more until its row is narrow or its part of the time for that
    /// is used up. Time that is left then goes to those that are wide still.
    pub(super) fn narrowed(mut self) -> Result<Run, S::Error> {
        let size = &self.asked.order.size;
        let rounds = size.rounds_in_each();
        let begin_s = self.lab.elapsed_s();
        self.closed(rounds)?;
        self.pace.ends_with(self.lab.elapsed_s() - begin_s);
        // One look may fall into a moment in which something is compiled, or others use the machine.
        self.rest_ns = self.closed_ns().unwrap_or(self.rest_ns);
        // What other threads do while the clock is read would be in the profile, and not in the program's time.
        self.clock = self.clock.filter(|_| self.is_of_one_thread());
        let all: Vec<usize> = (0..self.asked.tuned.len()).collect();
        let mut left = Left {
            seconds: size.budget_in_each_s(),
            sites: all.len(),
        };
        self.visit(&all, rounds, &mut left)?;
        self.lab.gates(&[], &ANEW)?;
        self.opened = None;
        self.closed(rounds)?;
        loop {
            let reported = self.lab.reported()?;
            let rows = self.rows(&reported);
            let wide = self.wide(&all, &rows);
            // Shorter than that, opening gates would take longer than what is then measured.
            let short = left.seconds < VISIT_S || !self.pace.has(self.lab.elapsed_s(), VISIT_S);
            if wide.is_empty() || short {
                return self.ended(rows, reported);
            }
            left.sites = wide.len();
            let (before_s, begin_s) = (left.seconds, self.lab.elapsed_s());
            self.visit(&wide, 0, &mut left)?;
            // Opening gates counts too, so that this ends however many sets there are.
            left.seconds = before_s - (self.lab.elapsed_s() - begin_s);
        }
    }

    fn ended(self, rows: Vec<Shown>, reported: Vec<ProfiledWindow>) -> Result<Run, S::Error> {
        let report = self.lab.report();
        self.lab.keep(&kept(&self.ran, &reported, &report))?;
        self.lab.end();
        Ok(Run {
            number: self.number,
            rows,
            sets: self.asked.tuned.iter().map(|one| one.set).collect(),
            doses: self.doses,
            ran: self.ran,
            reported,
            report,
            rounds: self.pace.rounds,
        })
    }

    /// Windows of the program with all gates closed, which tell the shares of methods: so many, and for as long as they need.
    fn closed(&mut self, windows: usize) -> Result<(), S::Error> {
        let rest = Planned {
            site: None,
            level: Level::Rest,
        };
        let window_s = self.asked.order.size.window_s.max(self.rest_ns / 1e9);
        let long = (CLOSED_S / window_s).ceil() as usize;
        // A share has an interval from two windows on.
        (0..windows.max(long).max(2)).try_for_each(|_| self.one(rest))
    }

    /// Time of an iteration in the windows so far with all gates closed, ns: their median.
    fn closed_ns(&self) -> Option<f64> {
        let closed = self.ran.iter().filter(|ran| ran.rests(None));
        let times: Vec<f64> = closed.map(|ran| ran.window.median_ns()).collect();
        median(&times)
    }

    /// Whether one thread has as good as all of the program's time in these windows.
    fn is_of_one_thread(&self) -> bool {
        let closed = self.ran.iter().filter(|ran| ran.rests(None));
        let threads: Vec<(u32, f64)> = closed.map(|ran| ran.window.threads()).collect();
        let facts = ThreadFacts::of(&threads, BTreeMap::new());
        facts.is_none_or(|facts| facts.alone())
    }

    /// So many rounds of windows for each of some sites, set after set, and more for those that are wide then, as far as there is time; at
    /// the first visit their doses are found.
    fn visit(&mut self, sites: &[usize], rounds: usize, left: &mut Left) -> Result<(), S::Error> {
        let sets = sets(self.asked.tuned);
        let wanted = sets.iter().map(|(set, all)| {
            let wanted = all.iter().filter(|site| sites.contains(site));
            (*set, wanted.copied().collect())
        });
        let wanted = wanted.filter(|(_, sites): &(usize, Vec<usize>)| !sites.is_empty());
        let wanted: Vec<(usize, Vec<usize>)> = wanted.collect();
        let all = visits(&wanted, rounds, self.seed_now());
        let mut ahead: usize = all.iter().map(|one| one.windows.len()).sum();
        self.pace.visits(all.len(), ahead);
        for Visit { set, windows } in all {
            // Those for wide rows are not planned: the number grows with them.
            let (name, at, most) = (self.name, self.ran.len() + 1, self.ran.len() + ahead);
            let text = format!("{name}: window {at} of {most}");
            self.asked.progress.step(&text);
            ahead -= windows.len();
            let here = wanted.iter().filter(|(one, _)| *one == set);
            let here: Vec<usize> = here.flat_map(|(_, sites)| sites).copied().collect();
            let begin_s = self.lab.elapsed_s();
            self.open(&sets, set)?;
            self.find(&sets, set, &here)?;
            let now_s = self.lab.elapsed_s();
            self.pace.opened(now_s, now_s - begin_s, windows.len());
            self.planned(&here, &windows)?;
            self.narrow(set, &here, left)?;
        }
        Ok(())
    }

    /// Of the order of windows to come. Any seed may be asked for, the greatest too.
    pub(super) fn seed_now(&self) -> u64 {
        self.seed.wrapping_add(self.ran.len() as u64)
    }

    /// Opens the gates of a set and closes all others.
    fn open(&mut self, sets: &[(usize, Vec<usize>)], set: usize) -> Result<(), S::Error> {
        let sites = sets.iter().filter(|(one, _)| *one == set);
        let sites = sites.flat_map(|(_, sites)| sites).map(|site| *site as u16);
        self.lab.gates(&sites.collect::<Vec<u16>>(), &ANEW)?;
        self.opened = Some(set);
        Ok(())
    }

    /// Finds doses of these sites of a set whose gates are open, of those that have none yet.
    fn find(
        &mut self,
        sets: &[(usize, Vec<usize>)],
        set: usize,
        sites: &[usize],
    ) -> Result<(), S::Error> {
        let lacking = |doses: &[Option<Doses>]| {
            let all = sites.iter().copied();
            all.filter(|site| doses[*site].is_none())
                .collect::<Vec<usize>>()
        };
        if !lacking(&self.doses).is_empty() {
            self.settle(sets, set)?;
        }
        for site in lacking(&self.doses) {
            self.doses[site] = self.dose(site)?;
        }
        let again = lacking(&self.doses);
        if !again.is_empty() {
            // On a busy machine the compilers may not have been done.
            self.open(sets, set)?;
        }
        for site in again {
            self.doses[site] = self.found(site)?;
        }
        Ok(())
    }

    /// Opens the gates of a set once more where the program is much slower with them: its code may not be compiled yet, and doses that
    /// are found before do little later. Where it stays so, sites cost that much.
    fn settle(&mut self, sets: &[(usize, Vec<usize>)], set: usize) -> Result<(), S::Error> {
        let lab = &mut self.lab;
        match (LabClock { lab }).iteration_ns(None)? > UNSETTLED * self.rest_ns {
            true => self.open(sets, set),
            false => Ok(()),
        }
    }

    /// Doses of a site whose gate is open: those of another process, if they do here.
    fn dose(&mut self, site: usize) -> Result<Option<Doses>, S::Error> {
        let known = self.asked.known.get(site).copied().flatten();
        match known {
            Some(known) if self.still_do(site, &known)? => Ok(Some(known)),
            _ => self.found(site),
        }
    }

    /// Whether doses of another process do in this one: the low dose slows the program about as much. The high one is as many
    /// turns more of the same loop.
    fn still_do(&mut self, site: usize, doses: &Doses) -> Result<bool, S::Error> {
        let low = Dose {
            site: site as u16,
            turns: doses.low,
        };
        let lab = &mut self.lab;
        let growth = LabClock { lab }.iteration_ns(Some(low))? / self.rest_ns - 1.0;
        let part = growth / doses.growth[0];
        Ok((1.0 / ALIKE..ALIKE).contains(&part))
    }

    /// Doses of a site in this process.
    fn found(&mut self, site: usize) -> Result<Option<Doses>, S::Error> {
        let settings = FindSettings::for_iterations(self.rest_ns);
        let lab = &mut self.lab;
        let (mut clock, turns) = (LabClock { lab }, self.asked.tuned[site].turns);
        let found = find_doses(
            &mut clock,
            site as u16,
            self.rest_ns,
            Some(turns),
            &settings,
        )?;
        Ok(match found {
            Found::Doses(doses) => Some(doses),
            Found::Rare { .. } => None,
        })
    }

    pub(super) fn one(&mut self, planned: Planned) -> Result<(), S::Error> {
        let dose = planned.site.and_then(|site| {
            let doses = self.doses[site]?;
            Some(match planned.level {
                Level::Rest => (0, 0.0),
                Level::Low => (doses.low, doses.growth[0]),
                Level::High => (doses.high, doses.growth[1]),
            })
        });
        let growth = dose.map_or(0.0, |(_, growth)| growth);
        let seconds = self.asked.order.size.window_s;
        // One iteration fills the window where they are long.
        let long = self.rest_ns * (1.0 + growth) > seconds * 1e9;
        let dose = planned.site.zip(dose).map(|(site, (turns, _))| Dose {
            site: site as u16,
            turns,
        });
        let least = if long { 1 } else { 2 };
        let counted = |dose: Dose| self.asked.tuned[usize::from(dose.site)].by_count.is_some();
        let reads = planned.level != Level::Rest && dose.is_some_and(counted);
        let clock = self.clock.filter(|_| reads);
        let watching = clock.map_or(Watching::Profiler, Watching::ProfilerAndClock);
        let window = self.lab.window(dose, seconds, least, watching)?;
        self.ran.push(Ran {
            open: self.opened,
            planned,
            window,
        });
        Ok(())
    }

    /// The row of each site, or why it has none.
    pub(super) fn rows(&self, reported: &[ProfiledWindow]) -> Vec<Shown> {
        let report = self.lab.report();
        let rest = self.ran.iter().filter(|one| one.rests(None));
        let rest: Vec<f64> = rest.map(|one| one.window.mean_ns()).collect();
        let profiler = self.profiler;
        let of_site = |(site, one): (usize, &Tuned)| {
            let doses = self.doses[site].ok_or_else(|| NoRow {
                reason: format!("under {profiler} the loop in it hardly slows the program"),
                unseen: false,
            })?;
            let method = &one.candidate.name;
            let callee = self.asked.order.kind.callee();
            // Which line of it another method spends the time in is not known.
            let lines = one.lines.iter().filter(|_| callee.is_none());
            let lines: Vec<(String, u32)> = lines
                .map(|line| (method.clone(), u32::from(*line)))
                .collect();
            let dosed =
                |ran: &Ran| ran.planned.site == Some(site) && ran.planned.level != Level::Rest;
            let windows: Vec<(Level, Window)> = (self.ran.iter().zip(reported))
                .filter(|(ran, _)| dosed(ran))
                .map(|(ran, reported)| (ran.planned.level, joined(ran, reported, &report, &lines)))
                .collect();
            // What is right there, counting says when all processes have ended.
            let row = rows(callee.unwrap_or(method), &windows, &rest).map(|row| Row {
                method: method.clone(),
                missing: match looks_at_the_ready(profiler) {
                    true => missing_between(&windows),
                    false => row.missing,
                },
                ..row
            });
            row.map(|row| ([doses.low, doses.high], row))
                .ok_or_else(|| why_missing(profiler, &windows))
        };
        self.asked.tuned.iter().enumerate().map(of_site).collect()
    }
}

/// What is said where methods with sites were compiled in every window.
pub(super) const EACH_TIME: &str = "a program that loads its classes anew in every iteration has them compiled anew each time; it should load them once";

/// Only where the program did what it was asked to do is it the profiler's fault.
fn why_missing(profiler: &str, windows: &[(Level, Window)]) -> NoRow {
    let lacking = lacking(windows);
    let reason = match lacking {
        Lacking::Quiet => {
            let void = windows.iter().filter(|(_, window)| window.void).count();
            let all = windows.len();
            let why = match void == all {
                true => format!("; {EACH_TIME}"),
                false => String::new(),
            };
            format!(
                "under {profiler} methods with sites were compiled in {void} of {all} windows{why}"
            )
        }
        Lacking::Samples => format!("{profiler} took no sample, or too few, in its windows"),
        Lacking::Growth => {
            format!("under {profiler} more turns of the loop in it did not slow the program")
        }
    };
    NoRow {
        reason,
        unseen: lacking == Lacking::Samples,
    }
}
