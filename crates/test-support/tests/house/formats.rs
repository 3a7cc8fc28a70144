//! Documents for scripts: one way to say what they are, and a list of all.

use serde_json::Value;

use crate::files::{files, read};

const FORMATS: &str = "docs/formats";

#[test]
fn every_document_names_its_form() {
    let schemas = files(FORMATS, &[".schema.json"]);
    assert!(schemas.len() > 15, "{} schemas", schemas.len());
    for file in schemas {
        let schema: Value = serde_json::from_str(&read(&file)).unwrap();
        let named = schema.pointer("/properties/schema/type");
        assert_eq!(named.and_then(Value::as_str), Some("string"), "{file}");
    }
}

#[test]
fn the_list_of_formats_is_whole() {
    let list = read("docs/formats/README.md");
    for file in files(FORMATS, &[".schema.json", "docs/formats/events-table.md"]) {
        let name = file.rsplit('/').next().unwrap();
        assert!(list.contains(&format!("({name})")), "{name}");
    }
}
