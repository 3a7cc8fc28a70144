//! Documents and sources that are named are there: a reader of this repository has nothing else.

use std::path::Path;

use crate::files::{files, read, root};

/// Endings of sources, which are named with a directory before them.
const SOURCES: [&str; 3] = [".rs", ".java", ".sh"];

/// A document or source that is named somewhere.
#[derive(Debug, PartialEq, Eq)]
struct Reference<'t> {
    /// Path as it is written.
    path: &'t str,
    /// Heading behind `#`, as an anchor.
    anchor: Option<&'t str>,
}

#[test]
fn every_document_and_source_that_is_named_is_in_the_repository() {
    let (mut seen, mut problems) = (0, Vec::new());
    let sources = files("", &SOURCES);
    for file in files("", &[".rs", ".java", ".md", ".toml", ".lock", ".sh", ".py"]) {
        let text = read(&file);
        let code = file.ends_with(".rs") || file.ends_with(".java");
        for (number, line) in text.lines().enumerate() {
            let marks: &[&str] = match code && !line.trim_start().starts_with("* ") {
                true => &["//", "/*", "docs/"],
                false => &[""],
            };
            let start = marks.iter().filter_map(|mark| line.find(mark)).min();
            for reference in references(&line[start.unwrap_or(line.len())..]) {
                seen += 1;
                let problem = problem(&file, &reference, &sources);
                problems.extend(problem.map(|what| format!("{file}:{}: {what}", number + 1)));
            }
        }
    }
    assert_eq!(problems, [""; 0]);
    assert!(seen > 150, "only {seen} references were found");
}

/// Documents, and sources with a directory before them; none of other places, nor those that the reader is to fill in.
fn references(line: &str) -> Vec<Reference<'_>> {
    let in_path = |c: char| c.is_alphanumeric() || "_-./:#@{}$~".contains(c);
    let of_line = |c: char| c.is_ascii_digit() || ".:".contains(c);
    line.split(|c: char| !in_path(c))
        .filter_map(|word| {
            let (path, anchor) = match word.split_once('#') {
                Some((path, anchor)) => (path, Some(anchor.trim_end_matches(['.', ':']))),
                None => (word.trim_end_matches(of_line), None),
            };
            let document = path.ends_with(".md") && path.len() > 3;
            let source = path.contains('/') && SOURCES.iter().any(|end| path.ends_with(end));
            let elsewhere = path.starts_with('/') || path.contains("://");
            let open = path.contains(['{', '$', '~']);
            ((document || source) && !elsewhere && !open).then_some(Reference { path, anchor })
        })
        .collect()
}

/// What is wrong with a reference in a file. Of a source, one of `sources`, the last parts of its path will do.
fn problem(file: &str, reference: &Reference<'_>, sources: &[String]) -> Option<String> {
    let tail = format!("/{}", reference.path);
    if sources.iter().any(|source| source.ends_with(&tail)) {
        return None;
    }
    let root = root();
    let beside = root.join(file).parent().unwrap().join(reference.path);
    let of_crate: std::path::PathBuf = Path::new(file).components().take(2).collect();
    let in_crate = root.join(of_crate).join(reference.path);
    let found = [beside, in_crate, root.join(reference.path)]
        .into_iter()
        .find(|path| path.is_file());
    let Some(found) = found else {
        return Some(format!("there is no {}", reference.path));
    };
    let anchor = reference.anchor?;
    (!anchors(&found).iter().any(|there| there == anchor))
        .then(|| format!("{} has no heading #{anchor}", reference.path))
}

/// Anchors of a document's headings, made as GitHub makes them.
fn anchors(document: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(document).unwrap();
    let headings = text.lines().filter(|line| line.starts_with('#'));
    headings
        .map(|line| {
            let title = line.trim_start_matches('#').trim().to_lowercase();
            title
                .chars()
                .filter(|c| c.is_alphanumeric() || "-_ ".contains(*c))
                .map(|c| if c == ' ' { '-' } else { c })
                .collect()
        })
        .collect()
}

#[test]
fn links_of_documents_lead_somewhere() {
    for file in files("", &[".md"]) {
        let text = read(&file);
        let directory = root().join(&file);
        let directory = directory.parent().unwrap();
        for link in text.split("](").skip(1) {
            let target = link.split([')', '#', ' ']).next().unwrap();
            let ours = !target.is_empty() && !target.contains("://");
            assert!(
                !ours || directory.join(target).exists(),
                "{file}: there is no {target}"
            );
        }
    }
}

#[test]
fn references_are_found_with_their_sections() {
    let of = |path, anchor| Reference { path, anchor };
    // Without their endings these lines name no documents themselves.
    let line = "see docs/a~#noise, [b](../b~), and `c~`. Not https://x.org/d~ or ed~x, {f}~.";
    let line = line.replace('~', ".md");
    let seen: Vec<_> = references(&line)
        .iter()
        .map(|found| (found.path.trim_end_matches(".md"), found.anchor))
        .collect();
    let expected = [("docs/a", Some("noise")), ("../b", None), ("c", None)];
    assert_eq!(seen, expected);
    let file = "crates/test-support/src/lib.rs";
    let of_document = |path, anchor| problem(file, &of(path, anchor), &[]);
    assert_eq!(of_document("ARCHITECTURE.md", Some("crates")), None);
    assert!(of_document("ARCHITECTURE.md", Some("no-such")).is_some());
    assert!(of_document("no-such.md", None).is_some());
}

#[test]
fn sources_are_found_by_the_ends_of_their_paths() {
    let line = "In src/a^, `run/b^:12`, not c^, $DIR/d^, /e/f^, g/*^ or <h>/i^.";
    let line = line.replace('^', ".rs");
    let seen: Vec<_> = references(&line).iter().map(|found| found.path).collect();
    assert_eq!(seen, ["src/a.rs", "run/b.rs"]);
    let sources = ["crates/x/src/run/b.rs".to_owned()];
    let of = |path| problem("README.md", &Reference { path, anchor: None }, &sources);
    assert_eq!(of("run/b.rs"), None);
    assert!(of("un/b.rs").is_some() && of("run/a.rs").is_some());
}
