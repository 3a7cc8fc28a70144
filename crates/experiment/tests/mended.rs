//! A plan whose total an evaluation finds off is scaled, and judged in windows that nothing was searched with.

use crate::common::{Run, about, effort, labs, trouble};
use proofmark_experiment::Steps as _;
use proofmark_experiment::divine::{DivineReport, Effort, Series, run_series};
use proofmark_experiment::lab::{Filler, Insertion};
use proofmark_experiment::sim::{Happening, SimulatedLabs};
use serde_json::Value;

const SEARCH: &str = "search +100.0 % Mov Spread";
/// How far the total may be from the target in the end, points: 2 are wanted, and the second evaluation that rejects is the last.
const NEAR_PT: f64 = 3.5;

/// A plan for +100 %, mended where its evaluation finds it off.
fn divined(run: &mut Run, labs: &SimulatedLabs) -> DivineReport {
    let about = about(labs);
    let mut session = run.session(labs, &about);
    let series = Series {
        targets: vec![1.0],
        insertion: Insertion::plan(Filler::Mov),
        effort: Effort {
            search_on: true,
            ..effort()
        },
        seed: 1,
    };
    let found = run_series(&mut session, &series);
    found.expect("a plan").remove(0)
}

/// The same laboratories, in which slowed code takes longer from this window of the next process on.
fn slowing(mut all: SimulatedLabs, from: u32) -> SimulatedLabs {
    all.troubles = vec![trouble("divine", Happening::SlowsMore(from))];
    all
}

/// Rounds in the order in which they were kept, each with what it was for.
fn rounds(run: &Run) -> Vec<(&str, &Value)> {
    let entries = run.steps.results(SEARCH).into_iter();
    let measured = entries.filter_map(|entry| entry.get("Measured"));
    measured
        .map(|entry| {
            let part = entry["part"].as_str().expect("a part");
            (part, &entry["round"])
        })
        .collect()
}

/// Rounds of the search before the first evaluation.
fn searched(run: &Run) -> usize {
    let of_search = |round: &(&str, &Value)| round.0 == "Search";
    rounds(run).into_iter().take_while(of_search).count()
}

/// A run whose program takes longer from the evaluation on, its laboratories, and what it found.
fn mended() -> (Run, SimulatedLabs, DivineReport) {
    let mut calm = Run::default();
    divined(&mut calm, &labs(3));
    // A look at the baseline, and two windows a round.
    let from = 1 + 2 * searched(&calm) as u32;
    let (mut run, slowing) = (Run::default(), slowing(labs(3), from));
    let found = divined(&mut run, &slowing);
    assert_eq!(searched(&run), searched(&calm), "nothing differs before");
    (run, slowing, found)
}

fn is_near(found: &DivineReport) -> bool {
    let total = found.overhead_pct.expect("an overhead");
    let off = found.rejected_overhead_pct;
    println!("{total:?}, before {off:?}, {} plans", found.plans_tried);
    (total.value - 100.0).abs() < NEAR_PT
}

#[test]
fn a_plan_that_its_evaluation_finds_off_is_mended_and_judged_anew() {
    let (mut run, labs, found) = mended();
    let off = found.rejected_overhead_pct.expect("it was off");
    assert!((off.value - 100.0).abs() > 2.0, "{off:?}");
    assert!(is_near(&found));
    let all = rounds(&run);
    let of_search = all.iter().filter(|(part, _)| *part == "Search");
    let of_search: Vec<&Value> = of_search.map(|(_, round)| *round).collect();
    assert_eq!(Some(of_search.len() as u32), found.rounds);
    let last = all.iter().rev().take_while(|(part, _)| *part != "Search");
    let judging: Vec<&Value> = last.map(|(_, round)| *round).collect();
    assert!(judging.len() >= effort().evaluation_rounds as usize);
    assert!(judging.iter().all(|round| !of_search.contains(round)));
    // Read back as a whole, it says the same, and measures nothing.
    let measured = run.steps.len();
    let again = divined(&mut run, &labs);
    assert_eq!(run.steps.len(), measured);
    assert_eq!(again.overhead_pct, found.overhead_pct);
    assert_eq!(again.rejected_overhead_pct, found.rejected_overhead_pct);
    assert_eq!(again.plans_tried, found.plans_tried);
}

/// Killed at any time after the first evaluation it goes on, with what is there, in another process of the same program,
/// which takes longer there too.
#[test]
fn mending_goes_on_where_it_was_cut_off() {
    let (whole, labs, _) = mended();
    let next = slowing(labs, 0);
    let evaluated = 1 + searched(&whole) + effort().evaluation_rounds as usize;
    assert!(evaluated < whole.steps.len(), "it was rejected");
    for steps in evaluated..=whole.steps.len() {
        let mut run = Run {
            steps: whole.steps.first(steps),
            ..Run::default()
        };
        let found = divined(&mut run, &next.clone());
        assert!(is_near(&found), "after {steps}");
        let there = whole.steps.first(steps);
        assert_eq!(run.steps.first(steps), there, "what was there stays");
    }
}
