//! A real file system that fills up: `PROOFMARK_SMALL_DISK=DIR cargo test -p proofmark-store --
//! --ignored`, where DIR is an empty file system of at most 1 MB (`mount -t tmpfs -o size=256k`).

use std::path::PathBuf;

use proofmark_store::{Run, StoreError};

#[test]
#[ignore = "needs a small file system in PROOFMARK_SMALL_DISK"]
fn steps_before_the_disk_was_full_are_kept() {
    let disk = PathBuf::from(std::env::var_os("PROOFMARK_SMALL_DISK").expect("set by the caller"));
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
    assert!(run.set_manifest(&vec![block.clone(); 200]).is_err());
    drop(run);
    let mut run = Run::open(&path).unwrap();
    assert_eq!(run.steps().len(), stored);
    assert_eq!(run.manifest::<String>().unwrap(), "Towers");
    let names = || {
        std::fs::read_dir(&path)
            .unwrap()
            .flatten()
            .map(|entry| entry.file_name())
    };
    assert!(names().all(|name| !name.to_string_lossy().starts_with('.')));
    run.finish_step("small", &1).unwrap();
    assert_eq!(run.steps().len(), stored + 1);
}
