//! A JVM that we started, and the line to its harness.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::limits;
use super::requests::{Stop, line};
use crate::crashed::report_beside;
use crate::environment::without_options;
use crate::error::LabError;
use crate::temporary::Temporary;

/// Pause between two looks at the clock, the child and the user's wish to stop.
const TICK: Duration = Duration::from_millis(100);
const TAIL_BYTES: usize = 2000;

/// A running JVM. It ends when this value is dropped, and also when this process dies.
pub(super) struct Jvm {
    child: Child,
    socket: UnixStream,
    pending: Vec<u8>,
    log: PathBuf,
    /// It is waited for until one of them is set.
    interrupted: Vec<Arc<AtomicBool>>,
    directory: Temporary,
}

impl Jvm {
    /// Starts the command of a JVM that connects to the socket `s` in the directory that the command is told, which lives
    /// as long as the JVM; its output goes to `log`.
    pub fn start(
        command: impl FnOnce(&Path) -> Command,
        log: &Path,
        interrupted: Arc<AtomicBool>,
    ) -> Result<Self, LabError> {
        let directory = Temporary::create(&std::env::temp_dir())?;
        let socket = directory.path().join("s");
        let what = format!("cannot listen on {}", socket.display());
        let listener = UnixListener::bind(&socket).map_err(LabError::io(what))?;
        let mut command = command(directory.path());
        let output = std::fs::File::create(log)
            .map_err(LabError::io(format!("cannot create {}", log.display())))?;
        let errors = output
            .try_clone()
            .map_err(LabError::io("cannot share the log"))?;
        command.stdin(Stdio::null()).stdout(output).stderr(errors);
        without_options(&mut command);
        // The report of an earlier JVM with this log.
        let _ = std::fs::remove_file(report_beside(log));
        // Ctrl-C is ours to handle: the JVM shall not die before its state is known.
        command.process_group(0);
        // SAFETY: prctl is async-signal-safe and touches nothing of this process's memory.
        unsafe {
            command.pre_exec(|| {
                rustix::process::set_parent_process_death_signal(Some(
                    rustix::process::Signal::KILL,
                ))
                .map_err(Into::into)
            });
        }
        let child = command.spawn().map_err(|source| LabError::Start {
            java: command.get_program().into(),
            source,
        })?;
        let mut starting = Starting {
            child: Some(child),
            log,
            interrupted: Arc::clone(&interrupted),
        };
        let socket = starting.accept(&listener)?;
        socket
            .set_read_timeout(Some(TICK))
            .and_then(|()| socket.set_write_timeout(Some(TICK)))
            .map_err(LabError::io("cannot set a timeout"))?;
        let child = starting.child.take().expect("taken only here");
        Ok(Jvm {
            child,
            socket,
            pending: Vec::new(),
            log: log.to_owned(),
            interrupted: vec![interrupted],
            directory,
        })
    }

    /// From now on it is not waited for any more where this is set, either.
    pub fn end_by(&mut self, flag: Arc<AtomicBool>) {
        self.interrupted.push(flag);
    }

    /// A directory for files of its lifetime.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Where its output goes.
    pub fn log(&self) -> &Path {
        &self.log
    }

    /// Sends the line of a request and waits for the line that answers it; `tick` is called about ten times a second
    /// meanwhile.
    pub fn call(
        &mut self,
        request: &str,
        line: &[u8],
        limit: Duration,
        tick: &mut dyn FnMut() -> Result<(), LabError>,
    ) -> Result<Vec<u8>, LabError> {
        let mut wait = Wait {
            request,
            limit,
            deadline: Instant::now() + limit,
            last_tick: Instant::now(),
            tick,
        };
        let mut unsent = line;
        while !unsent.is_empty() {
            match self.socket.write(unsent) {
                Ok(sent) => unsent = &unsent[sent..],
                Err(e) if is_pause(&e) => {}
                Err(_) => return Err(self.died(request)),
            }
            wait.look(self)?;
        }
        let mut chunk = [0; 64 * 1024];
        let mut searched = 0;
        loop {
            if let Some(end) = self.pending[searched..]
                .iter()
                .position(|byte| *byte == b'\n')
            {
                let rest = self.pending.split_off(searched + end + 1);
                return Ok(std::mem::replace(&mut self.pending, rest));
            }
            searched = self.pending.len();
            match self.socket.read(&mut chunk) {
                Ok(0) => return Err(self.died(request)),
                Ok(n) => self.pending.extend_from_slice(&chunk[..n]),
                Err(e) if is_pause(&e) => {}
                Err(_) => return Err(self.died(request)),
            }
            wait.look(self)?;
        }
    }

