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

/// The first word of a command, as a shell takes it.
fn first_word(line: &str) -> String {
    shlex::Shlex::new(line).next().unwrap_or_default()
}

impl ProfilerSpec {
    /// The file of the program that is started beside the JVM, if there is one that can be told: perf, or what somebody's own
    /// command begins with.
    #[must_use]
    pub fn program(&self) -> Option<PathBuf> {
        match &self.engine {
            Engine::Perf { program } => Some(program.clone()),
            Engine::Command { line } => find(&first_word(line)),
            _ => None,
        }
    }

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
        if !line.contains("{pid}") && !line.contains("{tid}") {
            return wrong(
                "it does not say what is profiled: write {pid} where the command takes the JVM's process id ({tid} is the workload's thread)",
            );
        }
        let first = first_word(line);
        // What is more than a word is the shell's to understand.
        let plain = !first.contains(['$', '=', '`', '(', '{', '~']);
        if plain && find(&first).is_none() {
            return wrong("there is no such program");
        }
        Ok(())
    }
}

/// Whether a file can be an agent library at all, told without a JVM: it must at least name an entry point.
///
/// # Errors
/// With what is wrong with it.
pub fn check_library(library: &Path) -> Result<(), String> {
    const ENTRY_POINTS: &[u8] = b"Agent_On";
    let name = library.display();
    let bytes = match std::fs::read(library) {
        Ok(bytes) => bytes,
        Err(error) => return Err(format!("no such library: {name} ({error})")),
    };
    let named = || bytes.windows(ENTRY_POINTS.len()).any(|w| w == ENTRY_POINTS);
    if bytes.starts_with(b"\x7fELF") && named() {
        return Ok(());
    }
    Err(format!(
        "{name} is no agent library: it has neither Agent_OnLoad nor Agent_OnAttach"
    ))
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
        let nothing = answer("cmd:/no/such/profiler {pid} {out}").unwrap_err();
        assert!(nothing.contains("no such program"), "{nothing}");
        assert!(answer("cmd:no-such-profiler-here {pid} {out}").is_err());
        let nobody = answer("cmd:sh -c 'x > {out}'").unwrap_err();
        assert!(nobody.contains("write {pid}"), "{nobody}");
        assert_eq!(answer("cmd:sh -c 'x {pid} > {out}'"), Ok(()));
        assert_eq!(answer("cmd:HOME=/ x {tid} {out}"), Ok(()));
        assert_eq!(answer("cmd:'sh' x {pid} {out}"), Ok(()));
        let spaced = answer("cmd:'no such profiler' {pid} {out}").unwrap_err();
        assert!(spaced.contains("no such program"), "{spaced}");
    }

    #[test]
    fn the_program_of_a_command_is_found() {
        let program = |name: &str| {
            let spec = ProfilerSpec::parse(name, &ProfilerOptions::default()).unwrap();
            spec.program()
        };
        let sh = program("cmd:sh -c 'x {pid} > {out}'").expect("a shell");
        assert!(sh.is_absolute() && sh.ends_with("sh"), "{}", sh.display());
        let place = tempfile::tempdir().unwrap();
        let own = place.path().join("own");
        std::fs::write(&own, "").unwrap();
        let line = format!("cmd:{} {{pid}} {{out}}", own.display());
        assert_eq!(program(&line), Some(own));
        assert_eq!(program("cmd:HOME=/ x {tid} {out}"), None);
        assert_eq!(program("jfr"), None);
    }

    #[test]
    fn agent_libraries_have_an_entry_point() {
        let place = tempfile::tempdir().unwrap();
        let answer = |bytes: &[u8]| {
            let file = place.path().join("library.so");
            std::fs::write(&file, bytes).unwrap();
            check_library(&file)
        };
        assert_eq!(answer(b"\x7fELF...Agent_OnLoad..."), Ok(()));
        assert!(
            answer(b"\x7fELF...")
                .unwrap_err()
                .contains("no agent library")
        );
        assert!(answer(b"Agent_OnLoad").is_err());
        let missing = check_library(&place.path().join("none")).unwrap_err();
        assert!(missing.contains("no such library"), "{missing}");
    }
}
