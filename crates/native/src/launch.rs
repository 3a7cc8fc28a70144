//! Windows: processes under a dose, one after another, with their CPU time and output.

use std::fs::File;
use std::io;
use std::os::unix::process::ExitStatusExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeValLike as _;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{PidfdFlags, pidfd_open};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::doses::DoseFile;

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
    /// What every process must put out; none: what the first one does.
    pub output: Option<Output>,
}

/// A window that is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Wanted {
    /// The site and the turns of its loop; none: all sites are at rest.
    pub dose: Option<(u64, u32)>,
    /// Least CPU time of its processes, s.
    pub least_s: f64,
    /// Fewest processes.
    pub least: u32,
}

/// A window that ran.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Ran {
    /// Its processes.
    pub processes: Vec<Process>,
    /// Sites that took the dose, over all of them.
    pub obeyed: u32,
}

/// A process that ended.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Process {
    /// Its id.
    pub pid: u32,
    /// User and system time, of its children too, ns.
    pub cpu_ns: f64,
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
        "the program's {0} is not the same in every run, so that its time cannot be compared: give it an input that makes it do the same"
    )]
    Differs(&'static str),
    /// The user stopped it.
    #[error("interrupted")]
    Interrupted,
    /// A profiler failed.
    #[error("{0}")]
    Profiler(String),
}

/// Runs windows one after another. The output that all processes have is kept in `launch`.
///
/// # Errors
/// When the program cannot be run, or does not do the same in every run.
pub fn windows(
    launch: &mut Launch,
    wanted: &[Wanted],
    interrupted: &AtomicBool,
) -> Result<Vec<Ran>, LaunchError> {
    let path = launch.directory.join("dose");
    let doses = DoseFile::create(&path).map_err(system(&path))?;
    let one = |wanted: &Wanted| window(launch, &doses, wanted, interrupted);
    wanted.iter().map(one).collect()
}

pub(crate) fn system(path: &Path) -> impl FnOnce(io::Error) -> LaunchError {
    let path = path.to_owned();
    move |source| LaunchError::System { path, source }
}

fn window(
    launch: &mut Launch,
    doses: &DoseFile,
    wanted: &Wanted,
    interrupted: &AtomicBool,
) -> Result<Ran, LaunchError> {
    let (key, turns) = wanted.dose.unwrap_or_default();
    doses.set(key, turns).map_err(system(doses.path()))?;
    let mut ran = Ran::default();
    let mut cpu_s = 0.0;
    while cpu_s < wanted.least_s || ran.processes.len() < wanted.least as usize {
        if interrupted.load(Ordering::Relaxed) {
            return Err(LaunchError::Interrupted);
        }
        let (process, output) = process(launch, doses)?;
        // A clock that does not move must not keep us here.
        cpu_s += (process.cpu_ns / 1e9).max(1e-4);
        ran.processes.push(process);
        match &launch.output {
            Some(before) => same(before, &output)?,
            None => launch.output = Some(output),
        }
    }
    ran.obeyed = doses.obeyed().map_err(system(doses.path()))?;
    Ok(ran)
}

fn same(before: &Output, now: &Output) -> Result<(), LaunchError> {
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

fn process(launch: &Launch, doses: &DoseFile) -> Result<(Process, Output), LaunchError> {
    let files = ["stdout", "stderr"].map(|name| launch.directory.join(name));
    let [out, err] = [&files[0], &files[1]].map(|path| File::create(path).map_err(system(path)));
    let mut command = match launch.before.split_first() {
        Some((first, rest)) => {
            let mut command = Command::new(first);
            command.args(rest).arg(&launch.program);
            command
        }
        None => Command::new(&launch.program),
    };
    command
        .args(&launch.arguments)
        .env("PROOFMARK_DOSES", doses.path());
    command.stdin(Stdio::null()).stdout(out?).stderr(err?);
    let before = children_ns();
    let mut child = command.spawn().map_err(system(&launch.program))?;
    let status = ended(&mut child, launch.most_s)?;
    let cpu_ns = children_ns() - before;
    if let Some(signal) = status.signal() {
        return Err(LaunchError::Signal(signal));
    }
    let digest = |path: &PathBuf| {
        std::fs::read(path)
            .map(|bytes| hex(&Sha256::digest(bytes)))
            .map_err(system(path))
    };
    let output = Output {
        status: status.code().unwrap_or_default(),
        digests: [digest(&files[0])?, digest(&files[1])?],
    };
    Ok((
        Process {
            pid: child.id(),
            cpu_ns,
        },
        output,
    ))
}

/// Waits for the end, but not forever.
fn ended(child: &mut Child, most_s: f64) -> Result<ExitStatus, LaunchError> {
    let failed = |source: io::Error| LaunchError::System {
        path: "waiting for the program".into(),
        source,
    };
    let pid = rustix::process::Pid::from_child(child);
    let descriptor = pidfd_open(pid, PidfdFlags::empty()).map_err(|error| failed(error.into()))?;
    let time = Timespec {
        tv_sec: most_s as i64,
        tv_nsec: (most_s.fract() * 1e9) as i64,
    };
    let begin = std::time::Instant::now();
    loop {
        let mut polled = [PollFd::new(&descriptor, PollFlags::IN)];
        match poll(&mut polled, Some(&time)) {
            Ok(0) => {}
            Ok(_) => return child.wait().map_err(failed),
            // A signal that asks us to stop comes to the program as well.
            Err(rustix::io::Errno::INTR) if begin.elapsed().as_secs_f64() < most_s => continue,
            Err(error) => return Err(failed(error.into())),
        }
        child.kill().and_then(|()| child.wait()).map_err(failed)?;
        return Err(LaunchError::TooLong(most_s));
    }
}

/// CPU time of all children that were waited for, ns, in steps of 1 us.
fn children_ns() -> f64 {
    getrusage(UsageWho::RUSAGE_CHILDREN).map_or(f64::NAN, |usage| {
        let all = usage.user_time().num_microseconds() + usage.system_time().num_microseconds();
        1e3 * all as f64
    })
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}
