//! Native programs: sites change no result, and perf is judged on a program of known answer.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::atomic::AtomicBool;

use crate::common::dosed::{code, left_out, may_lie};
use crate::common::{in_a_process_of_its_own, stderr, succeeds};
use proofmark_native::{
    Launch, PerProcess, Program, Runner, Wanted, gperftools_library, per_process_windows,
};
use proofmark_test_support::{Need, need, on_path};
use serde_json::Value;

/// The bundled program.
pub const LADDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../native/suite/ladder.c");

/// Whether there is a compiler of this name.
pub fn compiler(name: &str) -> Option<PathBuf> {
    let missing = format!("no {name} in PATH (apt-get install gcc g++)");
    need(Need::Perf, on_path(name).ok_or(missing))
}

pub fn proofmark(words: &[&str], directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
    command
        .args(words)
        .current_dir(directory)
        .stdin(Stdio::null());
    command
}

/// A file with the dose of one function, as programs read it.
fn dose(directory: &Path, function: &str, turns: u32) -> PathBuf {
    let path = directory.join("dose");
    let mut bytes = b"PRMDOSE1".to_vec();
    bytes.extend(proofmark_native::key_of(function).to_le_bytes());
    bytes.extend(turns.to_le_bytes());
    bytes.extend([0; 4]);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// Runs a program under a dose of each function; what it says, and how many sites took a dose.
fn under_doses(program: &Path, directory: &Path) -> (Vec<Output>, u32) {
    let sites = proofmark_native::Program::read(program).unwrap().sites;
    assert!(!sites.is_empty());
    let mut obeyed = 0;
    let mut said = Vec::new();
    for site in &sites {
        for turns in [0, 1, 50] {
            let file = dose(directory, &site.function, turns);
            let mut command = Command::new(program);
            said.push(command.env("PROOFMARK_DOSES", &file).output().unwrap());
            let bytes = std::fs::read(&file).unwrap();
            obeyed += u32::from(bytes[20] != 0);
        }
    }
    (said, obeyed)
}

/// Exceptions through frames with sites, a destructor on the way, a template of two files, a tail call, a jump table,
/// varargs, own assembly, a function that begins with a loop.
const HARD: &str = r#"
#include <cstdarg>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>
struct Held { int *at; explicit Held(int *at) : at(at) { ++*at; } ~Held() { --*at; } };
int live = 0;
template <class T> __attribute__((noinline)) T twice(T x) { return x + x; }
__attribute__((noinline)) int deep(int n) {
    Held held(&live);
    if (n == 0) throw std::runtime_error("deep");
    return deep(n - 1) + 1;
}
__attribute__((noinline)) int chosen(int n) {
    switch (n) { case 0: return 7; case 1: return twice(n); case 2: return 11; case 3: return deep(3); case 4: return 1; case 5: return 9; default: return -1; }
}
__attribute__((noinline)) int sum(int count, ...) {
    va_list all; va_start(all, count); double total = 0;
    for (int i = 0; i < count; i++) total += va_arg(all, double);
    va_end(all); return (int)total;
}
__attribute__((noinline)) unsigned long down(unsigned long n) { do { n = n * 3 - 1; asm volatile("" : "+r"(n)); } while (n % 7); return n; }
__attribute__((naked)) int bare() { asm("movl $42, %eax; ret"); }
static __attribute__((noinline)) int leaf(int a, int b) { volatile int kept[8]; for (int i = 0; i < 8; i++) kept[i] = a + i * b; return kept[a & 7]; }
int main() {
    std::vector<std::string> words;
    for (int i = 0; i < 7; i++) {
        try { words.push_back(std::to_string(chosen(i))); } catch (const std::exception &e) { words.push_back(e.what()); }
    }
    for (const auto &word : words) std::printf("%s ", word.c_str());
    std::printf("%d %d %lu %d %d %s\n", live, sum(3, 1.5, 2.5, 3.0), down(5), bare(), leaf(3, 4), twice(std::string("ab")).c_str());
    return live;
}
"#;

#[test]
fn sites_change_no_result() {
    if compiler("c++").is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    std::fs::write(here.join("hard.cpp"), HARD).unwrap();
    for options in [
        &["-O0", "-g"][..],
        &["-O2", "-g"],
        &["-O3", "-fPIC", "-ffunction-sections"],
        &["-Os", "-fcf-protection=full"],
    ] {
        let plain = here.join("plain");
        succeeds(
            Command::new("c++")
                .args(options)
                .arg("-o")
                .arg(&plain)
                .arg(here.join("hard.cpp")),
        );
        let expected = Command::new(&plain).output().unwrap();
        assert!(expected.status.success(), "{expected:?}");
        let mut words = vec!["c++"];
        words.extend(options);
        words.extend(["-o", "sited", "hard.cpp"]);
        succeeds(&mut proofmark(&words, here));
        let (all, obeyed) = under_doses(&here.join("sited"), here);
        for one in &all {
            assert_eq!(one, &expected, "{options:?}");
        }
        // Two of three runs ask for turns.
        assert_eq!(obeyed as usize, all.len() / 3 * 2, "{options:?}");
    }
}

#[test]
fn the_compilers_messages_and_status_are_kept() {
    if compiler("cc").is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    std::fs::write(here.join("bad.c"), "int main(void) { return x; }\n").unwrap();
    let words = ["-c", "bad.c", "-o", "bad.o"];
    let plain = Command::new("cc")
        .args(words)
        .current_dir(here)
        .output()
        .unwrap();
    let ours = proofmark(&[&["cc"][..], &words].concat(), here)
        .output()
        .unwrap();
    assert_eq!((ours.status, stderr(&ours)), (plain.status, stderr(&plain)));
    let version = proofmark(&["cc", "--version"], here).output().unwrap();
    assert_eq!(
        version,
        Command::new("cc").arg("--version").output().unwrap()
    );
    std::fs::write(
        here.join("good.c"),
        "#include <stdio.h>\nint main(void) { return 3; }\n",
    )
    .unwrap();
    succeeds(&mut proofmark(&["cc", "-MMD", "-c", "good.c"], here));
    let dependencies = std::fs::read_to_string(here.join("good.d")).unwrap();
    assert!(dependencies.starts_with("good.o:"), "{dependencies}");
    succeeds(&mut proofmark(&["cc", "good.o", "-o", "good"], here));
    let ran = Command::new(here.join("good")).status().unwrap();
    assert_eq!(ran.code(), Some(3));
}

/// A compiler, `perf`, and the right to sample.
pub fn can_judge_c() -> bool {
    let perf = on_path("perf").ok_or("no perf in PATH (apt-get install linux-perf)");
    compiler("cc").is_some()
        && need(Need::Perf, perf).is_some()
        && need(Need::Perf, proofmark_sampler::probe()).is_some()
}

#[test]
fn perf_is_right_about_a_program_of_known_answer() {
    if !can_judge_c() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    succeeds(&mut proofmark(
        &["cc", "-O2", "-g", "-o", "ladder", LADDER],
        here,
    ));
    let words = [
        "--quiet",
        "--format",
        "json",
        "dose",
        "--out",
        "out",
        "--profiler",
        "perf",
        "--methods",
        "2",
        "--method",
        "rung3",
        "--method",
        "never",
        "--rounds",
        "3",
        "--window",
        "0.05",
        "--budget",
        "0",
        "--margin",
        "10",
        "--",
        "./ladder",
        "60",
    ];
    let output = proofmark(&words, here).output().unwrap();
    let said = || format!("{:?}: {}", output.status, stderr(&output));
    let result: Value =
        serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said()));
    assert_eq!(output.status.code(), Some(code(&result)), "{result:#}");
    let row = is_found(&result, "perf", "rung3");
    // The first line of the macro that makes it.
    assert!(row["line"].as_u64().is_some());
    // A machine that is slower for a while may make it look as if a dose of it did something: then no sample is there.
    let rows = result["attribution"]["perf"]["rows"].as_array().unwrap();
    let never = rows.iter().find(|row| row["method"] == "never");
    match never {
        None => assert!(left_out(&result, "never").is_some(), "{result:#}"),
        Some(row) => assert_ne!(row["verdict"], "right", "{row:#}"),
    }
    hot_functions_without_a_row_are_named(&result);
}

