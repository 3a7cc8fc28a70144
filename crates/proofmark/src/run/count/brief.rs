//! A counting run for those who only want to know where the bytecodes are: it ends in time, whatever the program does.
//!
//! A JVM that does not end by itself is asked for what it has counted until then, and ended.

use std::fs::File;
use std::io::{Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::Context as _;
use proofmark_count::Counted;
use proofmark_jvm::toolchain::Settings;
use proofmark_jvm::{LabError, Temporary, crash_said, report_into, without_options};
use rustix::process::{Pid, Signal, kill_process};

use super::command::JavaCommand;
use super::live::{files, without_profile};
use super::runtime::{Told, prepare};
use super::silent;
use crate::context::Refusal;
use crate::request::Counting;

/// Pause between two looks at the JVM, its files and the user's wish to stop.
const TICK: Duration = Duration::from_millis(20);
/// For the JVM to start, and for `main` while nothing of it is compiled.
const START: Duration = Duration::from_secs(10);
/// Counted code takes up to four times as long (docs/count.md), but what is known after two iterations tells enough.
const ITERATIONS: u32 = 2;
/// For threads that the program leaves behind: what they do is worth counting, and they may never end.
const LEFT_BEHIND: Duration = Duration::from_secs(5);
/// For writing what was counted.
const WRITING: Duration = Duration::from_secs(60);
/// The agent's file that says that `main` has returned.
const RETURNED: &str = "returned";
/// The file that it writes last.
const LAST: &str = "classes";
/// The file with what the JVM prints on standard error.
const PRINTED: &str = "printed";
/// So much of its end is looked at, bytes: a thousand frames of a stack are less.
const PRINTED_END: u64 = 1 << 20;
/// What it prints is thrown away where it is more, bytes.
const PRINTED_MOST: u64 = 64 << 20;
/// What the line begins with that says why `main` failed.
const THROWN: &str = "Exception in thread \"main\" ";
/// With these options a JVM is ended by the signal that asks it.
const DEAF: [&str; 2] = ["-Xrs", "-XX:+ReduceSignalUsage"];

/// How long a run may take.
pub struct Bounds<'b> {
    /// Longest that one iteration may take.
    pub iteration: Duration,
    /// Set when the user wants to stop.
    pub interrupted: &'b AtomicBool,
    /// Where the JVM writes its report if it crashes.
    pub report: &'b Path,
}

/// What a run showed.
pub struct Brief {
    /// What was counted.
    pub counted: Counted,
    /// Time after which `main` was still running, and not waited for; none if it returned.
    pub cut: Option<Duration>,
}

/// Counts every bytecode of one run of a program; what the program prints is not shown. A `main` that returns and leaves
/// threads behind ends some seconds later, one that does not return when `bounds` say so.
///
/// # Errors
/// When the JDK will not do, the program fails, the JVM gives no profile, or the user wants to stop.
pub fn exact(
    program: &crate::request::Counted,
    settings: &Settings,
    bounds: &Bounds<'_>,
) -> anyhow::Result<Brief> {
    let command = JavaCommand::of(program, &["1".to_owned()], settings)?;
    let directory = Temporary::create(&std::env::temp_dir())?;
    let counting = Counting {
        granularity: 10_000,
        random: 0,
        seed: 1,
        exact: true,
        max_path: None,
        no_leaf: false,
        include_jdk: false,
        include: Vec::new(),
        exclude: Vec::new(),
    };
    let told = Told {
        counting: &counting,
        output: Some(&directory.path().join("profile")),
        agent: None,
        alone: false,
    };
    let load = prepare(&command.kit, &told, &directory, "count")?;
    let load = [&[report_into(bounds.report)][..], &load].concat();
    // An earlier JVM has nothing to do with this one.
    let _ = std::fs::remove_file(bounds.report);
    let place = directory.path();
    let printed = place.join(PRINTED);
    // Who appends goes on at the beginning where the rest was thrown away.
    let file = File::options().create(true).append(true).open(&printed);
    let file = file.with_context(|| printed.display().to_string())?;
    let child = java(&command.java, &load, &command.words)
        .stderr(file.try_clone()?)
        .spawn()
        .with_context(|| format!("{} cannot be started", command.java.display()))?;
    let mut jvm = Running {
        child,
        printed: file,
        interrupted: bounds.interrupted,
    };
    let limit = START + bounds.iteration * ITERATIONS;
    let (status, cut) = jvm.end(place, limit, &command.words)?;
    let silent = cut.and_then(|_| silent::said(place));
    // What it has written is whole, and nothing more comes.
    drop(jvm);
    if let Some(why) = failure(status, &end_of(&printed)) {
        let crash = crash_said(bounds.report);
        let all: Vec<String> = [why].into_iter().chain(crash).collect();
        return Err(Refusal::Cannot(all.join("; ")).into());
    }
    // The little that it did until then does not tell its hot methods.
    if let Some(why) = silent {
        return Err(Refusal::Cannot(why).into());
    }
    let nothing = || Refusal::Cannot(nothing(place, status));
    let (file, coverage) = files(place)?.ok_or_else(nothing)?;
    Ok(Brief {
        counted: Counted::of(&file, command.line(), Some(coverage)),
        cut,
    })
}

