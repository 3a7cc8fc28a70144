//! An evaluation over simulated laboratories: several targets, profilers, and figures over programs.

use std::sync::LazyLock;

use crate::common::{Run, about, assess, effort, labs, request, subject, trouble};
use proofmark_divine::Environment;
use proofmark_experiment::assess::AssessReport;
use proofmark_experiment::divine::{DivineReport, Effort, Series, run_series};
use proofmark_experiment::evaluate::{
    Dosed, Evaluation, Merged, ProgramResult, Replaced, SingleResult,
};
use proofmark_experiment::lab::{Filler, Insertion};
use proofmark_experiment::sim::{Happening, SimulatedLabs};
use proofmark_experiment::{ExperimentError, Steps};
use proofmark_test_support::fit_schema;

fn series(
    run: &mut Run,
    labs: &SimulatedLabs,
    targets: &[f64],
) -> Result<Vec<DivineReport>, ExperimentError> {
    let about = about(labs);
    let mut session = run.session(labs, &about);
    let series = Series {
        targets: targets.to_vec(),
        insertion: Insertion::plan(Filler::Mov),
        effort: Effort {
            search_on: true,
            ..effort()
        },
        seed: 1,
    };
    run_series(&mut session, &series)
}

#[test]
fn every_target_is_reached_over_the_same_sets() {
    let (mut run, labs) = (Run::default(), labs(3));
    let found = series(&mut run, &labs, &[1.0, 0.5, 1.5]).expect("plans");
    for (report, target) in found.iter().zip([100.0, 50.0, 150.0]) {
        let total = report.overhead_pct.expect("an overhead");
        assert!((total.value - target).abs() < 4.0, "{target}: {total:?}");
        assert_eq!(report.judged_sets, found[0].judged_sets);
        assert!(report.plans_tried >= 2, "its own plans: {report:?}");
    }
    // A later one has three plans of its own, and four to mend a total that its evaluation finds off.
    assert!(found[1..].iter().all(|report| report.plans_tried <= 3 + 4));
    assert_eq!(labs.started(), 1, "all in one process");
    // A search that knows nothing begins with rounds of nothing but the baseline, and the later ones know.
    let without_plan = |search: &str| {
        let rounds = run.steps.results(search);
        assert!(!rounds.is_empty());
        let mut slowed = rounds
            .iter()
            .filter_map(|step| step.pointer("/Measured/round/slowed"));
        slowed.any(|slowed| slowed.as_array().is_some_and(Vec::is_empty))
    };
    let searches = run
        .steps
        .names()
        .into_iter()
        .filter(|name| name.starts_with("search"));
    let anew: Vec<bool> = searches.map(|name| without_plan(&name)).collect();
    assert_eq!(anew, [true, false, false]);
    let known = found[0].debug_info.expect("code was described");
    assert!(known.units > 0 && known.positioned <= known.operations);
}

/// Cut off in the second search: what the first one measured is not measured again, and the second goes on.
#[test]
fn an_interrupted_series_goes_on_where_it_was() {
    let (mut run, mut labs) = (Run::default(), labs(3));
    labs.troubles = vec![trouble("divine", Happening::IsInterrupted(40))];
    let targets = [1.0, 0.5];
    series(&mut run, &labs, &targets).expect_err("it was interrupted");
    let searched = |run: &Run| -> Vec<usize> {
        let names = run.steps.names().into_iter();
        let names = names.filter(|name| name.starts_with("search"));
        names.map(|name| run.steps.results(&name).len()).collect()
    };
    let before = searched(&run);
    assert_eq!(before.len(), 2, "the second search had begun: {before:?}");
    labs.troubles.clear();
    let found = series(&mut run, &labs, &targets).expect("plans");
    let after = searched(&run);
    assert_eq!(after[0], before[0], "the first search was finished");
    assert!(after[1] > before[1]);
    let again = series(&mut run, &labs, &targets).expect("plans");
    assert_eq!(searched(&run), after, "nothing was measured twice");
    let plans = |found: &[DivineReport]| found.iter().map(|one| one.plans_tried).sum::<u32>();
    assert_eq!(plans(&again), plans(&found));
}

/// One program whose profilers are a right and a wrong one, and one that could not be measured.
fn evaluated() -> Evaluation {
    let (mut run, labs) = (Run::default(), labs(5));
    let mut asked = request(&[subject("right", 900.0), subject("wrong", 900.0)]);
    asked.targets_pct = vec![100.0, 50.0];
    asked.singles = 1;
    let assessed = assess(&mut run, &labs, &asked).expect("verdicts");
    assert_eq!(assessed.plans.len(), 2, "one for each target");
    let names = ["right", "wrong"].map(String::from);
    let sites = Err("not asked for".to_owned());
    let place = ("mix", "simulated");
    let report = AssessReport::of(&names, &sites, &Ok(assessed.assessment), place)
        .with_block_doses(assessed.block_doses);
    let programs = vec![
        ProgramResult::of("mix", &assessed.plans, Some(&report)),
        ProgramResult::failed("gone", "the program ends at once".into()),
    ];
    Evaluation::of(&[100.0, 50.0], programs)
}

static EVALUATED: LazyLock<Evaluation> = LazyLock::new(evaluated);

