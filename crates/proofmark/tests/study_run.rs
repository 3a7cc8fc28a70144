//! `study run` on the real JVM: small studies, killed ones, programs that crash and hang.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::common::{Place, compile, jvm_of, kit, stderr, until, wait_for_end};
use proofmark_jvm::toolchain::AsyncProfiler;
use proofmark_profile::{Filter, Options, ThreadFilter, import};
use proofmark_study::{MANIFEST, NO_PROFILER, RunRecord, read_manifest};
use proofmark_test_support::{Need, need};
use rustix::process::{Pid, Signal, kill_process};

/// `study run` with small heaps, ready to run.
fn study(place: &Place, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
    command
        .args(["study", "run", "--heap", "64", "--out"])
        .arg(place.path().join("out"))
        .args(words)
        .env("TMPDIR", place.path().join("tmp"))
        .stdin(Stdio::null());
    command
}

fn ended(mut command: Command, code: i32) -> Output {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{}", stderr(&output));
    output
}

fn records(place: &Place) -> Vec<RunRecord> {
    read_manifest(&std::fs::read(place.path().join("out").join(MANIFEST)).unwrap()).unwrap()
}

/// Methods of the program in the recording, seen on its own thread.
fn samples_of(directory: &Path, record: &RunRecord, class: &str) -> f64 {
    let file = directory.join(record.file.as_ref().unwrap());
    let profile = import(&std::fs::read(file).unwrap(), &Options::default()).unwrap();
    let filter = match record.thread_os_id {
        // The safepoint control asks one thread only and does not tell ids.
        Some(id) if record.profiler != "safepoint" => Filter {
            thread: ThreadFilter::OsId(id),
            ..Filter::default()
        },
        _ => Filter::default(),
    };
    let methods = profile.by_method(&filter).methods;
    let own = methods.iter().filter(|(m, _)| m.class.starts_with(class));
    own.map(|(_, share)| share.self_weight).sum()
}

#[test]
fn a_small_study_has_every_run_with_its_recording() {
    if kit().is_none() {
        return;
    }
    let place = Place::new();
    let words = "--program suite:Towers,suite:Queens --profiler async,jfr --runs 2 --iterations 20 --format json";
    let output = ended(study(&place, &words.split(' ').collect::<Vec<_>>()), 0);
    let summary: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(
        (&summary["runs"], &summary["failed"]),
        (&12.into(), &0.into())
    );
    let records = records(&place);
    let cells: BTreeSet<_> = records
        .iter()
        .map(|r| (&r.program, &r.profiler, r.run))
        .collect();
    assert_eq!((records.len(), cells.len()), (12, 12));
    let sizes: BTreeSet<u64> = records.iter().map(|r| r.env_bytes).collect();
    assert!(sizes.len() > 6, "{sizes:?}");
    for record in &records {
        assert_eq!(record.iterations_ms.len(), 20, "{record:?}");
        assert!(record.iterations_ms.iter().all(|ms| *ms > 0.0));
        if record.profiler == NO_PROFILER {
            assert_eq!(record.file, None);
            continue;
        }
        let class = record.program.replace("suite:", "proofmark.suite.");
        let samples = samples_of(&place.path().join("out"), record, &class);
        assert!(samples > 0.0, "{record:?}: no sample in {class}");
    }
    assert!(!place.path().join("out/current").exists());
    assert_eq!(place.temporary_files(), Vec::<std::path::PathBuf>::new());
    let again = ended(study(&place, &words.split(' ').collect::<Vec<_>>()), 0);
    assert!(
        stderr(&again).contains("12 of 12 runs are there already"),
        "{}",
        stderr(&again)
    );
    let other = words.replace("--runs 2", "--runs 3");
    // A dry run says what the start would say.
    for other in [other.clone(), format!("{other} --dry-run")] {
        let refused = ended(study(&place, &other.split(' ').collect::<Vec<_>>()), 2);
        assert!(
            stderr(&refused).contains("holds a study with other size"),
            "{other}: {}",
            stderr(&refused)
        );
    }
}

