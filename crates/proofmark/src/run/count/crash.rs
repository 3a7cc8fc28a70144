//! Where a JVM writes its report that crashes while it is counted: neither into the user's working directory nor into that of our files,
//! which go with the command.

use std::path::PathBuf;

use proofmark_jvm::{crash_said, report_into_unless_told};

/// The file, of the JVMs of this process one after the other.
fn report() -> PathBuf {
    let name = format!("proofmark-count-{}.hs_err.log", std::process::id());
    std::env::temp_dir().join(name)
}

/// The option of a JVM that names it; none if options of the environment name another one, and the command's own count anyway. A report of
/// a JVM before, or of a process before, is removed.
pub(super) fn option() -> Option<String> {
    let _ = std::fs::remove_file(report());
    report_into_unless_told(&report())
}

/// Where the report of a JVM is that has ended, to stand behind what is said of that; nothing if it has not crashed.
pub(super) fn said() -> String {
    crash_said(&report()).map_or_else(String::new, |said| format!("; {said}"))
}
