//! The test by dose of a native program: processes under a dose, windows under every profiler, verdicts.
//!
//! | module | what |
//! | --- | --- |
//! | `kinds` | profilers by their names |
//! | `choose` | which functions: by what each profiler shows, by name |
//! | `tune` | how many turns each site needs, by the clock |
//! | `measure` | windows under one profiler |
//! | `result` | verdicts and the result |
//! | `divine` | not the test, but a plan for the blocks of a program with slots |
//! | `manifest` | what the directory of such a search says about itself |
//! | `speedup` | what such a program would gain if functions were faster |
//! | `race` | how often a program fails without and with doses |

mod choose;
pub mod divine;
mod kinds;
pub mod manifest;
mod measure;
pub mod race;
mod result;
pub mod speedup;
mod tune;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use proofmark_experiment::dose::nothing_to_test;
use proofmark_native::{
    Launch, LaunchError, Program, Ran, Reported, Runner, Wanted, callgrind, per_process_windows,
    perf_windows, samply_windows,
};
use proofmark_store::Lock;

use kinds::Kind;
pub use kinds::refused;

use super::dose::Tested;
use crate::context::Refusal;
use crate::request::NativeRequest;
use crate::session::run_place;
use crate::surroundings::Surroundings;

/// The profiler that reports instructions.
const CALLGRIND: &str = "callgrind";

/// What is the same for all windows.
struct Session<'s> {
    request: &'s NativeRequest,
    around: &'s Surroundings,
    program: Program,
    runner: Runner,
    directory: PathBuf,
    /// Iterations that callgrind counts together.
    counted: u32,
    /// The directory, held; the last field, as processes that still run end before it is free.
    lock: Lock,
}

/// Tests the profilers.
///
/// # Errors
/// When the program cannot be run, does not do the same in every run, or no function of it can be tested.
pub fn run(request: &NativeRequest, around: &Surroundings) -> anyhow::Result<Tested> {
    tested(Session::begin(request, around, None)?)
}

/// The same in a directory that is held already.
///
/// # Errors
/// As those of [`run`].
pub fn run_in(
    lock: Lock,
    request: &NativeRequest,
    around: &Surroundings,
) -> anyhow::Result<Tested> {
    tested(Session::begin(request, around, Some(lock))?)
}

fn tested(mut session: Session<'_>) -> anyhow::Result<Tested> {
    let request = session.request;
    let mut chosen = choose::chosen(&mut session)?;
    let (tuned, left_out) = tune::tuned(&mut session, &chosen.candidates)?;
    chosen.left_out.extend(left_out);
    if tuned.is_empty() {
        let text = nothing_to_test("function", &chosen.left_out);
        return Err(Refusal::Cannot(text).into());
    }
    let mut profiled = Vec::new();
    for name in &request.profilers {
        if chosen.failed.contains_key(name) {
            continue;
        }
        match measure::profiled(&mut session, name, &tuned) {
            Ok(one) => profiled.push(one),
            Err(error) => drop(chosen.failed.insert(name.clone(), of_profiler(error)?)),
        }
    }
    let result = result::result(&session, chosen, &tuned, &profiled);
    Tested::write(result, &session.directory, session.lock)
}

/// What a profiler's failure says; failures of the program are everybody's.
fn of_profiler(error: LaunchError) -> Result<String, LaunchError> {
    match error {
        LaunchError::Profiler(text) => Ok(text),
        LaunchError::System { path, source } if path.components().count() == 1 => {
            let brought_by = kinds::brought_by(&path);
            let tool = path.display();
            Ok(format!("{tool} cannot be started: {source}{brought_by}"))
        }
        error => Err(error),
    }
}

impl<'s> Session<'s> {
    /// `held`: the directory, if it is held already; else that of the request, or a new one.
    fn begin(
        request: &'s NativeRequest,
        around: &'s Surroundings,
        held: Option<Lock>,
    ) -> anyhow::Result<Self> {
        let program = Program::read(&request.program)?;
        let name = request.program.file_name().unwrap_or_default();
        let label = format!("dose-{}", name.to_string_lossy());
        let lock = match held {
            Some(lock) => lock,
            None => run_place(request.out.as_deref(), &label)?,
        };
        let directory = lock.directory().canonicalize()?;
        let launch = Launch {
            before: Vec::new(),
            program: request.program.canonicalize()?,
            arguments: request.arguments.clone(),
            directory: directory.clone(),
            most_s: request.process_timeout_s,
            output: None,
            marked: false,
        };
        let runner = Runner::begin(launch, &around.interrupted)?;
        Ok(Self {
            request,
            around,
            program,
            runner,
            directory,
            counted: 1,
            lock,
        })
    }

    /// Runs a window without a profiler.
    fn unwatched(&mut self, wanted: Wanted) -> Result<Ran, LaunchError> {
        let ran = self.runner.windows(&[wanted], &self.around.interrupted);
        Ok(self.unless_stopped(ran)?.pop().unwrap_or_default())
    }

    /// Runs windows under a profiler that shows time.
    fn under(
        &mut self,
        name: &str,
        wanted: &[Wanted],
    ) -> Result<Vec<(Ran, Reported)>, LaunchError> {
        let (program, runner) = (&self.program, &mut self.runner);
        let interrupted = &self.around.interrupted;
        let came = match kinds::kind(name, self.request.interval_ms)? {
            Kind::Perf(settings) => perf_windows(program, runner, wanted, &settings, interrupted),
            Kind::Samply { rate_hz } => {
                samply_windows(program, runner, wanted, rate_hz, interrupted)
            }
            Kind::PerProcess(one) => {
                per_process_windows(program, runner, wanted, &one, interrupted)
            }
        };
        self.unless_stopped(came)
    }

    /// Runs a window under callgrind.
    fn under_callgrind(
        &mut self,
        dose: Option<(u64, u32)>,
    ) -> Result<(Ran, Reported), LaunchError> {
        let wanted = (dose, self.counted);
        let interrupted = &self.around.interrupted;
        let came = callgrind(&self.program, &mut self.runner, wanted, interrupted);
        self.unless_stopped(came)
    }

    /// What came of windows, unless the user wants to stop: program or profiler may have been ended with us then.
    fn unless_stopped<T>(&self, came: Result<T, LaunchError>) -> Result<T, LaunchError> {
        match self.around.interrupted.load(Ordering::Relaxed) {
            true => Err(LaunchError::Interrupted),
            false => came,
        }
    }

    fn say(&self, text: &str) {
        self.around.progress.step(text);
    }
}

/// Shares that profilers report, %, per function.
type Shares = BTreeMap<String, f64>;
