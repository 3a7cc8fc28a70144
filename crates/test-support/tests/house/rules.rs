//! The frozen rules of the verdicts: one file, each with its origin, and no second copy.

use crate::files::{files, read};

const RULES: &str = "crates/rules/src/lib.rs";

/// Name and comment of every rule.
fn rules() -> Vec<(String, String)> {
    let (mut found, mut comment) = (Vec::new(), String::new());
    for line in read(RULES).lines() {
        if let Some(text) = line.strip_prefix("/// ") {
            comment.push_str(text);
            comment.push(' ');
        } else if let Some(rest) = line.strip_prefix("pub const ") {
            let name = rest.split(':').next().unwrap().to_owned();
            found.push((name, std::mem::take(&mut comment)));
        }
    }
    found
}

#[test]
fn every_rule_says_where_it_was_fitted() {
    let silent = |comment: &String| !comment.contains("Fitted: ") && !comment.contains("As [`");
    let silent: Vec<String> = rules()
        .into_iter()
        .filter_map(|(name, comment)| silent(&comment).then_some(name))
        .collect();
    assert_eq!(silent, [""; 0]);
}

#[test]
fn every_rule_is_used_and_none_is_made_twice() {
    let sources: Vec<String> = files("crates", &[".rs"])
        .into_iter()
        .filter(|file| file != RULES && file.contains("/src/"))
        .map(read)
        .collect();
    let all = rules();
    assert!(all.len() > 30, "{} rules", all.len());
    for (name, _) in all {
        let copy = format!("const {name}:");
        assert!(!sources.iter().any(|text| text.contains(&copy)), "{name}");
        assert!(sources.iter().any(|text| text.contains(&name)), "{name}");
    }
}
