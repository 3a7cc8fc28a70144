//! What `divine` and `assess` really wrote (iteration times shortened) fits the committed schemas.
//!
//! `tests/recorded/*.json` are standard outputs of `divine suite:Towers --verify 1 --format json` and
//! `assess suite:Queens --target 50,100 --profiler jfr --c2`.

use proofmark_assess::Assessment;
use proofmark_experiment::assess::AssessReport;
use proofmark_experiment::divine::DivineReport;
use proofmark_test_support::fits;
use serde_json::Value;

const TESTS: &str = env!("CARGO_MANIFEST_DIR");

fn read(path: &str) -> Value {
    let text = std::fs::read_to_string(format!("{TESTS}/{path}")).expect(path);
    serde_json::from_str(&text).expect("one JSON document")
}

#[test]
fn divine_fits() {
    let value = read("tests/recorded/divine.json");
    fits("divine.schema.json", &value);
    let back: DivineReport = serde_json::from_value(value).unwrap();
    assert_eq!(back.verification.unwrap().jvms.len(), 1);
}

#[test]
fn assess_fits_and_keeps_the_fields_that_scripts_rely_on() {
    // Recorded when the laboratory's part was the whole answer.
    let value = read("tests/recorded/assessment.json");
    let laboratory: Assessment = serde_json::from_value(value).unwrap();
    let sites = Err("not asked for".to_owned());
    let answer = AssessReport::of(&[], &sites, &Ok(laboratory), ("Main", "this machine"));
    let value = serde_json::to_value(&answer).unwrap();
    fits("assessment.schema.json", &value);
    for field in ["false_alarm_rate", "controls_ok"] {
        assert!(value.get(field).is_some(), "{field}");
    }
    for profiler in value["profilers"].as_array().unwrap() {
        for field in [
            "name",
            "verdict",
            "error_pt",
            "blames",
            "cause",
            "detectable_pt",
        ] {
            assert!(profiler.get(field).is_some(), "{field}");
        }
        for test in ["absolute", "uniform", "single"] {
            assert!(profiler["error_pt"].get(test).is_some(), "{test}");
        }
    }
    let back: Assessment = serde_json::from_value(value).unwrap();
    assert_eq!(back.profilers[0].tests.uniform.len(), 2, "one per target");
}

/// As it was written when analyses were called looks.
#[test]
fn an_assessment_of_the_first_version_is_read() {
    let mut value = read("tests/recorded/assessment.json");
    value["profilers"][0]["looks"] = 2.into();
    let old: Assessment = serde_json::from_value(value).unwrap();
    assert_eq!(
        (old.schema.as_str(), old.profilers[0].analyses),
        ("proofmark-assessment/1", 2)
    );
}

/// One set, whose error with the noise removed was 0: that is not shown any more, and what is shown is called the total's.
#[test]
fn a_document_of_an_earlier_version_is_shown_as_measured() {
    let report: DivineReport =
        serde_json::from_value(read("../../docs/studies/divine/2026-11-22/List-100.json")).unwrap();
    assert_eq!(
        (report.judged_sets, report.block_error_denoised_pt),
        (None, None)
    );
    let style = proofmark_report::Style {
        color: false,
        width: 400,
    };
    let text = proofmark_report::plan_summary(&report, style);
    let raw = format!("{:.1} points", report.block_error_raw_pt.unwrap().value);
    assert!(
        text.contains("judged as one set, so its error is that of the total"),
        "{text}"
    );
    assert!(
        text.contains(&raw) && !text.contains("0.0 points"),
        "{text}"
    );
    assert!(text.contains(" % of the time"), "{text}");
    let mut page = proofmark_report::PageData::new("Towers");
    page.divine = Some(report);
    let page = proofmark_report::html(&page);
    assert!(page.contains("judged as one set: its error is that of the total"));
    assert!(!page.contains("the set that is off most"));
}
