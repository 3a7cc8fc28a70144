//! Machines made of directories.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use proofmark_jvm::toolchain::{Jdk, Kit, Settings, ToolchainError, find_jdk};
use proofmark_test_support::{Need, need};

/// The real machine, with a cache of its own.
pub fn settings_with_cache(cache: &Path) -> Settings {
    Settings {
        cache: Some(cache.to_owned()),
        ..Settings::from_env()
    }
}

/// A small set of Java parts that compile against Graal.
pub fn stand_in_sources() -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    let put = |path: &str, text: &str| write(&root.path().join(path), text);
    put(
        "graal-plugin/src/proofmark/graal/StandIn.java",
        "package proofmark.graal;\n\
         import jdk.graal.compiler.hotspot.*;\n\
         import jdk.graal.compiler.asm.amd64.AMD64MacroAssembler;\n\
         public class StandIn extends EconomyCompilerConfigurationFactory {\n\
             static Object register(AMD64MacroAssembler a) { return jdk.vm.ci.amd64.AMD64.rax; }\n\
         }\n",
    );
    put(
        "graal-plugin/exports.txt",
        "jdk.graal.compiler/jdk.graal.compiler.hotspot\njdk.graal.compiler/jdk.graal.compiler.asm.amd64\n\
         jdk.graal.compiler/jdk.graal.compiler.asm\njdk.internal.vm.ci/jdk.vm.ci.amd64 compile-only\n\
         jdk.internal.vm.ci/jdk.vm.ci.code compile-only\n",
    );
    put(
        "graal-plugin/resources/META-INF/services/proofmark.None",
        "# nobody\n",
    );
    put(
        "harness/proofmark/harness/Main.java",
        "package proofmark.harness; class Main { proofmark.graal.StandIn s; }\n",
    );
    put(
        "suite/proofmark/suite/A.java",
        "package proofmark.suite; public class A { record B(int c) {} }\n",
    );
    root
}

/// Writes a file and the directories above it.
pub fn write(file: &Path, text: &str) {
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, text).unwrap();
}

/// Writes a shell script that can be executed.
pub fn script(file: &Path, text: &str) {
    write(file, &format!("#!/bin/sh\n{text}\n"));
    fs::set_permissions(file, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A JDK made of scripts; `java` does what `body` says.
pub fn fake_jdk(home: &Path, version: &str, body: &str) {
    for tool in ["javac", "jar", "jcmd"] {
        script(&home.join("bin").join(tool), "exit 0");
    }
    script(&home.join("bin/java"), body);
    let modules = "java.base jdk.compiler jdk.internal.vm.ci";
    let release =
        format!("IMPLEMENTOR=\"Acme\"\nJAVA_VERSION=\"{version}\"\nMODULES=\"{modules}\"\n");
    write(&home.join("release"), &release);
}

/// The real JDK, or nothing with a printed reason.
pub fn real_jdk(settings: &Settings) -> Option<Jdk> {
    need(Need::Jvm, find_jdk(settings))
}

/// A kit; a machine on which the locked files cannot be had skips the test.
pub fn real_kit(settings: &Settings) -> Option<Kit> {
    match Kit::assemble(settings) {
        Err(error @ (ToolchainError::NoJdk { .. } | ToolchainError::ArtifactMissing { .. })) => {
            need(Need::Jvm, Err(error))
        }
        kit => Some(kit.unwrap()),
    }
}

/// Settings whose cache holds the kit of the stand-in sources. It is built once for all tests, which takes longer than a copy; nothing
/// where it cannot be built.
pub fn with_kit_in(cache: &Path, sources: &Path) -> Option<(Settings, Kit)> {
    let mut settings = settings_of_all_tests();
    settings.java_sources = Some(sources.to_owned());
    real_kit(&settings)?;
    let built = settings.cache.replace(cache.to_owned()).unwrap();
    copy(&built.join("entries"), &cache.join("entries"));
    let kit = Kit::assemble(&settings).unwrap();
    Some((settings, kit))
}

/// Whether this machine can build a kit: otherwise a test would fail for another reason than its own. Looked at once.
pub fn this_machine_can_build() -> bool {
    static ANSWER: OnceLock<bool> = OnceLock::new();
    *ANSWER.get_or_init(|| {
        let sources = stand_in_sources();
        let mut settings = settings_of_all_tests();
        settings.java_sources = Some(sources.path().to_owned());
        real_kit(&settings).is_some()
    })
}

/// The real machine, with a cache that all tests share.
fn settings_of_all_tests() -> Settings {
    settings_with_cache(&Path::new(env!("CARGO_TARGET_TMPDIR")).join("stand-in-kit"))
}

/// Copies a directory with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).unwrap();
        }
    }
}

/// Path of the only child of a directory whose name starts like this.
pub fn child(directory: &Path, start: &str) -> PathBuf {
    let children = fs::read_dir(directory)
        .unwrap()
        .flatten()
        .map(|entry| entry.path());
    let matching: Vec<_> = children
        .filter(|path| {
            path.file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with(start)
        })
        .collect();
    assert_eq!(matching.len(), 1, "{matching:?}");
    matching[0].clone()
}
