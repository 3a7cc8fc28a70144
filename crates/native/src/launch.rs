//! A program that is run again and again: its processes, their CPU time and output.

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read as _};
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::process::{PidfdFlags, pidfd_open};
use rustix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::doses::DoseFile;
use crate::family::ended_with_all;
use crate::group::LOOK;
use crate::tied::spawn_tied;
use crate::windows::Stretch;

/// A program that is run again and again.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Launch {
    /// What stands in front of the program: a profiler and its options. Its CPU time counts as the program's.
    pub before: Vec<String>,
    /// The program's file.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Directory for its output and the file with its dose.
    pub directory: PathBuf,
    /// Longest that a process may take, s.
    pub most_s: f64,
    /// What every process that ends by itself must put out; none: what the first one does.
    pub output: Option<Output>,
    /// It marks its iterations; else a process is one.
    pub marked: bool,
}

/// What a process put out.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Output {
    /// Its exit status.
    pub status: i32,
    /// Digests of standard output and standard error.
    pub digests: [String; 2],
}

/// Why a program cannot be run.
#[derive(Debug, thiserror::Error)]
pub enum LaunchError {
    /// It cannot be started, or its files cannot be written.
    #[error("{path}: {source}")]
    System {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It took too long.
    #[error(
        "a run of the program took longer than {0} s: give it less to do, or raise --iteration-timeout"
    )]
    TooLong(f64),
    /// A signal ended it.
    #[error("the program was ended by signal {0}")]
    Signal(i32),
    /// It does not do the same in every run.
    #[error(
        "the program's {0} is not the same in every run, so that its time cannot be compared: leave out what differs, such as times and addresses, or give it an input that makes it do the same"
    )]
    Differs(&'static str),
    /// It passes PROOFMARK_ITERATION, but not twice.
    #[error(
        "a run of the program ended without a whole iteration between two PROOFMARK_ITERATION: give it more to do"
    )]
    NoIteration,
    /// The user stopped it.
    #[error("interrupted")]
    Interrupted,
    /// A profiler failed.
    #[error("{0}")]
    Profiler(String),
}

impl LaunchError {
    /// What this is of a program that runs without a profiler, and was run under one: the profiler's failure. A tool that
    /// cannot be started stays one, and whoever wants to stop does not blame anybody.
    pub(crate) fn of_profiler(self) -> Self {
        let absent = matches!(&self, Self::System { path, .. } if path.components().count() == 1);
        match self {
            Self::Interrupted | Self::Profiler(_) => self,
            error if absent => error,
            Self::Differs(what) => Self::Profiler(format!(
                "under it the program's {what} is not what it is without"
            )),
            error => Self::Profiler(format!("under it {error}")),
        }
    }
}

