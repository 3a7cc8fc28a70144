//! The whole test with sites: which methods, how much, windows under every profiler, verdicts. What runs the program is a
//! trait ([`SiteLabs`]): JVMs with the user's own flags, or the simulation of [`crate::sim`], whose true answer is known.
//!
//! | module | what |
//! | --- | --- |
//! | `lab` | what runs a program with sites |
//! | `report` | what became of the sites of a process |
//! | `clock` | how long an iteration takes, and a step of arithmetic |
//! | `candidate` | a method that may be tested, and which cannot be |
//! | `look` | what each profiler shows of the program as it is |
//! | `choose` | which methods: by counted bytecodes, by what each profiler shows, by name |
//! | `turns` | which of them come first |
//! | `in_time` | fewer of them where the test would take too long, and what is said where JVMs are late |
//! | `tune` | what kind of site each method needs, by the clock |
//! | `found` | the sites of all methods, one after the other, and who stands in for those without |
//! | `counted` | how often each site is reached |
//! | `cool` | cooler places for sites that are reached very often |
//! | `together` | which sites are there at the same time |
//! | `plain` | the program as it is, and what sites at rest cost it |
//! | `measure` | what one profiler reports, in one process or in several |
//! | `runs` | the processes of all profilers, several at a time, and those that fail |
//! | `further` | more of them, where these would decide |
//! | `second` | a second look at the program as it is, where sites would change too much by the first one |
//! | `under` | what counting says in them, beside the process without a profiler |
//! | `rounds` | the windows of a process |
//! | `narrow` | more of them for rows that are wide, while their gates are open |
//! | `pace` | as many rounds of them as there is time for |
//! | `took` | how long the parts of the test take |
//! | `windows` | what clock and profiler say of them |
//! | `restless` | how much the time of the same work differs |
//! | `untested` | hot methods without a row, and why |
//! | `went_over` | whether the program changed while it was measured |
//! | `result` | from these to what is written |

mod candidate;
mod choose;
mod clock;
mod cool;
mod counted;
mod found;
mod further;
mod in_time;
mod lab;
mod look;
mod measure;
mod narrow;
mod pace;
mod plain;
mod report;
mod restless;
mod result;
mod rounds;
mod runs;
mod second;
mod together;
mod took;
mod tune;
mod turns;
mod under;
mod untested;
mod went_over;
mod windows;

use std::collections::BTreeMap;

pub(super) use candidate::{is_made, is_ours};
pub(crate) use clock::CLOCK;
pub use clock::{StepClock, StepReading};
pub use lab::{
    DosedWindow, SiteError, SiteLab, SiteLabs, SitePlace, SiteWork, WantedSite, WarmUp, Watching,
};
pub use report::{Compilation, PlacedSite, SiteReport};
pub(super) use rounds::CLOSED_S;
pub(super) use tune::RARE;
pub use windows::KeptWindow;

use super::{
    Again, DoseKind, DoseResult, FoundSites, LeftOut, MachineFacts, Size, Took, nothing_to_test,
};
use crate::progress::Progress;
use in_time::InTime;
use proofmark_rules::DOSE_METHOD_PCT;
use result::Measured;
use runs::{Processes, Stopped};
use took::Laps;

/// What is to be tested.
#[derive(Debug, Clone, PartialEq)]
pub struct DoseOrder {
    /// The program, as the result calls it.
    pub program: String,
    /// Profilers, each once, and how much is measured.
    pub size: Size,
    /// JVMs per profiler at most: those beyond the number that is wanted are measured where they would probably decide a profiler that
    /// is open, all at once, each with as many windows as one of the others, if there is time. Not more than are wanted: exactly these.
    pub most_runs: usize,
    /// Methods that are tested in any case.
    pub named: Vec<String>,
    /// How long the test may take, s: where it would take longer by its estimate, fewer methods are tested, and where JVMs are late all the
    /// same, they have fewer windows. None: as long as it takes.
    pub most_s: Option<f64>,
    /// What added time does.
    pub kind: DoseKind,
    /// Error that separates right from wrong, points of share.
    pub margin_pt: f64,
    /// Seed of the order of windows.
    pub seed: u64,
    /// How this is asked for again.
    pub again: Again,
    /// The machine on which it is measured.
    pub machine: MachineFacts,
    /// What is to be said of others who used the machine before, a sentence. What they took during the test, where that is much, is said
    /// in its place.
    pub busy: Option<String>,
    /// What else is to be said, in sentences.
    pub remarks: Vec<String>,
}

/// Why a test has no result.
#[derive(Debug, thiserror::Error)]
pub enum DoseError<E> {
    /// A process did not do what it was asked for, and left no output, or names it itself; or the user wishes to stop.
    #[error(transparent)]
    Lab(E),
    /// The program failed in a process, or this one without which there is no test; where its output is.
    #[error("{error}\nthe JVM's output is in {log}")]
    Program {
        /// How.
        error: E,
        /// The file.
        log: String,
    },
    /// What was asked for does not exist.
    #[error("{0}")]
    Usage(String),
    /// This program cannot be tested.
    #[error("{0}")]
    Cannot(String),
}

