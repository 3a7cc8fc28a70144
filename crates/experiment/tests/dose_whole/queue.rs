//! JVMs that wait in one line: where one ends, the next one begins.

use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::Duration;

use proofmark_experiment::dose::sites::{DoseError, DoseOrder, run};
use proofmark_experiment::dose::{Attribution, DoseResult};
use proofmark_experiment::sim::{Happening, SimulatedSites};
use proofmark_experiment::{Failure, LabError, Silent};

use super::around::{Around, AroundJvm, Surrounded};
use super::jvms::{depends, in_jvms, watched};
use super::program::{GET, program, refused, row, trouble};

/// Where the next JVM never begins, a test fails after this time.
const PATIENCE: Duration = Duration::from_secs(60);

/// What is told where all JVMs are ended.
const ENDED: &str = "all are ended";

/// Names of the JVMs that have begun, and whom it is told.
type Begun = Arc<(Mutex<Vec<String>>, Condvar)>;

/// One JVM does nothing until another one has begun, or all are ended.
struct Line {
    begun: Begun,
    /// Name of the JVM that waits, and of the one that it waits for.
    first: &'static str,
    until: &'static str,
    /// So many windows run before it waits; with none it does before it warms up.
    windows: u32,
}

/// Simulated JVMs in such a line: the first one waits until the other one has begun, after so many windows.
fn in_line(
    labs: SimulatedSites,
    (first, until): (&'static str, &'static str),
    windows: u32,
) -> Surrounded<Line> {
    let around = Line {
        begun: Begun::default(),
        first,
        until,
        windows,
    };
    Surrounded { labs, around }
}

impl Line {
    /// Says that this one has begun.
    fn tell(&self, name: &str) {
        let (names, told) = &*self.begun;
        let mut names = names.lock().unwrap_or_else(PoisonError::into_inner);
        names.push(name.to_owned());
        told.notify_all();
    }
}

impl Around for Line {
    type Jvm = Place;

    fn start(&self, name: &str) -> Place {
        self.tell(name);
        Place {
            until: (name == self.first).then_some(self.until),
            windows: self.windows,
            begun: Arc::clone(&self.begun),
        }
    }

    fn ended(&self) {
        self.tell(ENDED);
    }
}

/// The place of a JVM in the line.
struct Place {
    /// The JVM that it waits for, if it does.
    until: Option<&'static str>,
    /// So many windows run before.
    windows: u32,
    begun: Begun,
}

impl Place {
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

impl AroundJvm for Place {
    fn before_warm_up(&mut self) -> Result<(), LabError> {
        match self.windows {
            0 => self.wait(),
            _ => Ok(()),
        }
    }

    fn before_window(&mut self) -> Result<(), LabError> {
        if self.windows == 0 {
            return self.wait();
        }
        self.windows -= 1;
        Ok(())
    }
}

/// JVMs of `depends`, two at a time, of which the first one does nothing until the third one has begun: the second one has ended by then.
fn two_at_a_time(mut labs: SimulatedSites, jvms: usize) -> DoseResult {
    labs.processors = 8;
    let in_line = in_line(labs, ("depends", "depends-run-3"), 0);
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
    // After nine windows of thirty; after eight it is known whether there is room.
    let in_line = in_line(labs, ("look-right", "look-moves"), 9);
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
    let in_line = in_line(labs, ("moves", ENDED), 0);
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
        let in_line = in_line(labs, (first, ENDED), 0);
        let mut asked = in_jvms(&["right"], 1);
        asked.size.at_once = 2;
        let (failure, log, told) = failed(&in_line, &asked);
        assert_eq!((failure, log), (Failure::Died, format!("{fails}/jvm.log")));
        let told: Vec<&str> = told.iter().map(String::as_str).collect();
        assert!(told.ends_with(&["plain", "rest", ENDED]), "{told:?}");
    }
}

/// How the program failed, the file that is named for it, and what was told until then.
fn failed(in_line: &Surrounded<Line>, asked: &DoseOrder) -> (Failure, String, Vec<String>) {
    match run(in_line, asked, &Silent).expect_err("no result") {
        DoseError::Program { error, log } => {
            let (told, _) = &*in_line.around.begun;
            let told = told.lock().unwrap_or_else(PoisonError::into_inner);
            (error.failure, log, told.clone())
        }
        other => panic!("{other:?}"),
    }
}
