//! Full disks, read-only disks, killed builders and real processes side by side.
//!
//! These tests start this test program again as another process, which runs only `worker` below; a small or
//! read-only disk is a tmpfs in a mount namespace of that process.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use proofmark_jvm::toolchain::{AsyncProfiler, Kit, doctor, find_jdk};
use proofmark_test_support::mounted;

use super::support::{
    real_jdk, script, settings_with_cache, stand_in_sources, this_machine_can_build, with_kit_in,
};

/// The other process: assembles a kit or gets async-profiler, and prints what came of it.
#[test]
#[ignore = "started by the other tests of this file"]
fn worker() {
    let variable = |name: &str| std::env::var_os(name);
    let mut settings = settings_with_cache(Path::new(&variable("WORKER_CACHE").unwrap()));
    settings.progress = Some(|step| println!("step: {step}"));
    if let Some(bin) = variable("WORKER_SLOW_MVN") {
        let jdk = find_jdk(&settings).unwrap();
        settings.local_repository = Some(Path::new(&bin).join("m2"));
        settings.path = Some(bin);
        let _ = AsyncProfiler::obtain(&settings, &jdk);
    }
    match Kit::assemble(&settings) {
        Ok(_) => println!("result: kit"),
        Err(error) => println!("result: {error}"),
    }
}

/// The command that runs `worker`, to be started as it is or in a mount namespace.
fn worker_command(mut command: Command, cache: &Path, sources: &Path) -> Command {
    command.args([
        "--ignored",
        "--exact",
        "hostile_disk::worker",
        "--nocapture",
    ]);
    command
        .env("WORKER_CACHE", cache)
        .env("PROOFMARK_JAVA_SOURCES", sources);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn this_program() -> PathBuf {
    std::env::current_exe().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Everything a worker says when its cache is on a disk that `mount` makes at that place.
fn on_a_disk(mount: &str) -> Option<String> {
    if !this_machine_can_build() {
        return None;
    }
    let (place, sources) = (tempfile::tempdir().unwrap(), stand_in_sources());
    let setup = mount.replace("PLACE", &format!("'{}'", place.path().display()));
    let command = mounted(&setup, &this_program())?;
    let mut worker = worker_command(command, place.path(), sources.path());
    Some(text(&worker.output().unwrap()))
}

#[test]
fn a_full_disk_is_named_with_its_remedy() {
    for size in ["64k", "20m"] {
        let Some(said) = on_a_disk(&format!("mount -t tmpfs -o size={size} none PLACE")) else {
            return;
        };
        assert!(
            said.contains("result: no space left for the cache at"),
            "{size}: {said}"
        );
        assert!(said.contains("remedy: free about 60 MB"), "{size}: {said}");
    }
}

/// Graal fits, the classes do not: it is javac or jar that meets the end of the disk. The disk grows until all
/// of it fits; up to there every failure must be named.
#[test]
fn a_disk_that_fills_up_while_compiling_is_named_too() {
    const GRAAL_IN_PAGES_KB: usize = 24_224;
    let mut failures_while_compiling = 0;
    for spare in (4..200).step_by(16) {
        let size = GRAAL_IN_PAGES_KB + spare;
        let Some(said) = on_a_disk(&format!("mount -t tmpfs -o size={size}k none PLACE")) else {
            return;
        };
        if said.contains("result: kit") {
            assert!(
                failures_while_compiling >= 2,
                "{size} KB is no small disk: {said}"
            );
            return;
        }
        assert!(
            said.contains("result: no space left for the cache at"),
            "{size} KB: {said}"
        );
        failures_while_compiling += usize::from(said.contains("step: compiling"));
    }
    panic!("200 KB are not enough for the stand-in sources");
}

#[test]
fn a_read_only_disk_is_named_with_its_remedy() {
    let Some(said) = on_a_disk("mount -t tmpfs -o ro none PLACE") else {
        return;
    };
    assert!(
        said.contains("result: the cache at") && said.contains("cannot be written"),
        "{said}"
    );
    assert!(said.contains("remedy: set XDG_CACHE_HOME"), "{said}");
}

#[test]
fn a_full_cache_on_a_read_only_disk_still_works() {
    let (cache, sources) = (tempfile::tempdir().unwrap(), stand_in_sources());
    if with_kit_in(cache.path(), sources.path()).is_none() {
        return;
    }
    let place = cache.path().display();
    let setup = format!("mount --bind '{place}' '{place}' && mount -o remount,ro,bind '{place}'");
    let Some(command) = mounted(&setup, &this_program()) else {
        return;
    };
    let mut worker = worker_command(command, cache.path(), sources.path());
    let output = worker.output().unwrap();
    assert!(text(&output).contains("result: kit"), "{}", text(&output));
}

#[test]
fn two_processes_do_the_work_once() {
    let (cache, sources) = (tempfile::tempdir().unwrap(), stand_in_sources());
    if !this_machine_can_build() {
        return;
    }
    let workers: Vec<Child> = (0..2)
        .map(|_| {
            worker_command(Command::new(this_program()), cache.path(), sources.path())
                .spawn()
                .unwrap()
        })
        .collect();
    let said: Vec<_> = workers
        .into_iter()
        .map(|worker| text(&worker.wait_with_output().unwrap()))
        .collect();
    assert!(
        said.iter().all(|text| text.contains("result: kit")),
        "{said:?}"
    );
    let compiled = said.concat().matches("step: compiling").count();
    assert_eq!(
        compiled, 3,
        "plug-in, harness and suite once each: {said:?}"
    );
}

#[test]
fn leftovers_go_when_their_owner_is_dead_and_not_before() {
    let (place, sources) = (tempfile::tempdir().unwrap(), stand_in_sources());
    let (cache, bin) = (place.path().join("cache"), place.path().join("bin"));
    let stop = place.path().join("stop");
    let settings = settings_with_cache(&cache);
    if real_jdk(&settings).is_none() {
        return;
    }
    script(
        &bin.join("mvn"),
        &format!(
            // The place goes away with the test: nothing waits longer.
            "while [ -d '{}' ] && [ ! -e '{}' ]; do /bin/sleep 0.05; done",
            place.path().display(),
            stop.display()
        ),
    );
    let mut worker = worker_command(Command::new(this_program()), &cache, sources.path())
        .env("WORKER_SLOW_MVN", &bin)
        .spawn()
        .unwrap();
    let leftovers = || std::fs::read_dir(cache.join("tmp")).map_or(0, Iterator::count);
    let deadline = Instant::now() + Duration::from_secs(600);
    while leftovers() == 0 {
        assert!(
            Instant::now() < deadline,
            "the worker never started to build"
        );
        std::thread::sleep(Duration::from_millis(10));
    }
    doctor(&settings);
    assert_eq!(
        leftovers(),
        1,
        "the workshop of a living builder was deleted"
    );
    worker.kill().unwrap();
    worker.wait().unwrap();
    doctor(&settings);
    assert_eq!(
        leftovers(),
        0,
        "the leftover of a killed builder is still there"
    );
    std::fs::write(stop, "").unwrap();
}
