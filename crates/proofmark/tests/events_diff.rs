//! `events` and `events diff` as processes: short programs, and a directory that holds the JVMs of a comparison.

use std::process::{Command, Output, Stdio};

use crate::common::{Place, compile, jvm_of, kit, stderr, until, wait_for_end};
use proofmark_test_support::jdks_with;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;

/// Some 0.1 ms of work: many runs are measured as one iteration. It uses nothing of the JDK, whose units would be taken under control too.
const SHORT: &str =
    "static int work(int n) { int s = 0; for (int i = 0; i < n; i++) { s += i % 7; } return s; }
    static volatile int sink;
    public static void main(String[] args) { sink = work(50_000); }";

/// The comparison, ready to run.
fn command(place: &Place, iterations: &str) -> Command {
    let words = ["--format", "json", "events", "diff", "class:Short"];
    let options = ["--heap", "64", "--jvms", "2"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
    command
        .args(words)
        .arg("--class-path")
        .arg(place.path())
        .args(options)
        .args(["--b=-Djdk.graal.FullUnroll=false", "--iterations"])
        .args([iterations, "--out"])
        .arg(place.path().join("out"))
        .env("TMPDIR", place.path().join("tmp"))
        .stdin(Stdio::null());
    command
}

fn diff(place: &Place, iterations: &str) -> Output {
    command(place, iterations).output().unwrap()
}

const STEPS: &str = "out/steps.jsonl";

/// Finished steps of the comparison, in their order.
fn steps(place: &Place) -> Vec<Value> {
    let text = std::fs::read_to_string(place.path().join(STEPS)).unwrap();
    let lines = text.lines();
    lines
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// How many runs of the program a JVM of the comparison measured as one iteration.
fn together(place: &Place, jvm: &str) -> u64 {
    let (steps, name) = (steps(place), format!("events diff {jvm}"));
    let step = steps.iter().find(|step| step["name"] == name);
    let number = step.and_then(|step| step["result"]["together"].as_u64());
    number.unwrap_or_else(|| panic!("{jvm}: {steps:?}"))
}

/// Begins the comparison, and kills it when its first JVM has finished.
fn killed_behind_the_first_jvm(place: &Place) {
    let mut tool = command(place, "2")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let file = place.path().join(STEPS);
    until(&mut tool, |_| {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        text.ends_with('\n') && text.contains("\"events diff a-1\"")
    });
    let jvm = jvm_of(tool.id());
    kill_process(Pid::from_child(&tool), Signal::KILL).unwrap();
    tool.wait().unwrap();
    if let Some(jvm) = jvm {
        wait_for_end(jvm);
    }
}

/// As if A's first JVM had measured so many runs as one iteration, and the second JVMs of both had finished with what it counted: one
/// JVM is left to be run.
fn as_if_others_had_finished(place: &Place, together: u64) {
    let mut text = String::new();
    for mut step in steps(place) {
        let of_first = step["name"] == "events diff a-1";
        if of_first {
            step["result"]["together"] = Value::from(together);
        }
        text += &format!("{step}\n");
        for other in ["a-2", "b-2"].into_iter().filter(|_| of_first) {
            step["name"] = Value::from(format!("events diff {other}"));
            text += &format!("{step}\n");
            for kind in ["table", "counters", "late.table"] {
                let file = |jvm: &str| place.path().join("out").join(format!("{jvm}.{kind}"));
                std::fs::copy(file("a-1"), file(other)).unwrap();
            }
        }
    }
    std::fs::write(place.path().join(STEPS), text).unwrap();
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
    killed_behind_the_first_jvm(&place);
    let found = together(&place, "a-1");
    assert!(found > 1, "{found}");
    // JVMs double the number until an iteration is long enough: none finds such a one by itself.
    let given = found + 1;
    as_if_others_had_finished(&place, given);
    let without = |jvm: &str| {
        let log = place.path().join("out").join(format!("{jvm}.log"));
        std::fs::remove_file(&log).unwrap();
        log
    };
    let log = without("a-1");
    let first = result(&diff(&place, "2"));
    assert!(!log.exists(), "A's first JVM ran again");
    assert_eq!(first["runs_per_iteration"], given, "{first}");
    assert_eq!(together(&place, "b-1"), given);
    assert!(first["differences"]["detectable_pct"].is_number());
    // None of its JVMs runs again.
    let log = without("b-1");
    let again = result(&diff(&place, "2"));
    assert_eq!(first["differences"], again["differences"]);
    assert!(!log.exists(), "B's first JVM ran again");
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
