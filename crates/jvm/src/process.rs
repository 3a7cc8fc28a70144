//! A JVM that we started, and the line to its harness.

use std::io::{ErrorKind, Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::error::LabError;

/// Pause between two looks at the clock, the child and the user's wish to stop.
const TICK: Duration = Duration::from_millis(100);
/// How long a JVM may take to start and connect: some 2 s on an idle machine; one that dies is noticed at once.
const START_LIMIT: Duration = Duration::from_secs(600);
/// How long a JVM may take to end.
const END_LIMIT: Duration = Duration::from_secs(5);
const TAIL_BYTES: usize = 2000;

/// A running JVM. It ends when this value is dropped, and also when this process dies.
pub(crate) struct Jvm {
    child: Child,
    socket: UnixStream,
    pending: Vec<u8>,
    log: PathBuf,
    interrupted: Arc<AtomicBool>,
}

impl Jvm {
    /// Starts `java` with arguments that make it connect to `listener`; its output goes to `log`.
    pub fn start(
        java: &Path,
        arguments: &[String],
        listener: &UnixListener,
        log: &Path,
        interrupted: Arc<AtomicBool>,
    ) -> Result<Self, LabError> {
        Self::start_in(java, arguments, &[], listener, log, interrupted)
    }

    /// The same with further variables in the JVM's environment.
    pub fn start_in(
        java: &Path,
        arguments: &[String],
        environment: &[(&str, String)],
        listener: &UnixListener,
        log: &Path,
        interrupted: Arc<AtomicBool>,
    ) -> Result<Self, LabError> {
        let output = std::fs::File::create(log)
            .map_err(LabError::io(format!("cannot create {}", log.display())))?;
        let errors = output
            .try_clone()
            .map_err(LabError::io("cannot share the log"))?;
        let mut command = Command::new(java);
        command
            .args(arguments)
            .envs(environment.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(errors);
        // Options from the environment would change the laboratory unseen.
        for variable in ["JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS"] {
            command.env_remove(variable);
        }
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
            java: java.to_owned(),
            source,
        })?;
        let mut starting = Starting {
            child: Some(child),
            log,
            interrupted: Arc::clone(&interrupted),
        };
        let socket = starting.accept(listener)?;
        socket
            .set_read_timeout(Some(TICK))
            .map_err(LabError::io("cannot set a timeout"))?;
        let child = starting.child.take().expect("taken only here");
        Ok(Jvm {
            child,
            socket,
            pending: Vec::new(),
            log: log.to_owned(),
            interrupted,
        })
    }

    /// Process id.
    pub fn pid(&self) -> u32 {
        self.child.id()
    }

    /// Where its output goes.
    pub fn log(&self) -> &Path {
        &self.log
    }

    /// Sends a command and waits for the line that answers it; `tick` is called about ten times a second meanwhile.
    pub fn call(
        &mut self,
        words: &[&str],
        limit: Duration,
        tick: &mut dyn FnMut() -> Result<(), LabError>,
    ) -> Result<Vec<u8>, LabError> {
        let mut line = words.join("\t");
        line.push('\n');
        if self.socket.write_all(line.as_bytes()).is_err() {
            return Err(self.died(words[0]));
        }
        let deadline = Instant::now() + limit;
        let mut last_tick = Instant::now();
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
                Ok(0) => return Err(self.died(words[0])),
                Ok(n) => self.pending.extend_from_slice(&chunk[..n]),
                Err(e)
                    if matches!(
                        e.kind(),
                        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                    ) => {}
                Err(_) => return Err(self.died(words[0])),
            }
            if last_tick.elapsed() >= TICK {
                last_tick = Instant::now();
                tick()?;
            }
            if self.interrupted.load(Ordering::Relaxed) {
                return Err(LabError::Interrupted);
            }
            if Instant::now() > deadline {
                return Err(LabError::Hung {
                    command: words[0].to_owned(),
                    seconds: limit.as_secs_f64(),
                    log: self.log.clone(),
                });
            }
        }
    }

    fn died(&mut self, command: &str) -> LabError {
        // The socket closes a moment before the process is gone.
        let status = self.gone_within(END_LIMIT).map_or_else(
            || "it closed the line and went on".to_owned(),
            |status| status.to_string(),
        );
        LabError::Died {
            command: command.to_owned(),
            status,
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

    /// Asks the harness to end, and sees to it that the process does.
    pub fn stop(self) {
        self.stop_within(END_LIMIT);
    }

    /// The same for a JVM that has much to do at its end. True if it ended by itself.
    pub fn stop_within(mut self, limit: Duration) -> bool {
        self.socket.write_all(b"stop\n").is_ok() && self.gone_within(limit).is_some()
    }
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
        let deadline = Instant::now() + START_LIMIT;
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
                let (status, tail, log) = (status.to_string(), tail(self.log), self.log.to_owned());
                return Err(LabError::Died {
                    command: "start".into(),
                    status,
                    tail,
                    log,
                });
            }
            if self.interrupted.load(Ordering::Relaxed) {
                return Err(LabError::Interrupted);
            }
            if Instant::now() > deadline {
                return Err(LabError::Hung {
                    command: "start".into(),
                    seconds: START_LIMIT.as_secs_f64(),
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
    let bytes = std::fs::read(log).unwrap_or_default();
    let text =
        String::from_utf8_lossy(&bytes[bytes.len().saturating_sub(TAIL_BYTES)..]).into_owned();
    let lines: Vec<&str> = text
        .lines()
        .skip(usize::from(bytes.len() > TAIL_BYTES))
        .collect();
    if lines.is_empty() {
        "(it printed nothing)".to_owned()
    } else {
        lines.join("\n")
    }
}
