//! Native programs that have children, profilers that fail.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Output};

use crate::common::dosed::code;
use crate::common::{stderr, succeeds};
use crate::native::{LADDER, can_judge_c, compiler, is_found, proofmark};
use serde_json::Value;

/// A command of that name in front of all others for what `command` starts.
pub fn with_tool(command: &mut Command, name: &str, script: &str, here: &Path) {
    let place = here.join("bin");
    std::fs::create_dir_all(&place).unwrap();
    let tool = place.join(name);
    std::fs::write(&tool, script).unwrap();
    std::fs::set_permissions(&tool, Permissions::from_mode(0o755)).unwrap();
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

/// A child works, and its parent does so beside it.
const FORKS: &str = r#"
#include <stdint.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
#define KEEP __attribute__((noinline))
static uint64_t seed = 1;
static inline __attribute__((always_inline)) void burn(long turns)
{
    uint64_t x = seed;
    for (long i = 0; i < turns; i++) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; }
    seed = x;
}
KEEP static void work(void) { burn(5000000); }
KEEP static void merge(void) { burn(4000000); }
int main(int count, char **words)
{
    (void)words;
    pid_t child = fork();
    if (child == 0) {
        work();
        _exit(seed == 0);
    }
    merge();
    int status = 0;
    if (count == 1)
        waitpid(child, &status, 0);
    printf("%llx\n", (unsigned long long)seed);
    return status;
}
"#;

/// A test with perf of the function that the child works in.
fn perf_on_forks(here: &Path, words: &[&str]) -> Output {
    std::fs::write(here.join("forks.c"), FORKS).unwrap();
    let build = ["cc", "-O2", "-g", "-o", "forks", "forks.c"];
    succeeds(&mut proofmark(&build, here));
    let mut dose = proofmark(&["--quiet", "--format", "json", "dose"], here);
    dose.args(["--out", "out", "--profiler", "perf", "--methods", "2"]);
    dose.args(["--method", "work", "--rounds", "3", "--window", "0.05"]);
    dose.args(["--budget", "0", "--margin", "10", "--", "./forks"]);
    dose.args(words).output().unwrap()
}

#[test]
fn perf_is_right_about_what_a_child_does() {
    if !can_judge_c() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let output = perf_on_forks(place.path(), &[]);
    let result = result(&output);
    assert_eq!(output.status.code(), Some(code(&result)), "{result:#}");
    let row = is_found(&result, "perf", "work");
    assert_ne!(row["verdict"], "wrong", "{row:#}");
    let shares = result["attribution"]["perf"]["shares_pct"].as_object();
    let shares = shares.unwrap();
    for function in ["work", "merge"] {
        assert!(shares.contains_key(function), "{function}: {shares:#?}");
    }
}

/// Its time is not on the clock, so that perf cannot be compared with that.
#[test]
fn a_program_that_leaves_its_child_is_not_judged_by_samples() {
    if !can_judge_c() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let output = perf_on_forks(place.path(), &["leave it"]);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("before processes that it has started"),
        "{said}"
    );
}