/// The file of a command: the command itself where it is a path, else the first of that name on `PATH`.
#[must_use]
pub fn found_command(command: &str) -> Option<PathBuf> {
    if command.contains('/') {
        return Some(Path::new(command).to_owned()).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    let mut files = std::env::split_paths(&path).map(|place| place.join(command));
    files.find(|file| file.is_file())
}

pub(crate) fn system(path: &Path) -> impl FnOnce(io::Error) -> LaunchError {
    let path = path.to_owned();
    move |source| LaunchError::System { path, source }
}

impl Launch {
    /// Starts a process, which ends with the thread that does. `told` is how it hears of doses.
    pub(crate) fn start(&self, told: (&str, &OsStr)) -> Result<Child, LaunchError> {
        let [out, err] = self
            .files()
            .map(|path| File::create(&path).map_err(system(&path)));
        let mut command = match self.before.split_first() {
            Some((first, rest)) => {
                let mut command = Command::new(first);
                command.args(rest).arg(&self.program);
                command
            }
            None => Command::new(&self.program),
        };
        command.args(&self.arguments).env(told.0, told.1);
        command.stdin(Stdio::null()).stdout(out?).stderr(err?);
        let started = self.before.first().map_or(&*self.program, Path::new);
        spawn_tied(&mut command).map_err(system(started))
    }

    fn files(&self) -> [PathBuf; 2] {
        ["stdout", "stderr"].map(|name| self.directory.join(name))
    }

    /// Takes the end of a process that nobody ended: it must put out what all do.
    pub(crate) fn ended(&mut self, status: ExitStatus) -> Result<(), LaunchError> {
        if let Some(signal) = status.signal() {
            return Err(LaunchError::Signal(signal));
        }
        let [out, err] = self.files();
        let output = Output {
            status: status.code().unwrap_or_default(),
            digests: [digest(&out)?, digest(&err)?],
        };
        match &self.output {
            Some(before) => same(before, &output),
            None => {
                self.output = Some(output);
                Ok(())
            }
        }
    }

    /// Runs a process to its end.
    pub(crate) fn process(
        &mut self,
        doses: &DoseFile,
        interrupted: &AtomicBool,
    ) -> Result<Stretch, LaunchError> {
        let before = children_ns();
        let begin_ns = now_ns();
        let mut child = self.start(("PROOFMARK_DOSES", doses.path().as_os_str()))?;
        let status = wait(&mut child, self.most_s, interrupted)?;
        let end_ns = now_ns();
        let cpu_ns = children_ns() - before;
        self.ended(status)?;
        Ok(Stretch {
            pid: child.id(),
            cpu_ns,
            iterations: 1,
            span_ns: [begin_ns, end_ns],
            whole: true,
        })
    }
}

pub(crate) fn same(before: &Output, now: &Output) -> Result<(), LaunchError> {
    if before.status != now.status {
        return Err(LaunchError::Differs("exit status"));
    }
    let streams = before.digests.iter().zip(&now.digests);
    match streams
        .map(|(before, now)| before == now)
        .collect::<Vec<_>>()[..]
    {
        [true, true] => Ok(()),
        [false, _] => Err(LaunchError::Differs("standard output")),
        _ => Err(LaunchError::Differs("standard error")),
    }
}

/// Waits for the end, but not forever, nor when the user wants to stop: then the process is ended with all that it has started.
pub(crate) fn wait(
    child: &mut Child,
    most_s: f64,
    interrupted: &AtomicBool,
) -> Result<ExitStatus, LaunchError> {
    let failed = |source: io::Error| LaunchError::System {
        path: "waiting for the program".into(),
        source,
    };
    let pid = rustix::process::Pid::from_child(child);
    let descriptor = pidfd_open(pid, PidfdFlags::empty()).map_err(|error| failed(error.into()))?;
    let begin = Instant::now();
    let why = loop {
        let mut polled = [PollFd::new(&descriptor, PollFlags::IN)];
        match poll(&mut polled, Some(&LOOK)) {
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return child.wait().map_err(failed),
            Err(error) => return Err(failed(error.into())),
        }
        if interrupted.load(Ordering::Relaxed) {
            break LaunchError::Interrupted;
        }
        if begin.elapsed().as_secs_f64() >= most_s {
            break LaunchError::TooLong(most_s);
        }
    };
    ended_with_all(child).map_err(failed)?;
    Err(why)
}

/// CPU time of all children that were waited for, ns, in steps of 1 us.
pub(crate) fn children_ns() -> f64 {
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(f64::NAN, |usage| {
        let all = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        1e3 * all as f64
    })
}

/// CLOCK_MONOTONIC, ns.
pub(crate) fn now_ns() -> u64 {
    let now = clock_gettime(ClockId::Monotonic);
    now.tv_sec as u64 * 1_000_000_000 + now.tv_nsec as u64
}

/// Digest of a file, which may be longer than what memory holds.
pub(crate) fn digest(path: &Path) -> Result<String, LaunchError> {
    const CHUNK: usize = 1 << 16;
    let read = || -> io::Result<String> {
        let mut file = File::open(path)?;
        let mut digest = Sha256::new();
        let mut chunk = vec![0; CHUNK];
        loop {
            match file.read(&mut chunk) {
                Ok(0) => return Ok(hex(&digest.finalize())),
                Ok(length) => digest.update(&chunk[..length]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    };
    read().map_err(system(path))
}

/// Bytes as lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_wrong_under_a_profiler_is_its_fault() {
        let absent = |path: &str| system(path.as_ref())(io::ErrorKind::NotFound.into());
        for (error, says) in [
            (
                LaunchError::Signal(4),
                "under it the program was ended by signal 4",
            ),
            (LaunchError::TooLong(2.5), "took longer than 2.5 s"),
            (
                LaunchError::Differs("exit status"),
                "exit status is not what it is without",
            ),
            (LaunchError::NoIteration, "without a whole iteration"),
            (absent("/out/stdout"), "under it /out/stdout: "),
        ] {
            let error = error.of_profiler();
            assert!(matches!(error, LaunchError::Profiler(_)), "{error}");
            assert!(error.to_string().contains(says), "{error}");
        }
        let stopped = LaunchError::Interrupted.of_profiler();
        assert!(matches!(stopped, LaunchError::Interrupted), "{stopped}");
        let tool = absent("valgrind").of_profiler();
        assert!(matches!(tool, LaunchError::System { .. }), "{tool}");
        let own = LaunchError::Profiler("own".into()).of_profiler();
        assert_eq!(own.to_string(), "own");
    }

    #[test]
    fn who_wants_to_stop_does_not_wait_for_the_program() {
        let mut child = Command::new("sleep").arg("600").spawn().unwrap();
        let error = wait(&mut child, 600.0, &AtomicBool::new(true)).unwrap_err();
        assert!(matches!(error, LaunchError::Interrupted), "{error}");
        assert_eq!(child.wait().unwrap().signal(), Some(9));
    }
}