/// Why a program failed that ended like this, or still ran, and printed this at the end: what it counted is not about the program then.
/// None if it did not fail.
fn failure(status: Option<ExitStatus>, printed: &str) -> Option<String> {
    let thrown = printed.lines().rfind(|line| line.starts_with(THROWN));
    let how = match status {
        Some(status) if status.success() => return None,
        Some(status) => format!("the program failed while it was counted ({status})"),
        // Threads that it left behind go on.
        None if thrown.is_some() => "the program failed while it was counted".to_owned(),
        None => return None,
    };
    let refused = || printed.lines().find(|line| line.starts_with("Error: "));
    let last = || printed.lines().rfind(|line| !line.trim().is_empty());
    Some(match thrown.or_else(refused).or_else(last) {
        Some(line) => format!("{how}: {}", line.trim()),
        None => how,
    })
}

/// Why nothing is known of a program that did not fail.
fn nothing(place: &Path, status: Option<ExitStatus>) -> String {
    match status {
        Some(status) => without_profile(place, status),
        None => "the JVM was ended, and did not say before what it had counted".to_owned(),
    }
}

/// The end of a file, as text; nothing if it cannot be read.
fn end_of(path: &Path) -> String {
    let mut bytes = Vec::new();
    // Why the program failed is then not said.
    let _ = File::open(path).and_then(|mut file| {
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(PRINTED_END)))?;
        file.read_to_end(&mut bytes)
    });
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The command of a JVM that is not seen.
fn java(java: &Path, load: &[String], words: &[String]) -> Command {
    let mut command = Command::new(java);
    command.args(load).args(words);
    without_options(&mut command);
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

/// A JVM that ends with this value.
struct Running<'i> {
    child: Child,
    /// What it prints on standard error, opened to append.
    printed: File,
    interrupted: &'i AtomicBool,
}

