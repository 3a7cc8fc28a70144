//! `proofmark import` as a process.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn fixture(name: &str) -> String {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../profile/tests/fixtures");
    fixtures.join(name).display().to_string()
}

fn import(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
    command.arg("import").args(arguments);
    command.output().expect("the tool runs")
}

fn text(output: &Output) -> String {
    let error = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{error}");
    String::from_utf8(output.stdout.clone()).expect("text")
}

/// The message and exit code of a command that must fail.
fn refused(arguments: &[&str]) -> (String, Option<i32>) {
    let output = import(arguments);
    assert!(output.stdout.is_empty(), "{output:?}");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    (error, output.status.code())
}

#[test]
fn top_methods_of_a_recording() {
    let recording = fixture("jdk25.jfr.gz");
    let out = text(&import(&[&recording, "--thread", "main", "--top", "3"]));
    for expected in [
        "tool       JFR (JFR format)",
        "samples of jdk.CPUTimeSample, one every 2 ms",
        "thread     main",
        "overloads  apart",
        "Work$Board.place(int)",
        "more (--top)",
    ] {
        assert!(out.contains(expected), "{expected}: {out}");
    }
    let rows = out.lines().filter(|line| line.contains("  Java "));
    assert!(rows.count() <= 3, "{out}");
}

/// Collapsed stacks say neither of which tool nor of which event they are.
#[test]
fn what_a_file_does_not_say_is_not_made_up() {
    let directory = tempfile::tempdir().expect("a directory");
    let stacks = directory.path().join("heap.collapsed");
    std::fs::write(&stacks, b"main;fill 4096\n").expect("a file");
    let out = text(&import(&[&stacks.display().to_string()]));
    let lines: Vec<&str> = out.lines().take(2).collect();
    let expected = [
        "tool       unknown tool (collapsed-stack format)",
        "counts     samples",
    ];
    assert_eq!(lines, expected);
    let stacks = stacks.display().to_string();
    let json = text(&import(&[&stacks, "--format", "json"]));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["tool"], "unknown tool");
    assert_eq!(json["events"], serde_json::json!([]));
}

#[test]
fn a_map_names_what_perf_recorded() {
    let directory = tempfile::tempdir().expect("a directory");
    let map = directory.path().join("perf.map");
    let mut unpacked = Command::new("gunzip");
    let unpacked = unpacked.arg("-c").arg(fixture("perf.map.gz")).output();
    std::fs::write(&map, unpacked.expect("gunzip").stdout).expect("a map");
    let map = map.display().to_string();
    let data = fixture("perf.data.gz");
    let without = text(&import(&[&data]));
    assert!(!without.contains("Work$Board.place"), "{without}");
    let with = text(&import(&[&data, "--perf-map", &map]));
    assert!(with.contains("Work$Board.place"), "{with}");
}

/// Own shares and names; a conversion may not tell which code is Java.
fn table(file: &str) -> Vec<String> {
    let out = text(&import(&[file, "--top", "1000", "--merge-overloads"]));
    let rows = out.lines().skip_while(|line| !line.starts_with("self"));
    let words = |row: &str| row.split_whitespace().map(str::to_owned).collect();
    let rows = rows.skip(1).map(|row| {
        let words: Vec<String> = words(row);
        format!("{} {}", words[0], words[words.len() - 1])
    });
    let mut rows: Vec<String> = rows.collect();
    rows.sort();
    rows
}

#[test]
fn conversions_read_back_the_same() {
    let directory = tempfile::tempdir().expect("a directory");
    let source = fixture("async.jfr.gz");
    let expected = table(&source);
    assert!(expected.len() > 20, "{expected:?}");
    for format in ["collapsed", "pprof"] {
        let file = directory.path().join(format).display().to_string();
        let silent = text(&import(&[&source, "--format", format, "-o", &file]));
        assert_eq!(silent, "");
        assert_eq!(table(&file), expected, "{format}");
    }
    let json = text(&import(&[&source, "--format", "json"]));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["schema"], "proofmark-profile/1");
    assert_eq!(
        (&json["tool"], &json["incomplete"]),
        (&"async-profiler".into(), &false.into())
    );
}

#[test]
fn truncation_is_marked_in_every_output() {
    let directory = tempfile::tempdir().expect("a directory");
    let whole = std::fs::read(fixture("async-full.collapsed")).expect("a fixture");
    let rows = whole.split_inclusive(|&b| b == b'\n').take(9);
    let rows: Vec<u8> = rows.flatten().copied().collect();
    let cut: PathBuf = directory.path().join("cut.collapsed");
    std::fs::write(&cut, [&rows[..], b"no weight\n"].concat()).expect("a file");
    let cut = cut.display().to_string();
    let table = text(&import(&[&cut]));
    let place = format!("byte {}", rows.len());
    assert!(
        table.contains("INCOMPLETE") && table.contains(&place),
        "{table}"
    );
    let json = text(&import(&[&cut, "--format", "json"]));
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["incomplete"], true);
    let converted = import(&[&cut, "--format", "collapsed"]);
    let note = String::from_utf8_lossy(&converted.stderr);
    assert!(note.contains("INCOMPLETE"), "{note}");
}

