//! Compiling our Java parts: what comes out, what is reported, and several at once.

use std::process::Command;

use proofmark_jvm::toolchain::{Kit, ToolchainError};

use super::support::{
    child, real_kit, settings_with_cache, stand_in_sources, this_machine_can_build, with_kit_in,
    write,
};

#[test]
fn a_kit_is_built_once_and_is_the_same_everywhere() {
    let (one, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let sources = stand_in_sources();
    let mut settings = settings_with_cache(one.path());
    settings.java_sources = Some(sources.path().to_owned());
    let Some(kit) = real_kit(&settings) else {
        return;
    };
    assert_eq!(
        kit.hashes.len(),
        7,
        "four Graal jars and three of ours: {:?}",
        kit.hashes
    );
    let built = std::fs::metadata(&kit.plugin_jar)
        .unwrap()
        .modified()
        .unwrap();
    let again = Kit::assemble(&settings).unwrap();
    assert_eq!(
        std::fs::metadata(&again.plugin_jar)
            .unwrap()
            .modified()
            .unwrap(),
        built
    );

    settings.cache = Some(other.path().to_owned());
    assert_eq!(
        Kit::assemble(&settings).unwrap().hashes,
        kit.hashes,
        "the build is not reproducible"
    );
    assert_eq!(
        std::fs::read_dir(one.path().join("tmp")).unwrap().count(),
        0
    );

    // The module is seen by java under its name.
    let mut java = Command::new(kit.jdk.java());
    java.args(["-XX:+UnlockExperimentalVMOptions", "-XX:+EnableJVMCI"])
        .args(kit.module_arguments());
    let described = java
        .args(["--describe-module", "proofmark.graal"])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&described.stdout);
    assert!(
        described.status.success() && text.contains("automatic"),
        "{text}"
    );
    assert!(
        text.contains("proofmark.graal") && !text.contains("jdk.vm.ci"),
        "{text}"
    );
}

#[test]
fn a_changed_source_gives_another_jar_and_a_broken_one_an_error() {
    let cache = tempfile::tempdir().unwrap();
    let sources = stand_in_sources();
    let Some((settings, kit)) = with_kit_in(cache.path(), sources.path()) else {
        return;
    };
    let file = sources.path().join("suite/proofmark/suite/A.java");
    write(
        &file,
        "package proofmark.suite; public class A { int d; }\n",
    );
    let changed = Kit::assemble(&settings).unwrap();
    assert_ne!(changed.suite_jar, kit.suite_jar);
    assert_eq!(changed.plugin_jar, kit.plugin_jar);

    write(
        &file,
        "package proofmark.suite; public class A { int d = \"\"; }\n",
    );
    let error = Kit::assemble(&settings).unwrap_err();
    assert!(matches!(error, ToolchainError::Compile { .. }), "{error}");
    let text = error.to_string();
    for expected in [
        "suite does not compile",
        "A.java:1: error: incompatible types",
        "command: ",
        "--release 17",
        "remedy",
    ] {
        assert!(text.contains(expected), "{expected:?} is not in:\n{text}");
    }
    std::fs::remove_file(&file).unwrap();
    let text = Kit::assemble(&settings).unwrap_err().to_string();
    assert!(
        text.contains("Java sources of suite are missing in"),
        "{text}"
    );
}

#[test]
fn a_damaged_entry_is_built_again() {
    let cache = tempfile::tempdir().unwrap();
    let sources = stand_in_sources();
    let Some((settings, kit)) = with_kit_in(cache.path(), sources.path()) else {
        return;
    };
    let word = child(&kit.graal_dir, "word-");
    std::fs::write(&word, "damaged").unwrap();
    std::fs::remove_file(&kit.suite_jar).unwrap();
    let again = Kit::assemble(&settings).unwrap();
    assert_eq!(again.hashes, kit.hashes);
    assert!(std::fs::metadata(&word).unwrap().len() > 1000);
}

#[test]
fn several_at_once_do_the_work_once() {
    let cache = tempfile::tempdir().unwrap();
    let sources = stand_in_sources();
    let mut settings = settings_with_cache(cache.path());
    settings.java_sources = Some(sources.path().to_owned());
    if !this_machine_can_build() {
        return;
    }
    std::fs::remove_dir_all(cache.path()).unwrap();
    // Locks belong to open files, so threads stand for processes here; hostile_disk.rs kills a real process.
    let kits: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..4)
            .map(|_| scope.spawn(|| Kit::assemble(&settings).unwrap()))
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap())
            .collect()
    });
    assert!(
        kits.iter()
            .all(|kit| kit.hashes == kits[0].hashes && kit.plugin_jar == kits[0].plugin_jar)
    );
    assert_eq!(
        std::fs::read_dir(cache.path().join("entries"))
            .unwrap()
            .count(),
        4
    );
    assert_eq!(
        std::fs::read_dir(cache.path().join("tmp")).unwrap().count(),
        0
    );
}
