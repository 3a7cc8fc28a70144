//! The committed schema is the one that the code writes, and a real answer satisfies it.

use proofmark_assess::{Assessment, Settings, assess};
use proofmark_experiment::sim::Simulation;
use proofmark_test_support::fit_schema;

#[test]
fn an_answer_satisfies_the_schema_and_keeps_the_promised_names() {
    let evidence = Simulation::default().evidence("async-cpu");
    let assessment = assess(&evidence, &Settings::default()).unwrap();
    let json = serde_json::to_value(&assessment).unwrap();
    fit_schema("assessment.schema.json", &[assessment]);
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
