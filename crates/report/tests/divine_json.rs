//! The JSON of `divine --format json`.
mod common;

use common::{divined, plan, report};
use proofmark_experiment::divine::{DivineReport, divine_schema};
use std::path::PathBuf;

fn schema_path() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats/divine.schema.json")
}

#[test]
fn the_committed_schema_is_current() {
    if std::env::var_os("PROOFMARK_BLESS").is_some() {
        std::fs::write(schema_path(), divine_schema()).expect("schema");
    }
    let committed =
        std::fs::read_to_string(schema_path()).expect("docs/formats/divine.schema.json");
    assert!(
        committed == divine_schema(),
        "the schema differs; PROOFMARK_BLESS=1 writes it"
    );
}

#[test]
fn reports_fit_their_schema_and_come_back() {
    let schema: serde_json::Value = serde_json::from_str(&divine_schema()).unwrap();
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let found = divined();
    for report in [report(&found), DivineReport::of_plan(&plan(&found))] {
        let value = serde_json::to_value(&report).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&value)
            .map(|e| e.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
        let text = serde_json::to_string(&report).unwrap();
        let back: DivineReport = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&back).unwrap(), text);
    }
}

#[test]
fn fields_that_scripts_rely_on() {
    let value = serde_json::to_value(report(&divined())).unwrap();
    for field in [
        "plans_tried",
        "wall_s",
        "coverage_pct",
        "judged_blocks",
        "pooled_blocks",
    ] {
        assert!(value[field].is_number(), "{field}");
    }
    let measured = [
        "overhead_pct",
        "block_error_pt",
        "block_error_raw_pt",
        "block_error_noise_pt",
        "cluster_error_pt",
        "within_10_pt_pct",
    ];
    for field in measured {
        for part in ["value", "low", "high", "n"] {
            assert!(value[field][part].is_number(), "{field}.{part}");
        }
    }
}

#[test]
fn every_cell_has_one_row_with_its_share() {
    let found = divined();
    let report = report(&found);
    assert_eq!(report.blocks.len(), found.program.cells().len());
    let all: f64 = report.blocks.iter().map(|b| b.share_pct.unwrap()).sum();
    assert!(
        (all + report.outside_pct.unwrap() - 100.0).abs() < 1.0,
        "{all}"
    );
    assert!(
        report
            .blocks
            .is_sorted_by(|a, b| a.share_pct >= b.share_pct)
    );
}
