//! A recording in which nothing counts is no run in which every method has 0 %.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

fn proofmark(arguments: &[&str], directory: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args(arguments)
        .arg("--quiet")
        .current_dir(directory)
        .output()
        .expect("proofmark")
}

/// The result of a command that finds nothing to complain about, with `--format json`.
fn json(arguments: &[&str], directory: &Path) -> Value {
    let output = proofmark(&[arguments, &["--format", "json"]].concat(), directory);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Half of the samples in `A.f`, half in `A.g`.
const HALVES: &str = "A.main;A.f 50\nA.main;A.g 50\n";
/// All samples outside of Java code.
const NATIVE: &str = "main;memset 100\n";
const PATTERN: [&str; 2] = ["--group-by", "{profiler}-{run}.collapsed"];

fn write(directory: &Path, name: &str, stacks: &str) {
    let path = directory.join(name);
    std::fs::create_dir_all(path.parent().expect("a directory")).expect("directory");
    std::fs::write(path, stacks).expect("recording");
}

/// `a` has a recording without Java code besides two others, `b` only the others, `none` only the first.
fn recordings() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("directory");
    for (name, stacks) in [
        ("a/async-1.collapsed", HALVES),
        ("a/async-2.collapsed", HALVES),
        ("a/async-3.collapsed", NATIVE),
        ("b/async-1.collapsed", HALVES),
        ("b/async-2.collapsed", HALVES),
        ("none/async-3.collapsed", NATIVE),
    ] {
        write(directory.path(), name, stacks);
    }
    directory
}

/// That it was left out is said once.
fn said(json: &Value, name: &str) {
    let remarks = json["remarks"].as_array().expect("remarks").iter();
    let begin = format!("Left out: {name}: no sample in Java code counts");
    let left_out = remarks.filter_map(Value::as_str);
    let left_out = left_out.filter(|remark| remark.starts_with(&begin));
    assert_eq!(left_out.count(), 1, "{}", json["remarks"]);
}

/// Both runs that count are the same.
fn reproducible(json: &Value) {
    let async_profiler = &json["profilers"]["async"];
    assert_eq!(async_profiler["runs"], 2);
    assert_eq!(async_profiler["max_difference_pt"], 0.0);
    assert_eq!(async_profiler["unstable_methods"], 0);
}

#[test]
fn recordings_in_which_nothing_counts_are_left_out() {
    let directory = recordings();
    let analyzed = json(
        &[&["study", "analyze", "a"][..], &PATTERN].concat(),
        directory.path(),
    );
    said(&analyzed, "a/async-3.collapsed");
    reproducible(&analyzed);
    // Given by name it is left out as well.
    let files = [
        "a/async-1.collapsed",
        "a/async-2.collapsed",
        "a/async-3.collapsed",
    ];
    let named = json(
        &[&["study", "analyze"][..], &files, &PATTERN].concat(),
        directory.path(),
    );
    said(&named, "a/async-3.collapsed");
    reproducible(&named);
    let compared = json(
        &[&["diff", "a", "b"][..], &PATTERN].concat(),
        directory.path(),
    );
    said(&compared, "a/async-3.collapsed");
    assert_eq!(compared["compared"][0]["runs_a"], 2);
    assert_eq!(compared["changed"], 0);
    for change in compared["changes"].as_array().expect("changes") {
        assert_eq!(change["a_pct"], 50.0, "{change}");
        assert_eq!(change["b_pct"], 50.0, "{change}");
    }
}

#[test]
fn with_native_code_it_counts() {
    let directory = recordings();
    let words = [&["study", "analyze", "a", "--native"][..], &PATTERN].concat();
    let analyzed = json(&words, directory.path());
    assert_eq!(analyzed["profilers"]["async"]["runs"], 3);
    assert_eq!(analyzed["profilers"]["async"]["max_difference_pt"], 100.0);
}

#[test]
fn nothing_that_counts_is_an_error() {
    let directory = recordings();
    let output = proofmark(&["study", "analyze", "none"], directory.path());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let error = String::from_utf8_lossy(&output.stderr);
    for words in ["no recording with samples in none", "--native"] {
        assert!(error.contains(words), "{error}");
    }
}

/// The same in a directory of `study run`.
#[test]
fn runs_of_a_study_in_which_nothing_counts_are_left_out() {
    let directory = tempfile::tempdir().expect("directory");
    let mut list = String::new();
    for (run, stacks) in [(0, HALVES), (1, HALVES), (2, NATIVE)] {
        let file = format!("recordings/{run}.collapsed");
        write(directory.path(), &format!("study/{file}"), stacks);
        list += &format!(
            r#"{{"program":"One","profiler":"async","run":{run},"file":"{file}","interval_ns":null,"iterations_ms":[1.0],"env_bytes":0,"seed":1,"failure":null}}"#
        );
        list.push('\n');
    }
    std::fs::write(directory.path().join("study/runs.jsonl"), list).expect("list");
    let analyzed = json(&["study", "analyze", "study"], directory.path());
    said(&analyzed, "run 2 of One under async");
    reproducible(&analyzed);
}
