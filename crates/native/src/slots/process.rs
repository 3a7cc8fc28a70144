//! One run of a variant: it waits at its gate before `main` until it is sampled, and is watched to its end.
//!
//! *Accuracy.* The clock is the CPU time of the process, children included, from the gate to the end, in steps of 1 us: what the system
//! needs to start it is not in it, what it needs to clear it away is. Samples are those of its first thread in user mode. What is left
//! of its group when it has ended, or has taken too long, is ended too, so that no run disturbs the next one.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use proofmark_experiment::lab::{Failure, LabError};
use proofmark_sampler::{Loss, Sample, SamplerError, Settings, ThreadSampler};
use rustix::event::Timespec;
use rustix::io::{FdFlags, fcntl_setfd};

use super::at;
use crate::group::Group;
use crate::launch::{LaunchError, Output, children_ns, digest, now_ns, same};

/// Length of what a process says at its gate, and at its end: two numbers of 8 bytes.
const SAID: usize = 16;
/// Between two looks at the sampler's rings.
const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};
/// For how long the end of a process is waited for that has closed its gate.
const CLOSED: Timespec = Timespec {
    tv_sec: 1,
    tv_nsec: 0,
};

/// How variants are run.
#[derive(Debug)]
pub(super) struct Runs {
    /// The name that they see, the program's own.
    pub(super) name: PathBuf,
    /// Their arguments.
    pub(super) arguments: Vec<String>,
    /// Where their output goes.
    pub(super) directory: PathBuf,
    /// Longest that one may take, s.
    pub(super) most_s: f64,
    /// What every one must put out; none: what the first one does.
    pub(super) output: Option<Output>,
}

/// One that ended.
#[derive(Debug)]
pub(super) struct Ran {
    /// Where its program headers were.
    pub(super) headers: u64,
    /// Begin and end by CLOCK_MONOTONIC, CPU time, ns.
    pub(super) iteration: (u64, u64, u64),
    /// CPU time of the process, and of the thread that ended it, ns; none if it did not come to its end in order.
    pub(super) own_ns: Option<[u64; 2]>,
    /// Samples, if it was sampled.
    pub(super) samples: Vec<Sample>,
    /// Samples that are missing.
    pub(super) loss: Loss,
}

impl Runs {
    /// Runs a variant to its end, sampled or not. Its counters are written to the file `counts`.
    pub(super) fn run(
        &mut self,
        variant: &Path,
        sampling: Option<&Settings>,
        counts: Option<&Path>,
        interrupted: &AtomicBool,
    ) -> Result<Ran, LabError> {
        let (stream, theirs) = UnixStream::pair().map_err(of_socket)?;
        let limit = Duration::from_secs_f64(self.most_s.max(1.0));
        stream.set_read_timeout(Some(limit)).map_err(of_socket)?;
        fcntl_setfd(&theirs, FdFlags::empty()).map_err(|error| of_socket(error.into()))?;
        let before = children_ns();
        let mut started = self.start(variant, theirs.as_raw_fd(), counts)?;
        drop(theirs);
        let Some([headers, gate_ns]) = said(&stream) else {
            return Err(no_gate(started, interrupted));
        };
        let mut watch = Watch::new(started.id(), sampling)?;
        let begin_ns = now_ns();
        (&stream).write_all(&[1]).map_err(of_socket)?;
        let status = self.ended(&mut started, &mut watch, interrupted)?;
        let end_ns = now_ns();
        watch.drain()?;
        let cpu_ns = children_ns() - before - gate_ns as f64;
        self.check(status)?;
        let short = Some(Duration::from_secs(1));
        stream.set_read_timeout(short).map_err(of_socket)?;
        Ok(Ran {
            headers,
            iteration: (begin_ns, end_ns, cpu_ns.max(LEAST_NS) as u64),
            own_ns: said(&stream),
            samples: watch.samples,
            loss: watch.loss,
        })
    }

