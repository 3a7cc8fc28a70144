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

/// Our command in a directory.
pub fn proofmark(words: &[&str], here: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
    command.args(words).current_dir(here).stdin(Stdio::null());
    command
}

/// The program with the race and the one without; false where they cannot be built.
pub fn built(here: &Path) -> bool {
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

/// `race` of the function between reading and writing. No run is ended because a busy machine takes its time.
fn race(words: &[&str], here: &Path) -> (Value, Option<i32>) {
    let start = ["--quiet", "--format", "json", "race", "--function", "next"];
    let words = [&start[..], &["--timeout", "300"], words].concat();
    let output = proofmark(&words, here).output().unwrap();
    (result(&output), output.status.code())
}

/// Turns in each of 200 calls that keep either thread busy for some 0.1 s, so that both are in the middle of it for sure, be there two
/// processors for them or half of one.
const TURNS: &str = "200000";

#[test]
fn a_dose_widens_a_race_and_a_mutex_closes_it() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    if !built(here) {
        return;
    }
    let words = ["--turns", TURNS, "--runs", "10"];
    let racing = ["--out", "out", "--", "./racing", "200"];
    let (found, code) = race(&[&words[..], &racing].concat(), here);
    assert_eq!(code, Some(1), "{found:#}");
    let row = &found["functions"][0];
    let (with, without) = (failed(&row["with"]), failed(&found["without"]));
    assert!(with >= 8 && with >= without, "{found:#}");
    assert_eq!(row["turns"].to_string(), TURNS);
    // Where others make threads wait in the middle, the race may show without a dose as well.
    assert!(row["differs"] == true || without > 2, "{found:#}");
    assert_eq!(row["with"]["ends"]["exit status 1"], with);
    assert!(here.join("out/race.json").is_file());
    // What is said to run it once with the dose does so.
    let by_hand = row["by_hand"].as_str().unwrap();
    let by_hand = || {
        let mut shell = Command::new("sh");
        shell.args(["-c", by_hand]).current_dir(here).output()
    };
    let mut lost = (0..10).map(|_| by_hand().unwrap().status.code() == Some(1));
    assert!(lost.any(|lost| lost), "{found:#}");
    // The same dose, and a mutex around it.
    let fixed = ["--out", "fixed.out", "--", "./fixed", "200"];
    let (found, code) = race(&[&words[..], &fixed].concat(), here);
    assert_eq!(code, Some(0), "{found:#}");
    let row = &found["functions"][0];
    assert_eq!((failed(&row["with"]), failed(&found["without"])), (0, 0));
    assert_eq!(row["differs"], false);
    let remark = found["remarks"][0].as_str().unwrap();
    assert!(remark.contains("no run failed"), "{remark}");
}

/// How often it fails with a dose that was found so is the machine's business; that it takes longer is not.
#[test]
fn a_dose_is_found_that_slows_the_program() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    if !built(here) {
        return;
    }
    let words = ["--runs", "3", "--out", "out", "--", "./fixed", "200"];
    let (found, code) = race(&words, here);
    assert_eq!(code, Some(0), "{found:#}");
    let row = &found["functions"][0];
    let cpu_s = |runs: &Value| runs["cpu_s"].as_f64().unwrap();
    // It adds some 0.05 s; without it a run takes some 0.001 s.
    let (with, without) = (cpu_s(&row["with"]), cpu_s(&found["without"]));
    assert!(with > 0.01 && with > 2.0 * without, "{found:#}");
}

#[test]
fn what_cannot_get_a_dose_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    if !built(here) {
        return;
    }
    let said = |words: &[&str]| {
        let start = [
            "--quiet",
            "race",
            "--out",
            "out",
            "--runs",
            "1",
            "--timeout",
            "300",
        ];
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