    fn died(&mut self, command: &str) -> LabError {
        // The socket closes a moment before the process is gone.
        let status = self.gone_within(limits::END).map_or_else(
            || "it closed the line and went on".to_owned(),
            |status| status.to_string(),
        );
        LabError::Died {
            command: command.to_owned(),
            status,
            report: report_beside(&self.log),
            tail: tail(&self.log),
            log: self.log.clone(),
        }
    }

    fn gone_within(&mut self, limit: Duration) -> Option<ExitStatus> {
        let deadline = Instant::now() + limit;
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() > deadline {
                return None;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Asks the harness to end, and sees to it that the process does. True if it ended by itself in time.
    pub fn stop(mut self, limit: Duration) -> bool {
        self.socket.write_all(&line(&Stop {})).is_ok() && self.gone_within(limit).is_some()
    }
}

/// Waiting for the harness.
struct Wait<'a> {
    request: &'a str,
    limit: Duration,
    deadline: Instant,
    last_tick: Instant,
    tick: &'a mut dyn FnMut() -> Result<(), LabError>,
}

impl Wait<'_> {
    /// To be called again and again: does what is due, and says when waiting is over.
    fn look(&mut self, jvm: &Jvm) -> Result<(), LabError> {
        if self.last_tick.elapsed() >= TICK {
            self.last_tick = Instant::now();
            (self.tick)()?;
        }
        let mut flags = jvm.interrupted.iter();
        if flags.any(|flag| flag.load(Ordering::Relaxed)) {
            return Err(LabError::Interrupted);
        }
        if Instant::now() > self.deadline {
            return Err(LabError::Hung {
                command: self.request.to_owned(),
                seconds: self.limit.as_secs_f64(),
                log: jvm.log.clone(),
            });
        }
        Ok(())
    }
}

/// Nothing has happened for a moment.
fn is_pause(error: &std::io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

impl Drop for Jvm {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        // What jcmd leaves behind when the JVM is killed.
        let _ = std::fs::remove_file(format!("/tmp/.java_pid{}", self.child.id()));
    }
}

/// A JVM that has not connected yet.
struct Starting<'a> {
    child: Option<Child>,
    log: &'a Path,
    interrupted: Arc<AtomicBool>,
}

impl Starting<'_> {
    fn accept(&mut self, listener: &UnixListener) -> Result<UnixStream, LabError> {
        listener
            .set_nonblocking(true)
            .map_err(LabError::io("cannot wait for the JVM"))?;
        let deadline = Instant::now() + limits::START;
        loop {
            match listener.accept() {
                Ok((socket, _)) => {
                    socket
                        .set_nonblocking(false)
                        .map_err(LabError::io("cannot talk to the JVM"))?;
                    return Ok(socket);
                }
                Err(e) if e.kind() == ErrorKind::WouldBlock => {}
                Err(e) => return Err(LabError::io("cannot wait for the JVM")(e)),
            }
            let child = self.child.as_mut().expect("present until connected");
            if let Ok(Some(status)) = child.try_wait() {
                return Err(LabError::Died {
                    command: "start".into(),
                    status: status.to_string(),
                    report: report_beside(self.log),
                    tail: tail(self.log),
                    log: self.log.to_owned(),
                });
            }
            if self.interrupted.load(Ordering::Relaxed) {
                return Err(LabError::Interrupted);
            }
            if Instant::now() > deadline {
                return Err(LabError::Hung {
                    command: "start".into(),
                    seconds: limits::START.as_secs_f64(),
                    log: self.log.to_owned(),
                });
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Starting<'_> {
    fn drop(&mut self) {
        if let Some(child) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// The last lines of a log, as text; never empty.
pub(crate) fn tail(log: &Path) -> String {
    let lines = last_lines(log);
    if lines.is_empty() {
        "(it printed nothing)".to_owned()
    } else {
        lines.join("\n")
    }
}

/// The last lines of a log; none where it is empty, or is not there.
pub(super) fn last_lines(log: &Path) -> Vec<String> {
    let bytes = std::fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(TAIL_BYTES)..]);
    let lines = text.lines().skip(usize::from(bytes.len() > TAIL_BYTES));
    lines.map(str::to_owned).collect()
}
