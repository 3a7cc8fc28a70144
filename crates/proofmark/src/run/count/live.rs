//! Runs a program under the agent and reads what it counted.

use std::os::fd::AsFd;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use anyhow::Context as _;
use proofmark_count::{Counted, Coverage, LeftAlone};
use proofmark_jvm::toolchain::Settings;
use proofmark_jvm::{Temporary, is_full};
use proofmark_profile::CountFile;

use super::command::JavaCommand;
use super::forward::Forward;
use super::runtime::{Told, prepare};
use super::silent::Listening;
use super::{crash, export, steps};
use crate::context::Refusal;
use crate::progress::Progress;
use crate::request::CountRequest;

/// A run that is over.
pub struct Ran {
    /// What was counted.
    pub counted: Counted,
    /// How the program ended, as a shell says it.
    pub code: u8,
}

/// Runs and counts. The program keeps its standard input and error; its output goes to standard error if `apart`.
///
/// # Errors
/// When the JDK will not do, or the JVM ends without a profile.
pub fn run(
    request: &CountRequest,
    settings: &Settings,
    apart: bool,
    progress: &Progress,
) -> anyhow::Result<Ran> {
    let iterations = [request.iterations.to_string()];
    let mut command = JavaCommand::of(&request.program, &iterations, settings)?;
    progress.finish();
    let directory = Temporary::create(&std::env::temp_dir())?;
    let profile = directory.path().join("profile");
    if let Some(jar) = &request.agent_path {
        // Next to the runtime, in the boot loader, whose classes are never rewritten.
        let path = jar
            .canonicalize()
            .with_context(|| jar.display().to_string())?;
        command
            .words
            .insert(0, format!("-Xbootclasspath/a:{}", path.display()));
    }
    let told = Told {
        counting: &request.counting,
        output: Some(&profile),
        agent: request.agent.as_deref(),
        alone: false,
    };
    let load = prepare(&command.kit, &told, &directory, "count")?;
    let listening = Listening::to(directory.path(), progress);
    let status = start(&command, &load, apart)?;
    drop(listening);
    let (file, mut coverage) = read(directory.path(), status)?;
    if request.coverage {
        let executed = steps::executed(&command, request, &file, &coverage)?;
        coverage.executed = Some(executed);
    }
    let counted = Counted::of(&file, command.line(), Some(coverage));
    if counted.bytecodes == 0 {
        progress.note(&format!(
            "no bytecode of the program was executed, and no profile is written; it was started with {} (--jdk names another JDK)",
            command.java.display()
        ));
    } else if let Some(path) = &request.output {
        export::write(&file, path, request.form)?;
    }
    Ok(Ran {
        counted,
        code: code(status),
    })
}

/// Starts the JVM and waits for it. Ctrl-C and SIGTERM reach it too; it then ends and writes what it has.
pub(super) fn start(
    command: &JavaCommand,
    load: &[String],
    apart: bool,
) -> anyhow::Result<ExitStatus> {
    let mut java = Command::new(&command.java);
    java.args(crash::option()).args(load).args(&command.words);
    if apart {
        let stderr = std::io::stderr().as_fd().try_clone_to_owned()?;
        java.stdout(Stdio::from(stderr));
    }
    let mut child = java
        .spawn()
        .with_context(|| format!("{} cannot be started", command.java.display()))?;
    let _forward = Forward::to(&child)?;
    Ok(child.wait()?)
}

fn code(status: ExitStatus) -> u8 {
    let by_signal = || status.signal().map_or(1, |signal| 128 + signal);
    u8::try_from(status.code().unwrap_or_else(by_signal)).unwrap_or(1)
}

/// What [`files`] reads of a JVM that has ended like this.
fn read(directory: &Path, status: ExitStatus) -> anyhow::Result<(CountFile, Coverage)> {
    files(directory)?.ok_or_else(|| {
        let says = without_profile(directory, status);
        let crash = crash::said();
        Refusal::Cannot(format!("{says}; see what it printed above{crash}")).into()
    })
}

/// That a JVM has ended without a profile in this directory, and why.
pub(super) fn without_profile(directory: &Path, status: ExitStatus) -> String {
    let why = match (is_full(directory), directory.display()) {
        (true, place) => {
            format!("hardly any space is left in {place}: set TMPDIR to one on another disk")
        }
        (false, _) => "a JVM that is killed writes none".to_owned(),
    };
    format!("the JVM ended without a profile ({status}): {why}")
}

/// The profile, in its one form, and what the agent says about classes; none if not all of it is there.
pub(super) fn files(directory: &Path) -> anyhow::Result<Option<(CountFile, Coverage)>> {
    let bytes = |name: &str| std::fs::read(directory.join(name));
    let (Ok(mut profile), Ok(methods), Ok(classes)) =
        (bytes("profile"), bytes("methods"), bytes("classes"))
    else {
        return Ok(None);
    };
    profile.extend(methods);
    let file = CountFile::parse(&profile)?.canonical();
    Ok(Some((file, coverage(&String::from_utf8_lossy(&classes)))))
}

/// Reads the agent's lines.
fn coverage(text: &str) -> Coverage {
    let mut coverage = Coverage::default();
    for line in text.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let number = || {
            fields
                .get(1)
                .and_then(|n| n.parse::<u64>().ok())
                .unwrap_or(0)
        };
        match fields.as_slice() {
            ["rewritten", ..] => coverage.classes_rewritten = number(),
            ["methods", ..] => coverage.methods_rewritten = number(),
            ["bytes", ..] => coverage.class_bytes = number(),
            ["nanoseconds", ..] => coverage.rewriting_s = number() as f64 / 1e9,
            ["alone", class, reason] => coverage.left_alone.push(LeftAlone {
                name: class.replace('/', "."),
                reason: (*reason).to_owned(),
            }),
            ["kept", class, name, descriptor, reason] => coverage.kept.push(LeftAlone {
                name: format!("{}.{name}{descriptor}", class.replace('/', ".")),
                reason: (*reason).to_owned(),
            }),
            _ => {}
        }
    }
    coverage.left_alone.sort_by(|a, b| a.name.cmp(&b.name));
    coverage.kept.sort_by(|a, b| a.name.cmp(&b.name));
    coverage
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agents_lines_are_read() {
        let text = "rewritten\t3\nmethods\t9\nbytes\t1000\nnanoseconds\t2500000\n\
                    alone\tb/B\ttoo large\nalone\ta/A\tno class\nkept\ta/C\tm\t()V\tjsr\n";
        let read = coverage(text);
        assert_eq!(
            (
                read.classes_rewritten,
                read.methods_rewritten,
                read.class_bytes
            ),
            (3, 9, 1000)
        );
        assert_eq!(read.rewriting_s, 0.0025);
        assert_eq!(
            (read.left_alone[0].name.as_str(), read.left_alone.len()),
            ("a.A", 2)
        );
        assert_eq!(read.kept[0].name, "a.C.m()V");
    }
}
