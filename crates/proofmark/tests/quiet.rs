//! `--quiet`: nothing on standard error but errors.

use std::process::{Command, Output};

use crate::count_place::Place;
use proofmark_test_support::jdks_with;

/// What a command that succeeds says on standard error.
fn said(done: &Output) -> String {
    assert!(done.status.success(), "{done:?}");
    String::from_utf8_lossy(&done.stderr).into_owned()
}

#[test]
fn counting_is_quiet() {
    let Some(place) = Place::new() else { return };
    let profile = place.path("profile.collapsed");
    let count = |more: &[&str]| {
        let mut words = vec!["count", "-o", profile.to_str().unwrap()];
        words.extend(more);
        words.extend(["--", place.javas[0].to_str().unwrap(), "-cp"]);
        words.extend([place.directory.path().to_str().unwrap(), "Work", "10"]);
        said(&place.proofmark(&words))
    };
    assert!(count(&[]).contains(" bytecodes in "));
    assert_eq!(count(&["--quiet"]), "");
}

#[test]
fn a_dry_run_is_quiet() {
    let Some(jdk) = jdks_with(&["javac", "jar"]).pop() else {
        return;
    };
    let home = tempfile::tempdir().unwrap();
    let assess = |more: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_proofmark"))
            .args(["assess", "suite:Queens", "--profiler", "jfr", "--dry-run"])
            .arg("--jdk")
            .arg(&jdk)
            .args(more)
            .env("HOME", home.path())
            .env_remove("XDG_CACHE_HOME")
            .output()
            .unwrap();
        assert!(!done.stdout.is_empty(), "{done:?}");
        said(&done)
    };
    // That nothing is calibrated below this home, or why there is no laboratory.
    assert!(!assess(&[]).is_empty());
    assert_eq!(assess(&["--quiet"]), "");
}
