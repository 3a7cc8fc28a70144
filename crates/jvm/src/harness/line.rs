//! A started JVM at our end of the socket: requests with types, and what the answers say about machine code.

use std::path::Path;
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proofmark_blocks::CodeMap;

use super::answers::{Hello, Reply};
use super::limits;
use super::process::Jvm;
use super::refusal::refusal;
use super::requests::{
    InsideProfiler, ProfilerDump, ProfilerStart, ProfilerStop, Request, line, path_word,
};
use crate::error::LabError;

/// A JVM with the harness in command, whatever it was started for.
pub(crate) struct Client {
    pub(super) jvm: Jvm,
    /// What is known about its code; stays empty where a JVM does not describe it.
    pub(super) map: CodeMap,
    hello: Hello,
    iteration_limit: Duration,
}

/// How a JVM is started.
pub(crate) struct ClientStart<'a> {
    /// Where its output goes.
    pub log: &'a Path,
    /// Longest that one iteration may take.
    pub iteration_limit: Duration,
    /// Set when the user wants to stop.
    pub interrupted: Arc<AtomicBool>,
}

impl Client {
    /// Starts the command of a JVM, given the directory in which the socket `s` is; the program's class is loaded, nothing
    /// has run yet. `first`: what it is asked first.
    ///
    /// # Errors
    /// When the JVM does not come up, with the last lines that it printed.
    pub fn start<R: Request<Answer = Hello>>(
        command: impl FnOnce(&Path) -> Command,
        first: &R,
        start: ClientStart<'_>,
    ) -> Result<Self, LabError> {
        let mut jvm = Jvm::start(command, start.log, start.interrupted)?;
        let mut map = CodeMap::new();
        let limit = limits::ANSWER + start.iteration_limit;
        let hello = ask(&mut jvm, &mut map, first, limit, &mut || Ok(()))?;
        Ok(Self {
            jvm,
            map,
            hello,
            iteration_limit: start.iteration_limit,
        })
    }

    /// What the JVM said about itself.
    pub fn hello(&self) -> &Hello {
        &self.hello
    }

    /// Where this is set, it is not waited for any more, as if the user wished to stop.
    pub fn end_by(&mut self, flag: Arc<AtomicBool>) {
        self.jvm.end_by(flag);
    }

    /// How long one iteration may take.
    pub fn iteration_limit(&self) -> Duration {
        self.iteration_limit
    }

    /// Asks for something that takes so long at most, and an iteration.
    ///
    /// # Errors
    /// When the JVM refuses, fails or does not answer in time.
    pub fn ask<R: Request>(&mut self, request: &R, limit: Duration) -> Result<R::Answer, LabError> {
        self.ask_within(request, limit + self.iteration_limit, &mut || Ok(()))
    }

    /// Asks for something that takes so long at most in all. `tick` is called about ten times a second.
    ///
    /// # Errors
    /// When the JVM refuses, fails or does not answer in time, or `tick` fails.
    pub fn ask_within<R: Request>(
        &mut self,
        request: &R,
        limit: Duration,
        tick: &mut dyn FnMut() -> Result<(), LabError>,
    ) -> Result<R::Answer, LabError> {
        ask(&mut self.jvm, &mut self.map, request, limit, tick)
    }

    /// Starts a profiler inside the JVM; windows with a label are profiled from now on.
    ///
    /// # Errors
    /// When the profiler refuses.
    pub fn start_profiler(&mut self, profiler: InsideProfiler) -> Result<(), LabError> {
        self.ask(&ProfilerStart { profiler }, limits::ANSWER)
            .map(drop)
    }

    /// Writes what it has so far, if it does not do so window by window; it goes on.
    ///
    /// # Errors
    /// When the profiler fails.
    pub fn dump_profiler(&mut self, file: &Path) -> Result<(), LabError> {
        let file = path_word(file);
        self.ask(&ProfilerDump { file }, limits::ANSWER).map(drop)
    }

    /// Stops it; what it still holds goes to `file`.
    ///
    /// # Errors
    /// When the profiler fails.
    pub fn stop_profiler(&mut self, file: &Path) -> Result<(), LabError> {
        let file = path_word(file);
        self.ask(&ProfilerStop { file }, limits::ANSWER).map(drop)
    }

    /// Ends the JVM, which may take so long. Whether it ended by itself.
    pub fn stop(self, limit: Duration) -> bool {
        self.jvm.stop(limit)
    }
}

/// Sends a request, waits for its answer and notes what it says about machine code.
fn ask<R: Request>(
    jvm: &mut Jvm,
    map: &mut CodeMap,
    request: &R,
    limit: Duration,
    tick: &mut dyn FnMut() -> Result<(), LabError>,
) -> Result<R::Answer, LabError> {
    let line = jvm.call(R::NAME, &line(request), limit, tick)?;
    let protocol = |source| LabError::Protocol {
        command: R::NAME.to_owned(),
        source,
    };
    let reply: Reply<R::Answer> = serde_json::from_slice(&line).map_err(protocol)?;
    if let Some(failure) = reply.failure {
        return Err(refusal(R::NAME, failure, jvm.log()));
    }
    for unit in reply.map.units {
        map.add_unit(unit)?;
    }
    for code in &reply.map.codes {
        map.add_code(code)?;
    }
    for install in &reply.map.installs {
        map.add_install(install)?;
    }
    let missing = || protocol(serde::de::Error::missing_field("answer"));
    reply.answer.ok_or_else(missing)
}
