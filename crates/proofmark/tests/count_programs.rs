//! `proofmark count` and the programs that it counts: none notices, and whatever becomes of one is said.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::count_place::{JAVA, Place};

/// Two lines may differ nowhere: language, library, reflection, threads, sampled, exact and ahead of time.
#[test]
fn programs_do_not_notice() {
    let Some(place) = Place::new() else { return };
    for java in &place.javas {
        let expected = place.plain(java, &["Behaviour"]);
        assert!(expected.lines().count() > 40, "{expected}");
        for options in [vec!["--granularity", "10"], vec!["--exact"]] {
            let (output, _) = place.counted(java, &options, &[], &["Behaviour"]);
            assert_eq!(output, expected, "{} {options:?}", java.display());
        }
    }
    let jar = place.instrumented(&[]);
    let expected = place.plain(&place.javas[0], &["Behaviour"]);
    let mut java = Command::new(&place.javas[0]);
    java.arg("-Xverify:all")
        .arg("-cp")
        .arg(jar)
        .arg("Behaviour");
    let done = java.current_dir(place.directory.path()).output().unwrap();
    assert_eq!(String::from_utf8(done.stdout).unwrap(), expected);
    assert!(place.path("proofmark-count.profile").exists());
}

/// A call of ours in the way out of a `synchronized` block overflowed the stack again, and the lock stayed held.
#[test]
fn no_lock_stays_held_where_a_stack_overflows() {
    let Some(place) = Place::new() else { return };
    let ways = [
        ["--granularity", "500"].as_slice(),
        &["--granularity", "500", "--max-path", "20"],
        &["--exact"],
    ];
    for java in &place.javas {
        let expected = place.plain(java, &["Overflowing"]);
        assert!(expected.ends_with("the lock is free\n"), "{expected}");
        for options in ways {
            for jvm in [[].as_slice(), &["-Xint"]] {
                let (output, _) = place.counted(java, options, jvm, &["Overflowing"]);
                assert_eq!(output, expected, "{} {options:?} {jvm:?}", java.display());
            }
        }
    }
}

/// What a class overrides that is left out is called by counted code too.
#[test]
fn classes_that_are_left_out_still_override() {
    let Some(place) = Place::new() else { return };
    for java in &place.javas {
        let expected = place.plain(java, &["LeftOut"]);
        assert!(expected.contains("11 22") && expected.contains("left alone"));
        for options in [vec!["--granularity", "10"], vec!["--exact"]] {
            let options = [options, vec!["--exclude", "LeftAlone"]].concat();
            let (output, profile) = place.counted(java, &options, &[], &["LeftOut"]);
            assert_eq!(output, expected, "{} {options:?}", java.display());
            assert!(!profile.contains("LeftAlone.number"), "{profile}");
        }
    }
}

/// Rewritten, it would fail with a `NoClassDefFoundError`.
#[test]
fn a_class_whose_loader_hides_the_runtime_is_not_counted() {
    let Some(place) = Place::new() else { return };
    let class_path = place.directory.path().to_str().unwrap();
    let file = place.path("apart.count");
    for java in &place.javas {
        let expected = place.plain(java, &["Apart"]);
        for mode in [["--granularity", "10"].as_slice(), &["--exact"]] {
            let output = ["-o", file.to_str().unwrap(), "--"];
            let program = [java.to_str().unwrap(), "-cp", class_path, "Apart"];
            let done = place.proofmark(&[&["count"][..], mode, &output, &program].concat());
            let said = String::from_utf8(done.stderr).unwrap();
            assert!(done.status.success(), "{said}");
            assert_eq!(String::from_utf8(done.stdout).unwrap(), expected);
            let words: Vec<&str> = said.split_whitespace().collect();
            let alone = "its class loader hides the classes that count: Apart$Inside";
            assert!(words.join(" ").contains(alone), "{said}");
            let profile = std::fs::read_to_string(&file).unwrap();
            assert!(profile.contains("\tApart\ttwice\t"), "{profile}");
            assert!(!profile.contains("Apart$Inside"), "{profile}");
        }
    }
}

