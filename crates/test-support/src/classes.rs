//! Class files of the JDKs of this machine.

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;

use crate::{Need, jdks_with, skip};

/// Name and bytes of each class.
pub type Classes = Vec<(String, Vec<u8>)>;

/// All classes of `java.base` of one JDK of each release: its directory and its classes. Read once.
///
/// # Panics
/// If an image cannot be read, or `REQUIRE_JVM` or `REQUIRE_SECOND_JDK` is set and there is none.
pub fn jdk_classes() -> &'static [(String, Classes)] {
    static CLASSES: OnceLock<Vec<(String, Classes)>> = OnceLock::new();
    CLASSES.get_or_init(extract)
}

fn extract() -> Vec<(String, Classes)> {
    let mut found = Vec::new();
    for jdk in jdks_with(&["jimage"]) {
        let tool = jdk.join("bin/jimage");
        let into = tempfile::tempdir().expect("a temporary directory");
        let status = Command::new(&tool)
            .args(["extract", "--include", "regex:/java.base/.*class", "--dir"])
            .arg(into.path())
            .arg(jdk.join("lib/modules"))
            .status();
        if !status.is_ok_and(|status| status.success()) {
            skip(Need::Jvm, format!("{} does not run", tool.display()));
            continue;
        }
        let mut classes = Vec::new();
        collect(&into.path().join("java.base"), &mut classes);
        found.push((jdk.display().to_string(), classes));
    }
    found
}

fn collect(directory: &Path, classes: &mut Classes) {
    let entries = std::fs::read_dir(directory).expect("an extracted image");
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, classes);
        } else {
            let bytes = std::fs::read(&path).expect("an extracted class");
            classes.push((path.display().to_string(), bytes));
        }
    }
}
