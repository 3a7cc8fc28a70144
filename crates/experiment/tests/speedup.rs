//! Virtual speed-up on a simulated machine, of which it is known what every plan truly does.

use std::collections::BTreeMap;

use crate::common::{Run, about, effort, labs};
use proofmark_blocks::Unit;
use proofmark_divine::{Environment, PLAN_SCHEMA, PlanBlock, PlanFile, PlanUnit, Reason};
use proofmark_experiment::divine::{self, DivineReport, DivineRequest, Plan};
use proofmark_experiment::lab::{Filler, Insertion, Lab, Labs as _, Preparation};
use proofmark_experiment::sim::{Machine, SimulatedLabs};
use proofmark_experiment::speedup::{
    Clock, FunctionGain, SpeedupRequest, SpeedupResult, chosen, run,
};
use proofmark_experiment::{ExperimentError, Silent};
use proofmark_stats::Estimate;
use proofmark_test_support::fit_schema;

fn process(labs: &SimulatedLabs) -> Box<dyn Lab> {
    let wish = Preparation {
        name: "speedup".into(),
        ..Preparation::default()
    };
    labs.prepare(&wish).expect("a laboratory")
}

/// A plan that slows every block by 100 % as nearly as whole instructions do, made of what only the simulation knows.
fn known_plan(labs: &SimulatedLabs, units: &[Unit]) -> Plan {
    let count = |block: u32| {
        let block = &labs.program.blocks[block as usize];
        (block.hinge + block.tau / block.slope).round() as u32
    };
    let planned = |id: u32| PlanBlock {
        count: count(id),
        achieved_overhead_pct: Some(Estimate::around(100.0, 4.0, 900)),
        reason: Reason::OnTarget,
    };
    let unit = |unit: &Unit| PlanUnit {
        name: unit.name.clone(),
        signature: unit.signature.clone(),
        blocks: (unit.blocks.iter())
            .map(|block| (block.id, planned(block.id)))
            .collect(),
        pooled: BTreeMap::new(),
    };
    let file = PlanFile {
        schema: PLAN_SCHEMA.into(),
        workload: labs.program.name.into(),
        target_pct: 100.0,
        environment: Environment {
            machine: "simulated".into(),
            jdk: String::new(),
            graal: String::new(),
            event: "cpu-clock".into(),
        },
        instruction: "mov".into(),
        units: units.iter().map(unit).collect(),
        coverage_pct: 99.0,
        plans_tried: 1,
        wall_s: 1.0,
        overhead_pct: None,
        judged_sets: None,
        block_error_pt: None,
        block_error_raw_pt: None,
        block_error_noise_pt: None,
        block_error_denoised_pt: None,
        block_error_worst_pt: None,
        short_block_error_pt: None,
        short_block_error_noise_pt: None,
        judged_loops: None,
        cluster_error_pt: None,
        cluster_error_noise_pt: None,
        within_10_pt_pct: None,
    };
    let mut report = DivineReport::of_plan(&file);
    report.plan_path = Some("plan.json".into());
    for row in &mut report.blocks {
        row.share_pct = Some(100.0 * labs.program.blocks[row.block as usize].share);
    }
    Plan {
        report,
        file,
        units: units.to_vec(),
    }
}

fn request(program: &str, functions: &[String]) -> SpeedupRequest {
    SpeedupRequest {
        program: program.into(),
        functions: functions.to_vec(),
        hottest: 5,
        insertion: Insertion::plan(Filler::Mov),
        rounds: 12,
        window_s: 0.2,
        seed: 1,
    }
}

/// Part of the program's time in a unit of a plan.
fn share(labs: &SimulatedLabs, plan: &Plan, unit: &str) -> f64 {
    let planned = plan.file.units.iter().find(|one| one.name == unit);
    let planned = planned.expect("a unit");
    let ids = planned.blocks.keys().chain(planned.pooled.keys());
    ids.map(|id| labs.program.blocks[*id as usize].share).sum()
}

