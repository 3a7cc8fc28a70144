//! Documents that are named are there: a reader of this repository has nothing else.

use std::path::Path;

use crate::files::{files, read, root};

/// A document that is named somewhere.
#[derive(Debug, PartialEq, Eq)]
struct Reference<'t> {
    /// Path as it is written.
    path: &'t str,
    /// Heading behind `#`, as an anchor.
    anchor: Option<&'t str>,
}

#[test]
fn every_document_that_is_named_is_in_the_repository() {
    let (mut seen, mut problems) = (0, Vec::new());
    for file in files("", &[".rs", ".java", ".md", ".toml", ".lock", ".sh", ".py"]) {
        let text = read(&file);
        let code = file.ends_with(".rs") || file.ends_with(".java");
        let marks: &[&str] = if code { &["//", "docs/"] } else { &[""] };
        for (number, line) in text.lines().enumerate() {
            let start = marks.iter().filter_map(|mark| line.find(mark)).min();
            for reference in references(&line[start.unwrap_or(line.len())..]) {
                seen += 1;
                let problem = problem(&file, &reference);
                problems.extend(problem.map(|what| format!("{file}:{}: {what}", number + 1)));
            }
        }
    }
    assert_eq!(problems, [""; 0]);
    assert!(seen > 50, "only {seen} references were found");
}

/// Paths that end in `.md`, without those of other places.
fn references(line: &str) -> Vec<Reference<'_>> {
    let in_path = |c: char| c.is_alphanumeric() || "_-./:#@{}".contains(c);
    line.split(|c: char| !in_path(c))
        .filter_map(|word| {
            let (path, anchor) = match word.split_once('#') {
                Some((path, anchor)) => (path, Some(anchor.trim_end_matches(['.', ':']))),
                None => (word.trim_end_matches(['.', ':']), None),
            };
            let named = path.ends_with(".md") && path.len() > 3;
            let elsewhere = path.contains("://") || path.contains('{');
            (named && !elsewhere).then_some(Reference { path, anchor })
        })
        .collect()
}

/// What is wrong with a reference in a file.
fn problem(file: &str, reference: &Reference<'_>) -> Option<String> {
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
    assert_eq!(problem(file, &of("ARCHITECTURE.md", Some("crates"))), None);
    assert!(problem(file, &of("ARCHITECTURE.md", Some("no-such"))).is_some());
    assert!(problem(file, &of("no-such.md", None)).is_some());
}