/// The tenth of ten rungs takes 10 of 55 parts of the time, and was not asked for.
fn hot_functions_without_a_row_are_named(result: &Value) {
    let untested = result["untested"].as_array().unwrap();
    let of = |name: &str| untested.iter().find(|one| one["method"] == name);
    assert_eq!(of("rung3"), None, "it has a row");
    let hottest = of("rung10").unwrap_or_else(|| panic!("{result:#}"));
    assert_eq!(hottest["reason"], "only 2 functions are tested");
    let share = &hottest["shares_pct"]["perf"];
    assert!(may_lie(share, 10.0..30.0), "{share}");
    let advice = result["advice"].as_str().unwrap();
    let named = advice.contains("rung10 (")
        && advice.contains(" too: `proofmark dose ")
        && advice.contains(" --methods ");
    assert!(named, "{advice}");
}

/// The row of a function in which a profiler must find the added time: its interval has it, however wide a busy machine makes it.
pub fn is_found<'r>(result: &'r Value, profiler: &str, function: &str) -> &'r Value {
    let rows = result["attribution"][profiler]["rows"].as_array().unwrap();
    let row = rows.iter().find(|row| row["method"] == function);
    let row = row.unwrap_or_else(|| panic!("{profiler}: no row {function}: {result:#}"));
    let part = &row["in_place_pct"];
    assert!(may_lie(part, 20.0..200.0), "{profiler}: {row:#}");
    assert!(part["n"].as_u64() > Some(10), "{profiler}: {row:#}");
    row
}

