//! Profilers that leave a file when a process ends: gprof, gperftools, and commands of the user's.
//!
//! Each process of a window runs under the profiler, and its file is read before the next one starts. They say nothing
//! of parts of a process, so that programs that mark their iterations are refused.
//!
//! # Accuracy
//! The clock is the CPU time of the process, with what the profiler takes in it. gprof and gperftools are woken by a timer
//! of CPU time, which runs at the kernel's ticks (100 to 1,000 per second, whatever was asked for) and begins with the
//! process: in processes of few ticks samples fall on the same places each time.

mod counted;
#[cfg(test)]
mod tests;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use proofmark_profile::ImportError;

use counted::{Counted, of_any, of_gperftools, of_gprof};

use crate::launch::{Launch, LaunchError, system};
use crate::symbols::Files;
use crate::windows::{Ran, Runner, Wanted};
use crate::{Program, Reported};

/// A profiler that leaves a file for each process.
#[derive(Debug, Clone, PartialEq)]
pub enum PerProcess {
    /// The program was built with `-pg` and takes samples of itself; `gmon.out` is read as `gprof -p` reads it.
    Gprof,
    /// gperftools' CPU profiler.
    Gperftools {
        /// Its library.
        library: PathBuf,
        /// Samples per second of CPU time that are asked for.
        rate_hz: f64,
    },
    /// A line for the shell: `{program}` stands for the program with its arguments, `{out}` for the file to write.
    Command {
        /// The line.
        line: String,
    },
}

/// Runs windows of whole processes, each under the profiler.
///
/// # Errors
/// When the program cannot be run, or the profiler leaves no profile that can be read.
pub fn per_process_windows(
    program: &Program,
    runner: &mut Runner,
    wanted: &[Wanted],
    profiler: &PerProcess,
    interrupted: &AtomicBool,
) -> Result<Vec<(Ran, Reported)>, LaunchError> {
    runner.end(interrupted)?;
    let launch = &runner.launch;
    if launch.marked {
        return Err(LaunchError::Profiler(MARKED.into()));
    }
    let place = launch.directory.join("per-process");
    let mut watched = Watched {
        program,
        profiler,
        under: Runner::new(Launch {
            before: profiler.before(&place),
            ..launch.clone()
        }),
        place,
        files: Files::default(),
    };
    watched.check()?;
    let one = |wanted: &Wanted| watched.window(wanted, launch, interrupted);
    let all: Result<Vec<_>, LaunchError> = wanted.iter().map(one).collect();
    all.map_err(LaunchError::of_profiler)
}

const MARKED: &str = "it tells of whole processes only, and the program marks its iterations: take perf or callgrind, or a \
     program without marks";
const NOT_FOR_GPROF: &str = "the program was not built for gprof: compile and link it with -pg (make CC=\"proofmark cc -pg\" \
     CXX=\"proofmark c++ -pg\")";

impl PerProcess {
    /// What stands in front of the program.
    fn before(&self, place: &Path) -> Vec<String> {
        let file = place.join("profile");
        let file = file.display();
        match self {
            Self::Gprof => vec!["env".into(), format!("GMON_OUT_PREFIX={file}")],
            Self::Gperftools { library, rate_hz } => vec![
                "env".into(),
                format!("LD_PRELOAD={}", library.display()),
                format!("CPUPROFILE={file}"),
                format!("CPUPROFILE_FREQUENCY={rate_hz:.0}"),
            ],
            Self::Command { line } => {
                let line = line.replace("{program}", "\"$@\"");
                let line = line.replace("{out}", &quoted(&file.to_string()));
                vec!["sh".into(), "-c".into(), line, "sh".into()]
            }
        }
    }

    /// What is wrong where there is no file.
    fn no_file(&self) -> &'static str {
        match self {
            Self::Gprof => "the program left no samples: it ends by _exit or by a signal",
            Self::Gperftools { .. } => {
                "libprofiler left no profile: the program is linked statically, or ends by _exit"
            }
            Self::Command { .. } => "the command wrote nothing to {out}",
        }
    }
}

/// A word for the shell.
fn quoted(word: &str) -> String {
    format!("'{}'", word.replace('\'', "'\\''"))
}

/// Processes under a profiler.
struct Watched<'p> {
    program: &'p Program,
    profiler: &'p PerProcess,
    under: Runner,
    /// Directory of the files of one process.
    place: PathBuf,
    files: Files,
}

