//! Programs that mark their iterations: what counts, what does not, and what happens where they end.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use proofmark_native::{
    Language, Launch, LaunchError, Program, Ran, Runner, Wanted, compile, key_of,
};
use proofmark_test_support::{Need, need, on_path};

/// Words: iterations, what is done beside them. The start takes longer than hundreds of iterations.
const PROGRAM: &str = r#"
#include <proofmark.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#define KEEP __attribute__((noinline))
static uint64_t seed = 1;
static void burn(long turns) {
    uint64_t x = seed;
    for (long i = 0; i < turns; i++) { x ^= x << 13; x ^= x >> 7; x ^= x << 17; }
    seed = x;
}
KEEP static void work(void) { burn(20000); }
KEEP static void start(void) { burn(20000000); }
static void *other(void *unused) {
    for (int i = 0; i < 1000; i++) { PROOFMARK_ITERATION; }
    return unused;
}
int main(int count, char **words) {
    const char *beside = count > 2 ? words[2] : "";
    int iterations = atoi(words[1]);
    start();
    for (int i = 0; i < iterations; i++) {
        PROOFMARK_ITERATION;
        work();
        if (!strcmp(beside, "thread") && i == 2) {
            pthread_t thread;
            pthread_create(&thread, 0, other, 0);
            pthread_join(thread, 0);
        }
        if (!strcmp(beside, "fork") && i == 2) {
            int child = fork();
            if (child == 0) { other(0); _exit(0); }
            waitpid(child, 0, 0);
        }
        if (!strcmp(beside, "crash") && i == 5) abort();
    }
    start();
    if (!strcmp(beside, "pid")) printf("%d\n", getpid());
    printf("%llx\n", (unsigned long long)seed);
    return 0;
}
"#;

/// The program, built once per test.
fn built(here: &Path) -> Option<PathBuf> {
    let missing = "no cc in PATH (apt-get install gcc)";
    need(Need::Perf, on_path("cc").ok_or(missing))?;
    let [source, program] = ["marks.c", "marks"].map(|name| here.join(name));
    std::fs::write(&source, PROGRAM).unwrap();
    let [from, to] = [&source, &program].map(|path| path.display().to_string());
    let words = ["-O2", "-pthread", "-o", &to, &from].map(str::to_owned);
    let status = compile(Language::C, &words, Some(here)).unwrap();
    assert!(status.success());
    Some(program)
}

fn launch(program: &Path, words: &[&str]) -> Launch {
    Launch {
        before: Vec::new(),
        program: program.to_owned(),
        arguments: words.iter().map(|word| (*word).to_owned()).collect(),
        directory: program.parent().unwrap().to_owned(),
        most_s: 600.0,
        output: None,
        marked: false,
    }
}

fn begun(program: &Path, words: &[&str]) -> Runner {
    Runner::begin(launch(program, words), &AtomicBool::new(false)).unwrap()
}

fn windows(runner: &mut Runner, wanted: &[Wanted]) -> Result<Vec<Ran>, LaunchError> {
    runner.windows(wanted, &AtomicBool::new(false))
}

fn least(least: u32, dose: Option<(u64, u32)>) -> Wanted {
    Wanted {
        dose,
        least_s: 0.0,
        least,
    }
}

fn pids(ran: &[Ran]) -> BTreeSet<u32> {
    let stretches = ran.iter().flat_map(|one| &one.stretches);
    stretches.map(|one| one.pid).collect()
}

