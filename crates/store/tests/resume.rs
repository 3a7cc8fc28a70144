//! Runs that were interrupted, shared, damaged or made by somebody else.

use std::path::Path;

use proofmark_store::{Lock, Run, StoreError, steps_in};

fn begin(directory: &Path) -> Run {
    let mut run = Run::create(directory, &"Towers").unwrap();
    for step in 1..=3 {
        run.finish_step(&format!("plan-{step}"), &vec![step; step])
            .unwrap();
    }
    run
}

fn names(run: &Run) -> Vec<&str> {
    run.steps().iter().map(|step| step.name.as_str()).collect()
}

#[test]
fn a_finished_run_reads_back() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("deep/run");
    drop(begin(&path));
    let mut run = Run::open(&path).unwrap();
    assert_eq!(run.manifest::<String>().unwrap(), "Towers");
    assert_eq!(names(&run), ["plan-1", "plan-2", "plan-3"]);
    assert_eq!(
        run.result_of::<Vec<usize>>("plan-2").unwrap(),
        Some(vec![2, 2])
    );
    assert_eq!(run.result_of::<Vec<usize>>("plan-4").unwrap(), None);
    run.finish_step("plan-2", &vec![9]).unwrap();
    assert_eq!(
        run.result_of::<Vec<usize>>("plan-2").unwrap(),
        Some(vec![9]),
        "the last counts"
    );
    assert!(matches!(
        run.result_of::<String>("plan-2"),
        Err(StoreError::Damaged { .. })
    ));
}

/// Another process may be at it, and may be writing just now.
#[test]
fn steps_are_looked_at_without_touching_them() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run");
    assert_eq!(steps_in(&path).unwrap(), []);
    assert!(!path.exists());
    let run = begin(&path);
    assert_eq!(steps_in(&path).unwrap(), run.steps());
    let log = path.join("steps.jsonl");
    let mut bytes = std::fs::read(&log).unwrap();
    bytes.extend(b"{\"name\":\"pl");
    std::fs::write(&log, &bytes).unwrap();
    assert_eq!(steps_in(&path).unwrap(), run.steps());
    assert_eq!(std::fs::read(&log).unwrap(), bytes);
}

/// A process killed at any moment leaves some beginning of the bytes that it wanted to write.
#[test]
fn whole_steps_survive_a_kill_at_every_byte() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run");
    drop(begin(&path));
    let log = path.join("steps.jsonl");
    let all = std::fs::read(&log).unwrap();
    for cut in 0..=all.len() {
        std::fs::write(&log, &all[..cut]).unwrap();
        std::fs::write(path.join(".unfinished-ab"), "{").unwrap();
        let whole = all[..cut].split(|byte| *byte == b'\n').count() - 1;
        let mut run = Run::open(&path).unwrap();
        assert_eq!(
            names(&run),
            ["plan-1", "plan-2", "plan-3"][..whole],
            "cut at {cut}"
        );
        assert!(!path.join(".unfinished-ab").exists());
        run.finish_step("after", &cut).unwrap();
        drop(run);
        let run = Run::open(&path).unwrap();
        assert_eq!(run.steps().len(), whole + 1, "cut at {cut}");
        assert_eq!(run.result_of::<usize>("after").unwrap(), Some(cut));
    }
}

#[test]
fn two_cannot_share_a_run() {
    let directory = tempfile::tempdir().unwrap();
    let first = begin(directory.path());
    let error = Run::open(directory.path()).unwrap_err();
    let own = std::process::id();
    assert!(
        matches!(error, StoreError::Busy { process: Some(id), .. } if id == own),
        "{error}"
    );
    assert!(Run::create(directory.path(), &1).is_err());
    drop(first);
    assert_eq!(Run::open(directory.path()).unwrap().steps().len(), 3);
}

/// A command that keeps no steps holds its directory all the same, against runs as well.
#[test]
fn two_cannot_share_a_directory_without_a_run() {
    let directory = tempfile::tempdir().unwrap();
    let first = Lock::take(directory.path()).unwrap();
    assert_eq!(first.directory(), directory.path());
    let own = std::process::id();
    let refused = [
        Lock::take(directory.path()).err(),
        Run::create(directory.path(), &"Towers").err(),
    ];
    for error in refused {
        let told = matches!(error, Some(StoreError::Busy { process: Some(id), .. }) if id == own);
        assert!(told, "{error:?}");
    }
    // What is below it is another directory.
    let below = directory.path().join("copy");
    std::fs::create_dir(&below).unwrap();
    drop(Lock::take(&below).unwrap());
    drop(first);
    drop(Lock::take(directory.path()).unwrap());
}

