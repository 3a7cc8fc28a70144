//! Small and read-only disks for tests that start themselves again on one.

use std::path::Path;
use std::process::Command;

use crate::{Need, skip};

/// The command that runs a program after `setup`, shell words with `mount` in them, in a mount namespace of its own;
/// nothing, after the reason was printed, where the machine does not let us.
///
/// # Panics
/// If `REQUIRE_MOUNTS` is set and the machine does not let us.
pub fn mounted(setup: &str, program: &Path) -> Option<Command> {
    let shell = |words: &str| {
        let mut command = Command::new("unshare");
        command.args(["--map-root-user", "--mount", "sh", "-c", words]);
        command
    };
    let tried = shell(setup).output();
    if !tried.as_ref().is_ok_and(|output| output.status.success()) {
        skip(
            Need::Mounts,
            format!("no mount namespaces here ({setup}): {tried:?}"),
        );
        return None;
    }
    let mut command = shell(&format!("{setup}; exec \"$0\" \"$@\""));
    command.arg(program);
    Some(command)
}
