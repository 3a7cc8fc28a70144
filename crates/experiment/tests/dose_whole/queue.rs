//! JVMs that wait in one line: where one ends, the next one begins.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use proofmark_experiment::dose::sites::{
    DoseError, DoseOrder, DosedWindow, KeptWindow, SiteLab, SiteLabs, SiteReport, WantedSite,
    WarmUp, Watching, run,
};
use proofmark_experiment::dose::{Attribution, Dose, DoseResult, JvmFacts};
use proofmark_experiment::lab::ProfiledWindow;
use proofmark_experiment::sim::{Happening, SimulatedSiteLab, SimulatedSites};
use proofmark_experiment::{Failure, LabError, Silent};

use super::jvms::{depends, in_jvms, watched};
use super::program::{GET, program, refused, row, trouble};

/// Where the next JVM never begins, a test fails after this time.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is told where all JVMs are ended.
const ENDED: &str = "all are ended";

/// Names of the JVMs that have begun, and whom it is told.
type Begun = Arc<(Mutex<Vec<String>>, Condvar)>;

/// Simulated JVMs, one of which does nothing until another one has begun, or all are ended.
struct InLine {
    labs: SimulatedSites,
    begun: Begun,
    /// Name of the JVM that waits, and of the one that it waits for.
    first: &'static str,
    until: &'static str,
    /// So many windows run before it waits; with none it does before it warms up.
    windows: u32,
}

impl InLine {
    /// Says that this one has begun.
    fn tell(&self, name: &str) {
        let (names, told) = &*self.begun;
        let mut names = names.lock().unwrap_or_else(PoisonError::into_inner);
        names.push(name.to_owned());
        told.notify_all();
    }
}

/// One of them.
struct Waiting {
    lab: SimulatedSiteLab,
    /// The JVM that it waits for, if it does.
    until: Option<&'static str>,
    /// So many windows run before.
    windows: u32,
    begun: Begun,
}

impl Waiting {
    /// Waits for the other one, once; fails if that does not begin.
    fn wait(&mut self) -> Result<(), LabError> {
        let Some(until) = self.until.take() else {
            return Ok(());
        };
        let (names, told) = &*self.begun;
        let names = names.lock().unwrap_or_else(PoisonError::into_inner);
        let lacks = |names: &mut Vec<String>| names.iter().all(|name| name != until);
        let waited = told.wait_timeout_while(names, PATIENCE, lacks);
        let waited = waited.unwrap_or_else(PoisonError::into_inner);
        if waited.1.timed_out() {
            let text = format!("{until} has not begun");
            return Err(LabError::new(Failure::NoWorkload, text));
        }
        Ok(())
    }
}

impl SiteLabs for InLine {
    type Lab = Waiting;
    type Error = LabError;

    fn start(
        &self,
        name: &str,
        sites: &[WantedSite],
        profiler: Option<&str>,
    ) -> Result<Waiting, LabError> {
        self.tell(name);
        Ok(Waiting {
            lab: self.labs.start(name, sites, profiler)?,
            until: (name == self.first).then_some(self.until),
            windows: self.windows,
            begun: Arc::clone(&self.begun),
        })
    }

    fn end_all(&self) {
        self.labs.end_all();
        self.tell(ENDED);
    }

    fn log(&self, name: &str) -> Option<String> {
        self.labs.log(name)
    }

    fn bytecodes(&self) -> BTreeMap<String, f64> {
        self.labs.bytecodes()
    }
}

impl SiteLab for Waiting {
    type Error = LabError;

    fn facts(&self) -> JvmFacts {
        self.lab.facts()
    }

    fn elapsed_s(&self) -> f64 {
        self.lab.elapsed_s()
    }

    fn at_once(&self, busy: f64) -> usize {
        self.lab.at_once(busy)
    }

    fn warm_up(&mut self, warm: &WarmUp) -> Result<Option<String>, LabError> {
        if self.windows == 0 {
            self.wait()?;
        }
        self.lab.warm_up(warm)
    }

    fn gates(&mut self, open: &[u16], warm: &WarmUp) -> Result<(), LabError> {
        self.lab.gates(open, warm)
    }

    fn window(
        &mut self,
        dose: Option<Dose>,
        seconds: f64,
        least: u32,
        watching: Watching,
    ) -> Result<DosedWindow, LabError> {
        match self.windows {
            0 => self.wait()?,
            _ => self.windows -= 1,
        }
        self.lab.window(dose, seconds, least, watching)
    }

    fn count(&mut self, iterations: u32) -> Result<Vec<Vec<u32>>, LabError> {
        self.lab.count(iterations)
    }

    fn passes(&mut self, clock: Dose, passes: u32) -> Result<u64, LabError> {
        self.lab.passes(clock, passes)
    }

    fn report(&self) -> SiteReport {
        self.lab.report()
    }

    fn reported(&mut self) -> Result<Vec<ProfiledWindow>, LabError> {
        self.lab.reported()
    }

    fn keep(&self, windows: &[KeptWindow]) -> Result<(), LabError> {
        self.lab.keep(windows)
    }

    fn finish(self) -> Result<Vec<ProfiledWindow>, LabError> {
        self.lab.finish()
    }

    fn end(self) {
        self.lab.end();
    }
}