impl Running<'_> {
    /// Waits for its end so long, and longer where `main` has returned; else asks for what was counted. How it ended, if by
    /// itself, and the time after which `main` was not waited for.
    fn end(
        &mut self,
        place: &Path,
        limit: Duration,
        words: &[String],
    ) -> anyhow::Result<(Option<ExitStatus>, Option<Duration>)> {
        let has_returned = || place.join(RETURNED).exists();
        let mut status = self.until(limit, has_returned)?;
        let cut = (status.is_none() && !has_returned()).then_some(limit);
        if status.is_none() && cut.is_none() {
            status = self.until(LEFT_BEHIND, || false)?;
        }
        let hears = words.iter().all(|word| !DEAF.contains(&word.as_str()));
        if status.is_none() && hears {
            // It may just have ended.
            let _ = kill_process(Pid::from_child(&self.child), Signal::QUIT);
            status = self.until(WRITING, || place.join(LAST).exists())?;
        }
        Ok((status, cut))
    }

    /// Waits until it has ended, something is so, or the time is over; how it ended, if it has.
    fn until(
        &mut self,
        limit: Duration,
        is_so: impl Fn() -> bool,
    ) -> anyhow::Result<Option<ExitStatus>> {
        let begin = Instant::now();
        loop {
            if self.interrupted.load(Ordering::Relaxed) {
                return Err(LabError::Interrupted.into());
            }
            if self.printed.metadata()?.len() > PRINTED_MOST {
                self.printed.set_len(0)?;
            }
            let status = self.child.try_wait()?;
            if status.is_some() || is_so() || begin.elapsed() > limit {
                return Ok(status);
            }
            std::thread::sleep(TICK);
        }
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    #[test]
    fn options_of_the_environment_are_not_counted_with() {
        let command = java(Path::new("java"), &[], &["Main".to_owned()]);
        let removed: Vec<_> = command.get_envs().map(|(name, _)| name).collect();
        for variable in ["JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS"] {
            assert!(removed.iter().any(|name| *name == variable), "{removed:?}");
        }
        assert!(command.get_envs().all(|(_, value)| value.is_none()));
    }

    /// How a process ends that says nothing, waited for so long.
    fn ended(
        program: &[&str],
        limit: Duration,
        interrupted: bool,
    ) -> anyhow::Result<(Option<ExitStatus>, Option<Duration>)> {
        let place = tempfile::tempdir()?;
        let interrupted = AtomicBool::new(interrupted);
        let mut running = Running {
            child: Command::new(program[0]).args(&program[1..]).spawn()?,
            printed: tempfile::tempfile()?,
            interrupted: &interrupted,
        };
        // It is not asked for anything.
        running.end(place.path(), limit, &["-Xrs".to_owned()])
    }

    #[test]
    fn what_does_not_end_is_not_waited_for() {
        let long = Duration::from_secs(600);
        let (status, cut) = ended(&["true"], long, false).unwrap();
        assert!(status.is_some_and(|status| status.success()) && cut.is_none());
        let (status, cut) = ended(&["sleep", "1000"], Duration::ZERO, false).unwrap();
        assert_eq!((status, cut), (None, Some(Duration::ZERO)));
        let stopped = ended(&["sleep", "1000"], long, true).unwrap_err();
        assert!(stopped.is::<LabError>(), "{stopped}");
    }

    /// Methods were chosen by 134 bytecodes of a program that had failed.
    #[test]
    fn a_program_that_failed_is_not_counted_and_its_exception_says_why() {
        let printed = "a line\nException in thread \"main\" java.lang.NoClassDefFoundError: proofmark/count/Context\n\tat Hot.work(Hot.java)\n";
        let with = |code: i32| Some(ExitStatus::from_raw(code << 8));
        let said = failure(with(1), printed).expect("a failure");
        let expected = "the program failed while it was counted (exit status: 1): Exception in thread \"main\" \
                        java.lang.NoClassDefFoundError: proofmark/count/Context";
        assert_eq!(said, expected);
        // Its threads may go on.
        let said = failure(None, printed).expect("a failure");
        assert!(said.contains("counted: Exception in"), "{said}");
        let refused = "Error: Main method not found in class A\n   public static void main\n";
        let said = failure(with(1), refused).expect("a failure");
        assert!(said.ends_with("): Error: Main method not found in class A"));
        let said = failure(with(7), "bye\n\n").expect("a failure");
        assert!(said.ends_with("(exit status: 7): bye"), "{said}");
        assert!(failure(with(7), "").is_some());
        // What it prints beside is its own affair.
        assert_eq!(failure(with(0), printed), None);
        assert_eq!(failure(None, "bye\n"), None);
    }
}
