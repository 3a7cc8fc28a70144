//! Whether a profiler can be started at all, asked before minutes are spent on the laboratory.

use std::path::{Path, PathBuf};

use super::spec::{Engine, ProfilerSpec, SpecError};
use crate::toolchain::Jdk;

/// The first `perf` on PATH.
pub fn find_perf() -> Option<PathBuf> {
    find("perf")
}

/// A program of this name on `PATH`, or at this path if it has a slash.
fn find(program: &str) -> Option<PathBuf> {
    if program.contains('/') {
        return Some(PathBuf::from(program)).filter(|file| file.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|directory| directory.join(program))
        .find(|file| file.is_file())
}

impl ProfilerSpec {
    /// Whether somebody's own command can leave a profile, and begins with a program that there is.
    ///
    /// # Errors
    /// With what is wrong with the command.
    pub fn check_program(&self) -> Result<(), SpecError> {
        let Engine::Command { line } = &self.engine else {
            return Ok(());
        };
        let wrong = |reason: &str| {
            Err(SpecError::Command {
                line: line.clone(),
                reason: reason.to_owned(),
            })
        };
        if !line.contains("{out}") {
            return wrong(
                "it does not say where its profile goes: write {out} where the command takes the name of its file ({pid} and {tid} stand for the JVM and the workload's thread)",
            );
        }
        let first = line.split_whitespace().next().unwrap_or_default();
        // Anything but a plain word is the shell's to understand.
        let plain = !first.contains(['"', '\'', '$', '=', '`', '(', '{', '~', '\\']);
        if plain && find(first).is_none() {
            return wrong("there is no such program");
        }
        Ok(())
    }
}

/// Whether the JVM loads a library as an agent.
///
/// # Errors
/// With what the JVM says.
pub fn check_agent(jdk: &Jdk, library: &Path) -> Result<(), String> {
    let option = format!("-agentpath:{}", library.display());
    jdk.starts_with([option])
        .map_err(|said| format!("the JVM does not load {}: {said}", library.display()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::profilers::spec::ProfilerOptions;

    #[test]
    fn commands_that_cannot_be_profilers_are_refused() {
        let answer = |name: &str| {
            let spec = ProfilerSpec::parse(name, &ProfilerOptions::default()).unwrap();
            spec.check_program().map_err(|error| error.to_string())
        };
        assert!(answer("cmd:sleep 5").unwrap_err().contains("write {out}"));
        let nothing = answer("cmd:/no/such/profiler {out}").unwrap_err();
        assert!(nothing.contains("no such program"), "{nothing}");
        assert!(answer("cmd:no-such-profiler-here {out}").is_err());
        assert_eq!(answer("cmd:sh -c 'x > {out}'"), Ok(()));
        assert_eq!(answer("cmd:HOME=/ x {out}"), Ok(()));
    }
}