/// JVMs of `depends`, two at a time, of which the first one does nothing until the third one has begun: the second one has ended by then.
fn two_at_a_time(mut labs: SimulatedSites, jvms: usize) -> DoseResult {
    labs.processors = 8;
    let in_line = InLine {
        labs,
        begun: Begun::default(),
        first: "depends",
        until: "depends-run-3",
        windows: 0,
    };
    let mut asked = in_jvms(&["depends"], jvms);
    asked.size.at_once = 2;
    let result = run(&in_line, &asked, &Silent).expect("a result");
    assert_eq!(in_line.labs.most_at_once(), 2);
    let begun = in_line.labs.started().into_iter();
    let begun: Vec<String> = begun.filter(|name| name.starts_with("depends")).collect();
    let others = (2..=jvms).map(|number| format!("depends-run-{number}"));
    let expected: Vec<String> = std::iter::once("depends".into()).chain(others).collect();
    assert_eq!(begun, expected);
    result
}

fn of(result: &DoseResult) -> &Attribution {
    &result.attribution["depends"]
}

/// A batch of two would never end: the third one would begin behind both.
#[test]
fn where_a_jvm_ends_the_next_one_begins_and_each_keeps_its_place() {
    let result = two_at_a_time(depends(81, &["depends-run-2"]), 3);
    let moved = row(of(&result), GET).in_place_per_run_pct.iter();
    let moved: Vec<f64> = moved.map(|part| part.value).collect();
    let [first, second, third] = moved.as_slice() else {
        panic!("{moved:?}");
    };
    // The second one, which is wrong, ended first.
    assert!(
        *first > 90.0 && *second < 10.0 && *third > 90.0,
        "{moved:?}"
    );
}

/// The first one would never end its look if the other one began behind it.
#[test]
fn a_look_begins_beside_the_first_one_where_there_is_room() {
    let mut labs = program(86);
    labs.processors = 8;
    let in_line = InLine {
        labs,
        begun: Begun::default(),
        first: "look-right",
        until: "look-moves",
        // Of thirty; after eight it is known whether there is room.
        windows: 9,
    };
    let mut asked = in_jvms(&["right", "moves"], 1);
    asked.size.at_once = 2;
    let result = run(&in_line, &asked, &Silent).expect("a result");
    assert_eq!(result.replication.at_once, 2);
    assert_eq!(result.attribution.len(), 2);
}

#[test]
fn jvms_that_fail_are_named_in_the_order_of_their_numbers() {
    let mut labs = depends(82, &[]);
    let names = ["depends", "depends-run-2"];
    labs.troubles = names.map(|name| trouble(name, Happening::Dies(20))).into();
    let result = two_at_a_time(labs, 4);
    let failed = of(&result).failed_runs.iter();
    let failed: Vec<usize> = failed.map(|one| one.run).collect();
    assert_eq!((failed, of(&result).jvms.total()), (vec![1, 2], 2));
}

#[test]
fn where_the_user_wants_to_stop_no_other_jvm_begins() {
    let mut labs = program(83);
    labs.processors = 8;
    let names = ["right", "moves"];
    labs.troubles = names
        .map(|name| trouble(name, Happening::IsInterrupted(5)))
        .into();
    let mut asked = in_jvms(&names, 3);
    asked.size.at_once = 2;
    match refused(&labs, &asked) {
        DoseError::Lab(error) => assert_eq!(error.failure, Failure::Interrupted),
        other => panic!("{other:?}"),
    }
    assert_eq!(watched(&labs), names);
}

/// The other one would go on, to find what nobody is told.
#[test]
fn where_the_program_fails_in_one_jvm_the_others_are_ended_at_once() {
    let mut labs = program(84);
    labs.processors = 8;
    labs.troubles = vec![trouble("right", Happening::IsRefused)];
    let in_line = InLine {
        labs,
        begun: Begun::default(),
        first: "moves",
        until: ENDED,
        windows: 0,
    };
    let mut asked = in_jvms(&["right", "moves"], 3);
    asked.size.at_once = 2;
    let (failure, log, told) = failed(&in_line, &asked);
    assert_eq!((failure, log.as_str()), (Failure::Refused, "right/jvm.log"));
    let told: Vec<&str> = told.iter().map(String::as_str).collect();
    assert!(told.ends_with(&["right", "moves", ENDED]), "{told:?}");
    // It has no windows: it was ended before its first one.
    assert!(in_line.labs.kept("moves").is_empty());
}

/// The other one would warm up for nobody.
#[test]
fn where_the_program_fails_without_a_profiler_the_other_jvm_is_ended_at_once() {
    for (fails, first) in [("plain", "rest"), ("rest", "plain")] {
        let mut labs = program(85);
        labs.processors = 8;
        labs.troubles = vec![trouble(fails, Happening::Dies(0))];
        let in_line = InLine {
            labs,
            begun: Begun::default(),
            first,
            until: ENDED,
            windows: 0,
        };
        let mut asked = in_jvms(&["right"], 1);
        asked.size.at_once = 2;
        let (failure, log, told) = failed(&in_line, &asked);
        assert_eq!((failure, log), (Failure::Died, format!("{fails}/jvm.log")));
        let told: Vec<&str> = told.iter().map(String::as_str).collect();
        assert!(told.ends_with(&["plain", "rest", ENDED]), "{told:?}");
    }
}

/// How the program failed, the file that is named for it, and what was told until then.
fn failed(in_line: &InLine, asked: &DoseOrder) -> (Failure, String, Vec<String>) {
    match run(in_line, asked, &Silent).expect_err("no result") {
        DoseError::Program { error, log } => {
            let (told, _) = &*in_line.begun;
            let told = told.lock().unwrap_or_else(PoisonError::into_inner);
            (error.failure, log, told.clone())
        }
        other => panic!("{other:?}"),
    }
}
