//! Compiler wrappers that stand in each other.

use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::common::stderr;
use crate::native::{compiler, proofmark};

/// A compiler's stand-in: notes that it was started, and goes on with a line of shell.
fn script(place: &Path, name: &str, line: &str) -> PathBuf {
    let path = place.join(name);
    let text = format!(
        "#!/bin/sh\necho {name} >> {}/started\n{line}\n",
        place.display()
    );
    std::fs::write(&path, text).unwrap();
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    path
}

/// How many compilers were started.
fn started(place: &Path) -> usize {
    let noted = std::fs::read_to_string(place.join("started")).unwrap_or_default();
    noted.lines().count()
}

/// The path, with a directory in front.
fn before_path(place: &Path) -> String {
    let path = std::env::var("PATH").unwrap();
    format!("{}:{path}", place.display())
}

/// Ends with a word of what to do, and soon.
fn refused(command: &mut Command, place: &Path) {
    let output: Output = command.output().unwrap();
    let said = stderr(&output);
    assert!(!output.status.success(), "{said}");
    assert!(said.contains("is proofmark itself"), "{said}");
    assert!(said.contains("PROOFMARK_CC"), "{said}");
    // Each may start two: the one that failed, and one that does without.
    assert!(started(place) <= 32, "{} were started", started(place));
}

#[test]
fn a_wrapper_that_is_its_own_compiler_ends_with_a_word() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    std::fs::write(place.join("a.c"), "int main(void) { return 0; }\n").unwrap();
    let own = env!("CARGO_BIN_EXE_proofmark");
    let masked = script(place, "masked", &format!("exec '{own}' cc \"$@\""));
    let words = ["cc", "-O2", "a.c", "-o", "a"];
    refused(proofmark(&words, place).env("PROOFMARK_CC", &masked), place);
    refused(
        proofmark(&words, place).env("PROOFMARK_CC", format!("{own} cc")),
        place,
    );
    // A `cc` in the path that is the wrapper.
    script(place, "cc", &format!("exec '{own}' cc \"$@\""));
    refused(
        proofmark(&words, place).env("PATH", before_path(place)),
        place,
    );
    assert!(!place.join("a").exists());
}

#[test]
fn a_rustc_that_is_the_wrapper_ends_with_a_word() {
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    std::fs::write(place.join("a.rs"), "fn main() {}\n").unwrap();
    let own = env!("CARGO_BIN_EXE_proofmark");
    script(place, "rustc", &format!("exec '{own}' rustc \"$@\""));
    let words = ["rustc", "a.rs"];
    refused(
        proofmark(&words, place).env("PATH", before_path(place)),
        place,
    );
}

/// A compiler may be one of ours once: C++ programs name `cc` that way.
#[test]
fn a_wrapper_around_another_one_compiles() {
    let Some(gcc) = compiler("gcc") else { return };
    let place = tempfile::tempdir().unwrap();
    let place = place.path();
    std::fs::write(place.join("a.c"), "int main(void) { return 7; }\n").unwrap();
    symlink(gcc, place.join("inner")).unwrap();
    let own = env!("CARGO_BIN_EXE_proofmark");
    let inner = place.join("inner").display().to_string();
    let line = format!("PROOFMARK_CC='{inner}' exec '{own}' cc \"$@\"");
    let outer = script(place, "outer", &line);
    let output = proofmark(&["cc", "-O2", "a.c", "-o", "a"], place)
        .env("PROOFMARK_CC", outer)
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(started(place) > 0);
    let status = Command::new(place.join("a")).status().unwrap();
    assert_eq!(status.code(), Some(7));
}