/// Tests the profilers of an order.
///
/// # Errors
/// When the program cannot be run, no method of it can be tested, or no profiler works.
///
/// # Accuracy
/// That of [`rows`](super::rows) and [`over_runs`](super::over_runs). Where JVMs are added ([`DoseOrder::most_runs`]), a row is looked at
/// twice: in simulated JVMs its interval then holds the truth in more than 92 of 100 cases, and a profiler that is off by just what is
/// allowed is called right in fewer than 5 (crates/experiment/src/dose/more/tests.rs).
pub fn run<L: SiteLabs>(
    labs: &L,
    order: &DoseOrder,
    progress: &dyn Progress,
) -> Result<DoseResult, DoseError<L::Error>> {
    // The process may have done other things before.
    let began_s = progress.elapsed_s();
    let test = Test {
        labs,
        order,
        progress,
        until_s: in_time::until_s(order, began_s),
    };
    let mut laps = Laps::since(progress, began_s);
    let mut chosen = choose::chosen(&test)?;
    let mut took = Took {
        choosing_s: laps.lap_s(),
        at_once: chosen.at_once,
        most_s: order.most_s,
        known: FoundSites {
            iteration_s: chosen.iteration_s,
            ..FoundSites::default()
        },
        ..Took::default()
    };
    let in_time = InTime::of(order, &chosen, began_s);
    let fewer = in_time.fewer(&test, &mut chosen);
    let order = fewer.as_ref().unwrap_or(order);
    let test = test.of(order);
    labs.chosen(&in_time.times(chosen.candidates.len()));
    let found::Found {
        mut tuned,
        mut left_out,
        stood_in,
        remark,
    } = found::sites(&test, &chosen)?;
    let failed = chosen.failed;
    let beyond = chosen.beyond.into_iter().skip(stood_in);
    let beyond: Vec<String> = beyond.map(|one| one.name).collect();
    if tuned.is_empty() {
        return Err(DoseError::Cannot(nothing(order, &left_out, beyond.len())));
    }
    counted::executions(&test, &mut tuned)?;
    together::grouped(&mut tuned);
    took.found_sites(chosen.candidates.len() + stood_in, &tuned);
    took.dosing_s = laps.lap_s();
    let (plain, costly) = plain::plain(&test, &mut tuned, chosen.at_once)?;
    took.costs_s = laps.lap_s();
    left_out.extend(costly);
    let working = order.size.profilers.iter();
    let working: Vec<&String> = working.filter(|one| !failed.contains_key(*one)).collect();
    let mut measured = Measured {
        looks: chosen.looks,
        look_s: chosen.look_s,
        wanted: chosen.candidates.len(),
        beyond,
        tuned,
        judged_by: Vec::new(),
        plain,
        profiled: Vec::new(),
        left_out,
        failed,
        added: BTreeMap::new(),
        took,
        unfinished: None,
        apart: None,
        at_once: chosen.at_once,
        remark,
        others: None,
        late: Vec::new(),
    };
    let fewer = in_time.by_sites(&test, &mut measured);
    let order = fewer.as_ref().unwrap_or(order);
    let test = test.of(order);
    let mut processes = Processes::of(working, &measured.tuned, measured.at_once);
    further::run(&test, &mut processes, &mut measured)?;
    measured.others = labs.others();
    Ok(measured.result(order, progress.elapsed_s() - began_s))
}

/// Why nothing is tested; where methods are left that were not tried, how they are.
fn nothing(order: &DoseOrder, left_out: &[LeftOut], untried: usize) -> String {
    let said = nothing_to_test("method", left_out);
    let (tried, all) = (left_out.len(), left_out.len() + untried);
    match untried {
        0 => said,
        _ => format!(
            "{said}; {tried} of {all} methods with {DOSE_METHOD_PCT:.0} % or more were tried (to try all: {})",
            order.again.with(&format!("--methods {all}"))
        ),
    }
}

/// What a profiler's failure says; failures of the program are everybody's.
fn of_profiler<E: SiteError>(error: E) -> Result<String, E> {
    match error.is_everybodys() {
        true => Err(error),
        false => Ok(error.to_string()),
    }
}

/// What is the same for all processes of a test.
struct Test<'t, L> {
    labs: &'t L,
    order: &'t DoseOrder,
    progress: &'t dyn Progress,
    /// When its processes should have ended, by the clock of `progress`, s; none: whenever they end.
    until_s: Option<f64>,
}

impl<'t, L: SiteLabs> Test<'t, L> {
    /// The same with another order.
    fn of<'o>(&self, order: &'o DoseOrder) -> Test<'o, L>
    where
        't: 'o,
    {
        Test {
            labs: self.labs,
            order,
            progress: self.progress,
            until_s: self.until_s,
        }
    }

    /// How much of its time is left, s; none where it takes as long as it takes.
    fn left_s(&self) -> Option<f64> {
        let left_s = self.until_s? - self.progress.elapsed_s();
        Some(left_s.max(0.0))
    }

    /// Starts a process; its files go to a place of that name.
    fn lab(
        &self,
        name: &str,
        sites: &[WantedSite],
        profiler: Option<&str>,
    ) -> Result<L::Lab, L::Error> {
        self.labs.start(name, sites, profiler)
    }

    /// What is done in a process of this name, which is started for it. There is no test without it.
    fn done_in<T>(
        &self,
        name: &str,
        sites: &[WantedSite],
        does: impl FnOnce(L::Lab) -> Result<T, L::Error>,
    ) -> Result<T, DoseError<L::Error>> {
        self.needed(name, self.lab(name, sites, None).and_then(does))
    }

    /// What the process of this name did, without which there is no test: where it failed, that is why, and its output is named.
    fn needed<T>(&self, name: &str, done: Result<T, L::Error>) -> Result<T, DoseError<L::Error>> {
        done.map_err(|error| {
            let log = self.labs.log(name);
            Stopped { error, log }.without_result()
        })
    }

    /// Says what is being done.
    fn say(&self, text: &str) {
        self.progress.step(text);
    }
}
