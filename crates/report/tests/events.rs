//! Events as text, JSON and page.
mod common;

use std::path::PathBuf;

use common::events::{comparison, cost, hostile, report};
use common::golden::golden;
use proofmark_report::{
    EventsCost, EventsDiff, EventsReport, Style, events_cost_schema, events_cost_table,
    events_diff_schema, events_diff_table, events_schema, events_table,
};
use serde::{Serialize, de::DeserializeOwned};

fn plain(width: usize) -> Style {
    Style {
        color: false,
        width,
    }
}

#[test]
fn tables() {
    let exact = events_table(&report(0), plain(110));
    let lossy = events_table(&report(1), plain(60));
    let compared = events_diff_table(&comparison(), plain(110));
    let costs = events_cost_table(&cost(), plain(110));
    golden(
        "events.txt",
        &format!("{exact}\n=====\n{lossy}\n=====\n{compared}\n=====\n{costs}"),
    );
    assert!(lossy.contains("no upper") && !exact.contains("lost:"));
    assert!(
        lossy.lines().all(|line| line.chars().count() <= 60),
        "{lossy}"
    );
    assert!(exact.contains("note: less than 95 % of the executed blocks were counted"));
    assert!(compared.contains("2 of 4 metrics differ") && compared.contains("+98 %"));
}

#[test]
fn names_cannot_move_the_cursor() {
    let text = events_table(&hostile(), plain(100));
    assert!(!text.contains(['\u{1b}', '\u{202e}']));
}

/// The committed schema is that of the type, and the value fits it and comes back.
fn fits<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(
    file: &str,
    schema: &str,
    values: &[T],
) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs/formats")
        .join(file);
    if std::env::var_os("PROOFMARK_BLESS").is_some() {
        std::fs::write(&path, schema).expect("schema");
    }
    let committed = std::fs::read_to_string(&path).expect(file);
    assert!(
        committed == schema,
        "{file} differs; PROOFMARK_BLESS=1 writes it"
    );
    let schema: serde_json::Value = serde_json::from_str(schema).unwrap();
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for value in values {
        let json = serde_json::to_value(value).unwrap();
        let errors: Vec<String> = validator
            .iter_errors(&json)
            .map(|e| e.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
        assert_eq!(&serde_json::from_value::<T>(json).unwrap(), value);
    }
}

#[test]
fn documents_fit_their_schemas() {
    let reports = [report(0), report(1), hostile()];
    fits::<EventsReport>("events.schema.json", &events_schema(), &reports);
    fits::<EventsDiff>(
        "events-diff.schema.json",
        &events_diff_schema(),
        &[comparison()],
    );
    fits::<EventsCost>("events-cost.schema.json", &events_cost_schema(), &[cost()]);
}

#[test]
fn fields_that_scripts_rely_on() {
    let value = serde_json::to_value(report(1)).unwrap();
    assert_eq!(value["events"]["allocation"]["total"]["value"], 60.0);
    assert_eq!(
        value["events"]["allocation"]["total"]["high"],
        serde_json::Value::Null
    );
    assert_eq!(value["events"]["allocation"]["per_unit"]["p.C.m(I)V"], 60);
    assert_eq!(value["coverage"]["graal_blocks_pct"], 93.25);
    assert_eq!(value["coverage"]["outside_time_pct"]["value"], 1.5);
    assert!(value["lost"]["traversals"].as_u64().unwrap() > 0);
    assert!(value["events"]["bulk-map"]["cannot_occur"].is_string());
}
