//! A real file system that fills up, in a mount namespace of this test program started again.

use std::path::{Path, PathBuf};

use proofmark_store::{Run, StoreError};
use proofmark_test_support::mounted;

/// The worker's only.
const DISK: &str = "PROOFMARK_SMALL_DISK";

#[test]
fn steps_before_the_disk_was_full_are_kept() {
    let place = tempfile::tempdir().unwrap();
    let disk = place.path().display();
    let setup = format!("mount -t tmpfs -o size=256k none '{disk}'");
    let Some(mut worker) = mounted(&setup, &std::env::current_exe().unwrap()) else {
        return;
    };
    worker.args(["--ignored", "--exact", "worker", "--nocapture"]);
    let output = worker.env(DISK, place.path()).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("1 passed"), "{said}");
}

#[test]
#[ignore = "started by the other test of this file"]
fn worker() {
    let disk = PathBuf::from(std::env::var_os(DISK).expect("set by the other test"));
    let path = disk.join("run");
    let mut run = Run::create(&path, &"Towers").unwrap();
    let block = "x".repeat(10_000);
    let (stored, error) = (0..200)
        .find_map(|step| {
            run.finish_step("step", &(step, &block))
                .err()
                .map(|error| (step, error))
        })
        .expect("the disk fills up");
    assert!(matches!(error, StoreError::Full { .. }), "{error}");
    assert!(run.write_file("plan.json", &vec![b'x'; 1 << 20]).is_err());
    drop(run);
    what_was_stored_is_there(&path, stored);
}

fn what_was_stored_is_there(path: &Path, stored: usize) {
    let mut run = Run::open(path).unwrap();
    assert_eq!(run.steps().len(), stored);
    assert_eq!(run.manifest::<String>().unwrap(), "Towers");
    let names = || {
        std::fs::read_dir(path)
            .unwrap()
            .flatten()
            .map(|entry| entry.file_name())
    };
    assert!(names().all(|name| !name.to_string_lossy().starts_with('.')));
    run.finish_step("small", &1).unwrap();
    assert_eq!(run.steps().len(), stored + 1);
}
