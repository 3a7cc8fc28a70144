//! The published search, and processes that have a window each, over simulated laboratories.

use crate::common::{Late, Run, about, effort, labs, trouble};
use proofmark_divine::{SearchKind, Stop};
use proofmark_experiment::divine::{
    self, DivineReport, DivineRequest, Effort, FreshProfiles, FreshResult, Series, run_series,
};
use proofmark_experiment::lab::{Filler, Insertion};
use proofmark_experiment::sim::{Happening, SimulatedLabs};
use proofmark_experiment::{ExperimentError, Progress, Session, Silent, Steps as _};
use proofmark_test_support::fits;

/// A plan for +100 %.
fn divined(
    run: &mut Run,
    labs: &SimulatedLabs,
    effort: Effort,
    progress: &dyn Progress,
) -> Result<DivineReport, ExperimentError> {
    let about = about(labs);
    let mut session = Session {
        progress,
        ..run.session(labs, &about)
    };
    let series = Series {
        targets: vec![1.0],
        insertion: Insertion::plan(Filler::Mov),
        effort,
        seed: 1,
    };
    Ok(run_series(&mut session, &series)?.remove(0))
}

fn by_steps() -> Effort {
    Effort {
        kind: SearchKind::Stepwise,
        most_plans: 600,
        ..effort()
    }
}

/// Entries of the steps whose names begin so.
fn entries(run: &Run, begin: &str) -> usize {
    let names = run.steps.names().into_iter();
    let names = names.filter(|name| name.starts_with(begin));
    names.map(|name| run.steps.results(&name).len()).sum()
}

const STEPWISE: &str = "search +100.0 % Mov Spread stepwise";

#[test]
fn the_published_search_slows_a_program_in_many_plans() {
    let (mut run, labs) = (Run::default(), labs(3));
    let found = divined(&mut run, &labs, by_steps(), &Silent).expect("a plan");
    let total = found.overhead_pct.expect("an overhead");
    println!("{total:?}, {} plans", found.plans_tried);
    assert_eq!(
        (found.search, found.stop),
        (SearchKind::Stepwise, Some(Stop::EveryBlock))
    );
    assert!((50.0..130.0).contains(&total.value), "{total:?}");
    assert!(found.plans_tried > 20 && found.plans_tried < 600);
    let rounds = found.rounds.expect("rounds") as usize;
    let evaluated = entries(&run, STEPWISE) - rounds;
    assert!(
        (4..=7).contains(&evaluated),
        "a look and some rounds: {evaluated}"
    );
    assert_eq!(labs.started(), 1);
    fits("evaluation.schema.json", &of_programs(&found));
}

/// One program in an evaluation.
fn of_programs(found: &DivineReport) -> proofmark_experiment::evaluate::Evaluation {
    use proofmark_experiment::evaluate::{Evaluation, ProgramResult};
    let program = ProgramResult::of("mix", std::slice::from_ref(found), None);
    assert_eq!(program.plans[0].search.kind, found.search);
    Evaluation::of(&[100.0], vec![program])
}

/// Cut off in the middle it goes on there, and neither search takes what the other one has measured.
#[test]
fn an_interrupted_published_search_goes_on_where_it_was() {
    let (mut run, mut labs) = (Run::default(), labs(3));
    labs.troubles = vec![trouble("divine", Happening::IsInterrupted(41))];
    divined(&mut run, &labs, by_steps(), &Silent).expect_err("it was interrupted");
    let before = run.steps.clone();
    assert!(
        entries(&run, STEPWISE) >= 20,
        "a look, and two windows a round"
    );
    labs.troubles.clear();
    let found = divined(&mut run, &labs, by_steps(), &Silent).expect("a plan");
    assert_eq!(
        run.steps.first(before.len()),
        before,
        "what was there stays"
    );
    let rounds = found.rounds.expect("rounds") as usize;
    assert!(
        entries(&run, STEPWISE) <= rounds + 7,
        "nothing was measured twice"
    );
    let measured = run.steps.len();
    let again = divined(&mut run, &labs, by_steps(), &Silent).expect("a plan");
    assert_eq!(run.steps.len(), measured, "nothing was measured again");
    assert_eq!(
        (again.plans_tried, again.rounds),
        (found.plans_tried, found.rounds)
    );
    let usual = divined(&mut run, &labs, effort(), &Silent).expect("a plan");
    assert_eq!(usual.search, SearchKind::Model);
    assert!(
        usual.plans_tried <= 8,
        "it begins anew: {}",
        usual.plans_tried
    );
}

