//! Static cost models beside measured times: in simulated laboratories whose compiler knows what its code costs, believes
//! something else, or does not tell.

use crate::common::{Run, about, effort, labs};
use proofmark_experiment::divine::{
    CostFigures, CostModel, DivineReport, Series, StaticCost, run_series,
};
use proofmark_experiment::evaluate::{Evaluation, ProgramResult};
use proofmark_experiment::lab::{Filler, Insertion};
use proofmark_experiment::sim::Believed;
use proofmark_test_support::fits;

/// A plan for +100 % of a program of whose cost the compiler believes this.
fn divined(believed: Believed) -> DivineReport {
    let (mut run, mut labs) = (Run::default(), labs(3));
    labs.believed = believed;
    let about = about(&labs);
    let mut session = run.session(&labs, &about);
    let series = Series {
        targets: vec![1.0],
        insertion: Insertion::plan(Filler::Mov),
        effort: effort(),
        seed: 1,
    };
    run_series(&mut session, &series).expect("a plan").remove(0)
}

fn of(report: &DivineReport, model: CostModel) -> &StaticCost {
    let mut all = report.static_cost.iter();
    all.find(|cost| cost.model == model).expect("the model")
}

fn sets(report: &DivineReport, model: CostModel) -> &CostFigures {
    of(report, model).sets.as_ref().expect("many sets")
}

#[test]
fn a_compiler_that_knows_its_code_is_right() {
    let report = divined(Believed::Truth);
    for model in [CostModel::Cycles, CostModel::Expected] {
        let cost = of(&report, model);
        for figures in [&cost.sets, &cost.blocks].map(|of| of.as_ref().expect("many")) {
            println!("{model:?}: {figures:?}");
            assert!(figures.overlap_pct.value > 95.0 && figures.overlap_pct.high > 99.0);
            assert!(figures.correlation.is_some_and(|r| r.value > 0.98));
            assert_eq!(figures.off_by_5_pt_pct.value, 0.0);
            assert!(figures.again_pct > 95.0);
        }
        let [sets, blocks] = [&cost.sets, &cost.blocks].map(|of| of.as_ref().expect("many"));
        assert_eq!(sets.compared, report.sets.len() as u64);
        assert!(blocks.compared >= sets.compared, "a set has a block");
    }
    // Its frequencies are the executions that are counted.
    let [counted, expected] = [CostModel::Cycles, CostModel::Expected].map(|of| sets(&report, of));
    assert!((counted.overlap_pct.value - expected.overlap_pct.value).abs() < 1e-6);
    // The simulated code has two operations a cycle.
    let operations = sets(&report, CostModel::Operations).overlap_pct;
    assert!(operations.value > 75.0, "{operations:?}");
}

#[test]
fn a_compiler_that_takes_all_blocks_for_alike_is_wrong() {
    let report = divined(Believed::AllAlike);
    for model in [CostModel::Cycles, CostModel::Expected] {
        let figures = sets(&report, model);
        println!("{model:?}: {figures:?}");
        assert!(figures.overlap_pct.wholly_below(90.0), "{figures:?}");
        assert!(figures.worst.off_pt().abs() > 3.0, "{figures:?}");
        assert!(figures.again_pct > 95.0, "what is measured stays");
        let worst = &figures.worst;
        let mut rows = report.blocks.iter();
        assert!(rows.any(|row| row.unit == worst.unit && row.block == worst.block));
    }
}

#[test]
fn what_the_compiler_does_not_tell_is_not_made_up() {
    let report = divined(Believed::Nothing);
    let models: Vec<CostModel> = report.static_cost.iter().map(|cost| cost.model).collect();
    assert_eq!(models, [CostModel::Operations]);
    // A document of an earlier version.
    let mut earlier = serde_json::to_value(&report).expect("JSON");
    let fields = earlier.as_object_mut().expect("an object");
    fields.remove("static_cost").expect("it was there");
    let read: DivineReport = serde_json::from_value(earlier).expect("a report");
    assert!(read.static_cost.is_empty());
    let program = ProgramResult::of("mix", &[read], None);
    assert!(
        Evaluation::of(&[100.0], vec![program])
            .static_costs
            .is_empty()
    );
}

#[test]
fn models_are_added_up_over_programs() {
    let report = |believed| [divined(believed)];
    let programs = vec![
        ProgramResult::of("known", &report(Believed::Truth), None),
        ProgramResult::of("alike", &report(Believed::AllAlike), None),
        ProgramResult::of("silent", &report(Believed::Nothing), None),
        ProgramResult::failed("gone", "it ends at once".into()),
    ];
    let found = Evaluation::of(&[100.0], programs);
    fits("evaluation.schema.json", &found);
    let counts = found.static_costs.iter();
    let counts: Vec<(CostModel, u64, u64)> = counts
        .map(|one| (one.model, one.programs, one.with_sets))
        .collect();
    assert_eq!(
        counts,
        [
            (CostModel::Cycles, 2, 2),
            (CostModel::Expected, 2, 2),
            (CostModel::Operations, 3, 3)
        ]
    );
    let cycles = &found.static_costs[0];
    let (program, miss) = cycles.worst.as_ref().expect("two programs");
    assert_eq!(program, "alike");
    assert!(miss.off_pt().abs() > 3.0, "{miss:?}");
    assert_eq!(cycles.overlap_pct, None, "no interval of two programs");
}
