//! Our end of the socket to a JVM with sites.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use proofmark_blocks::CodeMap;
use proofmark_experiment::lab::Iteration;

use super::answers::{Hello, WarmUp};
use super::client::ask;
use super::limits;
use super::process::Jvm;
use super::requests::{
    DoseCount, DoseExercise, DoseHello, DoseTurns, DoseWarmUp, DoseWindow, InsideProfiler,
    ProfilerDump, ProfilerStart, ProfilerStop, Request, path_word,
};
use crate::error::LabError;

/// A started JVM whose harness sets the turns of sites.
pub(crate) struct DoseClient {
    jvm: Jvm,
    /// Stays empty: such a JVM does not describe its code.
    map: CodeMap,
    hello: Hello,
    iteration_limit: Duration,
}

/// Which JVM is started.
pub(crate) struct DoseStart<'a> {
    /// Its program.
    pub java: PathBuf,
    /// Its arguments, given the directory in which the socket `s` is.
    pub arguments: &'a dyn Fn(&Path) -> Vec<String>,
    /// Where its output goes.
    pub log: &'a Path,
    /// Longest that one iteration may take.
    pub iteration_limit: Duration,
    /// Set when the user wants to stop.
    pub interrupted: Arc<AtomicBool>,
}

/// What ran in a window.
#[derive(Debug, Clone)]
pub struct DosedWindow {
    /// ns of CLOCK_MONOTONIC.
    pub begin_ns: u64,
    /// ns of CLOCK_MONOTONIC.
    pub end_ns: u64,
    /// Iterations of the workload in each of those below: short ones are timed several at a time.
    pub together: u32,
    /// The iterations.
    pub iterations: Vec<Iteration>,
}

impl DoseClient {
    /// Starts a JVM; the program's class is loaded, nothing has run yet.
    pub fn start(start: &DoseStart<'_>) -> Result<Self, LabError> {
        let command = |directory: &Path| {
            let mut command = Command::new(&start.java);
            command.args((start.arguments)(directory));
            command
        };
        let mut jvm = Jvm::start(command, start.log, start.interrupted.clone())?;
        let hello = DoseHello {
            iteration_limit_s: start.iteration_limit.as_secs_f64(),
        };
        let mut map = CodeMap::new();
        let limit = limits::ANSWER + start.iteration_limit;
        let hello = ask(&mut jvm, &mut map, &hello, limit, &mut || Ok(()))?;
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

    fn ask<R: Request>(&mut self, request: &R, limit: Duration) -> Result<R::Answer, LabError> {
        let limit = limit + self.iteration_limit;
        ask(&mut self.jvm, &mut self.map, request, limit, &mut || Ok(()))
    }

    /// Runs so long (and at least eight iterations) with random numbers of turns up to `most` in all sites, most of the
    /// time at rest.
    ///
    /// # Errors
    /// When the workload fails or an iteration does not end.
    pub fn exercise(&mut self, seconds: f64, most: u16) -> Result<(), LabError> {
        let limit = Duration::from_secs_f64(seconds) + self.iteration_limit * 8;
        self.ask(&DoseExercise { seconds, most }, limit).map(drop)
    }

    /// Runs with all sites at rest until compilers and iteration times do so too, at least and at most so many seconds.
    ///
    /// # Errors
    /// When the workload fails or an iteration does not end.
    pub fn warm_up(&mut self, least_s: f64, most_s: f64) -> Result<WarmUp, LabError> {
        let limit = Duration::from_secs_f64(most_s);
        self.ask(&DoseWarmUp { least_s, most_s }, limit)
    }

    /// Runs so long, and at least `least` iterations after `discard` others, with one site making so many turns. A
    /// profiler files it under the label, if there is one.
    ///
    /// # Errors
    /// When the workload, the profiler or the JVM fails.
    pub fn window(
        &mut self,
        label: &str,
        dose: Option<(u16, u16)>,
        seconds: f64,
        least: u32,
    ) -> Result<DosedWindow, LabError> {
        let request = DoseWindow {
            label,
            seconds,
            least,
            discard: 1,
            site: dose.map(|(site, _)| site),
            turns: dose.map_or(0, |(_, turns)| turns),
        };
        let limit =
            Duration::from_secs_f64(seconds) + limits::ANSWER + self.iteration_limit * (least + 1);
        let window = self.ask(&request, limit)?;
        Ok(DosedWindow {
            begin_ns: window.begin_ns,
            end_ns: window.end_ns,
            together: window.together,
            iterations: window.iterations,
        })
    }

    /// How often every site that counts is reached, in each of so many iterations of the workload.
    ///
    /// # Errors
    /// When the workload fails or an iteration does not end.
    pub fn count(&mut self, iterations: u32) -> Result<Vec<Vec<u32>>, LabError> {
        let limit = limits::ANSWER + self.iteration_limit * iterations;
        self.ask(&DoseCount { iterations }, limit)
            .map(|answer| answer.counts)
    }

    /// CPU time of the calling thread for so many passes of the harness's loop, with its site at work, ns.
    ///
    /// # Errors
    /// When the JVM fails.
    pub fn turns(&mut self, turns: DoseTurns) -> Result<u64, LabError> {
        self.ask(&turns, limits::ANSWER).map(|answer| answer.cpu_ns)
    }

    /// Starts a profiler inside the JVM; windows with a label are profiled from now on.
    pub fn start_profiler(&mut self, profiler: InsideProfiler) -> Result<(), LabError> {
        self.ask(&ProfilerStart { profiler }, limits::ANSWER)
            .map(drop)
    }

    /// Writes what it has so far, if it does not do so window by window.
    pub fn dump_profiler(&mut self, file: &Path) -> Result<(), LabError> {
        let file = path_word(file);
        self.ask(&ProfilerDump { file }, limits::ANSWER).map(drop)
    }

    /// Stops it; what it still holds goes to `file`.
    pub fn stop_profiler(&mut self, file: &Path) -> Result<(), LabError> {
        let file = path_word(file);
        self.ask(&ProfilerStop { file }, limits::ANSWER).map(drop)
    }

    /// Ends the JVM.
    pub fn stop(self) {
        self.jvm.stop(limits::END);
    }
}
