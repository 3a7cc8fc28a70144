//! What ARCHITECTURE.md promises is checked by the tests that it names.

use std::collections::BTreeSet;

use crate::files::{files, read};

/// The section on invariants.
fn section() -> String {
    let text = read("ARCHITECTURE.md");
    let mut sections = text.split("\n## ");
    let found = sections.find(|section| section.starts_with("Invariants"));
    found.expect("a section `Invariants`").to_owned()
}

/// Names of tests in a text, in backquotes.
fn named(text: &str) -> BTreeSet<String> {
    let quoted = text.split('`').skip(1).step_by(2);
    let names = quoted.filter(|word| {
        word.contains('_') && word.chars().all(|c| c.is_ascii_lowercase() || c == '_')
    });
    names.map(str::to_owned).collect()
}

/// Names of all tests.
fn tests() -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for file in files("crates", &[".rs"]) {
        let text = read(&file);
        for marked in text.split("#[test]").skip(1) {
            let name = marked
                .split("fn ")
                .nth(1)
                .and_then(|rest| rest.split('(').next());
            names.extend(name.map(|name| name.trim().to_owned()));
        }
    }
    names
}

#[test]
fn every_invariant_names_a_test_that_exists() {
    let (section, tests) = (section(), tests());
    let promised = named(&section);
    assert!(promised.len() >= 10, "{promised:?}");
    let missing: Vec<&String> = promised.difference(&tests).collect();
    assert!(missing.is_empty(), "no such tests: {missing:?}");
    for invariant in section.split("\n- ").skip(1) {
        assert!(!named(invariant).is_empty(), "no test: {invariant}");
    }
}
