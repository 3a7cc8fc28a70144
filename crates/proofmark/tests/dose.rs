//! The test by dose on real JVMs: a profiler that is known to be wrong, one that is right, and input that cannot be.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::{stderr, succeeds};
use proofmark_jvm::toolchain::{DoseKit, Settings};
use proofmark_test_support::{Need, need};
use serde_json::Value;

/// JDKs of this machine, oldest first.
fn jdks() -> Vec<PathBuf> {
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

fn dose(place: &Path, jdk: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args(["--quiet", "--format", "json", "--jdk"])
        .arg(jdk)
        .args(["dose", "--runs", "1", "--out"])
        .arg(place.join("out"))
        .args(words)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// Compiles a class into the folder.
fn compile(place: &Path, jdk: &Path, file: &str, source: &str) {
    std::fs::write(place.join(file), source).unwrap();
    let mut javac = Command::new(jdk.join("bin/javac"));
    succeeds(javac.arg("-d").arg(place).arg(place.join(file)));
}

fn result(output: &Output) -> Value {
    let said = || format!("{:?}: {}", output.status, stderr(output));
    assert_eq!(stderr(output), "", "--quiet, and no error");
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said()))
}

/// The row of a method under a profiler.
fn row<'r>(result: &'r Value, profiler: &str, method: &str) -> &'r Value {
    let rows = result["attribution"][profiler]["rows"].as_array().unwrap();
    let found = rows.iter().find(|row| {
        row["method"]
            .as_str()
            .is_some_and(|name| name.ends_with(method))
    });
    found.unwrap_or_else(|| panic!("no row {method}: {result:#}"))
}

/// Two methods without a safepoint of their own, in a loop that has one.
const BLIND: &str = "
public class Blind {
    static long sum;
    static int mix(int x) { x ^= x >>> 15; x *= 0x2c1b3c6d; x ^= x >>> 12; x *= 0x297a2d39; return x ^ x >>> 15; }
    static int fold(int x) { x *= 0x7feb352d; x ^= x >>> 16; x *= 0x846ca68b; x ^= x >>> 13; return x * 31; }
    static void work(int n) { for (int i = 0; i < n; i++) { sum += mix(i) ^ fold(i + n); } }
    public static void main(String[] arguments) {
        for (int i = 0; i < 100; i++) { work(10_000 + i); }
    }
}
";

/// The clock's, and what executions and turns take; executions are known here.
fn two_truths_agree(result: &Value) {
    for site in result["sites"].as_array().unwrap() {
        let inner = (10_000..10_100).sum::<u32>();
        let of_work = site["method"] == "Blind.work";
        // A loop's head is reached once more than its body.
        let reached = match (of_work, site["place"] == "entry") {
            (true, true) => 100,
            (true, false) => inner + 100,
            (false, _) => inner,
        };
        assert_eq!(site["executions"], f64::from(reached), "{site:#}");
        let part = site["by_count_pct"]["value"].as_f64();
        assert_eq!(part.is_some(), site["steps"].as_f64() >= Some(16.0));
        let agrees = part.is_none_or(|part| (70.0..130.0).contains(&part));
        assert!(agrees, "{site:#}");
    }
}

