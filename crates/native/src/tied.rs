//! Processes that do not outlive those who started them, however these end.

#![allow(unsafe_code)]

use std::io;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::process::{
    Pid, PidfdFlags, Signal, getpid, getppid, kill_current_process_group, pidfd_open,
    set_parent_process_death_signal,
};

/// Starts a process that the system kills when the thread ends which calls this. What the process itself starts is not
/// killed.
///
/// *Accuracy.* The process is a copy of ours first: what it takes until it is the program is on its clock, the same under
/// every dose.
pub(crate) fn spawn_tied(command: &mut Command) -> io::Result<Child> {
    let us = getpid();
    let tie = move || -> io::Result<()> {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // We may have ended before.
        match getppid() == Some(us) {
            true => Ok(()),
            false => Err(Errno::SRCH.into()),
        }
    };
    // SAFETY: two system calls, which are async-signal-safe and touch nothing of this process's memory.
    unsafe { command.pre_exec(tie) };
    command.spawn()
}

/// From now on our process group, which is one of our own, is killed when another process has ended.
pub(crate) fn end_group_with(owner: u32) -> io::Result<()> {
    let watch = std::thread::Builder::new().spawn(move || {
        // Where it cannot be watched, nobody is killed.
        if matches!(until_ended(owner), Ok(()) | Err(Errno::SRCH)) {
            let _ = kill_current_process_group(Signal::KILL);
        }
    });
    watch.map(drop)
}

/// Waits for the end of a process that need not be a child.
fn until_ended(number: u32) -> Result<(), Errno> {
    let pid = Pid::from_raw(number.cast_signed()).ok_or(Errno::INVAL)?;
    let process = pidfd_open(pid, PidfdFlags::empty())?;
    let mut polled = [PollFd::new(&process, PollFlags::IN)];
    loop {
        match poll(&mut polled, None) {
            Err(Errno::INTR) => {}
            ended => return ended.map(drop),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::os::unix::process::ExitStatusExt as _;

    use super::*;

    /// The thread stands for a process of ours that is killed: nothing of it runs on.
    #[test]
    fn a_process_ends_with_the_thread_that_started_it() {
        let start = || spawn_tied(Command::new("sleep").arg("600")).unwrap();
        let mut child = std::thread::spawn(start).join().unwrap();
        assert_eq!(child.wait().unwrap().signal(), Some(9));
    }

    #[test]
    fn the_end_of_a_process_is_seen() {
        let mut child = Command::new("true").spawn().unwrap();
        assert_eq!(until_ended(child.id()), Ok(()));
        child.wait().unwrap();
        assert_eq!(until_ended(0), Err(Errno::INVAL));
    }
}