/// More threads than have a seat, 2,000 that end at once in a heap that could not hold their stacks (130 kB each), a pool
/// that clears its workers' thread-locals after each task, and threads that nobody may ask for their state.
#[test]
fn threads_of_all_kinds_are_themselves() {
    let Some(place) = Place::new() else { return };
    for java in &place.javas {
        let plain = place.plain(java, &["Crowd"]);
        for options in [["--granularity", "50"].as_slice(), &["--exact"]] {
            let (output, profile) = place.counted(java, options, &["-Xmx64m"], &["Crowd"]);
            assert_eq!(output, plain, "{options:?}");
            let rows = |name: &str| {
                let of = |line: &&str| line.starts_with("thread\t") && line.ends_with(name);
                profile.lines().filter(of).count()
            };
            assert_eq!(rows("\town"), 2006, "{options:?}");
            assert!(rows("worker-1") <= 1, "{options:?}: {}", rows("worker-1"));
        }
    }
}

/// `System.exit`: the status is the program's, hooks run and are counted, the profile is there.
#[test]
fn a_program_that_exits_leaves_its_profile() {
    let Some(place) = Place::new() else { return };
    let profile = place.path("exit.count");
    let directory = place.directory.path().to_str().unwrap();
    let java = place.javas[0].to_str().unwrap();
    let words = [
        "count",
        "-o",
        profile.to_str().unwrap(),
        "--",
        java,
        "-cp",
        directory,
        "Behaviour",
        "exit",
    ];
    let done = place.proofmark(&words);
    assert_eq!(done.status.code(), Some(3));
    assert!(String::from_utf8_lossy(&done.stdout).ends_with("hook 16\n"));
    assert!(String::from_utf8_lossy(&done.stderr).contains("bytecodes in"));
    let text = std::fs::read_to_string(profile).unwrap();
    assert!(
        text.contains("\nthread\tplatform\trunning\t") && text.contains("\tBehaviour\tendless\t")
    );
}

/// Whoever reads it later would take it for a profile.
#[test]
fn a_program_that_executes_nothing_leaves_no_profile() {
    let Some(place) = Place::new() else { return };
    let profile = place.path("nothing.count");
    let java = place.javas[0].to_str().unwrap();
    let words = ["count", "-o", profile.to_str().unwrap(), "--", java];
    let class_path = place.directory.path().to_str().unwrap();
    // It has no main method, which only the JVM knows: it might inherit one.
    let program = ["-cp", class_path, "BehaviourTypes$Point"];
    let done = place.proofmark(&[&words[..], &program].concat());
    let said = String::from_utf8(done.stderr).unwrap();
    assert_eq!(done.status.code(), Some(1), "{said}");
    assert!(said.contains("no profile is written"), "{said}");
    assert!(said.contains(java), "{said}");
    assert!(!profile.exists());
}

#[test]
fn what_cannot_be_counted_is_refused() {
    let Some(place) = Place::new() else { return };
    let refused = |words: &[&str], text: &str| {
        let done = place.proofmark(words);
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(2), "{said}");
        assert!(said.contains(text), "{said}");
    };
    refused(&["count"], "give a program");
    refused(&["count", "--", "python", "x.py"], "not a java command");
    refused(&["count", "suite:Nothing"], "not in the suite");
    refused(&["count", "--exact", "--random", "suite:Json"], "--exact");
    refused(&["count", "--random", "100"], "--random=100");
    refused(&["count", "--random", "7", "--", "java"], "--random=7");
    let java = format!("{JAVA}/Work.java");
    refused(
        &["count", "compare", &java, &java],
        "not a profile of counted bytecodes",
    );
    refused(
        &[
            "count",
            "instrument",
            "a.jar",
            "-o",
            "b.jar",
            "--include-jdk",
        ],
        "only counted with the agent",
    );
}

/// Its classes would not find the runtime on a module path; nothing else says so before they run.
#[test]
fn a_jar_that_is_a_module_gets_a_remark() {
    let Some(place) = Place::new() else { return };
    let remark = |place: &Place| {
        let plain = place.instrumented(&[]).with_file_name("plain.jar");
        let again = place.path("again.jar");
        let done = place.proofmark(&[
            "count",
            "instrument",
            plain.to_str().unwrap(),
            "-o",
            again.to_str().unwrap(),
        ]);
        String::from_utf8(done.stderr)
            .unwrap()
            .contains("this jar is a module")
    };
    assert!(!remark(&place));
    let source = place.path("module-info.java");
    std::fs::write(&source, "module counted { }").unwrap();
    let mut javac = place.tool("javac");
    javac.arg("-d").arg(place.directory.path()).arg(&source);
    assert!(javac.status().unwrap().success());
    assert!(remark(&place));
}

