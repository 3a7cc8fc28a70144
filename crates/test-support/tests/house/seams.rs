//! Where one part of the house ends and the next begins.

use crate::files::{files, read};

/// Code of a file, without its comments.
fn code(file: &str) -> String {
    let text = read(file);
    let lines = text
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Files of Rust code (no tests) that contain one of these words.
fn with(words: &[&str]) -> Vec<String> {
    let rust = files("crates", &[".rs"]).into_iter();
    let sources = rust.filter(|file| file.contains("/src/") && !file.contains("test"));
    sources
        .filter(|file| {
            let code = code(file);
            words.iter().any(|word| code.contains(word))
        })
        .collect()
}

#[test]
fn the_command_line_ends_in_cli() {
    let strays: Vec<String> = with(&["clap::", "use clap"])
        .into_iter()
        .filter(|file| !file.starts_with("crates/proofmark/src/cli/"))
        .filter(|file| !file.ends_with("proofmark/src/main.rs")) // where it begins
        .collect();
    assert_eq!(strays, [""; 0]);
}

/// The agent lives in the program's JVM and has nobody else to tell.
#[test]
fn only_the_command_and_the_agent_print() {
    let strays: Vec<String> = with(&["println!", "print!(", "stdout()", "stderr()"])
        .into_iter()
        .filter(|file| {
            !file.starts_with("crates/proofmark/src/") && !file.starts_with("crates/agent/src/")
        })
        .collect();
    assert_eq!(strays, [""; 0]);
}

/// What an experiment finds out does not depend on how it is shown.
#[test]
fn nothing_that_measures_or_judges_knows_the_report() {
    let manifests = files("crates", &["Cargo.toml"]).into_iter();
    let knowing: Vec<String> = manifests
        .filter(|file| {
            let text = read(file);
            let own = text.split("[dev-dependencies]").next().unwrap_or_default();
            own.contains("proofmark-report.workspace")
        })
        .collect();
    assert_eq!(knowing, ["crates/proofmark/Cargo.toml"]);
}

/// `--quiet` leaves nothing but errors: what else is said asks for it first, in one of these files.
#[test]
fn only_progress_and_errors_are_said() {
    let said = with(&["console::say", "console::{print, say}"]);
    let known = [
        "cli/mod.rs",      // what is wrong with the command line
        "commands/mod.rs", // notes of a compiler, which has no --quiet
        "main.rs",         // errors
        "output/count.rs", // summaries, if asked for
        "progress.rs",     // progress and notes, if asked for
        "surroundings.rs", // what the toolchain does, if asked for
    ];
    assert_eq!(
        said,
        known.map(|file| format!("crates/proofmark/src/{file}"))
    );
}