/// What profilers that leave a file for each process show of the ladder, whose ten rungs take most of the time.
#[test]
fn profilers_of_whole_processes_see_the_rungs() {
    if compiler("cc").is_none() {
        return;
    }
    if !in_a_process_of_its_own("native::profilers_of_whole_processes_see_the_rungs") {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    // Without gprof's variable the program leaves its gmon.out in the current directory.
    std::env::set_current_dir(here).unwrap();
    // gprof's own timer takes the signal that gperftools waits for.
    let mut profilers = vec![(PerProcess::Gprof, vec!["-pg"])];
    let rate_hz = 100.0;
    let library = gperftools_library();
    let library = library.ok_or("no libprofiler.so (apt-get install libgoogle-perftools4)");
    let Some(library) = need(Need::Perf, library) else {
        return;
    };
    profilers.push((PerProcess::Gperftools { library, rate_hz }, vec![]));
    let interrupted = AtomicBool::new(false);
    let wanted = Wanted {
        dose: None,
        least_s: 1.5,
        least: 2,
    };
    for (profiler, options) in profilers {
        let words = [
            vec!["cc", "-O2", "-g"],
            options,
            vec!["-o", "ladder", LADDER],
        ]
        .concat();
        succeeds(&mut proofmark(&words, here));
        let program = Program::read(&here.join("ladder")).unwrap();
        let launch = Launch {
            before: Vec::new(),
            program: program.path.clone(),
            arguments: vec!["6000".into()],
            directory: here.to_owned(),
            most_s: 600.0,
            output: None,
            marked: false,
        };
        let mut runner = Runner::begin(launch, &interrupted).unwrap();
        let windows =
            per_process_windows(&program, &mut runner, &[wanted], &profiler, &interrupted);
        let (ran, reported) = windows.unwrap().remove(0);
        let all = reported.functions.values().sum::<f64>() + reported.other;
        let of_rungs = |(name, _): &(&String, &f64)| name.starts_with("rung");
        let rungs = reported.functions.iter().filter(of_rungs);
        let rungs: f64 = rungs.map(|(_, samples)| samples).sum();
        // 100 samples a second, or what the kernel's ticks make of it, and those are few where others have the processor.
        assert!(all > 5.0 * ran.cpu_ns() / 1e9, "{profiler:?}: {reported:?}");
        assert!(rungs > 0.3 * all, "{profiler:?}: {reported:?}");
        assert!(
            reported.functions["rung10"] > 0.0,
            "{profiler:?}: {reported:?}"
        );
    }
}

#[test]
fn what_cannot_be_compared_is_refused() {
    if compiler("cc").is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    let text = "#include <stdio.h>\n#include <unistd.h>\nint main(void) { printf(\"%d\\n\", getpid()); return 0; }\n";
    std::fs::write(here.join("changing.c"), text).unwrap();
    succeeds(
        Command::new("cc")
            .args(["-o", "plain", "changing.c"])
            .current_dir(here),
    );
    let dose = |program: &str| {
        let words = [
            "--quiet", "dose", "--out", "out", "--method", "main", "--window", "0.02", "--",
            program,
        ];
        proofmark(&words, here).output().unwrap()
    };
    let without = dose("./plain");
    assert_eq!(without.status.code(), Some(2), "{}", stderr(&without));
    assert!(
        stderr(&without).contains("proofmark cc"),
        "{}",
        stderr(&without)
    );
    succeeds(&mut proofmark(&["cc", "-o", "sited", "changing.c"], here));
    let changing = dose("./sited");
    assert_eq!(changing.status.code(), Some(3), "{}", stderr(&changing));
    let said = stderr(&changing);
    assert!(
        said.contains("standard output is not the same in every run"),
        "{said}"
    );
    // The program ran, and nothing was measured.
    let words = ["dose", "--out", "nothing", "--method", "no_such", "--"];
    let words = [&words[..], &["./sited"]].concat();
    let unknown = proofmark(&words, here).output().unwrap();
    let said = stderr(&unknown);
    assert_eq!(unknown.status.code(), Some(2), "{said}");
    assert!(
        said.contains("no site in a function of that name"),
        "{said}"
    );
    assert!(!here.join("nothing").exists(), "{said}");
}
