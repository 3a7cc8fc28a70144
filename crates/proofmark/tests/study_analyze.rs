//! `study analyze` and `diff` on recordings in files.

use std::path::Path;
use std::process::{Command, Output};
use std::time::Instant;

fn proofmark(arguments: &[&str], directory: &Path) -> Output {
    aloud(&[arguments, &["--quiet"]].concat(), directory)
}

/// The same with what it says on the way.
fn aloud(arguments: &[&str], directory: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args(arguments)
        .current_dir(directory)
        .output()
        .expect("proofmark")
}

fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

/// Collapsed stacks in which `A.hot` has so many of 1,000 samples.
fn write(directory: &Path, name: &str, hot: u32) {
    let path = directory.join(name);
    std::fs::create_dir_all(path.parent().expect("a directory")).expect("directory");
    let stacks = format!("A.main;A.hot {hot}\nA.main;A.rest {}\n", 1000 - hot);
    std::fs::write(path, stacks).expect("recording");
}

/// Two programs under two profilers, five runs each, and a file that is none.
fn recordings() -> tempfile::TempDir {
    let directory = tempfile::tempdir().expect("directory");
    for run in 0..5 {
        for (profiler, hot) in [("async", 600), ("perf", 300)] {
            for program in ["One", "Two"] {
                let name = format!("all/{program}/{profiler}-{run}.collapsed");
                write(directory.path(), &name, hot + 3 * run);
            }
        }
        write(
            directory.path(),
            &format!("before/{run}.collapsed"),
            500 + 5 * run,
        );
        write(
            directory.path(),
            &format!("after/{run}.collapsed"),
            560 + 5 * run,
        );
        write(
            directory.path(),
            &format!("same/{run}.collapsed"),
            501 + 5 * run,
        );
    }
    std::fs::write(directory.path().join("all/notes.md"), "# Notes\n").expect("file");
    directory
}

/// `study analyze all`, by paths, with these arguments as well.
fn analyzed(directory: &Path, more: [&str; 2]) -> Output {
    let pattern = "{program}/{profiler}-{run}.collapsed";
    let arguments = [
        &["study", "analyze", "all", "--group-by", pattern],
        &more[..],
    ]
    .concat();
    proofmark(&arguments, directory)
}

