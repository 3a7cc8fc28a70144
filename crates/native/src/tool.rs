//! A profiler's own command, run to its end or until the user wants to stop.

use std::fs::File;
use std::io::{self, Read as _, Seek as _};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use crate::group::{Group, LOOK};
use crate::launch::{LaunchError, system};

/// A command that has ended.
pub(crate) struct Said {
    /// How.
    pub(crate) status: ExitStatus,
    /// Its standard output.
    pub(crate) out: Vec<u8>,
    /// Its standard error, as a text without space around it.
    pub(crate) err: String,
}

/// Runs a command in a process group of its own, which is ended with it, with us, or when the user wants to stop: a signal that
/// ends us does not come to it. What it says is kept in the directory meanwhile, in files without names.
///
/// # Errors
/// When it cannot be started or waited for, and when the user wants to stop.
pub(crate) fn run(
    command: &mut Command,
    directory: &Path,
    interrupted: &AtomicBool,
) -> Result<Said, LaunchError> {
    let name = PathBuf::from(command.get_program());
    let failed = |error: io::Error| LaunchError::Profiler(format!("{}: {error}", name.display()));
    let file = || tempfile::tempfile_in(directory).map_err(failed);
    let (mut out, mut err) = (file()?, file()?);
    let [theirs_out, theirs_err] = [&out, &err].map(File::try_clone);
    command.stdin(Stdio::null());
    command.stdout(theirs_out.map_err(failed)?);
    command.stderr(theirs_err.map_err(failed)?);
    let mut group = Group::start(command).map_err(system(&name))?;
    while !group.has_ended(LOOK).map_err(failed)? {
        if interrupted.load(Ordering::Relaxed) {
            return Err(LaunchError::Interrupted);
        }
    }
    let status = group.end().map_err(failed)?;
    let err = whole(&mut err).map_err(failed)?;
    Ok(Said {
        status,
        out: whole(&mut out).map_err(failed)?,
        err: String::from_utf8_lossy(&err).trim().to_owned(),
    })
}

/// A file from its beginning.
fn whole(file: &mut File) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.rewind()?;
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shell(script: &str, interrupted: bool) -> Result<Said, LaunchError> {
        let place = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        run(&mut command, place.path(), &AtomicBool::new(interrupted))
    }

    #[test]
    fn what_a_command_says_is_kept() {
        let said = shell("echo out; echo err >&2; exit 3", false).unwrap();
        assert_eq!(said.status.code(), Some(3));
        assert_eq!(
            (said.out.as_slice(), said.err.as_str()),
            (&b"out\n"[..], "err")
        );
        let mut absent = Command::new("no-such-command");
        let place = tempfile::tempdir().unwrap();
        let error = run(&mut absent, place.path(), &AtomicBool::new(false)).err();
        let is_named = matches!(&error, Some(LaunchError::System { path, .. }) if path.ends_with("no-such-command"));
        assert!(is_named, "{error:?}");
    }

    #[test]
    fn who_wants_to_stop_does_not_wait_for_a_command() {
        let error = shell("sleep 600", true).err();
        assert!(matches!(error, Some(LaunchError::Interrupted)), "{error:?}");
    }
}
