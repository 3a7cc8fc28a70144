//! `evaluate` on the real JVM: programs that cannot be measured are results, and are tried again.

use std::path::PathBuf;
use std::process::{Command, Output};

use crate::common::{Place, compile, kit, stderr};
use proofmark_experiment::evaluate::Evaluation;
use serde_json::Value;

#[test]
fn programs_that_fail_are_results_and_are_tried_again() {
    let Some(kit) = kit() else { return };
    let place = Place::new();
    let reason = place.path().join("reason");
    let body = format!(
        "public static void main(String[] a) throws Exception {{
            throw new Exception(java.nio.file.Files.readString(java.nio.file.Path.of({:?})));
        }}",
        reason.display().to_string()
    );
    let classes = place.path().join("classes");
    std::fs::create_dir(&classes).unwrap();
    compile(&kit, &classes, "Fails", &body);
    let path = classes.display().to_string();
    let evaluate = |target: &str| {
        let words = ["--profiler", "none", "--target", target];
        let programs = ["class:Fails", "suite:trouble.Throws"];
        let mut command = place.command("evaluate", &words);
        command.args(["--format", "json", "--class-path", &path]);
        command.args(programs).output().unwrap()
    };
    for text in ["it rains", "it snows"] {
        std::fs::write(&reason, text).unwrap();
        let output = evaluate("100");
        assert_eq!(output.status.code(), Some(3), "{}", stderr(&output));
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        let failed = |at: usize| found["programs"][at]["failed"].as_str().unwrap();
        assert!(failed(0).contains(text), "{}", failed(0));
        assert!(failed(1).contains("thrown on purpose"), "{}", failed(1));
    }
    let other = evaluate("50");
    assert_eq!(other.status.code(), Some(2));
    let said = stderr(&other);
    assert!(said.contains("another --target"), "{said}");
}

/// A committed evaluation.
fn committed(name: &str) -> PathBuf {
    let place = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../docs/evaluation/2026-11-23"
    );
    PathBuf::from(place).join(name)
}

fn read(file: PathBuf) -> Evaluation {
    serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap()
}

/// `evaluate --show`, with no JVM anywhere.
fn show(files: &[PathBuf], more: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
    command.arg("evaluate").arg("--show").args(files).args(more);
    command.env_clear().output().unwrap()
}

fn names(of: &Evaluation) -> Vec<&str> {
    of.programs.iter().map(|one| one.program.as_str()).collect()
}

#[test]
fn evaluations_from_files_are_shown_as_one() {
    let files = ["amd.json", "long.json", "quiet.json"].map(committed);
    let [amd, long, quiet] = files.clone().map(read);
    let place = tempfile::tempdir().unwrap();
    let out = place.path().join("deep/out");
    let output = show(
        &files,
        &["--format", "json", "--out", &out.display().to_string()],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let both: Evaluation = serde_json::from_slice(&output.stdout).unwrap();
    // Programs in the order in which they are met; of those in two files the later one's.
    let programs = ["Bounce", "CD", "DeltaBlue", "Havlak", "Json"].into_iter();
    let more = ["Queens", "Richards", "Sieve", "Towers", "Permute"];
    let all: Vec<String> = programs
        .chain(more)
        .map(|name| format!("suite:{name}"))
        .collect();
    assert_eq!(names(&both), all);
    for (program, of) in [
        ("suite:Bounce", &long),
        ("suite:Json", &quiet),
        ("suite:Sieve", &quiet),
    ] {
        let plans = |of: &Evaluation| {
            let mut all = of.programs.iter();
            all.find(|one| one.program == program)
                .unwrap()
                .plans
                .clone()
        };
        assert_eq!(plans(&both), plans(of), "{program}");
    }
    assert!(names(&amd).contains(&"suite:Bounce"), "it was replaced");
    assert_eq!(both.slowing[0].programs, 10, "figures are over all of them");
    assert_eq!(
        both.environments, long.environments,
        "nothing of the first file is left"
    );
    let said = stderr(&output);
    let [first, second, third] = files.map(|file| file.display().to_string());
    for (program, later, earlier) in [("Bounce", &second, &first), ("Json", &third, &first)] {
        let line = format!("suite:{program}: that of {later} counts, not that of {earlier}");
        assert!(said.contains(&line), "{said}");
    }
    assert_eq!(said.lines().count(), 5, "{said}");
    assert_eq!(read(out.join("evaluation.json")), both);
    let page = std::fs::read_to_string(out.join("report.html")).unwrap();
    assert!(page.contains("suite:Permute") && page.contains("id=\"slowing\""));
    // What was put together is shown like what was measured.
    let text = show(&[out.join("evaluation.json")], &[]);
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(text.contains("10 of 10 programs were measured."), "{text}");
    assert!(!text.contains("report: "), "no page was asked for: {text}");
}
