//! What tests on the real JVM share: the tool as a process, a toolchain, programs of their own.
//!
//! A machine that lacks something skips with a printed reason; `REQUIRE_JVM` and the like turn that into a failure.

pub mod dosed;
pub mod events_bench;
pub mod own_events;
pub mod programs;

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use proofmark_jvm::toolchain::{Kit, Settings};
use proofmark_jvm::{LabSettings, Launch};
use proofmark_test_support::{Need, need, quick_tool};

/// Longest that anything is waited for: a busy machine takes its time, and a fault is to end the test all the same.
const PATIENCE: Duration = Duration::from_secs(900);
/// Between two looks whether what is waited for is there: looking all the time would take a processor from it. Nothing that a test
/// finds depends on it.
const BETWEEN_LOOKS: Duration = Duration::from_millis(2);

/// The toolchain, or nothing with a printed reason where the machine cannot be measured.
pub fn kit() -> Option<Kit> {
    let kit = need(Need::Jvm, Kit::assemble(&Settings::from_env()))?;
    need(Need::Perf, proofmark_sampler::probe())?;
    Some(kit)
}

/// Compiles one class of the tests into a directory.
pub fn compile(kit: &Kit, into: &Path, class: &str, body: &str) {
    compile_all(kit, into, &[(class, body)]);
}

/// Compiles classes of the tests, names and bodies, into a directory.
pub fn compile_all(kit: &Kit, into: &Path, classes: &[(&str, &str)]) {
    let mut javac = quick_tool(&kit.jdk.home, "javac");
    javac.arg("-d").arg(into);
    for (class, body) in classes {
        let source = into.join(format!("{class}.java"));
        std::fs::write(&source, format!("public class {class} {{ {body} }}")).unwrap();
        javac.arg(source);
    }
    succeeds(&mut javac);
}

/// Runs a command that must succeed.
pub fn succeeds(command: &mut Command) {
    let done = command.output().unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
}

/// A place for one run: results and temporary files, where nothing else is.
pub struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    pub fn new() -> Self {
        let directory = tempfile::tempdir().unwrap();
        std::fs::create_dir(directory.path().join("tmp")).unwrap();
        Place { directory }
    }

    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// `divine` with a workload of few words, ready to run.
    pub fn divine(&self, words: &[&str]) -> Command {
        self.command("divine", words)
    }

    /// A subcommand that repeats a workload, ready to run.
    pub fn command(&self, subcommand: &str, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
        command
            .args([subcommand, "--heap", "64", "--out"])
            .arg(self.path().join("out"))
            .args(words)
            .env("TMPDIR", self.path().join("tmp"))
            .stdin(Stdio::null());
        command
    }

    /// Temporary files that are there now.
    pub fn temporary_files(&self) -> Vec<PathBuf> {
        std::fs::read_dir(self.path().join("tmp"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .collect()
    }
}

/// What a finished run printed as errors.
pub fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The JVM that a Proofmark started.
pub fn jvm_of(parent: u32) -> Option<u32> {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
        .find(|pid| {
            let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
            let words: Vec<&str> = stat
                .split([' ', '(', ')'])
                .filter(|word| !word.is_empty())
                .collect();
            words.get(1) == Some(&"java") && words.get(3) == Some(&parent.to_string().as_str())
        })
}

/// Whether a process runs; one that waits for its parent to take note does not.
pub fn runs(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, state)| !state.starts_with(['Z', 'X']))
}

/// Waits for the end of a process that is not our child.
pub fn wait_for_end(pid: u32) {
    let begin = Instant::now();
    while runs(pid) {
        assert!(begin.elapsed() < PATIENCE, "{pid} still runs");
        std::thread::sleep(BETWEEN_LOOKS);
    }
}

/// Waits until something is so, which it must be before the child ends.
pub fn until(child: &mut Child, is_so: impl Fn(&Child) -> bool) {
    let begin = Instant::now();
    while !is_so(child) {
        let ended = child.try_wait().unwrap();
        assert!(ended.is_none(), "it ended too early: {ended:?}");
        assert!(
            begin.elapsed() < PATIENCE,
            "what is waited for does not come"
        );
        std::thread::sleep(BETWEEN_LOOKS);
    }
}

/// Whether this process runs no other test than the one of that name; else such a process is started, and must pass.
///
/// What the children of a process took is one sum. Where a test asks for it, no other test may have children meanwhile.
pub fn in_a_process_of_its_own(test: &str) -> bool {
    const OWN: &str = "PROOFMARK_TEST_OWN";
    if std::env::var_os(OWN).is_some() {
        return true;
    }
    let done = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", test, "--test-threads=1", "--nocapture"])
        .env(OWN, "1")
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&done.stdout);
    let passed = done.status.success() && said.contains("ok. 1 passed");
    assert!(passed, "{test}: {said}{}", stderr(&done));
    // Not eprintln, as where it is said.
    for line in stderr(&done).lines() {
        if line.starts_with("skipped: ") {
            let _ = writeln!(std::io::stderr(), "{line}");
        }
    }
    false
}

/// Waits until the JVM of a run runs that logs into `log` of the run's directory.
pub fn until_jvm(child: &mut Child, place: &Place, log: &str) -> u32 {
    let log = place.path().join("out").join(log);
    until(child, |child| log.exists() && jvm_of(child.id()).is_some());
    jvm_of(child.id()).unwrap()
}

/// Settings of a small laboratory.
pub fn lab_settings(log: PathBuf) -> LabSettings {
    LabSettings {
        launch: Launch {
            heap_mb: 256,
            ..Launch::default()
        },
        profiles: None,
        wanted: Vec::new(),
        scope: Default::default(),
        several_threads: false,
        log,
        iteration_limit: Duration::from_secs(600),
        warm_up_s: (1.0, 60.0),
        together: None,
        probe: Some(proofmark_sampler::probe().expect("checked by kit()")),
        resolution: proofmark_blocks::Resolution {
            skid: proofmark_blocks::Skid::NextInstruction,
            border_cycles: proofmark_stats::Estimate::around(1.0, 0.0, 1),
        },
        filler: proofmark_experiment::lab::Filler::Mov,
        progress: Arc::new(|_| ()),
        interrupted: Arc::default(),
    }
}
