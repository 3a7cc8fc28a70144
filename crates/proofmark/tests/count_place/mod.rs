//! What the tests of `proofmark count` share: test programs, the JDKs to try, the command.
//!
//! A machine without a JDK skips with a printed reason; `REQUIRE_JVM` and `REQUIRE_SECOND_JDK` turn that
//! into a failure.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

use proofmark_test_support::{jdks_with, quick_tool};
use serde_json::Value;

pub const JAVA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/count_java");

/// A program of the rewriter's tests.
const OVERFLOWING: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../rewrite/tests/java/programs/Overflowing.java"
);

/// The test programs' sources.
const PROGRAMS: [&str; 10] = [
    "Work",
    "Behaviour",
    "BehaviourTypes",
    "Endless",
    "Crowd",
    "LeftOut",
    "Apart",
    "Jdk",
    "Silent",
    "Crashes",
];

/// Names and bytes of the test programs' class files: compiled once for all tests, which takes longer than many of them.
fn classes(jdk: &Path) -> &'static [(OsString, Vec<u8>)] {
    static CLASSES: OnceLock<Vec<(OsString, Vec<u8>)>> = OnceLock::new();
    CLASSES.get_or_init(|| {
        let into = tempfile::tempdir().unwrap();
        let mut javac = quick_tool(jdk, "javac");
        javac.args(["--release", "17", "-g", "-d"]).arg(into.path());
        javac.args(PROGRAMS.map(|class| format!("{JAVA}/{class}.java")));
        javac.arg(OVERFLOWING);
        assert!(javac.status().unwrap().success());
        let files = std::fs::read_dir(into.path()).unwrap().map(Result::unwrap);
        files
            .map(|file| (file.file_name(), std::fs::read(file.path()).unwrap()))
            .collect()
    })
}

/// A directory with the test programs' classes, and the JDKs to try.
pub struct Place {
    pub directory: tempfile::TempDir,
    /// `java` of one JDK of each release, oldest first.
    pub javas: Vec<PathBuf>,
}

impl Place {
    pub fn new() -> Option<Self> {
        let jdks = jdks_with(&["java", "javac", "jar"]);
        if jdks.is_empty() {
            return None;
        }
        let place = Self {
            directory: tempfile::tempdir().unwrap(),
            javas: jdks.iter().map(|jdk| jdk.join("bin/java")).collect(),
        };
        for (name, bytes) in classes(&jdks[0]) {
            std::fs::write(place.directory.path().join(name), bytes).unwrap();
        }
        Some(place)
    }

    /// A tool of the oldest JDK.
    pub fn tool(&self, name: &str) -> Command {
        let jdk = self.javas[0].ancestors().nth(2).unwrap();
        quick_tool(jdk, name)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    pub fn proofmark(&self, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_proofmark"))
            .args(words)
            .output()
            .unwrap()
    }

    /// Counts a class of this place; returns what the program printed and the canonical profile.
    pub fn counted(
        &self,
        java: &Path,
        options: &[&str],
        jvm: &[&str],
        class: &[&str],
    ) -> (String, String) {
        let profile = self.path("profile.count");
        let mut words = vec!["count", "--quiet", "-o", profile.to_str().unwrap()];
        words.extend(options);
        words.extend(["--", java.to_str().unwrap(), "-Xverify:all"]);
        words.extend(jvm);
        words.extend(["-cp", self.directory.path().to_str().unwrap()]);
        words.extend(class);
        let done = self.proofmark(&words);
        assert!(
            done.status.success(),
            "{words:?}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        let text = std::fs::read_to_string(&profile).unwrap();
        (String::from_utf8(done.stdout).unwrap(), text)
    }

    pub fn plain(&self, java: &Path, class: &[&str]) -> String {
        let done = Command::new(java)
            .arg("-cp")
            .arg(self.directory.path())
            .args(class)
            .output()
            .unwrap();
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        String::from_utf8(done.stdout).unwrap()
    }

    /// The test programs as a jar, rewritten ahead of time.
    pub fn instrumented(&self, options: &[&str]) -> PathBuf {
        let (plain, counted) = (self.path("plain.jar"), self.path("counted.jar"));
        let jar = self
            .tool("jar")
            .args(["--create", "--file"])
            .arg(&plain)
            .arg("-C")
            .arg(self.directory.path())
            .arg(".")
            .status();
        assert!(jar.unwrap().success());
        let mut words = vec![
            "count",
            "instrument",
            plain.to_str().unwrap(),
            "-o",
            counted.to_str().unwrap(),
        ];
        words.extend(options);
        let done = self.proofmark(&words);
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        counted
    }
}

/// What it printed.
pub fn json(done: &Output) -> Value {
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    serde_json::from_slice(&done.stdout).unwrap()
}
