//! What keeps a test within the time that it may take.
//!
//! 1. Fewer methods, where a test of all would take too long by what is usual for iterations of that length ([`InTime::fewer`]).
//! 2. Fewer once more, where the sites that were found would: in how many sets they are is known by then, and how long it takes until a JVM
//!    is warm and until gates are open ([`InTime::by_sites`]).
//! 3. Fewer windows in JVMs that turn out to be late (`pace`), which is said ([`spared`]), and no JVMs added for which there is no time
//!    ([`no_time`]).
//!
//! None of this looks at what profilers report while time is added: time alone decides.

use super::choose::Chosen;
use super::result::Measured;
use super::runs::Processes;
use super::together::sets;
use super::tune::Tuned;
use super::{DoseOrder, SiteLabs, Test};
use crate::dose::advice::listed;
use crate::dose::{FoundSites, Size, Times};

/// So many methods are tested, however long that takes.
const LEAST: usize = 1;
/// Longer iterations, s, are named as what makes a test long.
const LONG_S: f64 = 0.02;
/// Part of the time that a test may take which it is to take by its estimate once sites are found. With 0.9 one that takes 1.1 times as long
/// ends in time without being cut; of two tests on a quiet machine the JVMs of profilers took 0.95 and 1.04 times as long
/// (crates/experiment/src/dose/cost/tests.rs), of eight in all and with less known 0.83 to 1.25 times ([`Times::of_sites`]).
const PLANNED: f64 = 0.9;
/// What comes behind the last JVM or before the test begins, s: verdicts, page, and at first use the harness, which is compiled.
const AROUND_S: f64 = 10.0;

/// A test that may take a certain time, or any.
pub(super) struct InTime<'o> {
    /// What was asked for.
    asked: &'o DoseOrder,
    /// How much is measured, with the profilers that work and as many JVMs at the same time as there is room for.
    size: Size,
    /// Time of an iteration, s.
    iteration_s: f64,
    /// When the test began, s.
    began_s: f64,
    /// How many methods were chosen.
    all: usize,
}

impl<'o> InTime<'o> {
    /// A test that began at this time, s, once its methods are chosen.
    pub(super) fn of(asked: &'o DoseOrder, chosen: &Chosen, began_s: f64) -> Self {
        let works = |name: &&String| !chosen.failed.contains_key(*name);
        let profilers = asked.size.profilers.iter().filter(works);
        Self {
            asked,
            size: Size {
                profilers: profilers.cloned().collect(),
                at_once: chosen.at_once,
                ..asked.size.clone()
            },
            iteration_s: chosen.iteration_s,
            began_s,
            all: chosen.candidates.len(),
        }
    }

    /// How long the test takes with so many of the methods that were chosen. This is what the note says and what the time that is left is
    /// told by.
    pub(super) fn times(&self, methods: usize) -> Times {
        Times::of(&self.size, methods, self.iteration_s)
    }

    /// The order with as many methods as there is time for, the first ones, where there is none for all that were chosen; the others are
    /// then beyond the number that is tested.
    pub(super) fn fewer<L: SiteLabs>(
        &self,
        test: &Test<'_, L>,
        chosen: &mut Chosen,
    ) -> Option<DoseOrder> {
        let most_s = self.asked.most_s?;
        let spent_s = self.spent_s(test);
        let total_s = |methods: usize| spent_s + self.times(methods).chosen_s();
        let methods = self.most(self.all, |methods| total_s(methods) <= most_s);
        if methods == self.all {
            return None;
        }
        let beyond = chosen.candidates.split_off(methods);
        chosen.beyond.splice(..0, beyond);
        let why = match self.is_long() {
            true => format!(
                "an iteration takes about {} s, so ",
                in_seconds(self.iteration_s)
            ),
            false => String::new(),
        };
        let said = self.said(
            &why,
            [methods, self.all],
            [total_s(methods), total_s(self.all)],
        );
        Some(self.order(test, methods, said))
    }

    /// The same once sites are found and what they cost is known: those of the last methods are taken out of what is measured. Tells how
    /// long the JVMs of profilers take.
    pub(super) fn by_sites<L: SiteLabs>(
        &self,
        test: &Test<'_, L>,
        measured: &mut Measured,
    ) -> Option<DoseOrder> {
        let spent_s = self.spent_s(test);
        let found = names(&measured.tuned).len();
        let total_s = |methods: usize| spent_s + self.with_sites(measured, methods).profilers_s;
        let fits = |methods: usize| {
            (self.asked.most_s).is_none_or(|most_s| total_s(methods) <= PLANNED * most_s)
        };
        let methods = self.most(found, fits);
        test.labs.sites_found(&self.left(test, measured, methods));
        if methods == found {
            return None;
        }
        // Those that were left out before have no sites that are known.
        let (wanted, before) = (measured.wanted, self.all - measured.wanted);
        let before_s = self.times(self.all).chosen_s() - self.times(wanted).chosen_s();
        let said = self.said(
            "by the sites that were found ",
            [methods, found + before],
            [total_s(methods), total_s(found) + before_s],
        );
        let last = names(&measured.tuned).split_off(methods);
        let stays = of_first(&measured.tuned, methods);
        let out: Vec<bool> = stays.iter().map(|stays| !stays).collect();
        measured.plain.leave_out(&mut measured.tuned, &out);
        measured.wanted = wanted.saturating_sub(last.len()).max(methods);
        measured.beyond.splice(..0, last);
        Some(self.order(test, measured.wanted, said))
    }

    /// The most of so many methods for which there is time; those that the user named in any case.
    fn most(&self, all: usize, fits: impl Fn(usize) -> bool) -> usize {
        let least = LEAST.max(self.asked.named.len()).min(all);
        let mut methods = (least..=all).rev();
        methods.find(|methods| fits(*methods)).unwrap_or(least)
    }

