//! Bad arguments of every command: each gets its message and exit code before a JVM is started, anything is fetched or
//! the machine is calibrated. The JDK is one that records that it was started, and the home directory stays empty.

mod scene;

use std::collections::BTreeSet;
use std::process::Command;

use clap::CommandFactory;
use proofmark::builds::Builds;
use proofmark::cli::Arguments;
use proofmark::manifest::RunManifest;
use proofmark::request::ProgramRequest;
use proofmark_jvm::Workload;
use proofmark_jvm::toolchain::Settings;

use scene::{Scene, names};

/// A row of the table: command, its further words, what the message says.
fn rows() -> impl Iterator<Item = (&'static str, &'static str, &'static str)> {
    let lines = include_str!("refused/rows.txt").lines();
    lines.filter(|line| !line.starts_with('#')).map(|line| {
        let fields: Vec<&str> = line.splitn(3, " | ").collect();
        (fields[0], fields[1], fields[2])
    })
}

#[test]
fn bad_arguments_are_refused_before_anything_starts() {
    let scene = Scene::new();
    let place = scene.place.path().display().to_string();
    let before = names(scene.place.path());
    for (command, words, message) in rows() {
        let output = scene.run(command, words);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let said = format!("{command} {words}: {text}");
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(text.contains(&message.replace('@', &place)), "{said}");
        assert!(!text.contains("calibrating"), "{said}");
        assert_eq!(output.stdout, b"", "{said}");
        assert_eq!(scene.traces(), Vec::<String>::new(), "{said}");
        assert_eq!(names(scene.place.path()), before, "{said}");
    }
}

/// The recording JDK records: with good arguments it is started, or something goes into the home directory.
#[test]
fn good_arguments_leave_traces() {
    for (command, words) in [
        ("divine", "suite:Towers"),
        ("assess", "class:p.A --class-path @/classes"),
        ("study run", "--program suite:Towers"),
        ("events", "suite:Towers"),
        ("count", "suite:Towers"),
        ("count instrument", "@/app.jar -o @/counted.jar"),
    ] {
        let scene = Scene::new();
        let text = String::from_utf8_lossy(&scene.run(command, words).stderr).into_owned();
        let traces = scene.traces();
        assert!(
            traces.iter().any(|trace| trace.starts_with("java")),
            "{command}: {traces:?} {text}"
        );
    }
}

/// What keeps a run from beginning on this machine, its dry run says as well.
#[test]
fn a_dry_run_checks_what_the_start_checks() {
    let said = |scene: &Scene, command: &str, words: &str| {
        let output = scene.run(command, words);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let last = text.lines().find(|line| line.starts_with("proofmark: "));
        (output.status.code(), last.map(str::to_owned))
    };
    let scene = Scene::new();
    let old = "JAVA_VERSION=\"11.0.3\"\nIMPLEMENTOR=\"Acme\"\n";
    std::fs::write(scene.at("jdk/release"), old).unwrap();
    for (command, part) in [
        ("assess", "--profiler async --laboratory"),
        ("assess", "--profiler async --no-laboratory"),
        ("dose", "--profiler async"),
        ("dose", "--profiler async --dose all"),
        ("evaluate", "--profiler async"),
        ("evaluate", "--profiler none"),
        ("study run --program", "--profiler async"),
    ] {
        let words = format!("suite:Towers {part}");
        let start = said(&scene, command, &words);
        let told = |text: &String| text.contains("it is Java 11");
        assert!(
            start.0 == Some(3) && start.1.as_ref().is_some_and(told),
            "{start:?}"
        );
        let dry = format!("{words} --dry-run");
        assert_eq!(said(&scene, command, &dry), start);
    }
}

/// What lies there was measured with other classes, which nobody could tell from the result.
#[test]
fn a_directory_of_another_build_is_refused_before_anything_starts() {
    let scene = Scene::new();
    let workload = Workload::parse("class:p.A", vec![scene.at("classes")]).unwrap();
    let builds = Builds::of(&workload, &Settings::default());
    let program = ProgramRequest {
        workload,
        java: None,
        heap_mb: 1024,
        iteration_timeout_s: 60.0,
        out: None,
        seed: 1,
    };
    let manifest = RunManifest::of(&program, builds);
    drop(proofmark_store::Run::create(&scene.at("begun"), &manifest).unwrap());
    std::fs::write(scene.at("classes/p/A.class"), "built anew").unwrap();
    for command in ["assess", "candidates", "divine", "events"] {
        let output = scene.run(command, "class:p.A --class-path @/classes --out @/begun");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command}: {text}");
        let told = "holds results of another build of the program";
        assert!(text.contains(told), "{command}: {text}");
        assert_eq!(scene.traces(), Vec::<String>::new(), "{command}: {text}");
    }
}

/// Its estimate rests on the length of an iteration, of which nobody told the user yet.
#[test]
fn a_dry_run_says_what_an_iteration_is() {
    let scene = Scene::new();
    let sentence = "One call of main is one iteration.";
    for (words, told) in [
        ("class:p.A --class-path @/classes", true),
        ("class:p.A --class-path @/classes --dose all", true),
        ("suite:Towers", false),
    ] {
        let output = scene.run("dose", &format!("{words} --dry-run"));
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(0), "{words}: {output:?}");
        assert!(text.contains("10 ms assumed"), "{words}: {text}");
        assert_eq!(text.contains(sentence), told, "{words}: {text}");
    }
}

