//! How deep compilers of ours stand in each other.
//!
//! A compiler that `proofmark cc` starts may be `proofmark cc` again: a script of the name `cc` in the path, or a
//! `PROOFMARK_CC` that names this program. Each would start the next without end. What is started here therefore carries a
//! number in its environment, one more than its parent's.

use std::ffi::OsStr;
use std::process::Command;

use crate::compiler::CompileError;

/// Carries the number.
const VARIABLE: &str = "PROOFMARK_NESTED";
/// rustc's wrapper, its linker, `cc` and `c++` may stand in each other once.
const DEEPEST: u32 = 4;

/// The command of a compiler, as it stands in `CC`: options behind a name are allowed (`gcc -m64`).
pub(crate) fn compiler_command(name: &str) -> Command {
    let mut parts = name.split_whitespace();
    let mut command = tool_command(parts.next().unwrap_or("cc"));
    command.args(parts);
    command
}

/// The command of a tool that may start one of our compilers.
pub(crate) fn tool_command(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.env(VARIABLE, (depth() + 1).to_string());
    command
}

/// Whether this process may start `compiler`.
///
/// # Errors
/// When too many of us stand in each other: one of us is taken for the compiler.
pub(crate) fn check_depth(compiler: &str) -> Result<(), CompileError> {
    match depth() >= DEEPEST {
        true => Err(CompileError::Itself {
            compiler: compiler.to_owned(),
        }),
        false => Ok(()),
    }
}

/// How many of us are above this process.
fn depth() -> u32 {
    let told = std::env::var(VARIABLE).ok();
    told.and_then(|told| told.parse().ok()).unwrap_or(0)
}
