//! The test by dose of a native program: processes under a dose, windows under every profiler, verdicts.
//!
//! | module | what |
//! | --- | --- |
//! | `choose` | which functions: by what each profiler shows, by name |
//! | `tune` | how many turns each site needs, by the clock |
//! | `measure` | windows under one profiler |
//! | `result` | verdicts and the result |

mod choose;
mod measure;
mod result;
mod tune;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use proofmark_native::{
    Launch, LaunchError, PerfSettings, Program, Ran, Reported, Runner, Wanted, callgrind,
    perf_windows,
};

use super::dose::{Tested, nothing_to_test};
use crate::request::NativeRequest;
use crate::session::run_place;
use crate::surroundings::Surroundings;

/// Profilers of native programs.
pub const PROFILERS: [&str; 4] = ["perf", "perf+fp", "perf+dwarf", CALLGRIND];
/// The one that reports instructions.
const CALLGRIND: &str = "callgrind";
/// Samples per second, unless the user says otherwise.
const RATE_HZ: f64 = 5000.0;

/// What is the same for all windows.
struct Session<'s> {
    request: &'s NativeRequest,
    around: &'s Surroundings,
    program: Program,
    runner: Runner,
    directory: PathBuf,
    /// Iterations that callgrind counts together.
    counted: u32,
}

/// Tests the profilers.
///
/// # Errors
/// When the program cannot be run, does not do the same in every run, or no function of it can be tested.
pub fn run(request: &NativeRequest, around: &Surroundings) -> anyhow::Result<Tested> {
    let mut session = Session::begin(request, around)?;
    let mut chosen = choose::chosen(&mut session)?;
    let (tuned, left_out) = tune::tuned(&mut session, &chosen.candidates)?;
    chosen.left_out.extend(left_out);
    if tuned.is_empty() {
        return Err(nothing_to_test("function", &chosen.left_out).into());
    }
    let mut profiled = Vec::new();
    for name in &request.profilers {
        if chosen.failed.contains_key(name) {
            continue;
        }
        match measure::profiled(&mut session, name, &tuned) {
            Ok(one) => profiled.push(one),
            // The profiler was ended with us.
            Err(_) if around.interrupted.load(Ordering::Relaxed) => {
                return Err(LaunchError::Interrupted.into());
            }
            Err(error) => drop(chosen.failed.insert(name.clone(), of_profiler(error)?)),
        }
    }
    let result = result::result(&session, chosen, &tuned, &profiled);
    Tested::write(result, &session.directory)
}

/// What a profiler's failure says; failures of the program are everybody's.
fn of_profiler(error: LaunchError) -> Result<String, LaunchError> {
    match error {
        LaunchError::Profiler(text) => Ok(text),
        LaunchError::System { path, source } if path.components().count() == 1 => {
            Ok(format!("{} cannot be started: {source}", path.display()))
        }
        error => Err(error),
    }
}

impl<'s> Session<'s> {
    fn begin(request: &'s NativeRequest, around: &'s Surroundings) -> anyhow::Result<Self> {
        let program = Program::read(&request.program)?;
        let name = request.program.file_name().unwrap_or_default();
        let label = format!("dose-{}", name.to_string_lossy());
        let directory = run_place(request.out.as_deref(), &label)?.canonicalize()?;
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
        })
    }

    /// Runs a window without a profiler.
    fn unwatched(&mut self, wanted: Wanted) -> Result<Ran, LaunchError> {
        let mut ran = self.runner.windows(&[wanted], &self.around.interrupted)?;
        Ok(ran.pop().unwrap_or_default())
    }

    /// Runs windows under perf.
    fn under_perf(
        &mut self,
        name: &str,
        wanted: &[Wanted],
    ) -> Result<Vec<(Ran, Reported)>, LaunchError> {
        let settings = self.perf(name);
        perf_windows(&self.program, &mut self.runner, wanted, &settings)
    }

    /// Runs a window under callgrind.
    fn under_callgrind(
        &mut self,
        dose: Option<(u64, u32)>,
    ) -> Result<(Ran, Reported), LaunchError> {
        let wanted = (dose, self.counted);
        let interrupted = &self.around.interrupted;
        callgrind(&self.program, &mut self.runner, wanted, interrupted)
    }

    fn say(&self, text: &str) {
        self.around.progress.step(text);
    }

    /// How perf looks under this name.
    fn perf(&self, name: &str) -> PerfSettings {
        let options: &[&str] = match name {
            "perf+fp" => &["--call-graph", "fp"],
            "perf+dwarf" => &["--call-graph", "dwarf,4096"],
            _ => &[],
        };
        PerfSettings {
            rate_hz: self.request.interval_ms.map_or(RATE_HZ, |ms| 1e3 / ms),
            options: options.iter().map(|one| (*one).to_owned()).collect(),
        }
    }
}

/// Shares that profilers report, %, per function.
type Shares = BTreeMap<String, f64>;
