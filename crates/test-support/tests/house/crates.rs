//! ARCHITECTURE.md and the crates.

use std::collections::BTreeSet;

use crate::files::{read, root};
use crate::purity::PURE;

/// Name and last column of every row of the table of crates.
fn table() -> Vec<(String, String)> {
    let text = read("ARCHITECTURE.md");
    let section = text.split("\n## Crates\n").nth(1).expect("a section");
    let section = section.split("\n## ").next().unwrap();
    let rows = section.lines().filter_map(|line| {
        let mut cells = line.strip_prefix("| `")?.split('|').map(str::trim);
        let name = cells.next()?.trim_matches('`').to_owned();
        Some((name, cells.nth(1)?.to_owned()))
    });
    rows.collect()
}

#[test]
fn the_architecture_names_every_crate_and_no_other() {
    let named: BTreeSet<String> = table().into_iter().map(|(name, _)| name).collect();
    let there: BTreeSet<String> = std::fs::read_dir(root().join("crates"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("Cargo.toml").is_file())
        .map(|path| path.file_name().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(named, there);
}

#[test]
fn the_architecture_calls_the_pure_crates_pure() {
    let pure: BTreeSet<String> = table()
        .into_iter()
        .filter(|(_, kind)| kind == "pure")
        .map(|(name, _)| name)
        .collect();
    assert_eq!(pure, PURE.iter().map(|name| (*name).to_owned()).collect());
}
