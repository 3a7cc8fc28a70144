//! Schemas of what has no file of tests of its own.

use std::path::PathBuf;

use proofmark_experiment::assess::{CostPlan, CostReport, CostStep, cost_schema};
use proofmark_report::{CheckRow, CheckStatus, CommandRow, DoctorReport, doctor_schema};
use serde::Serialize;

/// The committed schema is the current one, and the value fits it.
fn fits(name: &str, schema: &str, value: impl Serialize) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats");
    let path = path.join(format!("{name}.schema.json"));
    if std::env::var_os("PROOFMARK_BLESS").is_some() {
        std::fs::write(&path, schema).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap();
    assert!(
        committed == schema,
        "{name}: the schema differs; PROOFMARK_BLESS=1 writes it"
    );
    let schema = serde_json::from_str(schema).unwrap();
    let value = serde_json::to_value(value).unwrap();
    let errors: Vec<String> = jsonschema::validator_for(&schema)
        .unwrap()
        .iter_errors(&value)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

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
    fits("cost", &cost_schema(), report);
}

#[test]
fn doctors() {
    let check = CheckRow {
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
        version: 2,
        checks: vec![check],
        commands: vec![command],
        calibration: serde_json::json!({ "border": null }),
    };
    assert!(report.all_work());
    fits("doctor", &doctor_schema(), report);
}
