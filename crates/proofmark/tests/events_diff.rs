//! `events diff` as a process: a short `main`, and a directory that holds its JVMs.

mod common;

use std::process::{Command, Output, Stdio};

use common::{Place, compile, kit, stderr};
use serde_json::Value;

/// Some 0.1 ms of work: many runs are measured as one iteration.
const SHORT: &str =
    "static int work(int n) { int s = 0; for (int i = 0; i < n; i++) { s += i % 7; } return s; }
    public static void main(String[] args) { System.out.println(work(50_000)); }";

fn diff(place: &Place, iterations: &str) -> Output {
    let words = ["--format", "json", "events", "diff", "class:Short"];
    let options = ["--heap", "64", "--jvms", "2"];
    Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args(words)
        .arg("--class-path")
        .arg(place.path())
        .args(options)
        .args(["--b=-Djdk.graal.FullUnroll=false", "--iterations"])
        .args([iterations, "--out"])
        .arg(place.path().join("out"))
        .env("TMPDIR", place.path().join("tmp"))
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn result(output: &Output) -> Value {
    let compared = matches!(output.status.code(), Some(0 | 1));
    assert!(compared, "{}", stderr(output));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn a_short_main_is_compared_by_its_runs_and_finished_jvms_are_kept() {
    let Some(kit) = kit() else { return };
    let place = Place::new();
    compile(&kit, place.path(), "Short", SHORT);
    let first = result(&diff(&place, "2"));
    let runs = first["runs_per_iteration"].as_u64().unwrap();
    assert!(runs > 1, "{first}");
    assert!(first["differences"]["detectable_pct"].is_number());
    // None of its JVMs runs again.
    let log = place.path().join("out").join("a-1.log");
    std::fs::remove_file(&log).unwrap();
    let again = result(&diff(&place, "2"));
    assert_eq!(first["differences"], again["differences"]);
    assert!(!log.exists());
    let other = diff(&place, "3");
    assert_eq!(other.status.code(), Some(2));
    let said = stderr(&other);
    assert!(said.contains("--iterations (2 there, 3 now)"), "{said}");
}
