//! The JVM of one run, with the harness in command of the program.

use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use serde::de::DeserializeOwned;

use super::RunOrder;
use crate::error::LabError;
use crate::launch::Launch;
use crate::process::Jvm;
use crate::profilers::beside::Beside;
use crate::refusal::refusal;
use crate::temporary::Temporary;
use crate::toolchain::Kit;
use crate::wire::{Done, Envelope, Hello, Iteration, Window};

/// Under this name profilers file the iterations.
pub(super) const LABEL: &str = "run";
/// Variable that makes the environment larger.
const PADDING: &str = "PROOFMARK_PADDING";
/// For answers that need no iteration of the program.
const SHORT: Duration = Duration::from_secs(60);
/// For a JVM whose profiler writes its recording while the JVM ends.
const WRITING: Duration = Duration::from_secs(120);

/// A started JVM.
pub(super) struct Host {
    jvm: Jvm,
    hello: Hello,
    jcmd: PathBuf,
    directory: Temporary,
}

impl Host {
    /// Starts the JVM; the program's class is loaded, nothing has run yet.
    pub fn start(kit: &Kit, order: &RunOrder<'_>, launch: &Launch) -> Result<Self, LabError> {
        let directory = Temporary::create(&std::env::temp_dir())?;
        let socket = directory.path().join("s");
        let listener = UnixListener::bind(&socket).map_err(LabError::io(format!(
            "cannot listen on {}",
            socket.display()
        )))?;
        let arguments = launch.arguments(kit, order.workload, directory.path());
        let environment = padding(order.env_bytes);
        let jvm = Jvm::start_in(
            &kit.jdk.java(),
            &arguments,
            &environment,
            &listener,
            order.log,
            order.interrupted.clone(),
        )?;
        let hello = Hello {
            pid: jvm.pid(),
            tid: 0,
            thread: String::new(),
            java_version: String::new(),
            vendor: String::new(),
            heap_bytes: 0,
        };
        let mut host = Host {
            jvm,
            hello,
            jcmd: kit.jdk.tool("jcmd"),
            directory,
        };
        // Nothing of the laboratory is used here, so that the harness need not know of Graal.
        let limit = order.iteration_limit.as_secs_f64().to_string();
        host.hello = host.ask(&["hello", "c2", &limit], SHORT)?;
        Ok(host)
    }

    /// What the JVM said about itself.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Runs the program so often; a profiler inside the JVM watches exactly this.
    pub fn iterations(&mut self, count: u32, limit: Duration) -> Result<Vec<Iteration>, LabError> {
        let count = count.to_string();
        let window: Window = self.ask(&["window", LABEL, "0", &count, "0", ""], limit)?;
        Ok(window
            .groups
            .into_iter()
            .flat_map(|group| group.iterations)
            .collect())
    }

    /// Starts a profiler inside the JVM.
    pub fn start_profiler(&mut self, kind: &str, options: &[String]) -> Result<(), LabError> {
        let mut words = vec!["profiler-start", kind];
        words.extend(options.iter().map(String::as_str));
        self.ask::<Done>(&words, SHORT).map(drop)
    }

    /// Stops it; what it still holds goes to `file`.
    pub fn stop_profiler(&mut self, file: &Path) -> Result<(), LabError> {
        let file = file.display().to_string();
        self.ask::<Done>(&["profiler-stop", &file], WRITING)
            .map(drop)
    }

    /// The JVM's map of the machine code that it has now, as perf reads it.
    pub fn perf_map(&mut self) -> Result<Vec<u8>, LabError> {
        let file = self.directory.path().join("perf.map");
        let mut command = Command::new(&self.jcmd);
        command
            .arg(self.hello.pid.to_string())
            .arg("Compiler.perfmap")
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Beside::start(&self.jcmd.display().to_string(), &mut command)?.finished_within(SHORT)?;
        std::fs::read(&file).map_err(LabError::io("the JVM wrote no map of its code"))
    }

    /// Ends the JVM, which may take its time if a profiler is `writing` then. Whether it ended by itself.
    pub fn stop(self, writing: bool) -> bool {
        self.jvm
            .stop_within(if writing { WRITING } else { SHORT / 12 })
    }

    fn ask<T: DeserializeOwned>(&mut self, words: &[&str], limit: Duration) -> Result<T, LabError> {
        let line = self.jvm.call(words, limit, &mut || Ok(()))?;
        let protocol = |source| LabError::Protocol {
            command: words[0].to_owned(),
            source,
        };
        let envelope: Envelope = serde_json::from_slice(&line).map_err(protocol)?;
        match envelope.error {
            Some(message) => Err(refusal(
                words[0],
                envelope.kind.as_deref(),
                message,
                &envelope.trace.unwrap_or_default(),
                self.jvm.log(),
            )),
            None => serde_json::from_slice(&line).map_err(protocol),
        }
    }
}

/// One variable that takes so many bytes of the environment: name, `=`, value and the zero behind it. Fewer bytes than
/// the name needs are none.
fn padding(bytes: u64) -> Vec<(&'static str, String)> {
    let value = usize::try_from(bytes)
        .unwrap_or(usize::MAX)
        .checked_sub(PADDING.len() + 2);
    value
        .map(|length| (PADDING, "x".repeat(length)))
        .into_iter()
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_takes_what_it_says() {
        let size = |bytes| {
            let variables = padding(bytes);
            variables
                .iter()
                .map(|(name, value)| name.len() + value.len() + 2)
                .sum::<usize>()
        };
        assert_eq!((size(0), size(18)), (0, 0));
        assert_eq!((size(19), size(64), size(4096)), (19, 64, 4096));
    }
}
