//! Which profilers are judged, and how long each needs.

use proofmark_assess::{Request, SAMPLES_PER_CONDITION, Schedule, plan};
use proofmark_jvm::toolchain::Kit;
use proofmark_jvm::{Engine, ProfilerOptions, ProfilerSpec, SpecError, find_perf};

use crate::args::AssessArguments;
use crate::context::{Context, Refusal};

/// Our sampling rate while a profiler is judged, 1/s: costs less than 1 %.
pub const OBSERVE_HZ: f64 = proofmark_sampler::OBSERVE_HZ;
/// Our sampling rate for the oracle, 1/s.
pub const CONTROL_HZ: f64 = proofmark_sampler::SEARCH_HZ;

/// Profilers of the command line; controls are left out, because they always run.
///
/// # Errors
/// When one is unknown or cannot be had.
pub fn specs(context: &Context, arguments: &AssessArguments) -> anyhow::Result<Vec<ProfilerSpec>> {
    let names: Vec<&String> = subjects(arguments).collect();
    let mut options = ProfilerOptions {
        interval_ns: arguments.interval.map(|ms| (ms * 1e6).max(1.0) as u64),
        async_profiler: None,
        perf: find_perf(),
    };
    if names.iter().any(|name| ProfilerSpec::wants_async(name)) {
        options.async_profiler = Some(async_profiler(&context.kit, context, arguments)?);
    }
    let parse = |name: &&String| {
        let spec = ProfilerSpec::parse(name, &options)?;
        spec.check_program()?;
        Ok::<_, SpecError>(spec)
    };
    let specs: Result<_, SpecError> = names.iter().map(parse).collect();
    Ok(specs.map_err(|e| Refusal::Usage(e.to_string()))?)
}

/// Names of the command line without the controls.
pub fn subjects(arguments: &AssessArguments) -> impl Iterator<Item = &String> {
    arguments
        .profiler
        .iter()
        .filter(|name| *name != "oracle" && *name != "safepoint")
}

fn async_profiler(
    kit: &Kit,
    context: &Context,
    arguments: &AssessArguments,
) -> anyhow::Result<(std::path::PathBuf, std::path::PathBuf)> {
    let found = kit.async_profiler(&context.toolchain)?;
    let library = arguments.async_library.clone().unwrap_or(found.lib);
    if !library.is_file() {
        return Err(Refusal::Usage(format!("no such library: {}", library.display())).into());
    }
    if arguments.async_library.is_some() {
        proofmark_jvm::check_agent(&kit.jdk, &library)
            .map_err(|text| Refusal::Usage(format!("--async-library: {text}")))?;
    }
    Ok((found.jar, library))
}

/// How fast samples come and how long windows must be.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// Samples of the profiler per second.
    pub samples_per_s: f64,
    /// Time for all windows, s; none: as long as the rate needs.
    pub budget_s: Option<f64>,
    /// CPU time of an iteration, ms.
    pub iteration_ms: f64,
}

/// Highest rates that JFR reached here with shorter periods, 1/s.
const JFR_HZ: f64 = 400.0;
const JFR_CPU_HZ: f64 = 150.0;
/// Change of conditions, s.
const SWITCH_S: f64 = 0.15;

impl Pace {
    /// The oracle: one of two streams, half of the windows, and four times the time that samples alone would need, because its two
    /// sides never saw the same placements.
    pub fn oracle(iteration_ms: f64) -> Self {
        Pace {
            samples_per_s: CONTROL_HZ / 16.0,
            budget_s: None,
            iteration_ms,
        }
    }

    /// What the profiler's interval promises.
    pub fn of(spec: &ProfilerSpec, budget_s: Option<f64>, iteration_ms: f64) -> Self {
        let asked = 1e9 / spec.interval_ns as f64;
        let samples_per_s = match spec.engine {
            Engine::Jfr => (0.8 * asked).min(JFR_HZ),
            Engine::JfrCpu => (0.8 * asked).min(JFR_CPU_HZ),
            _ => 0.9 * asked,
        };
        Pace {
            samples_per_s,
            budget_s,
            iteration_ms,
        }
    }

    /// Time that all windows need for a clear answer, s.
    pub fn needed_s(&self, uniform: usize, singles: usize) -> f64 {
        // The baseline takes part in every comparison and gets two windows of each block.
        let conditions = (2 + uniform + singles) as f64;
        let least = 10.0 * conditions * self.least_window_s();
        (conditions * SAMPLES_PER_CONDITION / self.samples_per_s * 1.15).max(least * 1.3)
    }

    fn least_window_s(&self) -> f64 {
        (8.0 * self.iteration_ms / 1e3).max(0.5)
    }

    /// Order of windows.
    ///
    /// # Errors
    /// When the budget is too small.
    pub fn schedule(&self, uniform: &[u32], singles: u32, seed: u64) -> anyhow::Result<Schedule> {
        let request = Request {
            uniform_pct: uniform.to_vec(),
            singles,
            budget_s: self
                .budget_s
                .unwrap_or_else(|| self.needed_s(uniform.len(), singles as usize)),
            least_window_s: self.least_window_s(),
            switch_s: SWITCH_S,
            samples_per_s: self.samples_per_s,
            seed,
        };
        plan(&request).map_err(|e| Refusal::Usage(format!("--time-budget: {e}")).into())
    }

    /// Code placements in a window of this length, full turns through all shifts.
    pub fn placements(&self, window_s: f64, shifts: usize) -> usize {
        let each = (3.0 * self.iteration_ms / 1e3).max(0.12);
        let turns = (window_s / each / shifts as f64) as usize;
        turns.clamp(1, 8 / shifts.min(8)) * shifts
    }
}
