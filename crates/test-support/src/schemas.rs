//! The JSON schemas that are committed for users.

use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::Serialize;

/// Checks that a document fits the committed schema `docs/formats/FILE`.
///
/// # Panics
/// If it does not, or there is no such schema.
pub fn fits(file: &str, document: &impl Serialize) {
    let text = std::fs::read_to_string(place(file)).expect("a committed schema");
    let schema = serde_json::from_str(&text).expect("a schema is JSON");
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let document = serde_json::to_value(document).expect("JSON");
    let faults: Vec<String> = validator
        .iter_errors(&document)
        .map(|fault| format!("{}: {fault}", fault.instance_path()))
        .collect();
    assert!(faults.is_empty(), "{faults:#?}");
}

fn place(file: &str) -> PathBuf {
    let formats = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats");
    formats.join(file)
}

/// Checks that `docs/formats/FILE` is the schema of `T` and that every value fits it. `PROOFMARK_BLESS=1` writes the schema after a
/// wanted change.
///
/// # Panics
/// If the committed schema is another one, or a value does not fit.
pub fn fit_schema<T: JsonSchema + Serialize>(file: &str, values: &[T]) {
    let path = place(file);
    let now = format!(
        "{}\n",
        serde_json::to_string_pretty(&schemars::schema_for!(T)).expect("JSON")
    );
    if std::env::var_os("PROOFMARK_BLESS").is_some() {
        std::fs::write(&path, &now).expect("the schema can be written");
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == now,
        "docs/formats/{file} is not the schema of today; PROOFMARK_BLESS=1 writes it"
    );
    for value in values {
        fits(file, value);
    }
}
