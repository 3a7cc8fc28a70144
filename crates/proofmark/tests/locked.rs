//! Commands that begin anew each time hold their directory: a second one would overwrite what the first one records.

use std::ffi::OsString;
use std::path::Path;
use std::process::Output;

use crate::common::dosed::{dose, jdks};
use crate::common::stderr;
use crate::race::{built, proofmark};
use proofmark::exit::{CANNOT, code_of};
use proofmark::session::run_place;
use proofmark_store::Lock;

/// Names of what is in a directory, sorted.
fn names(directory: &Path) -> Vec<OsString> {
    let entries = std::fs::read_dir(directory).unwrap();
    let mut names: Vec<OsString> = entries.map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    names
}

/// What a command is answered whose `--out` this process holds.
fn is_refused(out: &Path, run: impl FnOnce() -> Output) {
    std::fs::create_dir_all(out).unwrap();
    let lock = Lock::take(out).unwrap();
    let output = run();
    drop(lock);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{text}");
    let holder = std::process::id();
    let sentence = format!("another Proofmark (process {holder}) works on this run");
    assert!(text.contains(&sentence), "{text}");
    assert_eq!(output.stdout, b"", "{text}");
    assert_eq!(names(out), ["lock"], "something was started");
}

#[test]
fn a_place_is_held_as_long_as_its_value_lives() {
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    let first = run_place(Some(&out), "dose").unwrap();
    assert_eq!(first.directory(), out);
    let refused = run_place(Some(&out), "race").unwrap_err();
    assert_eq!(code_of(&refused), CANNOT, "{refused}");
    // As one kind of dose below that of all, and sites below an assessment.
    drop(run_place(Some(&out.join("arithmetic")), "dose").unwrap());
    drop(first);
    drop(run_place(Some(&out), "dose").unwrap());
}

/// Not even a JDK is looked for.
#[test]
fn dose_with_every_kind_does_not_share_its_directory() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    is_refused(&here.join("out"), || {
        let words = ["dose", "--dose", "all", "--out", "out", "suite:Towers"];
        let mut command = proofmark(&words, here);
        command.env_clear().env("HOME", here);
        command.output().unwrap()
    });
}

#[test]
fn dose_does_not_share_its_directory() {
    let Some(jdk) = jdks().pop() else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    is_refused(&here.join("out"), || {
        let words = ["--profiler", "jfr", "--methods", "1", "suite:Towers"];
        dose(here, &jdk, &words)
    });
}

#[test]
fn native_dose_and_race_do_not_share_their_directory() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    if !built(here) {
        return;
    }
    let program = ["--", "./racing", "1"];
    for words in [
        &["dose", "--out", "out"][..],
        &["race", "--function", "next", "--out", "out"],
    ] {
        is_refused(&here.join("out"), || {
            let words = [&["--quiet"][..], words, &program].concat();
            proofmark(&words, here).output().unwrap()
        });
    }
}

/// Nobody else has its name, but somebody may be told it.
#[test]
fn a_directory_that_nobody_named_is_held_as_well() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    if !built(here) {
        return;
    }
    let words = ["race", "--function", "next", "--turns", "1000", "--runs"];
    let words = [
        &words[..],
        &["1", "--timeout", "300", "--", "./racing", "1"],
    ]
    .concat();
    let mut command = proofmark(&words, here);
    let output = command.env("XDG_STATE_HOME", here).output().unwrap();
    let runs = here.join("proofmark/runs");
    let all = names(&runs);
    assert_eq!(all.len(), 1, "{}", stderr(&output));
    let left = names(&runs.join(&all[0]));
    for file in ["lock", "race.json"] {
        assert!(left.iter().any(|name| name == file), "{left:?}");
    }
}
