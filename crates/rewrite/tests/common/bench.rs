//! Sites in programs that a JVM verifies.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use proofmark_rewrite::{DoseKind, Place, Site, Summary, Work, fields_class, gate_class};
use proofmark_test_support::quick_tool;
use tempfile::TempDir;

use super::text;

/// The entry and the first loops.
const USUAL_PLACES: [Place; 4] = [Place::Entry, Place::Loop(0), Place::Loop(1), Place::Loop(2)];
/// Parts that are not always run.
const BRANCHES: [Place; 6] = [
    Place::Branch(0),
    Place::Branch(1),
    Place::Branch(2),
    Place::Branch(3),
    Place::Branch(4),
    Place::Branch(5),
];

/// What most sites do.
pub const USUAL: Work = Work::Turns {
    turn: DoseKind::Arithmetic,
    steps: 8,
};

/// Names of the methods of a class.
pub fn names_in(bytes: &[u8]) -> Vec<String> {
    Summary::read(bytes).expect("a class file").method_names()
}

/// Sites at the entry of every method of a name (every second one gated, its gate open) and in front of its first three loops.
pub fn everywhere(names: &[&str]) -> Vec<Site> {
    working(names, USUAL)
}

/// The same, with other work.
pub fn working(names: &[&str], work: Work) -> Vec<Site> {
    sites(names, &USUAL_PLACES, work)
}

/// Sites where branches lead.
pub fn at_branches(names: &[&str]) -> Vec<Site> {
    sites(names, &BRANCHES, USUAL)
}

/// Sites at the usual places, and where the first branches lead: not so many that methods become too long.
pub fn at_all(names: &[&str], work: Work) -> Vec<Site> {
    let places = [&USUAL_PLACES[..], &BRANCHES[..3]].concat();
    sites(names, &places, work)
}

fn sites(names: &[&str], places: &[Place], work: Work) -> Vec<Site> {
    let sites = names.iter().flat_map(|name| {
        places.iter().map(|&place| Site {
            index: 0,
            method: (*name).to_owned(),
            descriptor: None,
            place,
            work,
            gated: false,
        })
    });
    sites
        .enumerate()
        .map(|(at, site)| Site {
            index: at as u16 % 1000,
            gated: at % 2 == 1,
            ..site
        })
        .collect()
}

/// A directory with a JDK's class of the fields.
pub struct Bench {
    directory: TempDir,
}

impl Bench {
    pub fn new() -> Self {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let patch = directory.path().join("patch/java/lang");
        fs::create_dir_all(&patch).expect("a directory");
        let fields = fields_class(1000).expect("fields");
        fs::write(patch.join("ProofmarkSites.class"), fields).expect("a class");
        for index in (1..1000).step_by(2) {
            let gate = gate_class(index, true).expect("a gate");
            let file = patch.join(format!("ProofmarkGate{index}.class"));
            fs::write(file, gate).expect("a class");
        }
        Self { directory }
    }

    /// A path in it.
    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Runs a class of a directory with what lies in `patch` in `java.base`.
    pub fn java(&self, jdk: &Path, classes: &Path, words: &[&str]) -> String {
        let patch = format!("java.base={}", self.path("patch").display());
        let output = Command::new(jdk.join("bin/java"))
            .args([
                "-Xverify:all",
                "-Xshare:off",
                "-XX:+UseSerialGC",
                "-Xmx600m",
            ])
            .args(["--patch-module", &patch, "-cp"])
            .arg(classes)
            .args(words)
            .output()
            .expect("java runs");
        let errors = text(&output.stderr);
        let errors: Vec<&str> = errors
            .lines()
            .filter(|line| !line.contains("warning"))
            .collect();
        text(&output.stdout) + &errors.join("\n")
    }
}

/// Compiles sources of this crate into a directory.
pub fn javac(jdk: &Path, arguments: &[&str], sources: &[&str], into: &Path) {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = quick_tool(jdk, "javac")
        .args(["-nowarn", "-Xlint:-options", "-g", "-d"])
        .arg(into)
        .args(arguments)
        .args(sources.iter().map(|source| root.join(source)))
        .output()
        .expect("javac runs");
    assert!(output.status.success(), "{}", text(&output.stderr));
}
