//! An assessment where the laboratory cannot be had: sites alone judge, and their finished result is kept. Its program is a JMH
//! benchmark.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::dosed::row;
use crate::common::stderr;
use crate::jmh::compiled;
use proofmark_test_support::jdks_with;
use serde_json::Value;

/// A JDK that is too old for the laboratory.
fn old_jdk() -> Option<PathBuf> {
    let jdks = jdks_with(&["javac"]);
    (jdks.len() > 1).then(|| jdks[0].clone())
}

/// In a directory with the benchmarks.
fn assess(jdk: &Path, place: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args(["--quiet", "--format", "json", "--jdk"])
        .arg(jdk)
        .arg("assess")
        .arg(format!("jmh:{}#b.Order.spin?size=30", place.display()))
        .args(["--profiler", "jfr", "--no-cause"])
        .args(["--method", "b.Order.spin"])
        .args([
            "--methods",
            "1",
            "--rounds",
            "2",
            "--window",
            "0.1",
            "--runs",
            "1",
            "--budget",
            "0",
            "--out",
        ])
        .arg(place.join("out"))
        .args(words)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

#[test]
fn sites_judge_alone_where_there_is_no_laboratory_and_are_not_measured_again() {
    let Some(jdk) = old_jdk() else { return };
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("out");
    compiled(place.path(), &jdk);
    let first = assess(&jdk, place.path(), &[]);
    let report: Value = serde_json::from_slice(&first.stdout)
        .unwrap_or_else(|_| panic!("{:?}: {}", first.status, stderr(&first)));
    let why = report["not_run"]["laboratory"].as_str().unwrap();
    assert!(why.contains("not 25") && !why.contains('\n'), "{why}");
    assert_eq!(report["profilers"], serde_json::json!([]));
    let of_jfr = &report["attribution"]["jfr"];
    assert_eq!(of_jfr["vehicle"], "sites");
    // How long compilers take is the machine's business: then the reason is there.
    let has_rows = !of_jfr["rows"].as_array().unwrap().is_empty();
    let said = report
        .to_string()
        .contains("methods with sites were compiled in");
    assert!(has_rows || said, "{report:#}");
    assert_eq!(report["verdict"], of_jfr["verdict"]);
    let code = match report["verdict"].as_str() {
        Some("right") => 0,
        Some("wrong") => 1,
        _ => 4,
    };
    assert_eq!(first.status.code(), Some(code));
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("id=\"matrix\"") && page.contains("id=\"not-run\""));

    time_put_into_a_short_benchmark_is_found(&out.join("sites/dose.json"));

    let second = assess(&jdk, place.path(), &["--no-laboratory"]);
    let again: Value = serde_json::from_slice(&second.stdout).unwrap();
    // Nothing measured comes out the same twice.
    assert_eq!(again["attribution"], report["attribution"]);
    assert_eq!(second.status.code(), Some(code));

    let insisted = assess(&jdk, place.path(), &["--laboratory"]);
    assert_eq!(insisted.status.code(), Some(3), "{}", stderr(&insisted));
    assert!(stderr(&insisted).contains("not 25"));
}

/// Its iterations take some microseconds: as many are measured together as make a millisecond.
fn time_put_into_a_short_benchmark_is_found(file: &Path) {
    let result: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    assert_eq!(result["program"], "b.Order.spin size=30");
    if let Some(row) = row(&result, "jfr", "b.Order.spin") {
        assert!(row["growth_pct"][1].as_f64().unwrap() > 10.0, "{row:#}");
    }
}
