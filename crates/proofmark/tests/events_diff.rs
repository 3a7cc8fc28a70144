//! `events` and `events diff` as processes: short programs, and a directory that holds the JVMs of a comparison.

use std::process::{Command, Output, Stdio};

use crate::common::{Place, compile, kit, stderr};
use proofmark_test_support::jdks_with;
use serde_json::Value;

/// Some 0.1 ms of work: many runs are measured as one iteration. It uses nothing of the JDK, whose units would be taken under control too.
const SHORT: &str =
    "static int work(int n) { int s = 0; for (int i = 0; i < n; i++) { s += i % 7; } return s; }
    static volatile int sink;
    public static void main(String[] args) { sink = work(50_000); }";

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

/// Finished steps of the comparison, in their order.
fn steps(place: &Place) -> Vec<Value> {
    let text = std::fs::read_to_string(place.path().join("out/steps.jsonl")).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// As if A's first JVM had measured so many runs as one iteration, and B's first one had not run.
fn begun(place: &Place, together: u64) {
    let mut text = String::new();
    for mut step in steps(place) {
        if step["name"] == "events diff b-1" {
            continue;
        }
        if step["name"] == "events diff a-1" {
            step["result"]["together"] = Value::from(together);
        }
        text += &format!("{step}\n");
    }
    std::fs::write(place.path().join("out/steps.jsonl"), text).unwrap();
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
    // JVMs double the number until an iteration is long enough: none finds such a one by itself.
    begun(&place, runs + 1);
    result(&diff(&place, "2"));
    let steps = steps(&place);
    let of_b = steps.iter().find(|step| step["name"] == "events diff b-1");
    assert_eq!(of_b.unwrap()["result"]["together"], runs + 1, "{steps:?}");
    let other = diff(&place, "3");
    assert_eq!(other.status.code(), Some(2));
    let said = stderr(&other);
    assert!(said.contains("--iterations (2 there, 3 now)"), "{said}");
}

/// Nothing but a loop in `main`: no method besides it, no object, and time that is all the processor's.
#[test]
fn a_program_of_nothing_but_volatile_stores_is_counted() {
    let Some(kit) = kit() else { return };
    let place = Place::new();
    let body = "static volatile int sink;
        public static void main(String[] args) { for (int i = 0; i < 100_000; i++) { sink = i; } }";
    compile(&kit, place.path(), "Stores", body);
    let output = Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args(["--format", "json", "events", "class:Stores", "--class-path"])
        .arg(place.path())
        .args([
            "--no-jdk",
            "--heap",
            "64",
            "--iterations",
            "3",
            "--quiet",
            "--out",
        ])
        .arg(place.path().join("out"))
        .env("TMPDIR", place.path().join("tmp"))
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    assert_eq!(stderr(&output), "", "--quiet");
    let counted: Value = serde_json::from_slice(&output.stdout).unwrap();
    let runs = 3 * counted["runs_per_iteration"].as_u64().unwrap();
    let barriers = &counted["events"]["membar-store-load"]["total"]["value"];
    let per_run = barriers.as_f64().unwrap() / runs as f64;
    // The compiler unrolls the loop, and stores that follow each other share a barrier.
    assert!((1_000.0..100_001.0).contains(&per_run), "{per_run}");
}

/// The program of somebody's own Java is counted by Graal, which is of another release.
#[test]
fn that_the_program_runs_on_another_java_is_said() {
    let Some(kit) = kit() else { return };
    let used = kit.jdk.version.feature();
    let own = kit.jdk.home.canonicalize().unwrap();
    let older = jdks_with(&["java"]).into_iter().find(|jdk| *jdk != own);
    let Some(older) = older else { return };
    let place = Place::new();
    let body = "public static void main(String[] args) { throw new IllegalStateException(\"on purpose\"); }";
    compile(&kit, place.path(), "Fails", body);
    let mut command = place.command("events", &[]);
    command.arg("--").arg(older.join("bin/java")).arg("-cp");
    let output = command.arg(place.path()).arg("Fails").output().unwrap();
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    let told = format!("the laboratory runs the program on {used}");
    assert!(
        said.contains("your java is ") && said.contains(&told),
        "{said}"
    );
    assert!(said.contains("on purpose"), "{said}");
}
