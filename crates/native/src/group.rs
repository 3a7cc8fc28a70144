//! A process with a group of its own: it is ended with us, and what is left of its group with it.

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, ExitStatus};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal, kill_process_group, pidfd_open};

use crate::tied::spawn_tied;

/// Between two looks at the clock and at whether the user wants to stop: a signal may come to another thread.
pub(crate) const LOOK: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};

/// A process and what it starts. A process that leaves the group is nobody's.
#[derive(Debug)]
pub(crate) struct Group {
    child: Child,
    over: bool,
}

impl Group {
    /// Starts it. It ends with the thread that does.
    pub(crate) fn start(command: &mut Command) -> io::Result<Self> {
        let child = spawn_tied(command.process_group(0))?;
        Ok(Self { child, over: false })
    }

    /// The process's number.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the process has ended. Waits for that for so long at most, or until a signal comes to us.
    pub(crate) fn has_ended(&self, at_most: Timespec) -> io::Result<bool> {
        let process = pidfd_open(Pid::from_child(&self.child), PidfdFlags::empty())?;
        let mut polled = [PollFd::new(&process, PollFlags::IN)];
        match poll(&mut polled, Some(&at_most)) {
            Ok(ended) => Ok(ended > 0),
            Err(rustix::io::Errno::INTR) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    /// Ends what is there of the group, and takes note of the end of the process.
    pub(crate) fn end(&mut self) -> io::Result<ExitStatus> {
        self.over = true;
        // As long as nobody has waited for the process, its number is that of no other group.
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        self.child.wait()
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.over {
            let _ = self.end();
        }
    }
}
