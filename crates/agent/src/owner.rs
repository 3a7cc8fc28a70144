//! A JVM that Proofmark started ends with it, however it ends, and its files go too.

use std::fs::File;
use std::io::ErrorKind;
use std::path::Path;

use rustix::process::{Signal, getpid, kill_process};

/// Waits in a thread that the JVM does not know of until the lock of `lock` is free, which the kernel sees to when its
/// owner ends; then removes `directory` and ends this process at once.
///
/// # Errors
/// When there is no such file, or no thread can be made.
pub(crate) fn watch(lock: &Path, directory: &Path) -> std::io::Result<()> {
    let file = File::open(lock)?;
    let directory = directory.to_owned();
    let wait = move || {
        loop {
            match file.lock() {
                Ok(()) => break,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
        // What cannot be removed, the next Proofmark removes.
        let _ = std::fs::remove_dir_all(&directory);
        let _ = kill_process(getpid(), Signal::KILL);
    };
    let thread = std::thread::Builder::new().name("proofmark-owner".to_owned());
    thread.spawn(wait).map(|_| ())
}
