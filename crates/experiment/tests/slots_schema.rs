//! The form of what the check of slots writes.

use proofmark_experiment::slots::{SLOTS_SCHEMA, SlotsLeftOut, SlotsReport, UnseenBorders};
use proofmark_test_support::fit_schema;

#[test]
fn the_check_of_slots_fits_its_schema() {
    let told = |function: &str, reason: &str| SlotsLeftOut {
        function: function.into(),
        reason: reason.into(),
    };
    let report = SlotsReport {
        schema: SLOTS_SCHEMA.into(),
        program: "./program".into(),
        filler: "mov".into(),
        functions: 12,
        instructions: 345,
        inserted: 120,
        borders: 60,
        unseen: vec![UnseenBorders {
            function: "parse".into(),
            at: vec![16],
        }],
        differing: vec![told("f", "at +0x12: \"ret\" is one too many")],
        left_out: vec![told("g", "its inline assembly cannot be followed")],
        without_slots: vec!["_start".into()],
    };
    fit_schema("slots.schema.json", std::slice::from_ref(&report));
    let text = serde_json::to_string(&report).unwrap();
    assert_eq!(serde_json::from_str::<SlotsReport>(&text).unwrap(), report);
}