#[test]
fn a_killed_study_goes_on_where_it_was() {
    if kit().is_none() {
        return;
    }
    let place = Place::new();
    let words: Vec<&str> =
        "--program suite:Towers --profiler jfr,safepoint --runs 3 --iterations 20"
            .split(' ')
            .collect();
    let mut tool = study(&place, &words)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let manifest = place.path().join("out").join(MANIFEST);
    until(&mut tool, |_| {
        let lines = std::fs::read(&manifest).unwrap_or_default();
        lines.iter().filter(|&&byte| byte == b'\n').count() >= 3
    });
    let pid = Pid::from_raw(tool.id().cast_signed()).unwrap();
    // It keeps its lock and makes no further run.
    kill_process(pid, Signal::STOP).unwrap();
    let busy = ended(study(&place, &words), 3);
    assert!(
        stderr(&busy).contains("another Proofmark"),
        "{}",
        stderr(&busy)
    );
    let jvm = jvm_of(tool.id());
    kill_process(pid, Signal::KILL).unwrap();
    tool.wait().unwrap();
    if let Some(jvm) = jvm {
        wait_for_end(jvm);
    }
    let before = std::fs::read(place.path().join("out").join(MANIFEST)).unwrap();
    let finished = read_manifest(&before).unwrap().len();
    assert!((3..9).contains(&finished), "{finished}");
    let output = ended(study(&place, &words), 0);
    let text = stderr(&output);
    assert!(
        text.contains(&format!("{finished} of 9 runs are there already")),
        "{text}"
    );
    let after = std::fs::read(place.path().join("out").join(MANIFEST)).unwrap();
    assert!(after.starts_with(&before), "finished runs stay as they are");
    assert_eq!(after.split(|byte| *byte == b'\n').count(), 10);
    assert!(
        records(&place)
            .iter()
            .all(|record| record.failure.is_none())
    );
    assert_eq!(place.temporary_files(), Vec::<std::path::PathBuf>::new());
}

#[test]
fn programs_that_crash_and_hang_are_failed_runs_with_logs() {
    let Some(kit) = kit() else {
        return;
    };
    let place = Place::new();
    compile(
        &kit,
        place.path(),
        "Crashes",
        "static int times; public static void main(String[] a) throws Exception { if (++times > 3) { \
         var f = sun.misc.Unsafe.class.getDeclaredField(\"theUnsafe\"); f.setAccessible(true); \
         ((sun.misc.Unsafe) f.get(null)).putInt(8L, 1); } }",
    );
    let programs = "[[program]]\nworkload = \"suite:Towers\"\n\
                    [[program]]\nname = \"crashes\"\nworkload = \"class:Crashes\"\nclass_path = [\".\"]\n";
    let usual = failed_study(&place, programs, &[], 0);
    // Only what certainly takes longer has so short a limit.
    let programs = "[[program]]\nname = \"hangs\"\nworkload = \"suite:trouble.Hangs\"\n";
    let short = Place::new();
    // 3: nothing was measured.
    let hanging = failed_study(&short, programs, &["--iteration-timeout", "1"], 3);
    assert_eq!((usual.len(), hanging.len()), (10, 5));
    let failures = |records: &[RunRecord], program: &str| -> Vec<String> {
        let own = records.iter().filter(|r| r.program == program);
        own.filter_map(|record| record.failure.clone()).collect()
    };
    assert_eq!(failures(&usual, "suite:Towers"), Vec::<String>::new());
    let (hangs, crashes) = (failures(&hanging, "hangs"), failures(&usual, "crashes"));
    assert!(hangs[0].contains("still running after 1.0 s"), "{hangs:?}");
    assert!(
        crashes[0].contains("the JVM ended") && crashes[0].contains("SIGSEGV"),
        "{crashes:?}"
    );
    let report = "and the report of its crash is in ";
    assert!(crashes[0].contains(report), "{crashes:?}");
    for failures in [&hangs, &crashes] {
        let made = failures.iter().filter(|text| !text.starts_with("not made"));
        assert_eq!((failures.len(), made.count()), (5, 3), "{failures:?}");
    }
    let (usual, hanging) = (logs(&place), logs(&short));
    let count = |logs: &[String], part: &str| {
        let such = logs.iter().filter(|name| name.contains(part));
        such.count()
    };
    assert_eq!((count(&hanging, "hangs"), count(&usual, "Towers")), (3, 0));
    assert_eq!(count(&usual, ".hs_err.log"), 3, "{usual:?}");
}

