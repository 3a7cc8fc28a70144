//! What somebody looks for who has never been here: licence, changes, how to take part, what the words mean.

use crate::files::read;

/// What the text of a licence must hold, so that it is whole.
const TEXTS: [(&str, &str, &[&str]); 2] = [
    (
        "MIT",
        "LICENSE-MIT",
        &[
            "Permission is hereby granted",
            "WITHOUT WARRANTY OF ANY KIND",
        ],
    ),
    (
        "Apache-2.0",
        "LICENSE-APACHE",
        &["Version 2.0, January 2004", "END OF TERMS AND CONDITIONS"],
    ),
];

#[test]
fn every_licence_that_the_manifest_names_is_there_and_linked() {
    let manifest = read("Cargo.toml");
    let line = manifest.lines().find(|line| line.starts_with("license = "));
    let named = line.unwrap().split('"').nth(1).unwrap();
    let readme = read("README.md");
    for id in named.split(" OR ") {
        let text = TEXTS.iter().find(|(known, ..)| *known == id);
        let (_, file, parts) = text.unwrap_or_else(|| panic!("no text of {id}"));
        let text = read(file);
        let whole = parts.iter().all(|part| text.contains(part));
        assert!(whole, "{file}");
        assert!(readme.contains(&format!("]({file})")), "{file}");
    }
}

#[test]
fn the_readme_leads_to_what_strangers_look_for() {
    let readme = read("README.md");
    for there in [
        "](CHANGELOG.md)",
        "](CONTRIBUTING.md)",
        "](docs/glossary.md)",
        "](docs/accuracy.md",
        "](docs/images/demo.png)",
        "proofmark man | man -l -",
        "cargo install --path crates/proofmark",
        "The build takes",
        "one file of ",
    ] {
        assert!(readme.contains(there), "{there}");
    }
}

/// Words of the terminal and the pages that mean something of their own here.
#[test]
fn words_of_results_are_in_the_glossary() {
    let glossary = read("docs/glossary.md").to_lowercase();
    let bold: Vec<&str> = glossary.split("**").skip(1).step_by(2).collect();
    let unknown = |word: &&&str| {
        let mut words = bold
            .iter()
            .flat_map(|one| one.split(|c: char| !c.is_alphanumeric()));
        !words.any(|one| one == **word)
    };
    let words = [
        "share",
        "window",
        "set",
        "divining",
        "pooled",
        "unit",
        "block",
        "plan",
        "judged",
        "site",
        "dose",
        "witness",
        "certified",
        "margin",
        "oracle",
        "undecided",
        "coverage",
        "overlap",
        "disturbed",
        "planted",
        "blame",
        "skid",
        "interval",
        "cause",
        "run",
        "event",
    ];
    let missing: Vec<&&str> = words.iter().filter(unknown).collect();
    assert_eq!(missing, [&""; 0]);
}
