//! The second check of slots, over programs that are really built: everything holds, and a planted fault is found.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::common::{stderr, succeeds};
use proofmark_test_support::{Need, need, on_path};
use serde_json::Value;

/// The bundled programs.
const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../native/suite");
/// A program that is hard to follow, in C++.
const HARD: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../native/tests/hard.cpp");

fn proofmark(words: &[&str], here: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
    command.args(words).current_dir(here).stdin(Stdio::null());
    command.env("PROOFMARK_SLOTS", "1");
    command
}

fn checked(program: &str, filler: &str, here: &Path) -> (Output, Value) {
    let words = ["slots", program, "--filler", filler, "--format", "json"];
    let done = proofmark(&words, here).output().unwrap();
    let report = serde_json::from_slice(&done.stdout).unwrap_or(Value::Null);
    assert_eq!(report["schema"], "proofmark-slots/1", "{}", stderr(&done));
    (done, report)
}

/// Names of functions in a list of a report.
fn names<'r>(report: &'r Value, list: &str) -> Vec<&'r str> {
    let all = report[list].as_array().unwrap();
    let names = all.iter().map(|one| one["function"].as_str().unwrap());
    names.collect()
}

fn sources() -> Vec<PathBuf> {
    let files = std::fs::read_dir(SUITE).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let mut all: Vec<PathBuf> = files
        .filter(|file| file.extension().is_some_and(|end| end == "c"))
        .collect();
    all.push(HARD.into());
    all
}

/// The compilers of C and C++ that there are: the system's, and Clang.
fn compilers() -> Vec<[String; 2]> {
    let cc = on_path("c++").ok_or("no c++ in PATH (apt-get install gcc g++)");
    let usual = need(Need::Perf, cc).map(|_| ["cc", "c++"]);
    let clang = on_path("clang++").map(|_| ["clang", "clang++"]);
    let all = usual.into_iter().chain(clang);
    all.map(|both| both.map(str::to_owned)).collect()
}

#[test]
fn every_function_of_the_bundled_programs_holds() {
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    for [c, cpp] in compilers() {
        for options in [
            &["-O0", "-g"][..],
            &["-O2", "-g"],
            &["-O2", "-no-pie", "-fno-pie"],
        ] {
            for source in sources() {
                let source = source.display().to_string();
                let language = if source.ends_with(".c") { "cc" } else { "c++" };
                let files = ["-w", "-pthread", "-o", "program", &source, "-lm"];
                let words = [&[language][..], options, &files].concat();
                let mut command = proofmark(&words, here);
                succeeds(command.env("PROOFMARK_CC", &c).env("PROOFMARK_CXX", &cpp));
                let (done, report) = checked("./program", "mov", here);
                let said = format!("{c} {options:?} {source}: {report:#}");
                assert_eq!(done.status.code(), Some(0), "{said}");
                assert_eq!(names(&report, "differing"), Vec::<&str>::new(), "{said}");
                assert_eq!(names(&report, "unseen"), Vec::<&str>::new(), "{said}");
                assert!(report["functions"].as_u64() > Some(1), "{said}");
                assert!(
                    report["inserted"].as_u64() > report["borders"].as_u64(),
                    "{said}"
                );
                // Functions that are assembly, and such that loop in it.
                let own = |name: &&str| name.contains("bare") || name.contains("looped");
                assert!(names(&report, "left_out").iter().all(own), "{said}");
                let without = report["without_slots"].as_array().unwrap();
                assert!(without.iter().any(|name| name == "_start"), "{said}");
                assert!(!without.iter().any(|name| name == "main"), "{said}");
            }
        }
    }
}

const MAIN: &str = "int member(int); __attribute__((noinline)) static int work(int n) { return n * 3 + 1; } \
int main(int count, char **words) { (void)words; return work(count) + member(count) - 8; }";
/// In an archive, with a function of its own that goes by the same name.
const MEMBER: &str = "__attribute__((noinline)) static int work(int n) { int all = 0; for (int i = 0; i < n; i++) all ^= i; return all; } \
int member(int n) { return work(n) + 4; }";
/// A compiler that puts an instruction into full slots which nobody asked for.
const FAULTY: &str = r#"#!/bin/sh
for word in "$@"; do
    case $word in
        */full-*.s) sed -i 's/^\tret$/\tcmpl\t$1, %eax\n\tret/' "$word" ;;
    esac
done
exec cc "$@"
"#;

/// The program of the two files, by this compiler.
fn built(compiler: &str, here: &Path) {
    std::fs::write(here.join("main.c"), MAIN).unwrap();
    std::fs::write(here.join("member.c"), MEMBER).unwrap();
    let cc = |words: &[&str]| {
        let words = [&["cc", "-O2"][..], words].concat();
        succeeds(proofmark(&words, here).env("PROOFMARK_CC", compiler));
    };
    cc(&["-c", "member.c"]);
    let mut ar = Command::new("ar");
    succeeds(
        ar.args(["rcs", "libmember.a", "member.o"])
            .current_dir(here),
    );
    cc(&["main.c", "libmember.a", "-o", "program"]);
}

