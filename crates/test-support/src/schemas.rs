//! The JSON schemas that are committed for users.

use std::path::Path;

use schemars::JsonSchema;
use serde::Serialize;

/// Checks that `docs/formats/FILE` is the schema of `T` and that every value fits it. `PROOFMARK_BLESS=1` writes the schema after a
/// wanted change.
///
/// # Panics
/// If the committed schema is another one, or a value does not fit.
pub fn fit_schema<T: JsonSchema + Serialize>(file: &str, values: &[T]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/formats");
    let path = path.join(file);
    let schema = serde_json::to_value(schemars::schema_for!(T)).expect("a schema is JSON");
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
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    for value in values {
        let json = serde_json::to_value(value).expect("JSON");
        let errors: Vec<String> = validator
            .iter_errors(&json)
            .map(|error| error.to_string())
            .collect();
        assert!(errors.is_empty(), "{errors:#?}");
    }
}