/// Five runs of the programs of a file, none of them profiled.
fn failed_study(place: &Place, programs: &str, more: &[&str], code: i32) -> Vec<RunRecord> {
    let file = place.path().join("programs.toml");
    std::fs::write(&file, programs).unwrap();
    let file = file.display().to_string();
    let words = "--profiler none --runs 5 --iterations 12 --programs";
    let words: Vec<&str> = words.split(' ').chain([file.as_str()]).collect();
    ended(study(place, &[&words[..], more].concat()), code);
    records(place)
}

/// Names of the logs that were kept.
fn logs(place: &Place) -> Vec<String> {
    let logs = std::fs::read_dir(place.path().join("out/logs")).unwrap();
    let name = |entry: std::io::Result<std::fs::DirEntry>| {
        let name = entry.unwrap().file_name();
        name.to_string_lossy().into_owned()
    };
    logs.map(name).collect()
}

#[test]
fn every_way_of_profiling_leaves_a_recording() {
    let Some(kit) = kit() else {
        return;
    };
    let settings = proofmark_jvm::toolchain::Settings::from_env();
    let profiler = AsyncProfiler::obtain(&settings, &kit.jdk).unwrap();
    let library = profiler.lib.display().to_string();
    let place = Place::new();
    let words = [
        "--program",
        "suite:Towers",
        "--profiler",
        "async-ctimer,jfr+nonsafepoints,jfr-cpu,safepoint,yourkit,perf",
        "--runs",
        "1",
        "--iterations",
        "20",
        "--keep-recordings",
        // async-profiler as an agent of its own: any agent that writes when the JVM ends will do.
        "--yourkit",
        &library,
        "--yourkit-options",
        "start,event=ctimer,interval=1ms,collapsed,sig,ann,threads,file={out}",
        "--yourkit-export",
        "cp {recording} {out}",
    ];
    let output = ended(study(&place, &words), 0);
    let said = stderr(&output);
    let lacks_perf = said.lines().find(|line| line.contains("perf is skipped"));
    let perf = need(Need::Perf, lacks_perf.map_or(Ok(()), Err));
    let records = records(&place);
    assert_eq!(records.len(), if perf.is_some() { 7 } else { 6 });
    for record in records.iter().filter(|r| r.profiler != NO_PROFILER) {
        assert_eq!(record.failure, None, "{record:?}");
        if record.profiler == "perf" {
            assert!(record.perf_map.is_some());
            continue;
        }
        let samples = samples_of(&place.path().join("out"), record, "proofmark.suite.Towers");
        assert!(samples > 0.0, "{record:?}: no sample");
    }
}

#[test]
fn what_cannot_be_had_is_skipped_with_its_reason_and_costs_are_told() {
    let Some(kit) = kit() else {
        return;
    };
    let place = Place::new();
    let words =
        "--dry-run --program suite:Towers --profiler jfr,perf,yourkit,jprofiler --time-budget 60";
    let mut command = study(&place, &words.split(' ').collect::<Vec<_>>());
    command
        .env("PATH", place.path())
        .env("PROOFMARK_JDK", &kit.jdk.home);
    let output = ended(command, 0);
    let text = stderr(&output);
    for reason in [
        "perf is skipped: perf is not installed (Debian: apt-get install linux-perf)",
        "yourkit is skipped: its licence is yours to have: give its agent with --yourkit FILE",
        "jprofiler is skipped: its licence is yours to have",
        "for the time budget:",
    ] {
        assert!(text.contains(reason), "{reason}: {text}");
    }
    let stdout = String::from_utf8_lossy(&output.stdout);
    assert!(stdout.contains("suite:Towers"), "{stdout}");
    assert!(!place.path().join("out").exists());
    for (words, reason) in [
        (["suite:Towers", "gprof"], "unknown profiler 'gprof'"),
        (["class:NoSuch", "jfr"], "cannot load the workload NoSuch"),
    ] {
        let refused = ended(
            study(&place, &["--program", words[0], "--profiler", words[1]]),
            2,
        );
        assert!(stderr(&refused).contains(reason), "{}", stderr(&refused));
        assert!(
            !place.path().join("out").exists(),
            "a corrected command can have it"
        );
    }
}