#[test]
fn a_search_ends_when_its_time_is_over() {
    let late = || Late(std::sync::Mutex::new(1000.0));
    let limited = |effort: Effort, most_search_s: f64| {
        let (mut run, labs) = (Run::default(), labs(3));
        let effort = Effort {
            most_search_s,
            ..effort
        };
        divined(&mut run, &labs, effort, &late()).expect("a plan")
    };
    let steps = limited(by_steps(), 100.0);
    assert_eq!(steps.stop, Some(Stop::Budget));
    assert!(
        (5..60).contains(&steps.plans_tried),
        "{}",
        steps.plans_tried
    );
    let search_s = steps.search_s.expect("a time");
    assert!((90.0..130.0).contains(&search_s), "{search_s}");
    let total = steps.overhead_pct.expect("what was reached is judged");
    assert!(total.value > 1.0, "{total:?}");
    // Of the other search one plan is measured at least.
    let usual = limited(effort(), 0.5);
    assert_eq!((usual.stop, usual.plans_tried), (Some(Stop::Budget), 1));
}

/// Every window in a process of its own.
fn fresh(labs: &SimulatedLabs, profiles: FreshProfiles) -> Result<divine::Plan, ExperimentError> {
    let (mut run, about) = (Run::default(), about(labs));
    let mut session = run.session(labs, &about);
    let request = DivineRequest {
        target: 1.0,
        insertion: Insertion::plan(Filler::Mov),
        seed: 1,
        verify: 0,
        fresh: Some(profiles),
        effort: effort(),
    };
    divine::run(&mut session, &request)
}

#[test]
fn a_plan_is_found_in_processes_that_have_a_window_each() {
    for profiles in [FreshProfiles::Own, FreshProfiles::Loaded] {
        let labs = labs(3);
        let report = fresh(&labs, profiles).expect("a plan").report;
        let total = report.overhead_pct.expect("an overhead");
        assert!((total.value - 100.0).abs() < 10.0, "{total:?}");
        assert_eq!(total.n, 10, "ten processes with the plan, ten without");
        let rounds = u64::from(report.rounds.expect("rounds"));
        // One for the first look; a round of the search has six, the evaluation twenty.
        assert_eq!(labs.started(), 1 + 6 * rounds + 20);
    }
}

#[test]
fn processes_that_compile_other_code_end_it_and_what_helps_is_said() {
    for (profiles, helps) in [(FreshProfiles::Own, true), (FreshProfiles::Loaded, false)] {
        let mut labs = labs(3);
        labs.troubles = vec![trouble("fresh", Happening::CompilesDifferently)];
        let Err(error) = fresh(&labs, profiles) else {
            panic!("no process has the code of the first one");
        };
        let said = error.to_string();
        assert!(said.contains("compiled differently now"), "{said}");
        assert_eq!(said.contains("--fresh=loaded"), helps, "{said}");
    }
}

/// A plan in six processes with it and six without, besides the laboratory.
fn apart(run: &mut Run, labs: &SimulatedLabs) -> Result<FreshResult, ExperimentError> {
    let effort = Effort {
        fresh_jvms: 6,
        ..effort()
    };
    let report = divined(run, labs, effort, &Silent)?;
    let cost = report.sampler_pct.expect("both kinds of windows");
    // The simulated sampler takes 30 us for each of 5,000 samples a second.
    assert!((cost.value - 15.0).abs() < 4.0 && cost.n >= 3, "{cost:?}");
    Ok(report.fresh.expect("it was asked for"))
}