/// The program's true time under a plan, without its instructions in one unit.
fn true_time(labs: &SimulatedLabs, plan: &Plan, without: &str) -> f64 {
    let mut counts = vec![0; labs.program.blocks.len()];
    let slowed = plan.file.units.iter().filter(|unit| unit.name != without);
    for unit in slowed {
        for (id, block) in &unit.blocks {
            counts[*id as usize] = block.count;
        }
        for (id, count) in &unit.pooled {
            counts[*id as usize] = *count;
        }
    }
    let machine = Machine::new(labs.program.clone(), labs.seed);
    machine.truth(&counts).total
}

fn names(plan: &Plan) -> Vec<String> {
    let units = plan.file.units.iter();
    units.map(|unit| unit.name.clone()).collect()
}

fn value(figure: Option<Estimate>) -> f64 {
    figure.expect("a figure").value
}

/// Every function's gain is that of the machine, within these points.
fn agrees(labs: &SimulatedLabs, plan: &Plan, result: &SpeedupResult, within_pt: f64) {
    let all = true_time(labs, plan, "");
    for one in &result.functions {
        let truth = 100.0 * (1.0 - true_time(labs, plan, &one.function) / all);
        let gain = one.gain_pct.expect("a gain");
        assert!((gain.value - truth).abs() < within_pt, "{truth}: {one:?}");
        assert!(gain.low <= gain.value && gain.value <= gain.high);
        assert_eq!(gain.n, result.rounds);
    }
}

#[test]
fn gains_are_those_of_a_machine_whose_answer_is_known() {
    let labs = labs(7);
    let mut lab = process(&labs);
    let plan = known_plan(&labs, lab.map().units());
    let asked = request(labs.program.name, &[]);
    let result = run(&mut *lab, &plan, &asked, &Silent).expect("gains");
    assert_eq!((result.functions.len(), result.clock), (2, Clock::Cpu));
    agrees(&labs, &plan, &result, 2.0);
    for one in &result.functions {
        // What the plan comes near to: the function takes half of its time.
        let share = 100.0 * share(&labs, &plan, &one.function);
        let gain = value(one.gain_pct);
        assert!((gain - share / 2.0).abs() < 4.0, "{share}: {one:?}");
        let without = value(one.without_it_pct);
        assert!((without - share).abs() < 8.0, "{share}: {one:?}");
        // Its iterations do nothing but work.
        assert_eq!(one.by_clock.wall_pct, one.by_clock.cpu_pct);
        assert!((one.share_pct.expect("a share") - share).abs() < 1e-9);
        assert!((value(one.slowed_pct) - 100.0).abs() < 1e-9);
    }
    let gain = |one: &FunctionGain| value(one.gain_pct);
    assert!(result.functions.is_sorted_by(|a, b| gain(a) >= gain(b)));
    assert!((value(result.slowed.cpu_pct) - 100.0).abs() < 10.0);
    assert_eq!(result.faster_by_pct, 50.0);
    assert_eq!(result.remarks, [""; 0]);
    fit_schema("speedup.schema.json", &[result]);
}

/// As a user does it: what was divined, with the report that lies beside it.
#[test]
fn a_divined_plan_says_which_function_is_worth_it() {
    let labs = labs(3);
    let mut steps = Run::default();
    let about = about(&labs);
    let mut session = steps.session(&labs, &about);
    let wanted = DivineRequest {
        target: 1.0,
        insertion: Insertion::plan(Filler::Mov),
        seed: 1,
        verify: 0,
        fresh: None,
        effort: effort(),
    };
    let plan = divine::run(&mut session, &wanted).expect("a plan");
    let mut lab = process(&labs);
    let mut asked = request("mix --other", &[]);
    asked.hottest = 1;
    let result = run(&mut *lab, &plan, &asked, &Silent).expect("gains");
    agrees(&labs, &plan, &result, 2.5);
    let [hottest] = &result.functions[..] else {
        panic!("{:?}", result.functions);
    };
    let shares = names(&plan).into_iter();
    let most = shares
        .map(|name| share(&labs, &plan, &name))
        .fold(0.0, f64::max);
    let own = share(&labs, &plan, &hottest.function);
    assert!(own > 0.85 * most, "{own} of {most}: {hottest:?}");
    let near = own * result.faster_by_pct;
    assert!(
        (value(hottest.gain_pct) - near).abs() < 6.0,
        "{near}: {hottest:?}"
    );
    assert!(hottest.slowed_pct.is_some() && !hottest.blocks.is_empty());
    assert!(
        result.remarks[0].contains("made with another command (mix)"),
        "{:?}",
        result.remarks
    );
}

