//! What ARCHITECTURE.md promises is checked by the tests that it names.

use std::collections::BTreeSet;

use crate::files::{files, read};

/// Names of tests in the section on invariants, in backquotes.
fn promised() -> BTreeSet<String> {
    let text = read("ARCHITECTURE.md");
    let section = text
        .split("\n## ")
        .find(|section| section.starts_with("Invariants"))
        .expect("a section `Invariants`");
    let quoted = section.split('`').skip(1).step_by(2);
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
    let (promised, tests) = (promised(), tests());
    assert!(promised.len() >= 10, "{promised:?}");
    let missing: Vec<&String> = promised.difference(&tests).collect();
    assert!(missing.is_empty(), "no such tests: {missing:?}");
}