#[test]
fn processes_of_their_own_agree_with_the_laboratory() {
    let labs = labs(3);
    let found = apart(&mut Run::default(), &labs).expect("figures");
    assert_eq!((found.pairs, found.whole, labs.started()), (6, 6, 13));
    assert!(found.failures.is_empty());
    let total = found.total.expect("six pairs");
    assert!(total.bias_pt.value.abs() < 6.0, "{total:?}");
    assert_eq!(total.fresh_pct.n, 6);
    for of in [&found.sets, &found.blocks] {
        println!("{} of {}, bias {:?}", of.agree, of.compared, of.bias_pt);
        assert!(of.compared > 5 && 10 * of.agree >= 7 * of.compared);
        let shares: Vec<f64> = of.rows.iter().map(|row| row.share_pct).collect();
        assert!(shares.is_sorted_by(|a, b| a >= b));
    }
    assert!(found.spread_pt.is_some_and(|points| points < 15.0));
    assert!(found.baseline_spread_pct.is_some_and(|pct| pct < 8.0));
}

/// Without loaded profiles every instruction costs 40 % more: the total and the blocks are off, and that is said.
#[test]
fn a_plan_that_does_something_else_there_is_found() {
    let mut labs = labs(3);
    let mut other = labs.program.clone();
    other.blocks.iter_mut().for_each(|block| block.slope *= 1.4);
    labs.alone = Some(other);
    let found = apart(&mut Run::default(), &labs).expect("figures");
    let total = found.total.expect("six pairs");
    assert!((25.0..55.0).contains(&total.bias_pt.value), "{total:?}");
    assert!(!total.agrees);
    let bias = found.sets.bias_pt.expect("sets");
    assert!((25.0..60.0).contains(&bias), "{bias}");
    assert!(
        2 * found.sets.agree < found.sets.compared,
        "{:?}",
        found.sets
    );
}

/// The process in second place, the first one with the plan, has other code; the one in sixth place dies.
#[test]
fn processes_that_fail_or_have_other_code_are_counted() {
    let mut labs = labs(3);
    labs.troubles = vec![
        trouble("fresh-1", Happening::CompilesDifferently),
        trouble("fresh-5", Happening::Dies(0)),
    ];
    let found = apart(&mut Run::default(), &labs).expect("figures");
    assert_eq!((found.pairs, found.whole), (5, 4));
    assert_eq!(found.failures.len(), 1);
    assert!(
        found.failures[0].contains("signal 11"),
        "{:?}",
        found.failures
    );
    assert!(
        found
            .fitted_pct
            .is_some_and(|pct| (pct - 80.0).abs() < 1e-9)
    );
    let total = found.total.expect("four pairs");
    assert_eq!(total.fresh_pct.n, 4);
    assert!(total.bias_pt.value.abs() < 8.0, "{total:?}");
}

#[test]
fn processes_that_are_done_are_not_started_again() {
    let (mut run, mut labs) = (Run::default(), labs(3));
    labs.troubles = vec![trouble("fresh-3", Happening::IsInterrupted(0))];
    apart(&mut run, &labs).expect_err("it was interrupted");
    assert_eq!(entries(&run, "fresh "), 3);
    let before = labs.started();
    labs.troubles.clear();
    // The units have other numbers in the laboratory that is prepared now.
    let found = apart(&mut run, &labs).expect("figures");
    assert_eq!((entries(&run, "fresh "), found.pairs), (12, 6));
    assert_eq!(labs.started() - before, 1 + 9);
    let again = apart(&mut run, &labs).expect("figures");
    assert_eq!(again.total, found.total, "all of it was kept");
    assert_eq!(labs.started() - before, 1 + 9 + 1);
}
