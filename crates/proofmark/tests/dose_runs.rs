//! The test by dose in several JVMs: each has its own word.

use std::process::{Command, Stdio};

use crate::common::dosed::{compile, row};
use crate::common::stderr;
use proofmark_test_support::jdks_with;
use serde_json::Value;

const MIDDLE: &str = "
public class Middle {
    static long sum;
    static int work(int x) {
        for (int i = 0; i < 50; i++) { x ^= x >>> 15; x *= 0x2c1b3c6d; }
        return x;
    }
    public static void main(String[] arguments) {
        for (int i = 0; i < 20_000; i++) { sum += work(i); }
    }
}
";

/// Doses that the first JVM found serve the second one, and both are counted.
#[test]
fn every_jvm_has_its_word_and_the_row_is_over_jvms() {
    let Some(jdk) = jdks_with(&["java", "javac"]).pop() else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    compile(place.path(), &jdk, "Middle.java", MIDDLE);
    let output = Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args(["--quiet", "--format", "json", "--jdk"])
        .arg(&jdk)
        .args(["dose", "--runs", "2", "--rounds", "4", "--budget", "0"])
        .args(["--window", "0.1"])
        .args(["--profiler", "jfr+nonsafepoints", "--methods", "1"])
        .args(["--method", "Middle.work", "--out"])
        .arg(place.path().join("out"))
        .arg("--")
        .arg(jdk.join("bin/java"))
        .arg("-cp")
        .arg(place.path())
        .arg("Middle")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = || format!("{:?}: {}", output.status, stderr(&output));
    let result: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said()));
    assert_eq!(result["replication"]["level"], "runs");
    assert_eq!(result["replication"]["runs"], 2);
    let profiler = "jfr+nonsafepoints";
    let of = &result["attribution"][profiler];
    let counted = |words: &Value| -> u64 {
        let all = ["right", "wrong", "undecided"];
        all.iter().filter_map(|word| words[*word].as_u64()).sum()
    };
    // There is one, unless the JVM compiled all the time.
    let has_rows = row(&result, profiler, "Middle.work").is_some();
    assert!(!has_rows || counted(&of["jvms"]) == 2, "{result:#}");
    for row in of["rows"].as_array().unwrap() {
        assert_eq!(row["in_place_pct"]["n"], 2, "{row:#}");
        assert_eq!(counted(&row["jvms"]), 2, "{row:#}");
        let each = row["in_place_per_run_pct"].as_array().unwrap();
        let samples = each.iter().filter_map(|part| part["n"].as_u64());
        assert!(each.len() == 2 && samples.min() > Some(10), "{row:#}");
    }
    for jvm in ["jfr+nonsafepoints", "jfr+nonsafepoints-run-2"] {
        assert!(place.path().join("out").join(jvm).is_dir(), "{jvm}");
    }
}