/// Whether the JVM inlines them is its own choice, and so not left to it: what it inlines is out of JFR's sight.
#[test]
fn what_the_jvm_keeps_between_safepoints_decides_what_jfr_reports() {
    for jdk in jdks() {
        let place = tempfile::tempdir().unwrap();
        compile(place.path(), &jdk, "Blind.java", BLIND);
        let java = jdk.join("bin/java");
        let output = dose(
            place.path(),
            &jdk,
            &[
                "--profiler",
                "jfr,jfr+nonsafepoints",
                "--methods",
                "3",
                "--rounds",
                "2",
                "--budget",
                "0",
                "--",
                java.to_str().unwrap(),
                "-XX:CompileCommand=quiet",
                "-XX:CompileCommand=inline,Blind.mix",
                "-XX:CompileCommand=inline,Blind.fold",
                "-cp",
                place.path().to_str().unwrap(),
                "Blind",
            ],
        );
        let result = result(&output);
        let in_place = |profiler: &str, method: &str| {
            row(&result, profiler, method)["in_place_pct"]["value"]
                .as_f64()
                .unwrap()
        };
        for method in [".mix", ".fold", ".work"] {
            let part = in_place("jfr+nonsafepoints", method);
            // Far from the nothing that a blind profiler reports, however busy the machine is.
            assert!(
                (50.0..150.0).contains(&part),
                "{}: {method} {part}",
                jdk.display()
            );
        }
        two_truths_agree(&result);
        // They are one unit: what JFR shows is the method of one of the few positions that the JVM keeps.
        let rows = result["attribution"]["jfr"]["rows"].as_array().unwrap();
        let blind: Vec<&Value> = rows
            .iter()
            .filter(|row| row["verdict"] == "wrong")
            .filter(|row| row["in_place_pct"]["value"].as_f64() < Some(90.0))
            .filter(|row| row["reveals_itself"] == false)
            .collect();
        // Where it happens to see the sites of all three, their own code is in one of them all the same.
        let shown = &result["attribution"]["jfr"]["profile"]["misplaced_pt"][0];
        let contradicted = shown.as_f64().is_some_and(|points| points > 5.0);
        let found = contradicted || rows.iter().any(|row| row["verdict"] == "wrong");
        assert!(found, "{}: {result:#}", jdk.display());
        for row in blind {
            let parts = row["elsewhere"].as_array().unwrap().iter();
            let named: f64 = parts.map(|one| one["pct"]["value"].as_f64().unwrap()).sum();
            let all = named + row["in_place_pct"]["value"].as_f64().unwrap();
            assert!(named > 10.0 && (50.0..150.0).contains(&all), "{row:#}");
            assert_ne!(row["line_verdict"], "right");
            assert_eq!(row["in_place_per_run_pct"].as_array().unwrap().len(), 1);
        }
        // How much time the blind method takes is known if another profiler is certified, for which a busy machine may
        // leave intervals too wide: then nothing is decided.
        let verdict = &result["attribution"]["jfr"]["verdict"];
        let decided = *verdict == "wrong";
        assert!(decided || *verdict == "undecided", "{verdict}");
        assert_eq!(output.status.code(), Some(if decided { 1 } else { 4 }));
        let advice = result["advice"].as_str().unwrap();
        let charged = advice.starts_with("jfr is wrong");
        assert!(charged || !decided, "{advice}");
        let cured = advice.contains("; start the JVM with ");
        assert!(decided || !cured, "{advice}");
        assert!(place.path().join("out/dose.json").is_file());
    }
}