#[test]
fn windows_of_one_process_follow_each_other_without_its_start() {
    let place = tempfile::tempdir().unwrap();
    let Some(program) = built(place.path()) else {
        return;
    };
    assert!(Program::read(&program).unwrap().site("work").is_some());
    let begin = std::time::Instant::now();
    let mut runner = begun(&program, &["1000000"]);
    let start_ns = begin.elapsed().as_nanos() as f64;
    assert!(runner.launch.marked);
    let dose = Some((key_of("work"), 2_000_000));
    let wanted = [least(7, None), least(7, dose), least(7, None)];
    let ran = windows(&mut runner, &wanted).unwrap();
    assert_eq!(pids(&ran).len(), 1);
    let of_iteration = |one: &Ran| one.cpu_ns() / f64::from(one.iterations());
    for one in &ran {
        assert_eq!((one.stretches.len(), one.iterations()), (1, 7));
    }
    let obeyed: Vec<u32> = ran.iter().map(|one| one.obeyed).collect();
    assert_eq!(obeyed, [0, 1, 0]);
    // The start is a thousand iterations long; a turn takes 8 cycles, a step of the work, of which there are 20,000, some 6.
    assert!(of_iteration(&ran[0]) < start_ns / 20.0, "{ran:?}");
    assert!(
        of_iteration(&ran[1]) > 10.0 * of_iteration(&ran[0]),
        "{ran:?}"
    );
    assert!(
        of_iteration(&ran[1]) > 10.0 * of_iteration(&ran[2]),
        "{ran:?}"
    );
    let spans: Vec<[u64; 2]> = ran.iter().map(|one| one.stretches[0].span_ns).collect();
    let mut all = spans.concat();
    assert_eq!(all.len(), 6);
    all.dedup();
    assert!(all.is_sorted() && all.len() == 6, "{spans:?}");
    let by_time = Wanted {
        dose: None,
        least_s: 0.02,
        least: 1,
    };
    let ran = windows(&mut runner, &[by_time]).unwrap();
    assert!(ran[0].cpu_ns() >= 2e7 && ran[0].iterations() > 1, "{ran:?}");
    runner.end(&AtomicBool::new(false)).unwrap();
}

#[test]
fn a_window_goes_on_in_the_next_process() {
    let place = tempfile::tempdir().unwrap();
    let Some(program) = built(place.path()) else {
        return;
    };
    let mut runner = begun(&program, &["6"]);
    let ran = windows(&mut runner, &[least(12, None)]).unwrap();
    // A process has five iterations, as what follows the last mark is no whole one; the first was asked for one before.
    assert_eq!((ran[0].iterations(), pids(&ran).len()), (12, 3), "{ran:?}");
    assert!(runner.launch.output.is_some());
    let mut runner = begun(&program, &["6", "pid"]);
    let error = windows(&mut runner, &[least(30, None)]).unwrap_err();
    assert!(
        matches!(error, LaunchError::Differs("standard output")),
        "{error}"
    );
}

#[test]
fn a_program_that_ends_before_its_second_mark_is_run_as_a_whole() {
    let place = tempfile::tempdir().unwrap();
    let Some(program) = built(place.path()) else {
        return;
    };
    for iterations in ["0", "1"] {
        let mut runner = begun(&program, &[iterations]);
        assert!(!runner.launch.marked);
        let ran = windows(&mut runner, &[least(2, Some((key_of("start"), 1000)))]).unwrap();
        assert_eq!((pids(&ran).len(), ran[0].iterations()), (2, 2));
        assert!(ran[0].obeyed == 2 && ran[0].stretches[0].whole, "{ran:?}");
    }
}

#[test]
fn marks_of_other_threads_and_processes_do_not_count() {
    let place = tempfile::tempdir().unwrap();
    let Some(program) = built(place.path()) else {
        return;
    };
    for beside in ["thread", "fork"] {
        let mut runner = begun(&program, &["11", beside]);
        let ran = windows(&mut runner, &[least(9, None)]).unwrap();
        assert_eq!(
            (ran[0].iterations(), pids(&ran).len()),
            (9, 1),
            "{beside}: {ran:?}"
        );
        runner.end(&AtomicBool::new(false)).unwrap();
    }
}

#[test]
fn a_program_that_fails_within_a_window_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let Some(program) = built(place.path()) else {
        return;
    };
    let mut runner = begun(&program, &["100", "crash"]);
    let error = windows(&mut runner, &[least(50, None)]).unwrap_err();
    assert!(matches!(error, LaunchError::Signal(6)), "{error}");
}

#[test]
fn other_compilers_make_nothing_of_a_mark() {
    let place = tempfile::tempdir().unwrap();
    let Some(program) = built(place.path()) else {
        return;
    };
    let mut directories = std::fs::read_dir(place.path()).unwrap().flatten();
    let include = directories.find(|one| one.file_name().to_string_lossy().starts_with("include-"));
    let mut command = std::process::Command::new("cc");
    let include = include.expect("the header's place").path();
    command
        .args(["-O2", "-pthread", "-Wall", "-Werror", "-I"])
        .arg(include);
    command
        .args(["-o", "plain", "marks.c"])
        .current_dir(place.path());
    assert!(command.status().unwrap().success());
    let said = |program: &Path| {
        std::process::Command::new(program)
            .arg("3")
            .output()
            .unwrap()
    };
    assert_eq!(said(&place.path().join("plain")), said(&program));
}