/// Counts a class of this place that does not end by itself; what it prints can be read.
fn begun(place: &Place, java: &Path, profile: &Path, (mode, class): (&str, &str)) -> Child {
    Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args(["count", "--quiet", mode, "-o"])
        .arg(profile)
        .arg("--")
        .arg(java)
        .arg("-cp")
        .arg(place.directory.path())
        .arg(class)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// Ends the command by a signal, which its JVM does not outlive; the profile that is kept.
fn ended(mut child: Child, profile: &Path) -> String {
    let to = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(to, rustix::process::Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(143));
    std::fs::read_to_string(profile).unwrap()
}

/// The thread that defines a class asks, so that a profile is the same in every run: it cannot be freed.
#[test]
fn a_class_loader_that_never_answers_is_named() {
    let Some(place) = Place::new() else { return };
    let profile = place.path("silent.count");
    for java in &place.javas {
        let mut child = begun(&place, java, &profile, ("--exact", "Silent"));
        let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
        let names = "the program waits for its class loader Silent$Loader, which was asked for the classes that count before it defines Silent$Work, ";
        let named = said.find(|line| line.as_ref().unwrap().contains(names));
        let named = named.unwrap_or_else(|| panic!("{}", java.display()));
        let remedy = " with --exclude 'Silent$Loader'";
        assert!(named.unwrap().ends_with(remedy), "{}", java.display());
        let kept = ended(child, &profile);
        assert!(kept.contains("\tSilent\tmain\t"), "{kept}");
    }
}

/// By its own name or that of its class; both then stay as they are.
#[test]
fn a_class_loader_that_is_left_out_is_not_asked() {
    let Some(place) = Place::new() else { return };
    let words = ["Silent", "answering"];
    for java in &place.javas {
        let expected = place.plain(java, &words);
        let (asked, _) = place.counted(java, &["--exact"], &[], &words);
        let question = "asked for proofmark.count.";
        assert!(asked.contains(question), "{asked}");
        assert!(!expected.contains(question), "{expected}");
        for left_out in ["Silent$Loader", "Silent$Work"] {
            let options = ["--exact", "--exclude", left_out];
            let (output, profile) = place.counted(java, &options, &[], &words);
            assert_eq!(output, expected, "{left_out} {}", java.display());
            assert!(profile.contains("\tSilent\tmain\t"), "{profile}");
            assert!(!profile.contains("\tSilent$Work\t"), "{profile}");
        }
    }
}

#[test]
fn a_signal_to_the_command_ends_its_jvm_and_the_profile_is_kept() {
    let Some(place) = Place::new() else { return };
    let profile = place.path("endless.count");
    let mut child = begun(
        &place,
        &place.javas[0],
        &profile,
        ("--granularity=10000", "Endless"),
    );
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    let kept = ended(child, &profile);
    assert!(kept.contains("Endless"), "{kept}");
}

/// Without being told, the JVM writes it into the user's working directory; our own directory goes with the command.
#[test]
fn the_report_of_a_crash_is_kept_and_named() {
    let Some(place) = Place::new() else { return };
    let (work, temporary) = (place.path("work"), place.path("tmp"));
    for directory in [&work, &temporary] {
        std::fs::create_dir(directory).unwrap();
    }
    for java in &place.javas {
        let done = Command::new(env!("CARGO_BIN_EXE_proofmark"))
            .args(["count", "--"])
            .arg(java)
            .args(["-XX:-CreateCoredumpOnCrash", "-cp"])
            .arg(place.directory.path())
            .arg("Crashes")
            .current_dir(&work)
            .env("TMPDIR", &temporary)
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&done.stderr).into_owned();
        assert_eq!(done.status.code(), Some(3), "{said}");
        let (_, report) = said
            .split_once("; the report of its crash is in ")
            .unwrap_or_else(|| panic!("{said}"));
        let report = std::fs::read_to_string(report.trim_end()).unwrap();
        assert!(report.contains("SIGSEGV"), "{report}");
        assert_eq!(std::fs::read_dir(&work).unwrap().count(), 0, "{said}");
    }
}

#[test]
fn a_place_that_cannot_be_written_is_refused_before_the_program_runs() {
    let Some(place) = Place::new() else { return };
    let class_path = place.directory.path().to_str().unwrap();
    let java = place.javas[0].to_str().unwrap();
    let words = ["count", "-o", "/nowhere/a.count", "--", java, "-cp"];
    let done = place.proofmark(&[&words[..], &[class_path, "Work", "1"]].concat());
    assert_eq!(done.status.code(), Some(2));
    assert!(done.stdout.is_empty());
    assert!(String::from_utf8_lossy(&done.stderr).contains("/nowhere/a.count"));
}
