//! Class files for tests: `java.base` of the JDKs of this machine.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Name and bytes of each class.
pub(crate) type Classes = Vec<(String, Vec<u8>)>;

/// All classes of `java.base` of every JDK below `/usr/lib/jvm` (or of those in `PROOFMARK_TEST_JDKS`, separated by
/// colons): each JDK's directory and its classes. Prints why there are none.
pub(crate) fn jdk_classes() -> &'static [(String, Classes)] {
    static CLASSES: OnceLock<Vec<(String, Classes)>> = OnceLock::new();
    CLASSES.get_or_init(extract)
}

fn extract() -> Vec<(String, Classes)> {
    let mut found = Vec::new();
    for jdk in jdks() {
        let tool = jdk.join("bin/jimage");
        let into = tempfile::tempdir().expect("a temporary directory");
        let status = Command::new(&tool)
            .args(["extract", "--include", "regex:/java.base/.*class", "--dir"])
            .arg(into.path())
            .arg(jdk.join("lib/modules"))
            .status();
        if !status.is_ok_and(|status| status.success()) {
            println!("skipped: {} does not run", tool.display());
            continue;
        }
        let mut classes = Vec::new();
        collect(&into.path().join("java.base"), &mut classes);
        found.push((jdk.display().to_string(), classes));
    }
    if found.is_empty() {
        println!("skipped: no JDK with jimage below /usr/lib/jvm or in PROOFMARK_TEST_JDKS");
    }
    found
}

fn jdks() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = match std::env::var("PROOFMARK_TEST_JDKS") {
        Ok(given) => given.split(':').map(PathBuf::from).collect(),
        Err(_) => std::fs::read_dir("/usr/lib/jvm")
            .map(|entries| entries.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default(),
    };
    found.retain_mut(|jdk| {
        let real = jdk.canonicalize();
        real.map(|real| *jdk = real).is_ok() && jdk.join("bin/jimage").exists()
    });
    found.sort();
    found.dedup();
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