#[test]
fn errors_name_file_place_and_what_was_expected() {
    let directory = tempfile::tempdir().expect("a directory");
    let bad = directory.path().join("bad.jfr");
    std::fs::write(&bad, b"FLR\0\0\x02\0\0").expect("a file");
    let bad = bad.display().to_string();
    let (error, code) = refused(&[&bad]);
    assert_eq!(code, Some(2));
    for expected in [bad.as_str(), "byte 8", "was expected"] {
        assert!(error.contains(expected), "{expected}: {error}");
    }
    let recording = fixture("jdk25.jfr.gz");
    let (error, _) = refused(&[&recording, "--thread", "nobody"]);
    assert!(error.contains("no thread \"nobody\"; it has: "), "{error}");
    let (error, _) = refused(&[&recording, "--event", "cycles"]);
    assert!(error.contains("jdk.ExecutionSample"), "{error}");
    let (error, code) = refused(&["/nowhere/profile"]);
    assert!(
        error.contains("/nowhere/profile") && code == Some(2),
        "{error}"
    );
    let (error, code) = refused(&[&recording, "--format", "csv"]);
    assert!(error.contains("text, json, collapsed, pprof"), "{error}");
    assert_eq!(code, Some(2));
}

/// A result that could not be written is no success; a reader that has seen enough is.
#[test]
fn a_full_disk_is_an_error() {
    let recording = fixture("async-plain.collapsed");
    for words in [
        vec!["import", &recording],
        vec!["import", &recording, "--format", "json"],
        vec!["import", &recording, "--format", "pprof"],
        vec!["import", "--help"],
        vec!["completions", "bash"],
        vec!["man"],
        vec!["--version"],
    ] {
        let full = std::fs::File::create("/dev/full").expect("a device");
        let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
        let output = command.args(&words).stdout(full).output().expect("it runs");
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(3), "{words:?}: {error}");
        let told = "proofmark: cannot write to standard output: No space left on device";
        assert!(error.contains(told), "{words:?}: {error}");
    }
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
    let output = command.args(["import", &recording]).stdout(writer).output();
    assert!(output.expect("it runs").status.success());
}

/// Nor is it for `-o`; and a device is not replaced by a file of its name.
#[test]
fn a_full_device_as_output_is_an_error() {
    let directory = tempfile::tempdir().expect("a directory");
    let link = directory.path().join("full");
    std::os::unix::fs::symlink("/dev/full", &link).expect("a link");
    let (recording, full) = (fixture("async-plain.collapsed"), link.display().to_string());
    for format in ["text", "json", "pprof"] {
        let (error, code) = refused(&[&recording, "--format", format, "-o", &full]);
        assert_eq!(code, Some(3), "{format}: {error}");
        let told = "no space is left there; name a file on another disk";
        assert!(error.contains(told), "{format}: {error}");
    }
    assert!(link.is_symlink());
}

#[test]
fn what_stands_in_a_file_name_does_not_steer_the_terminal() {
    let name = "/none/\u{1b}]0;title\u{7}\u{1b}[2J\u{9b}31m";
    for words in [vec![name], vec![name, name], vec!["--top", name, name]] {
        let (error, code) = refused(&words);
        assert_eq!(code, Some(2), "{error}");
        let steers = |c: char| c.is_control() && c != '\n';
        assert!(
            error.contains("/none/") && !error.contains(steers),
            "{error:?}"
        );
    }
}

#[test]
fn quiet_is_quiet() {
    let directory = tempfile::tempdir().expect("a directory");
    let cut = directory.path().join("cut.collapsed");
    std::fs::write(&cut, b"a;b 1\na;c 2\nnothing\n").expect("a file");
    let cut = cut.display().to_string();
    let said = |more: &[&str]| {
        let words = [&["--format", "collapsed", cut.as_str()], more].concat();
        let output = import(&words);
        assert_eq!(output.stdout, b"a;b 1\na;c 2\n", "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(said(&[]).contains("1 of 3 lines"));
    assert_eq!(said(&["--quiet"]), "");
}

/// Help names the options that the command takes, and no others are taken.
#[test]
fn options_that_a_command_does_not_take_are_refused() {
    let recording = fixture("async-plain.collapsed");
    let run = |words: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
        let output = command.args(words).output().expect("it runs");
        let text = [output.stdout, output.stderr].concat();
        (
            String::from_utf8_lossy(&text).into_owned(),
            output.status.code(),
        )
    };
    for (words, has, lacks) in [
        (
            ["import", "-h"],
            "[possible values: text, json, collapsed, pprof]",
            "--jdk",
        ),
        (
            ["diff", "-h"],
            "[possible values: text, json, csv]",
            "--jdk",
        ),
        (
            ["count", "-h"],
            "[possible values: text, json]",
            "collapsed, pprof]",
        ),
        (
            ["study", "-h"],
            "[possible values: text, json, csv]",
            "collapsed",
        ),
        (["completions", "-h"], "--quiet", "--format"),
        // Their words are all the compiler's.
        (["help", "cc"], "[WORD]", "--format"),
        (["help", "c++"], "[WORD]", "--quiet"),
        (["help", "rustc"], "[WORD]", "--jdk"),
        (["assess", "-h"], "--jdk", "csv"),
    ] {
        let (text, code) = run(&words);
        assert_eq!(code, Some(0), "{text}");
        let flat: Vec<&str> = text.split_whitespace().collect();
        let flat = flat.join(" ");
        assert!(
            flat.contains(has) && !flat.contains(lacks),
            "{words:?}: {text}"
        );
    }
    for (words, told) in [
        (
            vec!["--format", "csv", "import", &recording],
            "import cannot write --format csv",
        ),
        (
            vec!["import", "--format", "csv", &recording],
            "[possible values: text, json, collapsed, pprof]",
        ),
        (
            vec!["--jdk", "/none", "import", &recording],
            "import takes no --jdk",
        ),
        (
            vec!["improt", &recording],
            "similar subcommand exists: 'import'",
        ),
    ] {
        let (text, code) = run(&words);
        assert_eq!(code, Some(2), "{words:?}: {text}");
        assert!(text.contains(told), "{words:?}: {text}");
    }
}