    fn start(&self, variant: &Path, gate: i32, counts: Option<&Path>) -> Result<Group, LabError> {
        let [out, err] = self
            .files()
            .map(|path| File::create(&path).map_err(at(&path)));
        let mut command = Command::new(variant);
        command.arg0(&self.name).args(&self.arguments);
        command.env("PROOFMARK_GATE", gate.to_string());
        if let Some(counts) = counts {
            command.env("PROOFMARK_COUNTS", counts);
        }
        command.stdin(Stdio::null()).stdout(out?).stderr(err?);
        Group::start(&mut command).map_err(at(variant))
    }

    fn files(&self) -> [PathBuf; 2] {
        ["stdout", "stderr"].map(|name| self.directory.join(name))
    }

    /// Waits for the end, and empties the sampler's rings meanwhile.
    fn ended(
        &self,
        started: &mut Group,
        watch: &mut Watch,
        interrupted: &AtomicBool,
    ) -> Result<ExitStatus, LabError> {
        let begin = Instant::now();
        loop {
            if interrupted.load(Ordering::Relaxed) {
                return Err(LaunchError::Interrupted.into());
            }
            if started.has_ended(LOOK).map_err(waiting)? {
                return started.end().map_err(waiting);
            }
            watch.drain()?;
            if begin.elapsed().as_secs_f64() > self.most_s {
                return Err(LaunchError::TooLong(self.most_s).into());
            }
        }
    }

    /// It must put out what all do.
    fn check(&mut self, status: ExitStatus) -> Result<(), LabError> {
        if let Some(signal) = status.signal() {
            return Err(LaunchError::Signal(signal).into());
        }
        let [out, err] = self.files();
        let output = Output {
            status: status.code().unwrap_or_default(),
            digests: [digest(&out)?, digest(&err)?],
        };
        match &self.output {
            Some(before) => same(before, &output).map_err(LabError::from),
            None => {
                self.output = Some(output);
                Ok(())
            }
        }
    }
}

/// Why a process said nothing at its gate.
fn no_gate(mut started: Group, interrupted: &AtomicBool) -> LabError {
    if interrupted.load(Ordering::Relaxed) {
        return LaunchError::Interrupted.into();
    }
    let ended = started.has_ended(CLOSED).unwrap_or(false);
    let text = match started.end() {
        Ok(status) if ended => format!("a variant of the program ended before it began: {status}"),
        _ => "a variant of the program does not come to its beginning".to_owned(),
    };
    LabError::new(Failure::Died, text)
}

/// What the clock of a process is taken to be at least, ns: it has steps.
const LEAST_NS: f64 = 1e5;

/// The sampler on a process, if there is one.
struct Watch {
    sampler: Option<ThreadSampler>,
    samples: Vec<Sample>,
    loss: Loss,
}

impl Watch {
    fn new(pid: u32, settings: Option<&Settings>) -> Result<Self, LabError> {
        let open = |settings: &Settings| -> Result<ThreadSampler, SamplerError> {
            let mut sampler = ThreadSampler::open(pid, settings)?;
            sampler.enable()?;
            Ok(sampler)
        };
        let sampler = settings.map(open).transpose();
        Ok(Watch {
            sampler: sampler.map_err(of_sampler)?,
            samples: Vec::new(),
            loss: Loss::default(),
        })
    }

    fn drain(&mut self) -> Result<(), LabError> {
        if let Some(sampler) = &mut self.sampler {
            self.loss += sampler.drain(&mut self.samples).map_err(of_sampler)?;
        }
        Ok(())
    }
}

fn of_sampler(error: SamplerError) -> LabError {
    LabError::new(Failure::Instrument, error)
}

fn waiting(error: io::Error) -> LabError {
    at(Path::new("waiting for the program"))(error)
}

fn of_socket(error: io::Error) -> LabError {
    at(Path::new("the program's socket"))(error)
}

/// The two numbers that a process says next.
fn said(mut stream: &UnixStream) -> Option<[u64; 2]> {
    let mut bytes = [0; SAID];
    stream.read_exact(&mut bytes).ok()?;
    let (first, second) = bytes.split_at(SAID / 2);
    let number = |bytes: &[u8]| bytes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes));
    Some([number(first)?, number(second)?])
}
