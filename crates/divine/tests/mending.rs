//! A plan whose total an evaluation finds off is scaled until it is right.
//!
//! Limits are set beforehand; the seeds are fixed: no test fails by chance.

use crate::common::{Score, finish, mean, score, settings};
use proofmark_divine::{Search, Searching as _, Step, Stop};
use proofmark_experiment::sim::{Machine, Program, Protocol};

/// Plans that may be tried to mend a total.
const MENDING: u32 = 4;

/// As exact as an evaluation.
fn exact() -> Protocol {
    Protocol {
        unsampled: 20,
        ..Protocol::default()
    }
}

/// A finished search, to which an evaluation of five rounds then shows its plan with so many times the instructions; and
/// these.
fn rejected(laboratory: &mut Machine, part: f64) -> (Search, Vec<u32>) {
    let program = laboratory.program().clone();
    let mut search = Search::new(program.tunables(), settings(&program, 1.0)).expect("tunables");
    let found = finish(&mut search, laboratory, Protocol::default()).counts;
    assert!(search.may_go_on());
    let off: Vec<u32> = found
        .iter()
        .map(|&k| (part * f64::from(k)).round() as u32)
        .collect();
    for _ in 0..5 {
        let round = laboratory.round(&off, exact());
        search.learn(round).expect("round");
    }
    (search, off)
}

/// The plan that is wanted next; none at the end.
fn wanted(search: &Search) -> Option<Vec<u32>> {
    match search.step() {
        Step::Measure { counts } => Some(counts),
        Step::Finished(_) => None,
    }
}

#[test]
fn a_total_that_an_evaluation_finds_off_is_mended() {
    let programs = [Program::mix(), Program::json(), Program::mem()];
    for (program, part) in programs.iter().zip([0.94, 1.06, 0.95]) {
        let (mut before, mut after): (Vec<Score>, Vec<Score>) = (Vec::new(), Vec::new());
        for seed in 0..12 {
            let mut laboratory = Machine::new(program.clone(), seed);
            let (mut search, off) = rejected(&mut laboratory, part);
            before.push(score(&laboratory, &off, 1.0));
            let tried = search.plans_tried();
            let outcome = finish(&mut search, &mut laboratory, Protocol::default());
            after.push(Score {
                plans: f64::from(outcome.plans_tried - tried),
                ..score(&laboratory, &outcome.counts, 1.0)
            });
        }
        let total = |scores: &[Score]| mean(scores, |s| s.total_pt.abs());
        let blocks = |scores: &[Score]| mean(scores, |s| s.block_pt);
        let worst = after.iter().map(|s| s.total_pt.abs()).fold(0.0, f64::max);
        let most = after.iter().map(|s| s.plans).fold(0.0, f64::max);
        println!(
            "{}: total off by {:.1} points, then by {:.1} (worst {worst:.1}); blocks {:.1}, then {:.1}; {:.1} plans (most {most})",
            program.name,
            total(&before),
            total(&after),
            blocks(&before),
            blocks(&after),
            mean(&after, |s| s.plans),
        );
        assert!(total(&before) > 4.0, "the fault is planted");
        assert!(total(&after) < 1.8 && worst < 5.0);
        assert!(blocks(&after) < blocks(&before) + 1.0);
        assert!(most <= f64::from(MENDING));
    }
}

/// Every count by the same part, but for roundings; where there was nothing there is nothing.
#[test]
fn only_the_whole_plan_is_scaled() {
    for part in [0.94, 1.06] {
        let mut laboratory = Machine::new(Program::mix(), 3);
        let (search, off) = rejected(&mut laboratory, part);
        let scaled = wanted(&search).expect("a plan to try");
        assert_ne!(scaled, off);
        let sum = |counts: &[u32]| f64::from(counts.iter().sum::<u32>());
        let by = sum(&scaled) / sum(&off);
        assert_eq!(by > 1.0, part < 1.0, "{by}");
        for (&now, &then) in scaled.iter().zip(&off) {
            let (now, exact) = (f64::from(now), by * f64::from(then));
            assert!((now - exact).abs() <= 1.0 + 0.02 * exact, "{now} {exact}");
            assert!(then > 0 || now == 0.0);
        }
    }
}

/// It goes on twice at most, and not when nothing was measured in between; it ends whatever it is told.
#[test]
fn two_evaluations_may_reject_a_plan() {
    let mut laboratory = Machine::new(Program::mix(), 5);
    let (mut search, off) = rejected(&mut laboratory, 0.94);
    assert!(!search.may_go_on(), "nothing was measured since");
    let mut ended = search.clone();
    ended.end();
    match ended.step() {
        Step::Finished(outcome) => assert_eq!((outcome.counts, outcome.stop), (off, Stop::Budget)),
        Step::Measure { counts } => panic!("{counts:?} is wanted"),
    }
    let counts = wanted(&search).expect("a plan to try");
    let round = laboratory.round(&counts, Protocol::default());
    search.observe(round).expect("round");
    assert!(search.may_go_on());
    for _ in 0..5 {
        let round = laboratory.round(&counts, exact());
        search.learn(round).expect("round");
    }
    let tried = search.plans_tried();
    finish(&mut search, &mut laboratory, Protocol::default());
    assert!(!search.may_go_on(), "it was rejected twice");
    assert!(search.plans_tried() < tried + MENDING);
}
