//! Tests: what the documents and the help show as commands is what the command line understands.

use std::path::{Path, PathBuf};

use clap::Command;

use super::{command, everywhere};

/// Commands whose words are another program's.
const FORWARDED: [&str; 3] = ["cc", "c++", "rustc"];

/// The words of a line as a shell takes them, up to a comment, a pipe or a redirection.
fn words(line: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (Some(_), c) => word.get_or_insert_with(String::new).push(c),
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_with(String::new);
            }
            (None, '|' | '>' | ';' | '&') => break,
            (None, '#') if word.is_none() => break,
            (None, c) if c.is_whitespace() => words.extend(word.take()),
            (None, c) => word.get_or_insert_with(String::new).push(c),
        }
    }
    words.extend(word);
    words
}

/// Lines that begin with our command, with what they go on with behind a backslash.
fn commands(text: &str) -> Vec<String> {
    let whole = text.replace("\\\n", " ");
    let lines = whole.lines().map(str::trim_start);
    let ours = lines.filter(|line| line.starts_with("proofmark "));
    ours.map(str::to_owned).collect()
}

/// What stands in a document's blocks of code.
fn code(document: &str) -> String {
    let mut inside = false;
    let mut code = String::new();
    for line in document.lines() {
        let fence = line.trim_start().starts_with("```");
        inside ^= fence;
        if inside && !fence {
            code.push_str(line);
            code.push('\n');
        }
    }
    code
}

/// Why a line is not understood; none if it is.
fn problem(line: &str) -> Option<String> {
    let words = words(line);
    if FORWARDED.contains(&words.get(1)?.as_str()) {
        return None;
    }
    let read = command().try_get_matches_from(&words);
    let why = match read {
        Ok(matches) => everywhere::check(&matches).err()?.to_string(),
        Err(error) => error.to_string(),
    };
    Some(format!("{line}\n{why}"))
}

fn documents() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = std::fs::read_dir(root.join("docs")).expect("docs");
    let docs = docs.map(|entry| entry.expect("an entry").path());
    let pages = docs.filter(|path| path.extension().is_some_and(|end| end == "md"));
    pages.chain([root.join("README.md")]).collect()
}

#[test]
fn commands_of_the_documents_are_understood() {
    let mut seen = 0;
    for document in documents() {
        let text = std::fs::read_to_string(&document).expect("a document");
        for line in commands(&code(&text)) {
            seen += 1;
            let problem = problem(&line);
            assert_eq!(problem, None, "{}", document.display());
        }
    }
    assert!(seen > 40, "{seen}");
}

#[test]
fn examples_of_the_help_are_understood() {
    fn all(command: &Command, examples: &mut Vec<String>) {
        let about = command.get_long_about().map(ToString::to_string);
        examples.extend(about.iter().flat_map(|about| commands(about)));
        for sub in command.get_subcommands() {
            all(sub, examples);
        }
    }
    let mut examples = Vec::new();
    all(&command(), &mut examples);
    assert!(examples.len() > 20, "{examples:?}");
    for line in examples {
        assert_eq!(problem(&line), None);
    }
}

#[test]
fn a_wrong_option_and_a_wrong_format_are_found() {
    assert_eq!(problem("proofmark dose suite:Queens   # a comment"), None);
    assert!(problem("proofmark dose suite:Queens --rouds 3").is_some());
    assert!(problem("proofmark --format csv dose suite:Queens").is_some());
    let all = words("proofmark study analyze a/ --format json | jq '.a | b'");
    assert_eq!(all[1..], ["study", "analyze", "a/", "--format", "json"]);
    let quoted = "proofmark assess --profiler 'cmd:x --pid {pid}' suite:Json";
    assert_eq!(words(quoted)[3], "cmd:x --pid {pid}");
    let document = "text\n```\nproofmark a \\\n   --b\n```\nproofmark c\n";
    assert_eq!(commands(&code(document)), ["proofmark a     --b"]);
}
