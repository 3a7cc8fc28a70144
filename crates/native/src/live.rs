//! A process that marks its iterations and is told its windows: the other end of `runtime.c`.

use std::io::{self, Read as _, Write as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::net::UnixStream;
use std::process::Child;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use crate::family::ended_with_all;
use crate::group::LOOK;
use crate::launch::{Launch, LaunchError, wait};
use crate::windows::{Stretch, Wanted};

/// Length of what the program tells: begin, end, CPU time (8 each), iterations, sites, whole (4 each), 4 free.
const TOLD: usize = 40;

/// The process. It is ended with us.
#[derive(Debug)]
pub(crate) struct Live {
    child: Child,
    stream: UnixStream,
    running: bool,
}

/// A part of a window, and the sites that took its dose.
type Part = (Stretch, u32);

/// What came of a window.
pub(crate) enum Answer {
    /// All of it.
    Whole(Part),
    /// The program ended before; what it told of the window.
    Ended(Option<Part>),
}

fn failed(source: io::Error) -> LaunchError {
    LaunchError::System {
        path: "the program's socket".into(),
        source,
    }
}

impl Live {
    /// Starts the program, which runs until its first mark.
    pub(crate) fn start(launch: &Launch) -> Result<Self, LaunchError> {
        let (stream, theirs) = UnixStream::pair().map_err(failed)?;
        fcntl_setfd(&theirs, FdFlags::empty()).map_err(|error| failed(error.into()))?;
        let number = theirs.as_raw_fd().to_string();
        let child = launch.start(("PROOFMARK_ITERATIONS", number.as_ref()))?;
        Ok(Self {
            child,
            stream,
            running: true,
        })
    }

    /// Runs a window. The output of a process that ended is compared with what all put out.
    pub(crate) fn window(
        &mut self,
        wanted: &Wanted,
        launch: &mut Launch,
        interrupted: &AtomicBool,
    ) -> Result<Answer, LaunchError> {
        let (key, turns) = wanted.dose.unwrap_or_default();
        let mut order = Vec::from(key.to_le_bytes());
        order.extend(((1e9 * wanted.least_s) as u64).to_le_bytes());
        order.extend(turns.to_le_bytes());
        order.extend(wanted.least.to_le_bytes());
        // A process that ended already says nothing more.
        let told = match self.stream.write_all(&order) {
            Ok(()) => self.told(launch.most_s, interrupted)?,
            Err(_) => None,
        };
        if let Some((part, true)) = told {
            return Ok(Answer::Whole(part));
        }
        let status = wait(&mut self.child, launch.most_s, interrupted)?;
        self.running = false;
        if interrupted.load(Ordering::Relaxed) {
            return Err(LaunchError::Interrupted);
        }
        launch.ended(status)?;
        Ok(Answer::Ended(told.map(|(part, _)| part)))
    }

    /// What the program tells next, and whether it is all of the window; none when it ends without a word.
    fn told(
        &mut self,
        most_s: f64,
        interrupted: &AtomicBool,
    ) -> Result<Option<(Part, bool)>, LaunchError> {
        if !self.readable(most_s, interrupted)? {
            return Ok(None);
        }
        let mut bytes = [0; TOLD];
        if self.stream.read_exact(&mut bytes).is_err() {
            return Ok(None);
        }
        let long = |at: usize| u64::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        let short = |at: usize| u32::from_le_bytes(std::array::from_fn(|byte| bytes[at + byte]));
        let stretch = Stretch {
            pid: self.child.id(),
            cpu_ns: long(16) as f64,
            iterations: short(24),
            span_ns: [long(0), long(8)],
            whole: false,
        };
        Ok(Some(((stretch, short(28)), short(32) != 0)))
    }

    /// Waits until there is something to read, or the process ended.
    fn readable(&self, most_s: f64, interrupted: &AtomicBool) -> Result<bool, LaunchError> {
        let pid = Pid::from_child(&self.child);
        let process = pidfd_open(pid, PidfdFlags::empty()).map_err(|error| failed(error.into()))?;
        let begin = Instant::now();
        loop {
            if interrupted.load(Ordering::Relaxed) {
                return Err(LaunchError::Interrupted);
            }
            let mut polled = [
                PollFd::new(&self.stream, PollFlags::IN),
                PollFd::new(&process, PollFlags::IN),
            ];
            match poll(&mut polled, Some(&LOOK)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return Ok(polled[0].revents().contains(PollFlags::IN)),
                Err(error) => return Err(failed(error.into())),
            }
            if begin.elapsed().as_secs_f64() >= most_s {
                return Err(LaunchError::TooLong(most_s));
            }
        }
    }

    /// Says that there are no more windows, and waits for the end.
    pub(crate) fn end(mut self, most_s: f64, interrupted: &AtomicBool) -> Result<(), LaunchError> {
        let _ = self.stream.shutdown(std::net::Shutdown::Both);
        wait(&mut self.child, most_s, interrupted)?;
        self.running = false;
        Ok(())
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if self.running {
            let _ = ended_with_all(&mut self.child);
        }
    }
}