impl Watched<'_> {
    fn check(&mut self) -> Result<(), LaunchError> {
        if *self.profiler != PerProcess::Gprof {
            return Ok(());
        }
        let path = self.program.path.display().to_string();
        match self.files.of(&path).is_some_and(|one| one.samples_itself) {
            true => Ok(()),
            false => Err(LaunchError::Profiler(NOT_FOR_GPROF.into())),
        }
    }

    fn window(
        &mut self,
        wanted: &Wanted,
        launch: &Launch,
        interrupted: &AtomicBool,
    ) -> Result<(Ran, Reported), LaunchError> {
        let one = Wanted {
            least_s: 0.0,
            least: 1,
            ..*wanted
        };
        let (mut ran, mut reported) = (Ran::default(), Reported::default());
        while !ran.fills(wanted) {
            emptied(&self.place).map_err(system(&self.place))?;
            // What the profiler itself writes to standard error differs.
            self.under.launch.output = None;
            let process = self.under.windows(&[one], interrupted)?;
            self.compare(launch)?;
            for process in process {
                ran.obeyed += process.obeyed;
                ran.stretches.extend(process.stretches);
            }
            self.read(&mut reported)?;
        }
        Ok((ran, reported))
    }

    /// Exit status and standard output must be those of the program alone.
    fn compare(&self, launch: &Launch) -> Result<(), LaunchError> {
        let (Some(alone), Some(under)) = (&launch.output, &self.under.launch.output) else {
            return Ok(());
        };
        let says = match (
            alone.status == under.status,
            alone.digests[0] == under.digests[0],
        ) {
            (true, true) => return Ok(()),
            (false, _) => format!("exit status is {}, not {}", under.status, alone.status),
            (true, false) => "standard output is not what it is without".to_owned(),
        };
        let error = std::fs::read(launch.directory.join("stderr")).unwrap_or_default();
        let error = String::from_utf8_lossy(&error);
        let last = error.lines().rfind(|line| !line.trim().is_empty());
        let last = last.map_or(String::new(), |line| format!(": {}", line.trim()));
        Err(LaunchError::Profiler(format!(
            "under it the program's {says}{last}"
        )))
    }

    /// Reads the files of a process and of its children.
    fn read(&mut self, reported: &mut Reported) -> Result<(), LaunchError> {
        let names = std::fs::read_dir(&self.place).map_err(system(&self.place))?;
        let mut files: Vec<PathBuf> = names.flatten().map(|one| one.path()).collect();
        files.sort();
        let mut some = false;
        for file in files {
            let bytes = std::fs::read(&file).map_err(system(&file))?;
            // A child that was ended by a signal leaves an empty one.
            if bytes.is_empty() {
                continue;
            }
            some = true;
            let counted = match self.counted(&bytes) {
                // A short process may end before its first sample.
                Err(ImportError::Empty { .. }) => continue,
                counted => counted
                    .map_err(|what| LaunchError::Profiler(format!("{}: {what}", file.display())))?,
            };
            for (function, weight) in counted {
                reported.add(function, weight);
            }
        }
        match some {
            true => Ok(()),
            false => Err(LaunchError::Profiler(self.profiler.no_file().into())),
        }
    }

    /// Samples of a file per function.
    fn counted(&mut self, bytes: &[u8]) -> Counted {
        match self.profiler {
            PerProcess::Gprof => of_gprof(self.program, bytes, &mut self.files),
            PerProcess::Gperftools { .. } => of_gperftools(self.program, bytes, &mut self.files),
            PerProcess::Command { .. } => of_any(self.program, bytes),
        }
    }
}

/// A directory with nothing in it.
fn emptied(place: &Path) -> io::Result<()> {
    match std::fs::remove_dir_all(place) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => std::fs::create_dir_all(place),
    }
}

/// The library of gperftools' CPU profiler: that of `PROOFMARK_LIBPROFILER`, else the system's.
#[must_use]
pub fn gperftools_library() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("PROOFMARK_LIBPROFILER") {
        return Some(PathBuf::from(named)).filter(|file| file.is_file());
    }
    let names = ["libprofiler.so.0", "libprofiler.so"];
    let places = [
        "/usr/lib/x86_64-linux-gnu",
        "/usr/lib64",
        "/usr/lib",
        "/usr/local/lib",
    ];
    let mut files = (places.iter()).flat_map(|place| names.map(|name| Path::new(place).join(name)));
    files.find(|file| file.is_file())
}