    /// How long the JVMs of profilers take with the sites of so many methods: no longer than is left, but as long as the fewest windows do.
    fn left<L: SiteLabs>(&self, test: &Test<'_, L>, measured: &Measured, methods: usize) -> Times {
        let times = self.with_sites(measured, methods);
        let Some(left_s) = test.left_s() else {
            return times;
        };
        let fewest = Self {
            size: Size {
                rounds: 1,
                budget_s: 0.0,
                ..self.size.clone()
            },
            ..*self
        };
        let least_s = fewest.with_sites(measured, methods).profilers_s;
        Times {
            profilers_s: times.profilers_s.min(left_s.max(least_s)),
            ..times
        }
    }

    /// How long the test takes with the sites of so many methods.
    fn with_sites(&self, measured: &Measured, methods: usize) -> Times {
        let stays = of_first(&measured.tuned, methods);
        let tuned = measured.tuned.iter().zip(&stays);
        let tuned = tuned.filter(|(_, stays)| **stays);
        let tuned: Vec<Tuned> = tuned.map(|(one, _)| one.clone()).collect();
        let known = FoundSites {
            sites: tuned.len(),
            sets: sets(&tuned).len(),
            iteration_s: self.iteration_s,
            start_s: measured.plain.start_s,
            gates_s: measured.plain.gates_s,
        };
        Times::of_sites(&self.size, &known)
    }

    /// Time since the test began, s.
    fn spent_s<L: SiteLabs>(&self, test: &Test<'_, L>) -> f64 {
        test.progress.elapsed_s() - self.began_s
    }

    fn is_long(&self) -> bool {
        self.iteration_s >= LONG_S
    }

    /// That so many of so many methods are tested, and how long that and a test of all takes, s.
    fn said(&self, why: &str, [methods, of]: [usize; 2], [takes_s, all_s]: [f64; 2]) -> String {
        let end = match self.is_long() {
            true => "; a program that does less in an iteration takes less time",
            false => "",
        };
        let are = if methods == 1 { "is" } else { "are" };
        let [takes, all] = [takes_s, all_s].map(minutes);
        let all = match all > takes {
            true => format!("about {all:.0}"),
            false => "a little more".to_owned(),
        };
        format!(
            "{why}{methods} of {of} methods {are} tested, the hottest by bytecodes and profilers in turn: that takes about {takes:.0} min, \
             all of them {all} ({}){end}",
            self.asked.again.with(&format!("--methods {}", self.all)),
        )
    }

    /// What was asked for with so many methods; why is noted and remarked.
    fn order<L: SiteLabs>(&self, test: &Test<'_, L>, methods: usize, said: String) -> DoseOrder {
        test.progress.note(&said);
        let asked = self.asked;
        let mut again = asked.again.clone();
        again
            .options
            .push(("--methods".to_owned(), methods.to_string()));
        DoseOrder {
            size: Size {
                methods,
                ..asked.size.clone()
            },
            again,
            remarks: asked.remarks.iter().cloned().chain([said]).collect(),
            ..asked.clone()
        }
    }
}

/// When the JVMs of a test should have ended that began at this time, s; none: whenever they end.
pub(super) fn until_s(order: &DoseOrder, began_s: f64) -> Option<f64> {
    order.most_s.map(|most_s| began_s + most_s - AROUND_S)
}

/// That rounds of windows were left out because JVMs were late, and how they are asked for; none where all were run.
pub(super) fn spared(order: &DoseOrder, processes: &Processes<'_>) -> Option<String> {
    let most_s = order.most_s?;
    let runs = || processes.runs.iter().flat_map(|one| &one.good);
    let late = runs().filter(|run| run.rounds.spared > 0).count();
    let spared: usize = runs().map(|run| run.rounds.spared).sum();
    let ran: usize = runs().map(|run| run.rounds.ran).sum();
    let all = order
        .again
        .with(&format!("--methods {}", order.size.methods));
    (late > 0).then(|| {
        format!(
            "so that the test ends within {:.0} min, {spared} of {} rounds of windows were left out, in {late} of {} JVMs, which makes \
             intervals of rows wider (to run all: {all})",
            minutes(most_s),
            ran + spared,
            runs().count()
        )
    })
}

/// That there was no time to add so many JVMs for each of these profilers.
pub(super) fn no_time(profilers: &[String], more: usize) -> String {
    let names: Vec<&str> = profilers.iter().map(String::as_str).collect();
    let jvms = if more == 1 { "JVM" } else { "JVMs" };
    let (each, them) = match names.len() {
        1 => ("", "it"),
        _ => (" each", "them"),
    };
    let names = listed(&names);
    format!(
        "there was no time for {more} more {jvms}{each} for {names}, which would probably decide {them}"
    )
}

/// Names of methods with sites, each once, in the order of their sites.
pub(super) fn names(tuned: &[Tuned]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for one in tuned {
        if !names.contains(&one.candidate.name) {
            names.push(one.candidate.name.clone());
        }
    }
    names
}

/// Of each site whether it is one of the first so many methods.
fn of_first(tuned: &[Tuned], methods: usize) -> Vec<bool> {
    let names = names(tuned);
    let first = &names[..methods.min(names.len())];
    let all = tuned.iter();
    all.map(|one| first.contains(&one.candidate.name)).collect()
}

/// Whole ones, one at least.
fn minutes(seconds: f64) -> f64 {
    (seconds / 60.0).round().max(1.0)
}

/// With two digits.
fn in_seconds(seconds: f64) -> String {
    match seconds {
        long if long >= 1.0 => format!("{long:.1}"),
        short if short >= 0.1 => format!("{short:.2}"),
        short => format!("{short:.3}"),
    }
}