/// Without a JDK the demo is about a program in C, of which nobody knows how long it takes.
#[test]
fn a_dry_run_of_the_demo_starts_nothing() {
    let scene = Scene::new();
    let old = "JAVA_VERSION=\"11.0.3\"\nIMPLEMENTOR=\"Acme\"\n";
    std::fs::write(scene.at("jdk/release"), old).unwrap();
    let output = scene.run("demo", "--dry-run");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{text}");
    let message = "it is Java 11): the demo would be about a program in C";
    assert!(text.contains(message), "{text}");
    let runs = scene.at("home/.local/state/proofmark/runs");
    assert!(!runs.exists(), "{text}");
}

/// A test without witnesses is worth less than it costs, which is known before it begins.
#[test]
fn a_dry_run_says_who_could_not_be_contradicted() {
    let scene = Scene::new();
    let note = "note: only async could contradict jfr here; add jfr+nonsafepoints to --profiler for a second witness";
    for (words, told) in [
        ("--profiler async,jfr", true),
        ("--profiler async,jfr --dose all", true),
        ("--profiler async,jfr --quiet", false),
        ("", false),
    ] {
        let output = scene.run("dose", &format!("suite:Towers {words} --dry-run"));
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{words}: {text}");
        assert_eq!(
            text.lines().any(|line| line == note),
            told,
            "{words}: {text}"
        );
        assert!(!told || text.matches("note: ").count() == 1, "{text}");
    }
}

/// A class file says whether it can be such a workload.
#[test]
fn classes_that_can_be_no_such_workload_are_refused_before_anything_starts() {
    let Some(scene) = Scene::with_classes() else {
        return;
    };
    for (workload, message) in [
        (
            "class:p.B",
            "cannot load the workload p.B: it has no main method",
        ),
        ("method:p.B.nix", "its class declares no method nix"),
        ("method:p.B.work", "work has parameters"),
        ("method:p.B.inst", "inst() is not static"),
        ("runnable:p.B", "it is abstract"),
        ("runnable:p.B$C", "no constructor without parameters"),
        ("runnable:p.B$D", "does not implement java.lang.Runnable"),
    ] {
        let words = format!("{workload} --class-path @/classes");
        let output = scene.run("divine", &words);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(text.contains(message), "{workload}: {text}");
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert_eq!(scene.traces(), Vec::<String>::new(), "{text}");
    }
    for workload in ["method:p.B.fine", "runnable:p.B$E"] {
        let words = format!("{workload} --class-path @/classes");
        assert_ne!(
            scene.run("divine", &words).status.code(),
            Some(2),
            "{workload}"
        );
    }
}

/// A class file says which methods it has; what it inherits from a class that is not on the class path is left to the JVM.
#[test]
fn methods_that_their_class_has_not_are_refused_before_anything_starts() {
    let Some(scene) = Scene::with_classes() else {
        return;
    };
    let dry = |method: &str| {
        let words = format!("runnable:p.B$E --class-path @/classes --method {method} --dry-run");
        let output = scene.run("dose", &words);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), text)
    };
    for (method, message) in [
        (
            "p.B.worc",
            "--method p.B.worc: p.B declares no method worc; did you mean p.B.work?",
        ),
        (
            "p.B.nothing",
            "p.B declares no method nothing; look at its name, or name the class or interface that declares it",
        ),
        (
            "p.B$E.run",
            "p.B$E declares no method run; it inherits it from p.B$C: write p.B$C.run",
        ),
        ("p.B$E.nothing", "p.B$E declares no method nothing"),
    ] {
        let (code, text) = dry(method);
        assert!(text.contains(message), "{method}: {text}");
        assert_eq!(code, Some(2), "{text}");
        assert_eq!(scene.traces(), Vec::<String>::new(), "{text}");
    }
    for method in [
        "p.B.work",
        "p.B$C.run",
        "p.B$F.nothing",
        "p.A.run",
        "no.such.Class.run",
    ] {
        let (code, text) = dry(method);
        assert_eq!(code, Some(0), "{method}: {text}");
    }
}

/// Names of files that are no text could be neither shown nor handed on.
#[test]
fn words_that_are_no_text_are_refused() {
    use std::os::unix::ffi::OsStrExt;
    let word = std::ffi::OsStr::from_bytes(b"suite:\xff\xfe");
    for command in ["divine", "dose", "nonsense"] {
        let output = Command::new(env!("CARGO_BIN_EXE_proofmark"))
            .arg(command)
            .arg(word)
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("is no UTF-8 text"), "{text}");
    }
}

#[test]
fn every_command_has_a_bad_argument_here() {
    fn leaves(command: &clap::Command, name: &str, all: &mut BTreeSet<String>) {
        if !command.is_subcommand_required_set() && !name.is_empty() {
            all.insert(name.to_owned());
        }
        for sub in command.get_subcommands() {
            leaves(sub, format!("{name} {}", sub.get_name()).trim(), all);
        }
    }
    let mut all = BTreeSet::new();
    leaves(&Arguments::command(), "", &mut all);
    // They stand for compilers, whose options, messages and exit codes are kept.
    for compiler in ["cc", "c++", "rustc"] {
        assert!(all.remove(compiler));
    }
    let tried: BTreeSet<String> = rows().map(|row| row.0.to_owned()).collect();
    assert_eq!(all, tried);
}
