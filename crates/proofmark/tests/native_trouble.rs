//! Native programs where something goes wrong.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::dosed::code;
use crate::common::{stderr, succeeds};
use crate::native::{LADDER, compiler, proofmark};
use serde_json::Value;

/// A command of that name in front of all others for what `command` starts.
fn with_tool(command: &mut Command, name: &str, script: &str, here: &Path) {
    let place = here.join("bin");
    std::fs::create_dir_all(&place).unwrap();
    let tool = place.join(name);
    std::fs::write(&tool, script).unwrap();
    std::fs::set_permissions(&tool, PermissionsExt::from_mode(0o755)).unwrap();
    let path = std::env::var("PATH").unwrap();
    command.env("PATH", format!("{}:{path}", place.display()));
}

fn result(output: &Output) -> Value {
    let said = || format!("{:?}: {}", output.status, stderr(output));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said()))
}

/// The other one reports the same whatever is run.
#[test]
fn a_valgrind_that_fails_leaves_the_other_profilers_judged() {
    if compiler("cc").is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    let words = ["cc", "-O2", "-g", "-o", "ladder", LADDER];
    succeeds(&mut proofmark(&words, here));
    let same = r"cmd:{program} && printf 'main;rung3 500\nmain;rung10 500\n' >{out}";
    let mut dose = proofmark(&["--quiet", "--format", "json", "dose"], here);
    dose.args(["--out", "out", "--profiler", "callgrind", "--profiler"]);
    dose.args([same, "--methods", "1", "--method", "rung3"]);
    dose.args(["--rounds", "3", "--window", "0.05", "--budget", "0"]);
    dose.args(["--", "./ladder", "60"]);
    with_tool(&mut dose, "valgrind", "#!/bin/sh\nkill -ILL $$\n", here);
    let output = dose.output().unwrap();
    let result = result(&output);
    assert_eq!(output.status.code(), Some(code(&result)), "{result:#}");
    let failed = result["failed"]["callgrind"].as_str().unwrap_or_default();
    let says = "under it the program was ended by signal 4";
    assert_eq!(failed, says, "{result:#}");
    let judged = result["attribution"].as_object().unwrap();
    assert_eq!(judged.keys().collect::<Vec<_>>(), [same], "{result:#}");
}