#[test]
fn recordings_are_grouped_by_their_paths() {
    let directory = recordings();
    let output = analyzed(directory.path(), ["--format", "json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["profilers"]["perf"]["runs"], 10);
    assert_eq!(json["agreement"][1]["program"], "Two");
    assert_eq!(json["agreement"][0]["union_hottest"], 2);
    let largest = json["profilers"]["async"]["max_difference_pt"]
        .as_f64()
        .expect("a number");
    assert!((largest - 1.2).abs() < 1e-9, "{largest}");
    let remark = json["remarks"][0].as_str().expect("a remark");
    assert!(remark.contains("notes.md"), "{remark}");
}

#[test]
fn a_page_and_tables_are_written() {
    let directory = recordings();
    let output = analyzed(directory.path(), ["--html", "page.html"]);
    assert!(text(&output).contains("20 recordings of 2 programs by 2 profilers"));
    let page = std::fs::read_to_string(directory.path().join("page.html")).expect("page");
    assert!(page.contains("<h1>all</h1>") && page.contains("A<wbr>.hot"));
    let csv = analyzed(directory.path(), ["--format", "csv"]);
    assert!(text(&csv).starts_with("figure,program,profiler,"));
}

#[test]
fn exit_codes_of_diff() {
    let directory = recordings();
    let changed = proofmark(&["diff", "before", "after"], directory.path());
    assert_eq!(changed.status.code(), Some(1), "{}", text(&changed));
    assert!(text(&changed).contains("A.hot") && text(&changed).contains("+6.0 pt"));
    let same = proofmark(&["diff", "before", "same"], directory.path());
    assert_eq!(same.status.code(), Some(0), "{}", text(&same));
    // The noise between runs cannot be seen.
    let one = ["diff", "before/0.collapsed", "after/0.collapsed"];
    let one = proofmark(&one, directory.path());
    assert_eq!(one.status.code(), Some(4), "{}", text(&one));
    assert!(text(&one).contains("by more than the noise of sampling explains"));
    for output in [&changed, &same, &one] {
        let said = flat(output);
        let smallest = " points in any method would have been found in at least 4 of 5";
        assert!(said.contains(smallest), "{said}");
    }
    let large_only = ["diff", "before", "after", "--least-change", "7"];
    assert_eq!(
        proofmark(&large_only, directory.path()).status.code(),
        Some(0)
    );
}

#[test]
fn what_cannot_be_done_is_said() {
    let directory = recordings();
    for (line, words) in [
        ("study analyze nothing", "nothing"),
        ("study analyze all/notes.md", "notes.md"),
        (
            "study analyze before ./before/0.collapsed",
            "was read already",
        ),
        ("study analyze all --group-by {run}", "--group-by"),
        ("doctor --format csv", "possible values: text, json"),
        (
            "diff before after --false-discovery-rate 0",
            "between 0 and 100",
        ),
    ] {
        let arguments: Vec<&str> = line.split(' ').collect();
        let output = proofmark(&arguments, directory.path());
        assert_eq!(output.status.code(), Some(2), "{line}: {}", text(&output));
        assert!(text(&output).contains(words), "{line}: {}", text(&output));
    }
}

/// One damaged part of a directory costs no other recording; what asks for nothing that is there is no figure.
#[test]
fn what_is_left_out_of_a_directory_is_said() {
    let directory = recordings();
    let all = directory.path().join("all");
    std::os::unix::fs::symlink("../all", all.join("loop")).expect("link");
    std::os::unix::fs::symlink("nowhere", all.join("dangling")).expect("link");
    std::os::unix::fs::symlink("One/async-0.collapsed", all.join("again")).expect("link");
    std::fs::write(all.join("native.collapsed"), "main;compute 7\n").expect("file");
    std::fs::write(all.join("threads.collapsed"), "[helper tid=7];A.main 7\n").expect("file");
    let words = [
        "study", "analyze", "all", "--thread", "main", "--format", "json",
    ];
    let output = proofmark(&words, directory.path());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let remarks: Vec<&str> = json["remarks"]
        .as_array()
        .expect("remarks")
        .iter()
        .filter_map(serde_json::Value::as_str)
        .collect();
    for words in [
        ["again", "was read already"],
        ["dangling", "No such file"],
        ["loop", "is no file"],
        ["native.collapsed", "--native"],
        ["notes.md", "no profile format"],
        ["threads.collapsed", "no thread \"main\"; it has: helper"],
        ["One/async-0.collapsed and 20 more", "names decided"],
    ] {
        let said = |remark: &&&str| words.iter().all(|word| remark.contains(word));
        assert_eq!(
            remarks.iter().filter(said).count(),
            1,
            "{words:?}: {remarks:?}"
        );
    }
    assert_eq!(remarks.len(), 7);
}

/// Without the line breaks of a narrow terminal.
fn flat(output: &Output) -> String {
    let text = text(output);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn nothing_that_is_read_is_overwritten() {
    let directory = tempfile::tempdir().expect("directory");
    write(directory.path(), "a.collapsed", 600);
    let before = std::fs::read(directory.path().join("a.collapsed")).expect("file");
    for arguments in [
        ["study", "analyze", "a.collapsed", "--html", "./a.collapsed"].as_slice(),
        &[
            "import",
            "a.collapsed",
            "--format",
            "pprof",
            "-o",
            "./a.collapsed",
        ],
    ] {
        let output = proofmark(arguments, directory.path());
        assert_eq!(output.status.code(), Some(2), "{}", text(&output));
        assert!(text(&output).contains("would be overwritten"));
    }
    let after = std::fs::read(directory.path().join("a.collapsed")).expect("file");
    assert!(before == after);
}

/// The zeros of a single run would look like perfect agreement, and other profilers like other programs.
#[test]
fn what_cannot_be_known_from_one_run_or_another_profiler_is_said() {
    let directory = tempfile::tempdir().expect("directory");
    for (run, hot) in [(0, 600), (1, 610)] {
        write(
            directory.path(),
            &format!("a/One/async-{run}.collapsed"),
            hot,
        );
        write(
            directory.path(),
            &format!("b/One/async-{run}.collapsed"),
            hot,
        );
    }
    write(directory.path(), "b/One/perf-0.collapsed", 300);
    let group = ["--group-by", "{program}/{profiler}-{run}.collapsed"];
    let analyzed = proofmark(
        &[&["study", "analyze", "b"][..], &group].concat(),
        directory.path(),
    );
    assert!(
        flat(&analyzed).contains("mean nothing for One under perf"),
        "{}",
        flat(&analyzed)
    );
    let compared = proofmark(
        &[&["diff", "a", "b"][..], &group].concat(),
        directory.path(),
    );
    assert!(
        flat(&compared).contains("A is of async, B of async, perf"),
        "{}",
        flat(&compared)
    );
}

/// A line of a study's list of runs.
fn run(program: &str, profiler: &str, run: u32) -> String {
    let file = format!("recordings/{program}-{profiler}-{run}.collapsed");
    format!(
        r#"{{"program":"{program}","profiler":"{profiler}","run":{run},"file":"{file}","interval_ns":null,"iterations_ms":[1.0],"env_bytes":0,"seed":1,"failure":null}}"#
    )
}

#[test]
fn studies_are_found_and_what_they_lack_is_said() {
    let directory = tempfile::tempdir().expect("directory");
    let made = [("One", "async", 0), ("One", "async", 1), ("One", "perf", 0)];
    let mut list = String::new();
    for (program, profiler, number) in made {
        write(
            directory.path(),
            &format!("above/study/recordings/{program}-{profiler}-{number}.collapsed"),
            600 + number,
        );
        list += &(run(program, profiler, number) + "\n");
    }
    std::fs::write(directory.path().join("above/study/runs.jsonl"), list).expect("list");
    // The directory above has the study's names, a part of it has none.
    let above = flat(&proofmark(&["study", "analyze", "above"], directory.path()));
    assert!(
        above.contains("is not finished: One under perf 1 of 2 runs"),
        "{above}"
    );
    let part = proofmark(
        &["study", "analyze", "above/study/recordings"],
        directory.path(),
    );
    assert_eq!(part.status.code(), Some(2), "{}", flat(&part));
    assert!(
        flat(&part).contains("is a part of the study"),
        "{}",
        flat(&part)
    );
}

/// Its shares rest on 7 of 64 samples; `import` says so, and an analysis must not be quieter.
#[test]
fn what_an_importer_doubts_is_said_once_for_all_recordings() {
    let directory = tempfile::tempdir().expect("directory");
    let text = "--- Execution profile ---\nTotal samples       : 64\n\n\
        --- 70000000 ns (10.94%), 7 samples\n  [ 0] A.hot\n  [ 1] A.main\n";
    for name in ["a.txt", "b.txt"] {
        std::fs::write(directory.path().join(name), text).expect("recording");
    }
    let output = proofmark(&["study", "analyze", "a.txt", "b.txt"], directory.path());
    let said = flat(&output);
    assert!(
        said.contains("a.txt and 1 more: the text lists the heaviest only: 7 of 64"),
        "{said}"
    );
}

/// A log is no terminal: every recording is a step, and few of them are told. With `--quiet` none is.
#[test]
fn a_log_gets_few_lines() {
    let directory = recordings();
    for words in [
        &["study", "analyze", "all"][..],
        &["diff", "before", "after"],
    ] {
        let begin = Instant::now();
        let output = aloud(words, directory.path());
        let most = 1 + begin.elapsed().as_secs() as usize / 10;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let lines = said.lines().filter(|line| line.starts_with("[0:")).count();
        assert!((1..=most).contains(&lines), "{words:?}: {said}");
        let quiet = proofmark(words, directory.path());
        assert!(quiet.stderr.is_empty(), "{quiet:?}");
        assert_eq!(quiet.stdout, output.stdout);
    }
}

/// Nor does a directory of somebody else's steer the terminal: on the way, in tables and in refusals.
#[test]
fn names_of_directories_do_not_steer_the_terminal() {
    let directory = tempfile::tempdir().expect("directory");
    let name = "evil\u{1b}[2J\u{9b}31m\u{202e}";
    write(directory.path(), &format!("{name}/a/p-0.collapsed"), 600);
    write(directory.path(), &format!("{name}/a/notes.md"), 1);
    let pattern = "{program}/{profiler}-{run}.collapsed";
    let none = format!("{name}/none");
    let lines: [&[&str]; 4] = [
        &["study", "analyze", name],
        &["study", "analyze", ".", "--group-by", pattern],
        &["diff", name, name],
        &["diff", name, &none],
    ];
    for words in lines {
        let output = aloud(words, directory.path());
        let said = text(&output);
        let steers = |c: char| (c.is_control() && c != '\n') || c == '\u{202e}';
        assert!(said.contains("evil") && !said.contains(steers), "{said:?}");
    }
}