/// Such a command may work in a directory that holds other files.
#[test]
fn what_somebody_else_calls_lock_stays_as_it_is() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("lock");
    std::fs::write(&file, "version 3\n").unwrap();
    let lock = Lock::take(directory.path()).unwrap();
    let refused = Lock::take(directory.path()).err();
    let told = matches!(refused, Some(StoreError::Busy { process: None, .. }));
    assert!(told, "{refused:?}");
    drop(lock);
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "version 3\n");
    std::fs::remove_file(&file).unwrap();
    std::fs::create_dir(&file).unwrap();
    let refused = Lock::take(directory.path()).err();
    let told = matches!(&refused, Some(StoreError::Occupied { found, .. }) if found == "lock");
    assert!(told, "{refused:?}");
}

#[test]
fn a_run_is_neither_overwritten_nor_made_up() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("run");
    assert!(matches!(Run::open(&path), Err(StoreError::NoRun(_))));
    assert!(!path.exists(), "asking leaves nothing behind");
    drop(begin(&path));
    assert!(matches!(
        Run::create(&path, &"Queens"),
        Err(StoreError::Exists(_))
    ));
    assert_eq!(Run::open(&path).unwrap().steps().len(), 3);
}

#[test]
fn a_directory_with_files_of_somebody_else_is_left_alone() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::create_dir(directory.path().join("current")).unwrap();
    let error = Run::create(directory.path(), &"Queens").unwrap_err();
    assert!(error.to_string().contains("current is there"), "{error}");
    assert!(!directory.path().join("manifest.json").exists());
}

#[test]
fn a_run_killed_before_its_first_step_is_still_a_run() {
    let directory = tempfile::tempdir().unwrap();
    drop(begin(directory.path()));
    std::fs::remove_file(directory.path().join("steps.jsonl")).unwrap();
    let created = Run::create(directory.path(), &"Queens");
    assert!(matches!(created, Err(StoreError::Exists(_))));
    let run = Run::open(directory.path()).unwrap();
    assert_eq!(run.manifest::<String>().unwrap(), "Towers");
    assert!(run.steps().is_empty());
}

#[test]
fn newer_and_damaged_runs_are_named() {
    let directory = tempfile::tempdir().unwrap();
    drop(begin(directory.path()));
    let manifest = directory.path().join("manifest.json");
    std::fs::write(&manifest, r#"{"format":7,"run":{}}"#).unwrap();
    let error = Run::open(directory.path()).unwrap_err().to_string();
    assert!(
        error.contains("format 7, this Proofmark reads up to 1"),
        "{error}"
    );
    std::fs::write(&manifest, "{").unwrap();
    let error = Run::open(directory.path()).unwrap_err().to_string();
    assert!(error.contains("manifest.json, line 1"), "{error}");
}

#[test]
fn files_of_a_run_are_replaced_as_a_whole() {
    let directory = tempfile::tempdir().unwrap();
    let mut run = begin(directory.path());
    run.write_file("plan.json", b"long old contents").unwrap();
    let path = run.write_file("plan.json", b"new").unwrap();
    assert_eq!(std::fs::read(path).unwrap(), b"new");
}

#[test]
fn in_a_directory_of_somebody_elses_nothing_is_left() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("mine.txt"), "keep").unwrap();
    let refused = Run::create(directory.path(), &"Towers").err().unwrap();
    assert!(matches!(&refused, StoreError::Occupied { found, .. } if found == "mine.txt"));
    let left: Vec<_> = std::fs::read_dir(directory.path())
        .unwrap()
        .map(|entry| entry.unwrap().file_name())
        .collect();
    assert_eq!(left, ["mine.txt"]);
}

#[test]
fn a_file_is_no_place_for_a_run() {
    let directory = tempfile::tempdir().unwrap();
    let file = directory.path().join("results");
    std::fs::write(&file, "keep").unwrap();
    let refused = Run::create(&file, &"Towers").err().unwrap();
    assert!(matches!(&refused, StoreError::NoDirectory(path) if *path == file));
    assert_eq!(std::fs::read(file).unwrap(), b"keep");
}
