//! Compiling, rewriting and running Java programs in tests.

pub mod bench;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use proofmark_rewrite::{MethodIds, Options, Outcome, Summary, Treatment, World, rewrite};
use proofmark_test_support::{jdks_with, quick_tool};

/// All classes of one directory are the program, everything else is unknown.
pub struct Program {
    /// Path inside the directory and bytes.
    pub classes: Vec<(PathBuf, Vec<u8>)>,
    summaries: HashMap<String, Arc<Summary>>,
}

impl World for Program {
    fn treatment(&self, class: &str) -> Treatment {
        if self.summaries.contains_key(class) {
            Treatment::Whole
        } else {
            Treatment::Not
        }
    }

    fn summary(&self, class: &str) -> Option<Arc<Summary>> {
        self.summaries.get(class).cloned()
    }
}

/// Numbers in the order in which they are asked for.
#[derive(Default)]
pub struct Ids(u32);

impl MethodIds for Ids {
    fn id(&mut self, _: &str, _: &str, _: &str) -> u32 {
        self.0 += 1;
        self.0
    }
}

impl Program {
    pub fn read(directory: &Path) -> Self {
        let mut classes = Vec::new();
        collect(directory, directory, &mut classes);
        classes.sort();
        let summaries = classes.iter().map(|(path, bytes)| {
            let summary = Summary::read(bytes).expect("a class file");
            assert_eq!(path.with_extension(""), Path::new(&summary.name));
            (summary.name.clone(), Arc::new(summary))
        });
        Self {
            summaries: summaries.collect(),
            classes,
        }
    }

    /// Rewrites all classes into a directory. Every class and method must be counted.
    pub fn rewrite(&self, options: &Options, into: &Path) {
        let mut ids = Ids::default();
        for (path, bytes) in &self.classes {
            let place = into.join(path);
            fs::create_dir_all(place.parent().expect("a directory")).expect("a writable directory");
            match rewrite(bytes, options, self, &mut ids) {
                Outcome::Rewritten { bytes, methods } => {
                    for method in methods {
                        let name = method.name;
                        assert!(
                            method.id.is_ok(),
                            "{}.{name}: {:?}",
                            path.display(),
                            method.id
                        );
                    }
                    fs::write(place, bytes).expect("a writable file");
                }
                Outcome::LeftAlone { reason } => panic!("{}: {reason}", path.display()),
            }
        }
    }
}

fn collect(root: &Path, directory: &Path, classes: &mut Vec<(PathBuf, Vec<u8>)>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            collect(root, &path, classes);
        } else if path
            .extension()
            .is_some_and(|extension| extension == "class")
        {
            let bytes = fs::read(&path).expect("a readable file");
            let inside = path.strip_prefix(root).expect("a path below").to_owned();
            classes.push((inside, bytes));
        }
    }
}

/// JDKs that compile and run the programs, oldest first.
pub fn jdks() -> Vec<PathBuf> {
    jdks_with(&["javac", "java"])
}

/// Compiles all sources below directories of this crate or of the project, together.
pub fn compile(jdk: &Path, sources: &[&str], into: &Path) {
    let mut files = Vec::new();
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut open: Vec<PathBuf> = sources.iter().map(|place| here.join(place)).collect();
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).expect("a directory of sources") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "java")
            {
                files.push(path);
            }
        }
    }
    let output = quick_tool(jdk, "javac")
        .args(["-nowarn", "-Xlint:-options", "--release", "17", "-g", "-d"])
        .arg(into)
        .args(files)
        .output()
        .expect("javac runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

/// Runs a class of one of several directories. A JVM verifies every class from a class path by itself; the JDK's own, which nobody has
/// changed here, come from its archive.
pub fn java(jdk: &Path, class_path: &[&Path], options: &[String], class: &[&str]) -> Output {
    let class_path = std::env::join_paths(class_path).expect("a class path");
    Command::new(jdk.join("bin/java"))
        .args(["-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xmx300m"])
        .args(options)
        .arg("-cp")
        .arg(class_path)
        .args(class)
        .output()
        .expect("java runs")
}

pub fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}
