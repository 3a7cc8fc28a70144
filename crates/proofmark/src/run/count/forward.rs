//! Signals that reach only the command are passed on to the JVM that it waits for.

use std::io;
use std::process::Child;
use std::thread::JoinHandle;

use rustix::process::{Pid, Signal, kill_process};
use signal_hook::consts::{SIGHUP, SIGTERM};
use signal_hook::iterator::{Handle, Signals};

/// Passes SIGTERM and SIGHUP on until it is dropped. Ctrl-C needs none of this: the terminal sends it to both.
pub(super) struct Forward {
    handle: Handle,
    thread: Option<JoinHandle<()>>,
}

impl Forward {
    /// To that process. It must be dropped right after the process has been waited for.
    pub(super) fn to(child: &Child) -> io::Result<Self> {
        let mut signals = Signals::new([SIGTERM, SIGHUP])?;
        let handle = signals.handle();
        let to = Pid::from_child(child);
        let thread = std::thread::spawn(move || {
            for signal in signals.forever() {
                let signal = if signal == SIGHUP {
                    Signal::HUP
                } else {
                    Signal::TERM
                };
                // It may just have ended.
                let _ = kill_process(to, signal);
            }
        });
        Ok(Self {
            handle,
            thread: Some(thread),
        })
    }
}

impl Drop for Forward {
    fn drop(&mut self) {
        self.handle.close();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}
