//! Schemas of what has no file of tests of its own.

use proofmark_experiment::assess::{CostPlan, CostReport, CostStep};
use proofmark_experiment::doctor::{Check, CheckStatus, CommandRow, DOCTOR_SCHEMA, DoctorReport};
use proofmark_test_support::fit_schema;

#[test]
fn costs() {
    let step = |seconds| CostStep {
        step: "laboratory".into(),
        seconds,
        detail: "start".into(),
    };
    let plan = CostPlan {
        program: "Queens".into(),
        jvms: 2,
        steps: vec![step(11.0), step(31.0)],
        precision: Vec::new(),
    };
    let report = CostReport::of(&plan);
    assert_eq!(serde_json::to_value(&report).unwrap()["total_s"], 42.0);
    fit_schema("cost.schema.json", &[report]);
}

#[test]
fn doctors() {
    let check = Check {
        name: "jdk".into(),
        status: CheckStatus::Limited,
        detail: "found".into(),
        remedy: String::new(),
    };
    let command = CommandRow {
        commands: vec!["divine".into(), "assess".into()],
        status: CheckStatus::Ok,
        resolution: "block times to 1.5 cycles".into(),
        lacking: Vec::new(),
    };
    let report = DoctorReport {
        schema: DOCTOR_SCHEMA.into(),
        calibration_age_s: Some(7200),
        checks: vec![check],
        commands: vec![command],
        calibration: serde_json::json!({ "border": null }),
    };
    assert!(report.all_work());
    fit_schema("doctor.schema.json", &[report]);
}
