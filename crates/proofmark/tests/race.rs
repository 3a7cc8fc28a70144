//! Race widening of a program whose race is known, and of the same program without it.

use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::{stderr, succeeds};
use proofmark_test_support::{Need, fits, need, on_path};
use serde_json::Value;

/// Two threads lose updates of a counter; with -DFIXED a mutex keeps them from it.
const RACE: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/studies/native/race.c"
);

fn proofmark(words: &[&str], here: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
    command.args(words).current_dir(here).stdin(Stdio::null());
    command
}

/// The program with the race and the one without; false where they cannot be built.
fn built(here: &Path) -> bool {
    let cc = on_path("cc").ok_or("no cc in PATH (apt-get install gcc)");
    if need(Need::Perf, cc).is_none() {
        return false;
    }
    let words = ["cc", "-O2", "-g", "-pthread", RACE];
    for own in [&["-o", "racing"][..], &["-DFIXED", "-o", "fixed"]] {
        succeeds(&mut proofmark(&[&words[..], own].concat(), here));
    }
    true
}

fn result(output: &Output) -> Value {
    let value: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{:?}: {}", output.status, stderr(output)));
    fits("race.schema.json", &value);
    value
}

fn failed(runs: &Value) -> u64 {
    runs["failed"].as_u64().unwrap()
}

#[test]
fn a_dose_widens_a_race_and_a_mutex_closes_it() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    if !built(here) {
        return;
    }
    let start = ["--quiet", "--format", "json", "race", "--function", "next"];
    let racing = ["--runs", "20", "--out", "out", "--", "./racing", "200"];
    let output = proofmark(&[&start[..], &racing].concat(), here)
        .output()
        .unwrap();
    let found = result(&output);
    assert_eq!(output.status.code(), Some(1), "{found:#}");
    let row = &found["functions"][0];
    let (with, without) = (failed(&row["with"]), failed(&found["without"]));
    assert!(with >= 10 && with >= without + 6, "{found:#}");
    assert_eq!(row["differs"], true, "{found:#}");
    assert_eq!(row["with"]["ends"]["exit status 1"], with);
    assert!(here.join("out/race.json").is_file());
    // What is said to run it once with the dose does so.
    let by_hand = row["by_hand"].as_str().unwrap();
    let by_hand = || {
        let mut shell = Command::new("sh");
        shell.args(["-c", by_hand]).current_dir(here).output()
    };
    let lost = (0..20).filter(|_| by_hand().unwrap().status.code() == Some(1));
    assert!(lost.count() > 0, "{found:#}");
    // The same dose, and a mutex around it.
    let turns = row["turns"].to_string();
    let fixed = [
        "--turns",
        turns.as_str(),
        "--runs",
        "20",
        "--out",
        "fixed.out",
        "--",
        "./fixed",
        "200",
    ];
    let output = proofmark(&[&start[..], &fixed].concat(), here)
        .output()
        .unwrap();
    let found = result(&output);
    assert_eq!(output.status.code(), Some(0), "{found:#}");
    let row = &found["functions"][0];
    assert_eq!((failed(&row["with"]), failed(&found["without"])), (0, 0));
    assert_eq!(row["differs"], false);
    let remark = found["remarks"][0].as_str().unwrap();
    assert!(remark.contains("no run failed"), "{remark}");
}

#[test]
fn what_cannot_get_a_dose_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    if !built(here) {
        return;
    }
    let said = |words: &[&str]| {
        let start = ["--quiet", "race", "--out", "out", "--runs", "1"];
        let output = proofmark(&[&start[..], words].concat(), here)
            .output()
            .unwrap();
        (output.status.code(), stderr(&output))
    };
    let (code, text) = said(&["--function", "nowhere", "--", "./racing"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(
        text.contains("no site in a function of that name"),
        "{text}"
    );
    // Without a count nothing is done.
    let (code, text) = said(&["--function", "next", "--", "./racing", "0"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("next: a loop in it hardly slows"), "{text}");
    // A shell has no sites of its own.
    let (code, text) = said(&["--function", "next", "--", "/bin/sh", "-c", "./racing"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("has no sites"), "{text}");
}