#[test]
fn every_question_is_answered_over_all_programs() {
    let found = &*EVALUATED;
    fit_schema("evaluation.schema.json", std::slice::from_ref(found));
    let slowing = &found.slowing[0];
    assert_eq!((slowing.programs, slowing.target_pct), (1, 100.0));
    let (worst, total) = slowing.worst.as_ref().expect("a program with a plan");
    assert_eq!(worst, "mix");
    assert!((total.value - 100.0).abs() < 5.0, "{total:?}");
    let misses = &found.programs[0].plans[0].misses;
    let judged: f64 = misses.iter().map(|(share, _)| share).sum();
    assert!((80.0..=100.1).contains(&judged), "{judged}");
    let changes = |name: &str| {
        let mut of = found.share_changes.iter();
        of.find(|one| one.profiler == name && one.target_pct == 100)
    };
    let right = changes("right").expect("it looked");
    assert_eq!(right.methods, 5);
    assert!(
        right.correlation.is_some_and(|r| r.value > 0.9),
        "{right:?}"
    );
    assert_eq!(right.off_by_5_pt_corrected, 0);
    assert_eq!(found.share_changes.len(), 8, "four profilers, two targets");
    let doses = found.programs[0].block_doses.as_ref();
    let doses = doses.expect("blocks were dosed");
    for name in ["oracle", "right", "wrong", "safepoint"] {
        assert!(!doses.attribution[name].rows.is_empty(), "{name}");
    }
    // One block was asked for, and a method that gets its dose in a single block is one too.
    for (kind, most) in [(Dosed::Block, 5), (Dosed::Method, 4)] {
        let mut rows = found.added_time.iter();
        let added = rows.find(|one| one.profiler == "right" && one.dosed == kind);
        let added = added.unwrap_or_else(|| panic!("{kind:?} were slowed alone"));
        assert!((1..=most).contains(&added.tried), "{added:?}");
        assert!(added.counted <= added.tried && added.programs == 1);
        let detected = added.detected_pct.expect("some count");
        assert!(detected.high > 90.0, "{detected:?}");
        assert_eq!(added.detected_before_pct, Some(detected));
    }
}

/// An experiment knows whether it was one block, and whether its method was shown before and after.
#[test]
fn experiments_are_kept_one_by_one() {
    let found = &*EVALUATED;
    let mut profilers = found.programs[0].profilers.iter();
    let right = profilers
        .find(|one| one.name == "right")
        .expect("it looked");
    let single = |one: &&SingleResult| one.dosed() == Dosed::Block;
    let singles = right.singles.iter().filter(single).count();
    assert!(
        (1..=5).contains(&singles),
        "one was asked for, and four methods may get theirs in one block"
    );
    for one in &right.singles {
        assert_eq!(
            one.blocks == Some(1),
            one.label.starts_with("block "),
            "{one:?}"
        );
        assert_eq!(
            (one.detected_before, one.detected),
            (Some(true), true),
            "{one:?}"
        );
    }
}

/// Earlier versions named a machine without family and model: whether it is this one nobody knows.
#[test]
fn every_name_of_a_machine_is_told_once() {
    let on = |machine: &str| ProgramResult {
        environment: Some(Environment {
            machine: machine.into(),
            ..about(&labs(3)).environment
        }),
        ..ProgramResult::failed("mix", String::new())
    };
    let older = "AMD EPYC, 2 vCPU, Linux 6.1";
    let newer = "AMD EPYC (family 25, model 1), 2 vCPU, Linux 6.1";
    let all = Evaluation::of(&[100.0], vec![on(older), on(newer), on(older)]);
    let environments = all.environments.iter();
    let names: Vec<&str> = environments.map(|one| one.machine.as_str()).collect();
    assert_eq!(names, [older, newer]);
}

/// Of a program in several evaluations the last one counts, also if it failed there; all targets are asked about.
#[test]
fn evaluations_are_put_together_by_program() {
    let failed = |name: &str, why: &str| ProgramResult::failed(name, why.into());
    let one = |targets: &[f64], programs: Vec<ProgramResult>| Evaluation::of(targets, programs);
    let merged = Merged::of(vec![
        EVALUATED.clone(),
        one(
            &[100.0, 150.0],
            vec![failed("other", "a"), failed("gone", "b")],
        ),
        one(&[150.0], vec![failed("gone", "c")]),
    ]);
    let programs = merged.evaluation.programs.iter();
    let programs: Vec<(&str, Option<&str>)> = programs
        .map(|one| (one.program.as_str(), one.failed.as_deref()))
        .collect();
    assert_eq!(
        programs,
        [("mix", None), ("gone", Some("c")), ("other", Some("a"))]
    );
    let replaced = |earlier, later| Replaced {
        program: "gone".into(),
        earlier,
        later,
    };
    assert_eq!(merged.replaced, [replaced(0, 1), replaced(1, 2)]);
    assert_eq!(merged.evaluation.targets_pct, [100.0, 50.0, 150.0]);
    assert_eq!(merged.evaluation.slowing[0], EVALUATED.slowing[0]);
    assert_eq!(Merged::of(vec![EVALUATED.clone()]).evaluation, *EVALUATED);
}
