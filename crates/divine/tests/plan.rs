//! Plan files and published slowdown files.

use proofmark_divine::{
    Environment, PLAN_SCHEMA, PlanBlock, PlanError, PlanFile, PlanUnit, Reason, read_plan,
};
use proofmark_stats::Estimate;

fn plan() -> PlanFile {
    let estimate = Estimate {
        value: 99.6,
        low: 98.9,
        high: 100.4,
        n: 16,
    };
    let block = PlanBlock {
        count: 12,
        achieved_overhead_pct: Some(estimate),
        reason: Reason::OnTarget,
    };
    let unit = PlanUnit {
        name: "Towers.moveDisks(I)V".into(),
        signature: "997009ab".into(),
        blocks: [
            (0, block),
            (
                7,
                PlanBlock {
                    achieved_overhead_pct: None,
                    reason: Reason::TooSmall,
                    ..block
                },
            ),
        ]
        .into(),
        pooled: [(3, 1)].into(),
    };
    PlanFile {
        instruction: "mov".into(),
        schema: PLAN_SCHEMA.into(),
        workload: "suite:Towers".into(),
        target_pct: 100.0,
        environment: Environment {
            machine: "Emerald Rapids, 2 cores, Linux 6.18".into(),
            jdk: "Temurin 25.0.3".into(),
            graal: "25.0.3".into(),
            event: "cpu-clock".into(),
        },
        units: vec![unit],
        coverage_pct: 93.1,
        plans_tried: 5,
        wall_s: 48.2,
        overhead_pct: Some(estimate),
        judged_sets: Some(2),
        block_error_pt: Some(estimate),
        block_error_raw_pt: Some(estimate),
        block_error_noise_pt: Some(estimate),
        block_error_denoised_pt: None,
        block_error_worst_pt: Some(estimate),
        short_block_error_pt: None,
        short_block_error_noise_pt: None,
        judged_loops: Some(1),
        cluster_error_pt: None,
        cluster_error_noise_pt: None,
        within_10_pt_pct: None,
    }
}

#[test]
fn a_plan_survives_its_file() {
    assert_eq!(read_plan(&plan().to_json()).expect("own file"), plan());
}

#[test]
fn a_plan_of_the_first_version_is_read() {
    let first = |version: u32| {
        let names = format!("\"format\": \"proofmark-plan\", \"version\": {version}");
        let now = format!("\"schema\": \"{PLAN_SCHEMA}\"");
        plan().to_json().replace(&now, &names)
    };
    assert_eq!(read_plan(&first(1)).expect("a plan"), plan());
    let newer = read_plan(&first(3)).expect_err("a number that no such plan has");
    assert!(matches!(newer, PlanError::Version(3)), "{newer}");
}

#[test]
fn the_committed_schema_is_that_of_plans() {
    proofmark_test_support::fit_schema("plan.schema.json", &[plan()]);
}

#[test]
fn every_damage_has_its_message() {
    let good = plan().to_json();
    let towers = include_str!("fixtures/Towers-100.json");
    let cases = [
        (String::new(), "damaged or cut off"),
        (good[..good.len() / 2].to_owned(), "damaged or cut off"),
        ("[1, 2]".into(), "\"schema\""),
        ("{\"schema\": \"samply/1\"}".into(), "\"schema\""),
        (towers.into(), "published slowdown file"),
        (good.replace(PLAN_SCHEMA, "proofmark-plan/9"), "version 9"),
        (good.replace("\"count\": 12", "\"count\": -12"), "line"),
        (good.replace("\"count\": 12", "\"count\": 1e99"), "line"),
        (good.replace("\"signature\"", "\"signatur\""), "signatur"),
        (good.replace("\"997009ab\"", "\"\""), "no signature"),
        (
            good.replace("\"target_pct\": 100.0", "\"target_pct\": -1.0"),
            "target of -1",
        ),
        (
            good.replace("\"3\": 1", "\"7\": 1"),
            "both judged and pooled",
        ),
    ];
    for (text, expected) in cases {
        let message = read_plan(&text).expect_err(expected).to_string();
        assert!(message.contains(expected), "{message:?} lacks {expected:?}");
        assert!(
            message.contains("proofmark divine"),
            "{message:?} says no remedy"
        );
    }
}

#[test]
fn a_plan_with_more_instructions_than_any_compiler_takes_is_refused() {
    let mut huge = plan();
    huge.units[0].pooled.insert(3, 4_000_000_000);
    let error = read_plan(&huge.to_json()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("block 3 of Towers.moveDisks(I)V is to get 4000000000 instructions"),
        "{error}"
    );
}

#[test]
fn published_files_are_told_from_others() {
    for text in [
        include_str!("fixtures/Towers-100.json"),
        include_str!("fixtures/Permute-150.json"),
        include_str!("fixtures/NBody-50.json"),
        include_str!("fixtures/Queens-100.json"),
    ] {
        assert!(
            matches!(read_plan(text), Err(PlanError::Published)),
            "{text}"
        );
    }
    for text in [
        "{}",
        "{\"u\": 3}",
        "{\"u\": {}}",
        "{\"u\": {\"7\": 1}}",
        "{\"u\": {\"7 (Vtune Block 1)\": -1}}",
        "{\"u\": {\"Backend Blocks\": {\"Backend Blocks\": {}}}}",
        "[]",
    ] {
        assert!(matches!(read_plan(text), Err(PlanError::Foreign)), "{text}");
    }
}
