//! Tests by dose on JVMs: the command, its result, and what of it is true on however busy a machine.
//!
//! Times of windows are the machine's business, and so are figures and verdicts that follow from them. What holds all the same: what was
//! counted, in which method the samples of a window lie, and that an interval is wide where little is known.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use proofmark_jvm::toolchain::{DoseKit, Settings};
use proofmark_test_support::{Need, need, quick_tool};
use serde_json::Value;

use super::{stderr, succeeds};

/// Of a site's window under the high dose, the least part of the samples in the method that spends the added time, where a profiler sees
/// it: the dose makes the program several times as slow, even if the clock was off by a factor of two when it was chosen.
pub const SEEN: f64 = 0.4;

/// JDKs of this machine, oldest first.
pub fn jdks() -> Vec<PathBuf> {
    let entries = std::fs::read_dir("/usr/lib/jvm").into_iter().flatten();
    // Each once, under whatever names it stands there.
    let real = entries.flatten().map(|entry| entry.path().canonicalize());
    let mut found: Vec<PathBuf> = real.flatten().collect();
    found.retain(|jdk| {
        let java = jdk.join("bin/java");
        java.exists() && DoseKit::assemble(&Settings::from_env(), &java).is_ok()
    });
    found.sort();
    found.dedup();
    let found = if found.is_empty() {
        Err("no JDK 17 or later")
    } else {
        Ok(found)
    };
    need(Need::Jvm, found).unwrap_or_default()
}

/// `dose` with these words, in one JVM per profiler unless they say otherwise.
pub fn dose(place: &Path, jdk: &Path, words: &[&str]) -> Output {
    command(place, jdk, words).output().unwrap()
}

/// The same, ready to run.
pub fn command(place: &Path, jdk: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
    let runs: &[&str] = if words.contains(&"--runs") {
        &[]
    } else {
        &["--runs", "1"]
    };
    command
        .args(["--quiet", "--format", "json", "--jdk"])
        .arg(jdk)
        .args(["dose", "--out"])
        .arg(place.join("out"))
        .args(runs)
        .args(words)
        .stdin(Stdio::null());
    command
}

/// Compiles a class into the folder.
pub fn compile(place: &Path, jdk: &Path, file: &str, source: &str) {
    std::fs::write(place.join(file), source).unwrap();
    let mut javac = quick_tool(jdk, "javac");
    succeeds(javac.arg("-d").arg(place).arg(place.join(file)));
}

/// What it printed.
pub fn result(output: &Output) -> Value {
    let said = || format!("{:?}: {}", output.status, stderr(output));
    assert_eq!(stderr(output), "", "--quiet, and no error");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said()))
}

/// The row of a method under a profiler. None where methods were compiled in too many of its windows, which the result must say then:
/// how long compilers take is the machine's business.
pub fn row<'r>(result: &'r Value, profiler: &str, method: &str) -> Option<&'r Value> {
    let rows = result["attribution"][profiler]["rows"].as_array().unwrap();
    let found = rows.iter().find(|row| row["method"] == method);
    if found.is_none() {
        let reason = left_out(result, method).unwrap_or_default();
        assert!(reason.contains("were compiled in"), "{method}: {result:#}");
    }
    found
}

/// Why a method was not tested.
pub fn left_out<'r>(result: &'r Value, method: &str) -> Option<&'r str> {
    let mut all = result["left_out"].as_array().unwrap().iter();
    let found = all.find(|one| one["method"] == method)?;
    found["reason"].as_str()
}

/// Whether the interval of an estimate reaches into this range: where little is known it does, whatever is in its middle.
pub fn may_lie(estimate: &Value, range: Range<f64>) -> bool {
    let end = |name: &str| {
        let end = estimate[name].as_f64();
        end.unwrap_or_else(|| panic!("no end {name}: {estimate}"))
    };
    end("low") < range.end && end("high") > range.start
}

/// The exit code that the verdicts of a result mean.
pub fn code(result: &Value) -> i32 {
    let all = result["attribution"].as_object().unwrap();
    let is = |verdict: &str| all.values().any(|one| one["verdict"] == verdict);
    let failed = result["failed"].as_object().unwrap();
    if all.is_empty() {
        3
    } else if is("wrong") {
        1
    } else if is("undecided") || !failed.is_empty() {
        4
    } else {
        0
    }
}

/// The part of the samples of a site's windows under the high dose that a profiler reported in a method, 0 to 1. Samples of a window are
/// taken side by side: how fast the machine was is not in it.
pub fn part_in(out: &Path, profiler: &str, site: usize, method: &str) -> f64 {
    let file = out.join(profiler).join("windows.json");
    let windows: Vec<Value> = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let of_site = windows
        .iter()
        .filter(|one| one["site"].as_u64() == Some(site as u64) && one["level"] == "high");
    let (mut own, mut all) = (0.0, 0.0);
    for window in of_site {
        all += window["other"].as_f64().unwrap();
        for (name, samples) in window["methods"].as_object().unwrap() {
            let samples = samples.as_f64().unwrap();
            all += samples;
            if name == method {
                own += samples;
            }
        }
    }
    assert!(all > 0.0, "no sample in {windows:#?}");
    own / all
}
