//! `proofmark count` on real JVMs: the same profile however a program is run, and a program that does not notice.
//!
//! A machine without a JDK skips with a printed reason; `REQUIRE_JVM=1` turns that into a failure.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use proofmark_jvm::toolchain::{JdkVersion, Settings, find_any_jdks};
use serde_json::Value;

const JAVA: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/count_java");

/// A directory with the test programs' classes, and the JDKs to try.
struct Place {
    directory: tempfile::TempDir,
    /// `java` of one JDK of each release.
    javas: Vec<PathBuf>,
}

impl Place {
    fn new() -> Option<Self> {
        let javas = javas();
        if javas.is_empty() {
            assert!(
                std::env::var_os("REQUIRE_JVM").is_none(),
                "REQUIRE_JVM is set, but there is no JDK 17 or later"
            );
            eprintln!("skipped: there is no JDK 17 or later here");
            return None;
        }
        let place = Self {
            directory: tempfile::tempdir().unwrap(),
            javas,
        };
        let mut javac = Command::new(place.javas[0].with_file_name("javac"));
        javac
            .args(["--release", "17", "-g", "-d"])
            .arg(place.directory.path());
        javac.args(
            ["Work", "Behaviour", "Endless", "Crowd"].map(|class| format!("{JAVA}/{class}.java")),
        );
        assert!(javac.status().unwrap().success());
        Some(place)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn proofmark(&self, words: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_proofmark"))
            .args(words)
            .output()
            .unwrap()
    }

    /// Counts a class of this place; returns what the program printed and the canonical profile.
    fn counted(
        &self,
        java: &Path,
        options: &[&str],
        jvm: &[&str],
        class: &[&str],
    ) -> (String, String) {
        let profile = self.path("profile.count");
        let mut words = vec!["count", "--quiet", "-o", profile.to_str().unwrap()];
        words.extend(options);
        words.extend(["--", java.to_str().unwrap(), "-Xverify:all"]);
        words.extend(jvm);
        words.extend(["-cp", self.directory.path().to_str().unwrap()]);
        words.extend(class);
        let done = self.proofmark(&words);
        assert!(
            done.status.success(),
            "{words:?}: {}",
            String::from_utf8_lossy(&done.stderr)
        );
        let text = std::fs::read_to_string(&profile).unwrap();
        (String::from_utf8(done.stdout).unwrap(), text)
    }

    fn plain(&self, java: &Path, class: &[&str]) -> String {
        let done = Command::new(java)
            .arg("-cp")
            .arg(self.directory.path())
            .args(class)
            .output()
            .unwrap();
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        String::from_utf8(done.stdout).unwrap()
    }

    /// The test programs as a jar, rewritten ahead of time.
    fn instrumented(&self, options: &[&str]) -> PathBuf {
        let (plain, counted) = (self.path("plain.jar"), self.path("counted.jar"));
        let jar = Command::new(self.javas[0].with_file_name("jar"))
            .args(["--create", "--file"])
            .arg(&plain)
            .arg("-C")
            .arg(self.directory.path())
            .arg(".")
            .status();
        assert!(jar.unwrap().success());
        let mut words = vec![
            "count",
            "instrument",
            plain.to_str().unwrap(),
            "-o",
            counted.to_str().unwrap(),
        ];
        words.extend(options);
        let done = self.proofmark(&words);
        assert!(
            done.status.success(),
            "{}",
            String::from_utf8_lossy(&done.stderr)
        );
        counted
    }
}

/// The first JDK of each release from 17 on.
fn javas() -> Vec<PathBuf> {
    let mut releases = BTreeSet::new();
    let whole = |home: &Path| {
        ["javac", "jar"]
            .iter()
            .all(|tool| home.join("bin").join(tool).is_file())
    };
    find_any_jdks(&Settings::from_env())
        .into_iter()
        .filter(|jdk| whole(&jdk.home))
        .filter_map(|jdk| {
            let release = JdkVersion::parse(jdk.version.as_deref()?)?.feature();
            (release >= 17 && releases.insert(release)).then(|| jdk.home.join("bin/java"))
        })
        .collect()
}

fn json(done: &Output) -> Value {
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    serde_json::from_slice(&done.stdout).unwrap()
}

/// JDKs, collectors, heaps, the interpreter alone, and rewriting ahead of time: not one byte differs.
#[test]
fn one_program_has_one_profile() {
    let Some(place) = Place::new() else { return };
    let work = ["Work", "100"];
    let options = ["--granularity", "500", "--random=100", "--seed", "7"];
    let (output, expected) = place.counted(&place.javas[0], &options, &[], &work);
    assert!(expected.lines().count() > 30, "{expected}");
    for java in &place.javas {
        for jvm in [
            vec!["-Xint"],
            vec!["-XX:+UseSerialGC", "-Xmx32m"],
            vec!["-XX:+UseParallelGC", "-XX:TieredStopAtLevel=1"],
        ] {
            let (again, profile) = place.counted(java, &options, &jvm, &work);
            assert_eq!(again, output);
            assert!(profile == expected, "{} {jvm:?}", java.display());
        }
    }
    let jar = place.instrumented(&options);
    let raw = place.path("raw");
    let mut java = Command::new(&place.javas[0]);
    java.arg(format!("-Dproofmark.count.output={}", raw.display()))
        .arg("-Xverify:all");
    let done = java.arg("-cp").arg(jar).args(work).output().unwrap();
    assert_eq!(String::from_utf8(done.stdout).unwrap(), output);
    let shown = place.path("shown.count");
    let done = place.proofmark(&[
        "count",
        "show",
        raw.to_str().unwrap(),
        "-o",
        shown.to_str().unwrap(),
    ]);
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    assert!(
        std::fs::read_to_string(shown).unwrap() == expected,
        "ahead of time"
    );
    let other = ["--granularity", "500", "--random=100", "--seed", "8"];
    assert!(
        place.counted(&place.javas[0], &other, &[], &work).1 != expected,
        "the seed does nothing"
    );
}

/// The exact profile has what the JVM's own steps say, to the unit, and sampling neither loses nor invents bytecodes.
#[test]
fn bytecodes_are_those_that_the_jvm_executes() {
    let Some(place) = Place::new() else { return };
    for java in &place.javas {
        counts_what_is_executed(&place, java.to_str().unwrap());
    }
}

fn counts_what_is_executed(place: &Place, java: &str) {
    let directory = place.directory.path().to_str().unwrap();
    let (exact, sampled) = (place.path("exact.count"), place.path("sampled.count"));
    let run = |output: &Path, options: &[&str]| {
        let mut words = vec!["--format", "json", "count", "-o", output.to_str().unwrap()];
        words.extend(options);
        words.extend(["--", java, "-cp", directory, "Work", "30"]);
        json(&place.proofmark(&words))
    };
    let counted = run(&exact, &["--exact", "--coverage"]);
    let executed = &counted["coverage"]["executed"];
    let number = |value: &Value| value.as_u64().unwrap();
    let seen = number(&executed["in_scope"]) - number(&executed["hidden"]);
    assert_eq!(number(&counted["bytecodes"]), seen, "{counted:#}");
    assert_eq!(counted["coverage"]["left_alone"], serde_json::json!([]));
    run(&sampled, &["--granularity", "50"]);
    let compared = [
        "--format",
        "json",
        "count",
        "compare",
        exact.to_str().unwrap(),
        sampled.to_str().unwrap(),
    ];
    let compared = json(&place.proofmark(&compared));
    assert_eq!(compared["bytecodes"]["relative_error_pct"], 0.0);
    assert!(
        compared["overlap_pct"].as_f64().unwrap() > 90.0,
        "{compared:#}"
    );
    assert_eq!(number(&compared["bytecodes"]["a"]), seen);
}

/// 19,061 contexts in one thread, sampled at every check: all of them, and none that is not there.
#[test]
fn every_context_is_found_again() {
    let Some(place) = Place::new() else { return };
    let (exact, sampled) = (place.path("exact.count"), place.path("sampled.count"));
    let [exact, sampled] = [&exact, &sampled].map(|path| path.to_str().unwrap());
    let java = place.javas[0].ancestors().nth(2).unwrap().to_str().unwrap();
    let counted = |words: &[&str]| {
        let words = [
            &["--quiet", "--jdk", java, "count"],
            words,
            &["suite:Havlak"],
        ]
        .concat();
        let done = place.proofmark(&words);
        assert!(done.status.success(), "{words:?}");
    };
    counted(&["--exact", "-o", exact]);
    counted(&["--granularity", "1", "-o", sampled]);
    let compare = ["--format", "json", "count", "compare", exact, sampled];
    let contexts = json(&place.proofmark(&compare))["contexts"].take();
    assert!(contexts["a"].as_u64().unwrap() > 10_000, "{contexts}");
    assert_eq!(contexts["a"], contexts["b"]);
    assert_eq!(contexts["a"], contexts["common"]);
}

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

/// `System.exit`: the status is the program's, hooks run and are counted, the profile is there.
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

/// Tools of the JDK are programs like others, if asked for; the rest of the JDK stays uncounted.
#[test]
fn tools_of_the_jdk_are_counted_on_demand() {
    let Some(place) = Place::new() else { return };
    let work = format!("{JAVA}/Work.java");
    for java in &place.javas {
        let out = place.path("compiled");
        let counted = |options: &[&str]| {
            let mut words = vec!["--format", "json", "count"];
            words.extend(options);
            let javac = "com.sun.tools.javac.Main";
            let java = java.to_str().unwrap();
            words.extend(["--", java, "-Xverify:all", javac, "-d"]);
            words.extend([out.to_str().unwrap(), &work]);
            json(&place.proofmark(&words))
        };
        assert_eq!(counted(&[])["bytecodes"], 0);
        let javac = counted(&["--include", "com.sun.tools.javac"]);
        let methods = javac["methods"].as_array().unwrap();
        assert!(methods.len() > 50, "{javac:#}");
        let inside = |row: &&Value| {
            row["method"]
                .as_str()
                .unwrap()
                .starts_with("com.sun.tools.javac.")
        };
        let strange = methods.iter().find(|row| !inside(row));
        assert_eq!(strange, None, "{}", java.display());
    }
}

/// Whoever reads it later would take it for a profile.
#[test]
fn a_program_that_executes_nothing_leaves_no_profile() {
    let Some(place) = Place::new() else { return };
    let profile = place.path("nothing.count");
    let java = place.javas[0].to_str().unwrap();
    let words = ["count", "-o", profile.to_str().unwrap(), "--", java];
    let done = place.proofmark(&[&words[..], &["NoSuchClass"]].concat());
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

/// Methods that only the code that counts makes longer than 8,000 bytes would be interpreted for ever.
#[test]
fn long_methods_are_compiled() {
    let Some(place) = Place::new() else { return };
    for java in &place.javas {
        let (flags, _) = place.counted(java, &[], &["-XX:+PrintFlagsFinal"], &["Work", "1"]);
        let flag = flags.lines().find(|l| l.contains("DontCompileHugeMethods"));
        assert!(flag.unwrap().contains("= false"), "{flag:?}");
    }
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
    let mut javac = Command::new(place.javas[0].with_file_name("javac"));
    javac.arg("-d").arg(place.directory.path()).arg(&source);
    assert!(javac.status().unwrap().success());
    assert!(remark(&place));
}

#[test]
fn a_signal_to_the_command_ends_its_jvm_and_the_profile_is_kept() {
    let Some(place) = Place::new() else { return };
    let profile = place.path("endless.count");
    let mut child = Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .args(["count", "--quiet", "-o", profile.to_str().unwrap(), "--"])
        .args([place.javas[0].to_str().unwrap(), "-cp"])
        .args([place.directory.path().to_str().unwrap(), "Endless"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    output.read_line(&mut line).unwrap();
    assert_eq!(line, "ready\n");
    let to = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(to, rustix::process::Signal::TERM).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(143));
    let kept = std::fs::read_to_string(&profile).unwrap();
    assert!(kept.contains("Endless"), "{kept}");
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

/// C2 of JDK 17 otherwise puts all of a sample into each check: programs then cost five times as much.
#[test]
fn c2_leaves_samples_out_of_compiled_code() {
    let Some(place) = Place::new() else { return };
    let told = [
        "-XX:-TieredCompilation",
        "-XX:+UnlockDiagnosticVMOptions",
        "-XX:+PrintInlining",
    ];
    for java in &place.javas {
        let (output, _) = place.counted(java, &["--granularity", "500"], &told, &["Work", "300"]);
        let calls = output
            .lines()
            .filter(|line| line.contains("Rarely::sample"));
        let (kept, other): (Vec<&str>, Vec<&str>) =
            calls.partition(|line| line.contains("exception method"));
        assert!(!kept.is_empty(), "{}: {output}", java.display());
        // Only where the check itself is compiled as a method of its own: then its callees are not indented.
        let indent = |line: &str| line.find('@').unwrap_or(0);
        let calls = output.lines().filter(|line| line.contains("   @ "));
        let outermost = calls.map(indent).min().unwrap();
        let mut inlined = other.iter().filter(|line| line.contains(" inline"));
        let deeper = inlined.find(|line| indent(line) > outermost);
        assert_eq!(deeper, None, "{}", java.display());
    }
}
