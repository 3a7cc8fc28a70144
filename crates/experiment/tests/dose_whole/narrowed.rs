//! More windows for rows that are wide, while the gates of their sites are open.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use proofmark_experiment::Progress;
use proofmark_experiment::dose::sites::{DoseOrder, run};
use proofmark_experiment::sim::{SimulatedSites, SiteFault};

use super::program::{TAIL, order, profiler, program, tested};

const ROUNDS: usize = 3;

/// What ran in the process of a profiler, where every site has a set of its own.
struct Ran {
    /// Sets whose gates were opened, in their order.
    sets: Vec<usize>,
    /// How many windows with turns each site had.
    windows: BTreeMap<usize, usize>,
}

/// A test under a profiler with so few samples per second that every row is wide, or with so many that none is.
fn test(samples_per_s: f64, budget_s: f64) -> (SimulatedSites, DoseOrder) {
    let mut labs = program(91);
    // With all gates open it is another program, so that they are opened one by one.
    labs.methods[3].spoils = 0.6;
    let mut one = profiler("one", SiteFault::None);
    one.samples_per_s = samples_per_s;
    labs.profilers.push(one);
    let mut asked = order(&["one"]);
    asked.named = vec![TAIL.into()];
    (asked.size.rounds, asked.size.budget_s) = (ROUNDS, budget_s);
    (labs, asked)
}

fn ran(samples_per_s: f64, budget_s: f64) -> Ran {
    let (labs, asked) = test(samples_per_s, budget_s);
    let result = tested(&labs, &asked);
    let kept = labs.kept("one");
    let mut sets: Vec<Option<usize>> = kept.iter().map(|one| one.set).collect();
    sets.dedup();
    let mut windows = BTreeMap::new();
    for site in kept.iter().filter_map(|one| one.site) {
        *windows.entry(site).or_insert(0) += 1;
    }
    assert_eq!(windows.len(), result.sites.len());
    Ran {
        sets: sets.into_iter().flatten().collect(),
        windows,
    }
}

/// Checks that the gates of every set were opened once.
fn opened_once(ran: &Ran) {
    let (sets, sites) = (&ran.sets, ran.windows.len());
    let different: BTreeSet<&usize> = sets.iter().collect();
    assert!(sites > 2, "{sites}");
    assert_eq!((sets.len(), different.len()), (sites, sites), "{sets:?}");
}

/// Checks that they were, and that each site had so many rounds, of four windows each.
fn rounds_of_each(ran: &Ran, rounds: usize) {
    opened_once(ran);
    let mut windows = ran.windows.values();
    assert!(windows.all(|one| *one == 4 * rounds), "{:?}", ran.windows);
}

/// A round takes longer than a site's part of the time; the others get one nonetheless, and gates are not opened again.
#[test]
fn a_wide_row_gets_a_round_before_the_gates_of_the_next_set_are_opened() {
    rounds_of_each(&ran(10.0, 1.0), ROUNDS + 1);
}

#[test]
fn without_time_for_them_there_are_no_more_windows() {
    rounds_of_each(&ran(10.0, 0.0), ROUNDS);
}

#[test]
fn narrow_rows_get_no_more_windows() {
    rounds_of_each(&ran(20_000.0, 20.0), ROUNDS);
}

#[test]
fn rows_that_stay_wide_share_the_time_while_their_gates_are_open() {
    let ran = ran(10.0, 60.0);
    opened_once(&ran);
    let rounds = || ran.windows.values().map(|windows| windows / 4);
    let (least, most) = (rounds().min(), rounds().max());
    let (least, most) = least.zip(most).expect("sites");
    let alike = least > ROUNDS + 1 && most <= least + 2;
    assert!(alike, "{:?}", ran.windows);
}

/// What is said while a test runs.
#[derive(Default)]
struct Said(Mutex<Vec<String>>);

impl Progress for Said {
    fn stage(&self, _name: &str) {}

    fn step(&self, text: &str) {
        self.0.lock().expect("the steps").push(text.to_owned());
    }

    fn note(&self, _text: &str) {}

    fn expect(&self, _seconds: f64) {}

    fn elapsed_s(&self) -> f64 {
        0.0
    }
}

/// Those that wide rows get were not planned.
#[test]
fn the_window_that_is_said_is_one_of_those_that_are_said() {
    let (labs, asked) = test(10.0, 60.0);
    let said = Said::default();
    run(&labs, &asked, &said).expect("a result");
    let steps = said.0.into_inner().expect("the steps");
    let windows = steps.iter().filter_map(|step| {
        let (at, of) = step.strip_prefix("one: window ")?.split_once(" of ")?;
        Some((at.parse::<usize>().ok()?, of.parse::<usize>().ok()?))
    });
    let windows: Vec<(usize, usize)> = windows.collect();
    assert!(windows.len() > 2, "{steps:?}");
    assert!(windows.iter().all(|(at, of)| at <= of), "{windows:?}");
    assert!(windows.is_sorted(), "{windows:?}");
}