const VICTIM: &str = "
public class Victim {
    static long sum;
    static void spin(int n) { for (int i = 0; i < n; i++) { sum += i ^ (sum >>> 3); } }
    static void never() { sum++; }
    static native void out();
    public static void main(String[] arguments) {
        for (int i = 0; i < 200; i++) { spin(20_000); }
        if (arguments.length > 0) { never(); }
        System.out.println(\"done\");
        System.exit(0);
    }
}
";

/// The user's own flags: nothing is compiled. A method is entered 200 times, so that its loop gets the site or a long one
/// its entry; another does not exist, one is native, one never runs.
#[test]
fn methods_that_cannot_be_tested_are_named_and_the_rest_is_judged() {
    let Some(jdk) = jdks().into_iter().next() else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    compile(place.path(), &jdk, "Victim.java", VICTIM);
    let java = jdk.join("bin/java").display().to_string();
    let path = place.path().display().to_string();
    let mut words = vec!["--profiler", "safepoint", "--rounds", "1", "--budget", "0"];
    for method in [
        "Victim.nothing",
        "Victim.out",
        "Victim.never",
        "no.such.Class.run",
    ] {
        words.extend(["--method", method]);
    }
    words.extend([
        "--methods",
        "6",
        "--",
        &java,
        "-Xint",
        "-cp",
        &path,
        "Victim",
    ]);
    let output = dose(place.path(), &jdk, &words);
    let result = result(&output);
    let reason = |method: &str| {
        let all = result["left_out"].as_array().unwrap().iter();
        let one = all.clone().find(|one| one["method"] == method);
        one.and_then(|one| one["reason"].as_str())
            .unwrap_or_else(|| panic!("{method}: {result:#}"))
            .to_owned()
    };
    assert!(reason("Victim.nothing").contains("no such method"));
    assert!(reason("Victim.out").contains("native"));
    assert!(reason("Victim.never").contains("hardly slows"));
    assert!(reason("no.such.Class.run").contains("not loaded"));
    let spin = row(&result, "safepoint", "Victim.spin");
    assert!(spin["growth_pct"][1].as_f64().unwrap() > 50.0, "{spin:#}");
    assert_eq!(spin["line_verdict"], "unknown");
    assert_eq!(result["replication"]["level"], "windows");
    assert_eq!(result["jvm"]["options"][0], "-Xint");
}

/// There is nothing to see for a profiler of CPU time.
#[test]
fn programs_that_wait_are_refused() {
    let Some(jdk) = jdks().into_iter().next() else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    let words = ["--profiler", "jfr", "suite:trouble.Cold"];
    let output = dose(place.path(), &jdk, &words);
    assert_eq!(output.status.code(), Some(3));
    let said = stderr(&output);
    assert!(said.contains("never hot"), "{said}");
    assert!(
        !said.contains("jfr:"),
        "it is not the profiler's fault: {said}"
    );
}

/// Four threads of a pool do the work, one method twice as much as the other; the calling thread waits.
const CREW: &str = "
import java.util.*;
import java.util.concurrent.*;
public class Crew {
    static final ExecutorService POOL = Executors.newFixedThreadPool(4, work -> {
        Thread thread = new Thread(work);
        thread.setDaemon(true);
        return thread;
    });
    static int mix(int x) { x ^= x >>> 15; x *= 0x2c1b3c6d; x ^= x >>> 12; x *= 0x297a2d39; return x ^ x >>> 15; }
    static int fold(int x) { x *= 0x7feb352d; x ^= x >>> 16; x *= 0x846ca68b; x ^= x >>> 13; return x * 31; }
    static long work(int from) {
        long sum = 0;
        for (int i = from; i < from + 20_000; i++) { sum += mix(i) + mix(i ^ 77) + fold(i); }
        return sum;
    }
    public static void main(String[] arguments) throws Exception {
        List<Callable<Long>> parts = new ArrayList<>();
        for (int i = 0; i < 32; i++) { int from = 20_000 * i; parts.add(() -> work(from)); }
        long sum = 0;
        for (Future<Long> part : POOL.invokeAll(parts)) { sum += part.get(); }
        System.out.println(sum);
    }
}
";

/// The calling thread has neither the time nor the samples.
#[test]
fn the_work_of_a_pool_is_judged() {
    let Some(jdk) = jdks().pop() else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    compile(place.path(), &jdk, "Crew.java", CREW);
    let (java, path) = (jdk.join("bin/java"), place.path().display().to_string());
    let output = dose(
        place.path(),
        &jdk,
        &[
            "--profiler",
            "jfr+nonsafepoints",
            "--methods",
            "2",
            "--method",
            "Crew.mix",
            "--method",
            "Crew.fold",
            "--rounds",
            "2",
            "--budget",
            "0",
            "--",
            java.to_str().unwrap(),
            "-cp",
            &path,
            "Crew",
        ],
    );
    let result = result(&output);
    for method in [".mix", ".fold"] {
        let row = row(&result, "jfr+nonsafepoints", method);
        // Whether it is in place is JFR's affair: of threads that run at the same time it may show the caller.
        assert!(row["in_place_pct"]["n"].as_u64() > Some(100), "{row:#}");
        assert!(row["growth_pct"][1].as_f64().unwrap() > 10.0, "{row:#}");
    }
    let threads = &result["threads"];
    assert!(threads["busy"].as_u64() >= Some(4), "{threads}");
    let busiest = threads["busiest_pct"].as_f64().unwrap();
    assert!((10.0..95.0).contains(&busiest), "{threads}");
    let remarks = result["remarks"].as_array().unwrap();
    let said = |text: &str| {
        remarks
            .iter()
            .any(|one| one.as_str().unwrap().contains(text))
    };
    assert!(said("threads of the program have CPU time"), "{remarks:?}");
    assert!(said("whether or not they have a processor"), "{remarks:?}");
}

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

/// Every kind of turn slows a program of this JVM, and has a result of its own. Time of a call is looked for in the method
/// that is called.
#[test]
fn every_kind_of_dose_has_rows() {
    let Some(jdk) = jdks().pop() else {
        return;
    };
    let place = tempfile::tempdir().unwrap();
    compile(place.path(), &jdk, "Middle.java", MIDDLE);
    let java = jdk.join("bin/java").display().to_string();
    let path = place.path().display().to_string();
    let profiler = "jfr+nonsafepoints";
    let mut words = vec!["--dose", "all", "--profiler", profiler, "--methods", "1"];
    words.extend(["--rounds", "2", "--budget", "0", "--"]);
    words.extend([java.as_str(), "-cp", &path, "Middle"]);
    let output = dose(place.path(), &jdk, &words);
    let result = result(&output);
    assert_eq!(result["failed"], serde_json::json!({}), "{result:#}");
    let kinds = result["kinds"].as_object().unwrap();
    assert_eq!(kinds.len(), 8);
    for (kind, of) in kinds {
        let row = row(of, profiler, "Middle.work");
        assert_eq!(row["kind"], kind.as_str());
        let growth = |at: usize| row["growth_pct"][at].as_f64().unwrap();
        assert!(growth(1) > growth(0) + 10.0, "{row:#}");
        let part = row["in_place_pct"]["value"].as_f64().unwrap();
        // Far from the nothing that the method with the site would have of a call.
        let known = ["arithmetic", "call"].contains(&kind.as_str());
        assert!(!known || (50.0..150.0).contains(&part), "{row:#}");
        let files = place.path().join("out").join(kind);
        assert!(files.join("dose.json").is_file() && files.join("report.html").is_file());
    }
    assert!(place.path().join("out/every-dose.json").is_file());
    let code = match result["verdict"].as_str() {
        Some("right") => 0,
        Some("wrong") => 1,
        _ => 4,
    };
    assert_eq!(output.status.code(), Some(code));
}
