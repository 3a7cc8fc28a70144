//! Whether a test of a native program can be meant.

use crate::context::Refusal;
use crate::request::NativeRequest;
use crate::run::native::PROFILERS;

/// Refuses profilers that there are not, and a result where a file is.
///
/// # Errors
/// With the first that will not do.
pub fn check(request: &NativeRequest) -> Result<(), Refusal> {
    for (at, name) in request.profilers.iter().enumerate() {
        if !PROFILERS.contains(&name.as_str()) {
            return Err(Refusal::Usage(format!(
                "--profiler {name}: native programs are looked at by {}",
                PROFILERS.join(", ")
            )));
        }
        if request.profilers[..at].contains(name) {
            return Err(Refusal::Usage(format!("--profiler names '{name}' twice")));
        }
    }
    match &request.out {
        Some(out) if out.is_file() => Err(Refusal::Usage(format!(
            "--out {}: this is a file",
            out.display()
        ))),
        _ => Ok(()),
    }
}
