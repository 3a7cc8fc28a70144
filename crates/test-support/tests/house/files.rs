//! The files of the repository, and how long one may be.

use std::path::{Path, PathBuf};

/// Longest file of hand-written Rust or Java, lines.
const MOST_LINES: usize = 400;

/// Top of the repository.
pub fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    root.canonicalize().unwrap()
}

/// Text of a file of the repository.
pub fn read(file: impl AsRef<Path>) -> String {
    let file = root().join(file);
    std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

/// Files below a directory of the repository with one of these endings, as paths from the top, sorted.
pub fn files(below: &str, endings: &[&str]) -> Vec<String> {
    let root = root();
    let (mut open, mut found) = (vec![root.join(below)], Vec::new());
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            let from_top = path.strip_prefix(&root).unwrap().display().to_string();
            if path.is_dir() {
                let ours = ![".git", "target"].contains(&from_top.as_str());
                open.extend(ours.then_some(path));
            } else if endings.iter().any(|ending| from_top.ends_with(ending)) {
                found.push(from_top);
            }
        }
    }
    found.sort();
    found
}

#[test]
fn no_file_is_too_long() {
    let sources = files("", &[".rs", ".java"]);
    assert!(sources.len() > 400, "{} sources", sources.len());
    let lines = |file: &String| read(file).lines().count();
    let long: Vec<&String> = sources
        .iter()
        .filter(|file| lines(file) > MOST_LINES)
        .collect();
    assert_eq!(long, [""; 0], "more than {MOST_LINES} lines");
}
