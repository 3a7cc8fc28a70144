//! The JSON of `divine --format json`.

use crate::common::{divined, plan, report};
use proofmark_experiment::candidates::{Chooser, DivineAnswer, Slowdown};
use proofmark_experiment::divine::DivineReport;
use proofmark_experiment::lab::Filler;
use proofmark_test_support::fit_schema;

#[test]
fn reports_fit_their_schema_and_come_back() {
    let found = divined();
    let reports = [report(&found), DivineReport::of_plan(&plan(&found))];
    let fillers = [
        Slowdown::recommended(Filler::Lea, "2026-11-23", "Towers"),
        Slowdown::of(Filler::Mov, Chooser::Calibration),
    ];
    let answers: Vec<DivineAnswer> = (reports.iter().cloned().zip(fillers))
        .map(|(report, filler)| DivineAnswer {
            report,
            filler: Some(filler),
        })
        .collect();
    fit_schema("divine.schema.json", &answers);
    for report in reports {
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
fn every_tunable_has_one_row_with_its_share() {
    let found = divined();
    let report = report(&found);
    assert_eq!(report.blocks.len(), found.program.tunables().len());
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
