//! Pure crates: numbers in, values out.

use crate::files::{files, read};

/// Crates that do no I/O. The one list of them; ARCHITECTURE.md says the same.
pub const PURE: &[&str] = &[
    "asm",
    "assess",
    "blocks",
    "count",
    "divine",
    "events",
    "experiment",
    "profile",
    "report",
    "rewrite",
    "rules",
    "stats",
    "study",
];

/// Libraries that do no I/O on their own, beside pure crates of ours.
const LIBRARIES: &[&str] = &[
    "flate2",
    "foldhash",
    "iced-x86",
    "linux-perf-data",
    "linux-perf-event-reader",
    "quick-xml",
    "rand",
    "rand_chacha",
    "rustc-demangle",
    "ruzstd",
    "schemars",
    "serde",
    "serde_json",
    "sha1",
    "statrs",
    "thiserror",
    "unicode-width",
];

/// Modules of the standard library that reach the machine.
const MODULES: &[&str] = &["env", "fs", "net", "os", "process"];

/// Other ways to reach it.
const CALLS: &[&str] = &[
    "eprint!",
    "eprintln!",
    "print!",
    "println!",
    "io::stderr",
    "io::stdin",
    "io::stdout",
    "Instant::now",
    "SystemTime::now",
    "extern \"C\"",
];

#[test]
fn pure_crates_forbid_unsafe_code() {
    for name in PURE {
        let text = read(format!("crates/{name}/src/lib.rs"));
        let forbids = text.lines().any(|line| line == "#![forbid(unsafe_code)]");
        assert!(forbids, "{name}");
    }
}

#[test]
fn pure_crates_depend_on_nothing_that_does_io() {
    for name in PURE {
        let manifest: toml::Table = read(format!("crates/{name}/Cargo.toml")).parse().unwrap();
        for kind in ["dependencies", "build-dependencies", "target"] {
            let Some(table) = manifest.get(kind) else {
                continue;
            };
            for dependency in table.as_table().unwrap().keys() {
                let of_ours = dependency.strip_prefix("proofmark-");
                let pure = of_ours.map_or(LIBRARIES, |_| PURE);
                let known = pure.contains(&of_ours.unwrap_or(dependency));
                assert!(
                    known,
                    "{name} is pure and depends on {dependency}: does that do I/O?"
                );
            }
        }
    }
}

#[test]
fn pure_crates_do_no_io() {
    for name in PURE {
        for file in files(&format!("crates/{name}/src"), &[".rs"]) {
            for (number, line) in read(&file).lines().enumerate() {
                let reached = reaches(line);
                assert_eq!(reached, None, "{file}:{}: {line}", number + 1);
            }
        }
    }
}

/// What of the machine a line of code reaches.
fn reaches(line: &str) -> Option<String> {
    let code = line.split("//").next().unwrap();
    let of_module = MODULES.iter().find(|module| {
        let (path, name) = (format!("std::{module}"), format!("{module}::"));
        word(code, &name) || (word(code, &path) && !code.contains(&format!("{path}_")))
    });
    let of_call = CALLS.iter().find(|call| word(code, call));
    of_module.or(of_call).map(|found| (*found).to_owned())
}

/// Whether a text starts with this at the beginning of a word.
fn word(code: &str, text: &str) -> bool {
    code.match_indices(text).any(|(at, _)| {
        let before = code[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || c == '_')
    })
}

#[test]
fn the_check_sees_io_and_nothing_else() {
    for line in [
        "use std::fs::File;",
        "use std::{fs, io}; fs::read(name)",
        "    std::process::exit(1)",
        "let home = env::var_os(\"HOME\");",
        "println!(\"{x}\");",
        "use std::os;",
        "let at = Instant::now();",
    ] {
        assert!(reaches(line).is_some(), "{line}");
    }
    for line in [
        "use std::io::Read;",
        "// std::fs is not used here",
        "let prefs::Of(x) = y;",
        "env!(\"CARGO_PKG_VERSION\")",
        "sprintln!(1)",
    ] {
        assert_eq!(reaches(line), None, "{line}");
    }
}