fn refused(result: Result<SpeedupResult, ExperimentError>) -> String {
    match result {
        Err(ExperimentError::Usage(text)) => text,
        other => panic!("{other:?}"),
    }
}

#[test]
fn plans_of_other_builds_and_functions_without_slots_are_refused() {
    let labs = labs(5);
    let mut lab = process(&labs);
    let plan = known_plan(&labs, lab.map().units());
    let mut said = |plan: &Plan, functions: &[&str]| {
        let functions: Vec<String> = functions.iter().map(|one| (*one).to_owned()).collect();
        let asked = request("mix", &functions);
        refused(run(&mut *lab, plan, &asked, &Silent))
    };
    let mut other = plan.clone();
    other.file.units[0].signature = "of before".into();
    let text = said(&other, &[]);
    assert!(
        text.starts_with("plan.json is a plan for another build"),
        "{text}"
    );
    assert!(text.contains("compiled differently here"), "{text}");
    other = plan.clone();
    other.file.units[1].name = "gone".into();
    let text = said(&other, &[]);
    assert!(text.contains("gone: not in this program"), "{text}");
    let text = said(&plan, &["memcpy"]);
    assert!(
        text.starts_with("--function memcpy: the plan slows nothing"),
        "{text}"
    );
    assert!(text.contains(&names(&plan)[0]), "{text}");
    other = plan.clone();
    let blocks = other.file.units[0].blocks.values_mut();
    blocks.for_each(|block| block.count = 0);
    let idle = names(&plan)[0].clone();
    let text = said(&other, &[idle.as_str()]);
    assert!(text.contains("puts no instruction into it"), "{text}");
    let (slowed, left_out) = chosen(&other, &[], 5).expect("the other one");
    assert_eq!(
        (slowed.len(), left_out[0].function.as_str()),
        (1, idle.as_str())
    );
    other = plan.clone();
    other.report = DivineReport::of_plan(&plan.file);
    let text = said(&other, &[]);
    assert!(text.contains("report.json, and is not there"), "{text}");
}

/// A plan that slows a function by something else than the rest says nothing of the function taking no time at all.
#[test]
fn what_the_plan_misses_keeps_from_extrapolating() {
    let labs = labs(5);
    let mut lab = process(&labs);
    let mut plan = known_plan(&labs, lab.map().units());
    let [first, second] = [0, 1].map(|at| names(&plan)[at].clone());
    for row in &mut plan.report.blocks {
        row.achieved_overhead_pct = match row.unit == first {
            true => Some(Estimate::around(130.0, 4.0, 900)),
            false => None,
        };
    }
    let asked = request("mix", &[second.clone(), first.clone(), second.clone()]);
    let result = run(&mut *lab, &plan, &asked, &Silent).expect("gains");
    assert_eq!(result.functions.len(), 2);
    for one in &result.functions {
        let why = one.not_extrapolated.as_deref().expect("a reason");
        let wanted = match one.function == first {
            true => "by 130 %, where 100 % is wanted",
            false => "does not say how much",
        };
        assert!(
            why.contains(wanted) && one.without_it_pct.is_none(),
            "{one:?}"
        );
        assert!(one.gain_pct.is_some());
    }
}
