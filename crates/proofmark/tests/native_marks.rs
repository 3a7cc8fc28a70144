//! Native programs that mark their iterations: what they do before the first mark is nobody's.

use std::ffi::OsString;
use std::os::unix::fs::symlink;
use std::path::Path;

use crate::common::dosed::code;
use crate::common::{stderr, succeeds};
use crate::native::{can_judge_c, compiler, is_found, proofmark};
use proofmark_test_support::{Need, need, on_path};
use serde_json::Value;

/// Directories like those of `PATH`, with everything in them but one command.
fn path_without(command: &str, place: &Path) -> OsString {
    let path = std::env::var_os("PATH").unwrap();
    let places = std::env::split_paths(&path).enumerate();
    let copies = places.map(|(number, from)| {
        let copy = place.join(format!("path-{number}"));
        std::fs::create_dir(&copy).unwrap();
        let files = std::fs::read_dir(from).into_iter().flatten().flatten();
        for file in files.filter(|file| file.file_name() != command) {
            symlink(file.path(), copy.join(file.file_name())).unwrap();
        }
        copy
    });
    std::env::join_paths(copies).unwrap()
}

/// What the program does before its first mark takes longer than many iterations, and under valgrind most of a minute: callgrind has a
/// test of its own.
#[test]
fn without_a_jdk_the_demo_is_about_a_program_in_c() {
    if !can_judge_c() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    // A JDK that is named is the only one that is looked at. This is none.
    std::fs::create_dir_all(here.join("jdk/bin")).unwrap();
    std::fs::write(here.join("jdk/bin/java"), "").unwrap();
    let output = proofmark(&["--format", "json", "demo", "--out", "out"], here)
        .env("PATH", path_without("valgrind", here))
        .env("PROOFMARK_JDK", here.join("jdk"))
        .env("XDG_CACHE_HOME", here.join("cache"))
        .output()
        .unwrap();
    let said = || format!("{:?}: {}", output.status, stderr(&output));
    let result: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said()));
    // A wrong profiler is what it is there to show.
    let expected = Some(code(&result)).filter(|code| *code != 1).or(Some(0));
    assert_eq!(output.status.code(), expected, "{result:#}");
    assert!(
        result["remarks"][0]
            .as_str()
            .unwrap()
            .contains("no JDK will do")
    );
    assert_eq!(result["native"]["marked"], true);
    is_found(&result, "perf", "slot_of");
    // What the program does before its first mark is nobody's.
    let shares = result["attribution"]["perf"]["shares_pct"].as_object();
    assert!(!shares.unwrap().contains_key("write_text"), "{shares:#?}");
}

/// It marks its iterations. `start` takes longer than many of them.
const MARKED: &str = r#"
#include <proofmark.h>
#include <stdint.h>
#include <stdio.h>
#define KEEP __attribute__((noinline))
static uint64_t seed = 1;
static void burn(long turns)
{
    uint64_t x = seed;
    for (long i = 0; i < turns; i++) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; }
    seed = x;
}
KEEP static void start(void) { burn(2000000); }
KEEP static void work(void) { burn(20000); }
KEEP static void other(void) { burn(10000); }
int main(void)
{
    start();
    for (long i = 0; i < 1000000000; i++) {
        PROOFMARK_ITERATION;
        work();
        other();
    }
    printf("%llx\n", (unsigned long long)seed);
    return 0;
}
"#;

/// Instructions that were added are counted one by one, whatever the clock said when it was looked for how many there shall be.
#[test]
fn callgrind_is_right_about_a_program_with_marks() {
    if compiler("cc").is_none() {
        return;
    }
    let missing = "no valgrind in PATH (apt-get install valgrind)";
    if need(Need::Perf, on_path("valgrind").ok_or(missing)).is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    std::fs::write(here.join("marked.c"), MARKED).unwrap();
    let words = ["cc", "-O2", "-g", "-o", "marked", "marked.c"];
    succeeds(&mut proofmark(&words, here));
    let start = ["--quiet", "--format", "json", "dose", "--out", "out"];
    let words = [
        "--profiler",
        "callgrind",
        "--methods",
        "1",
        "--",
        "./marked",
    ];
    let output = proofmark(&[&start[..], &words].concat(), here)
        .output()
        .unwrap();
    let said = || format!("{:?}: {}", output.status, stderr(&output));
    let result: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said()));
    assert_eq!(result["native"]["marked"], true);
    let row = is_found(&result, "callgrind", "work");
    assert_eq!(row["verdict"], "right", "{row:#}");
    let shares = result["attribution"]["callgrind"]["shares_pct"].as_object();
    assert!(!shares.unwrap().contains_key("start"), "{shares:#?}");
    // A third of the turns, and not asked for.
    let untested = result["untested"].as_array().unwrap();
    let other = untested.iter().find(|one| one["method"] == "other");
    let share = &other.unwrap_or_else(|| panic!("{result:#}"))["shares_pct"]["callgrind"];
    let value = share["value"].as_f64().unwrap();
    assert!((30.0..37.0).contains(&value), "{share}");
    let advice = result["advice"].as_str().unwrap();
    assert!(advice.contains("Not tested: other ("), "{advice}");
    let of = " % of the program's instructions): only one function is tested";
    assert!(advice.contains(of), "{advice}");
    assert_eq!(output.status.code(), Some(0), "{result:#}");
}
