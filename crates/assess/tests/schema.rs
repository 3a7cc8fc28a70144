//! The committed schema is the one that the code writes, and a real answer satisfies it.

use proofmark_assess::{Assessment, Settings, assess};
use proofmark_experiment::sim::Simulation;

const FILE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/formats/assessment.schema.json"
);

/// Refresh with `PROOFMARK_BLESS=1 cargo test -p proofmark-assess --test schema`.
#[test]
fn committed_schema_is_current() {
    let mut now = serde_json::to_string_pretty(&schemars::schema_for!(Assessment)).unwrap();
    now.push('\n');
    if std::env::var_os("PROOFMARK_BLESS").is_some() {
        std::fs::write(FILE, &now).unwrap();
    }
    let committed =
        std::fs::read_to_string(FILE).expect("docs/formats/assessment.schema.json is committed");
    assert!(
        committed == now,
        "the format changed: bless it and say so in the change log"
    );
}

#[test]
fn an_answer_satisfies_the_schema_and_keeps_the_promised_names() {
    let evidence = Simulation::default().evidence("async-cpu");
    let json = serde_json::to_value(assess(&evidence, &Settings::default()).unwrap()).unwrap();
    let schema = serde_json::from_str(&std::fs::read_to_string(FILE).unwrap()).unwrap();
    jsonschema::validate(&schema, &json).unwrap();
    let p = &json["profilers"][0];
    for field in [
        "name",
        "verdict",
        "error_pt",
        "blames",
        "cause",
        "detectable_pt",
    ] {
        assert!(p.get(field).is_some(), "{field} is missing");
    }
    for test in ["absolute", "uniform", "single"] {
        for part in ["value", "low", "high", "n"] {
            assert!(p["error_pt"][test][part].is_number(), "{test}.{part}");
        }
    }
    assert!(json.get("controls_ok").is_some() && json["false_alarm_rate"]["value"].is_number());
    let back: Assessment = serde_json::from_value(json).unwrap();
    assert_eq!(back.profilers[0].name, "async-cpu");
}
