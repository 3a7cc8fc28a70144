//! Functions without a site are named, with the reason.

use std::path::Path;

use proofmark_native::{Language, Program, compile};
use proofmark_test_support::{Need, need, on_path};

const MAIN: &str = r#"
int elsewhere(int);
int plain(int);
__attribute__((naked)) int bare(void) { __asm__("movl $42, %eax; ret"); }
__attribute__((noinline)) static int sited(int n) { return n * 3; }
int main(int count, char **words) { (void)words; return bare() + elsewhere(count) + plain(count) + sited(count) - 48; }
"#;
const ELSEWHERE: &str = "int elsewhere(int n) { return n + 1; }\n";
const PLAIN: &str = "int plain(int n) { return n; }\n";

fn compiled(here: &Path, words: &str) {
    let place = |word: &str| match word.strip_prefix("@") {
        Some(name) => here.join(name).display().to_string(),
        None => word.to_owned(),
    };
    let words: Vec<String> = words.split_whitespace().map(place).collect();
    let status = compile(Language::C, &words, Some(here)).unwrap();
    assert!(status.success(), "{words:?}");
}

#[test]
fn every_function_without_a_site_has_its_reason() {
    let missing = "no cc in PATH (apt-get install gcc)";
    if need(Need::Perf, on_path("cc").ok_or(missing)).is_none() {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    for (name, text) in [
        ("main.c", MAIN),
        ("elsewhere.c", ELSEWHERE),
        ("plain.c", PLAIN),
    ] {
        std::fs::write(here.join(name), text).unwrap();
    }
    compiled(here, "-O2 -c @main.c -o @main.o");
    // Such compilations are left to the compiler.
    compiled(here, "-O2 -x c -c @elsewhere.c -o @elsewhere.o");
    let status = std::process::Command::new("cc")
        .args(["-c", "plain.c", "-o", "plain.o"])
        .current_dir(here)
        .status();
    assert!(status.unwrap().success());
    compiled(here, "@main.o @elsewhere.o @plain.o -o @program");
    let path = here.join("program");
    let ran = std::process::Command::new(&path).status().unwrap();
    assert_eq!(ran.code(), Some(0));
    let program = Program::read(&path).unwrap();
    let names: Vec<&str> = program
        .sites
        .iter()
        .map(|one| one.function.as_str())
        .collect();
    assert_eq!(names, ["main", "sited"]);
    for (function, why) in [
        ("bare", "it begins with inline assembly"),
        ("elsewhere", "compiled with -x"),
        ("plain", "not compiled by proofmark cc or c++"),
        ("libc.so.6:qsort", "it is in another file than the program"),
    ] {
        assert_eq!(program.why_no_site(function), why, "{function}");
    }
}
