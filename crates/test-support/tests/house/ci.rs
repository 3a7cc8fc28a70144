//! What a change must pass.

use proofmark_test_support::Need;

use crate::files::read;

#[test]
fn nothing_is_skipped_there() {
    let text = read(".ci/run");
    let exported = text.lines().find(|line| line.starts_with("export REQUIRE"));
    let mut exported: Vec<&str> = exported.unwrap().split(' ').skip(1).collect();
    let mut needed = Need::ALL.map(|need| format!("{}=1", need.variable()));
    exported.sort_unstable();
    needed.sort_unstable();
    assert_eq!(exported, needed);
}

#[test]
fn it_is_format_lints_and_the_tests_of_the_readme() {
    let text = read(".ci/run");
    let commands: Vec<&str> = text
        .lines()
        .filter(|line| line.starts_with("cargo "))
        .collect();
    let expected = [
        "cargo fmt --all --check",
        "cargo clippy --workspace --all-targets -- -D warnings",
        "cargo test --workspace",
    ];
    assert_eq!(commands, expected);
    let readme = read("README.md");
    let tests = readme.lines().find(|line| line.starts_with("cargo test"));
    let tests = tests.unwrap().split('#').next().unwrap().trim();
    assert_eq!(tests, expected[2]);
}