#[test]
fn functions_of_one_name_are_told_apart() {
    let missing = "no cc in PATH (apt-get install gcc)";
    if need(Need::Perf, on_path("cc").ok_or(missing)).is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    built("cc", here);
    for filler in ["mov", "nop", "nop9", "lea", "sfence", "pause"] {
        let (done, report) = checked("./program", filler, here);
        assert_eq!(done.status.code(), Some(0), "{filler}: {report:#}");
        // Two functions `work`, `member` and `main`.
        assert_eq!(report["functions"], 4, "{filler}: {report:#}");
    }
    let text = proofmark(&["slots", "./program"], here).output().unwrap();
    let text = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(
        text.contains("4 functions hold with empty slots and with full ones"),
        "{text}"
    );
}

#[test]
fn an_instruction_that_nobody_asked_for_is_found() {
    let missing = "no cc in PATH (apt-get install gcc)";
    if need(Need::Perf, on_path("cc").ok_or(missing)).is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    let compiler = here.join("faulty");
    std::fs::write(&compiler, FAULTY).unwrap();
    let executable = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(&compiler, executable).unwrap();
    built(&compiler.display().to_string(), here);
    let (done, report) = checked("./program", "mov", here);
    assert_eq!(done.status.code(), Some(1), "{report:#}");
    let names = names(&report, "differing");
    for function in ["main", "member"] {
        assert!(names.contains(&function), "{report:#}");
    }
    let reasons = report["differing"].as_array().unwrap().iter();
    let mut reasons = reasons.map(|one| one["reason"].as_str().unwrap());
    assert!(
        reasons.all(|reason| reason.contains("\"cmp eax, #")),
        "{report:#}"
    );
    // Nothing is slowed whose code is not what it should be.
    assert_eq!(report["functions"], 0, "{report:#}");
}

/// A library in Rust with generic code, a panic, a table of jumps, and assembly of the programmer.
const SHAPES: &str = r#"
#[inline(never)]
pub fn twice<T: Clone>(one: &T) -> (T, T) { (one.clone(), one.clone()) }
#[inline(never)]
pub fn fails(n: u32) -> u32 { if n > 3 { panic!("too large: {n}") } n + 1 }
#[inline(never)]
pub fn chosen(n: u32) -> u32 {
    match n { 0 => 7, 1 => fails(1), 2 => 11, 3 => fails(2) * 3, 4 => 1, 5 => 99, 6 => fails(0), 7 => n * 31, _ => 0 }
}
std::arch::global_asm!(".globl bare", ".type bare,@function", "bare:", "movl $42, %eax", "ret", ".size bare, .-bare", options(att_syntax));
"#;
const DEMO: &str = r#"
unsafe extern "C" { fn bare() -> i32; }
struct Held<'a>(&'a std::cell::Cell<i32>);
impl Drop for Held<'_> { fn drop(&mut self) { self.0.set(self.0.get() - 1); } }
fn main() {
    let live = std::cell::Cell::new(1);
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| { let _held = Held(&live); shapes::fails(9) }));
    let all: Vec<u32> = (0..9).map(shapes::chosen).collect();
    println!("{all:?} {:?} {:?} {} {}", shapes::twice(&String::from("ab")), shapes::twice(&4u8), caught.is_err(), unsafe { bare() });
}
"#;

#[test]
fn every_function_of_a_program_in_rust_holds() {
    for name in ["cc", "rustc"] {
        let missing = format!("no {name} in PATH (gcc, and Rust's toolchain)");
        if need(Need::Perf, on_path(name).ok_or(missing)).is_none() {
            return;
        }
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    std::fs::write(here.join("shapes.rs"), SHAPES).unwrap();
    std::fs::write(here.join("demo.rs"), DEMO).unwrap();
    for options in [&["-g"][..], &["-O", "-g"], &["-O", "-Cstrip=symbols"]] {
        for words in [
            &["--crate-type", "lib", "shapes.rs"][..],
            &["--extern", "shapes=libshapes.rlib", "demo.rs"],
        ] {
            let words = [&["rustc", "--edition", "2024"][..], options, words].concat();
            succeeds(&mut proofmark(&words, here));
        }
        let (done, report) = checked("./demo", "mov", here);
        assert_eq!(done.status.code(), Some(0), "{options:?}: {report:#}");
        assert_eq!(names(&report, "unseen"), Vec::<&str>::new(), "{report:#}");
        assert!(report["functions"].as_u64() > Some(3), "{report:#}");
        assert_eq!(names(&report, "left_out"), ["bare"], "{report:#}");
    }
}
