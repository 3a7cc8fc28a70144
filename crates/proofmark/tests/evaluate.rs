//! `evaluate` on the real JVM: programs that cannot be measured are results, and are tried again.

use crate::common::{Place, compile, kit, stderr};
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
