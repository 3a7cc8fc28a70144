//! One run of a study: a JVM of its own, at most one profiler, iterations from a cold start.
//!
//! The program runs as its users compile it: C2 with the usual tiers. The harness repeats it and tells the time of every
//! iteration. Profilers that the JVM or the harness can start see the iterations and nothing else; agents of other makers
//! see the JVM from its start to its end.

mod agent;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::error::LabError;
use crate::harness::{HarnessClient, Start, WindowOrder};
use crate::launch::{Compiler, Launch};
use crate::profilers::{ProfilerSession, ProfilerSpec};
use crate::toolchain::Kit;
use crate::warm::Instruments;
use crate::workload::Workload;
use proofmark_experiment::lab::Iteration;

pub use crate::profilers::perf::problem as perf_problem;
pub use crate::profilers::recording::Recording;
pub use agent::Agent;

/// Under this name profilers file the iterations.
pub(crate) const LABEL: &str = "run";

/// What watches a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Attachment {
    /// Nothing: the run is there for its times.
    Nothing,
    /// A profiler that Proofmark knows how to start and read.
    Profiler(ProfilerSpec),
    /// Somebody's agent, loaded when the JVM starts.
    Agent(Agent),
}

/// One run, as it is wanted.
#[derive(Debug, Clone)]
pub struct RunOrder<'a> {
    /// The program.
    pub workload: &'a Workload,
    /// What watches it.
    pub attachment: &'a Attachment,
    /// The compiler of hot code.
    pub compiler: Compiler,
    /// Heap in MB, fixed and touched beforehand.
    pub heap_mb: u32,
    /// Iterations.
    pub iterations: u32,
    /// Bytes by which the environment is made larger.
    pub env_bytes: u64,
    /// Longest that one iteration may take.
    pub iteration_limit: Duration,
    /// Longest that all iterations may take.
    pub run_limit: Duration,
    /// An empty directory for the files of this run.
    pub directory: &'a Path,
    /// Where the JVM's output goes.
    pub log: &'a Path,
    /// Whether all threads of the JVM are profiled, where the profiler leaves a choice; else the workload's only.
    pub all_threads: bool,
    /// Set when the user wants to stop.
    pub interrupted: Arc<AtomicBool>,
}

/// What a run gave.
#[derive(Debug, Clone)]
pub struct RunOutcome {
    /// Elapsed time of every iteration, ms, in order.
    pub iterations_ms: Vec<f64>,
    /// The operating system's id of the thread that ran the program.
    pub thread_os_id: i64,
    /// Its Java name.
    pub thread_name: String,
    /// What the profiler left; none without one.
    pub recording: Option<Recording>,
}

/// Does one run from the start of its JVM to its end.
///
/// # Errors
/// When the JVM, the program or the profiler fails or takes longer than allowed, and when the user interrupts.
pub fn run(kit: &Kit, order: &RunOrder<'_>) -> Result<RunOutcome, LabError> {
    let launch = launch(order);
    let start = Start {
        workload: order.workload,
        launch: &launch,
        // Nothing of the laboratory is used here, so that the harness need not know of Graal.
        laboratory: false,
        log: order.log,
        iteration_limit: order.iteration_limit,
        interrupted: order.interrupted.clone(),
    };
    let client = HarnessClient::start(kit, start)?;
    let hello = client.hello().clone();
    let (iterations, recording) = watched(order, client)?;
    Ok(RunOutcome {
        iterations_ms: iterations.iter().map(milliseconds).collect(),
        thread_os_id: i64::from(hello.tid),
        thread_name: hello.thread,
        recording,
    })
}

/// Runs the program to the end of its JVM, and what watches it.
fn watched(
    order: &RunOrder<'_>,
    mut client: HarnessClient,
) -> Result<(Vec<Iteration>, Option<Recording>), LabError> {
    match order.attachment {
        Attachment::Nothing => {
            let iterations = iterate(order, &mut client, &mut ())?;
            client.stop();
            Ok((iterations, None))
        }
        Attachment::Profiler(spec) => {
            let directory = order.directory.to_owned();
            let session = ProfilerSession::start(spec, &mut client, directory)?;
            let mut session = session.of_all_threads(order.all_threads);
            session.next_window(LABEL);
            let iterations = iterate(order, &mut client, &mut session)?;
            let recording = session.recording(&mut client)?;
            client.stop();
            Ok((iterations, Some(recording)))
        }
        Attachment::Agent(agent) => {
            let iterations = iterate(order, &mut client, &mut ())?;
            if !client.stop_writing() {
                return Err(LabError::Unmeasurable(format!(
                    "the JVM did not end with {} loaded",
                    agent.name
                )));
            }
            let file = agent.exported(order.directory)?;
            let perf_map = None;
            Ok((iterations, Some(Recording { file, perf_map })))
        }
    }
}

/// Repeats the program so often as is wanted.
fn iterate(
    order: &RunOrder<'_>,
    client: &mut HarnessClient,
    instruments: &mut dyn Instruments,
) -> Result<Vec<Iteration>, LabError> {
    let window = WindowOrder {
        label: LABEL,
        seconds: 0.0,
        iterations: order.iterations,
        discard: 0,
        groups: &[Vec::new()],
    };
    instruments.begin()?;
    let window = client.window_within(&window, order.run_limit, &mut || Ok(()))?;
    instruments.end()?;
    let groups = window.groups.into_iter();
    Ok(groups.flat_map(|group| group.iterations).collect())
}

fn milliseconds((begin, end, _): &Iteration) -> f64 {
    end.saturating_sub(*begin) as f64 / 1e6
}

fn launch(order: &RunOrder<'_>) -> Launch {
    let mut launch = Launch {
        compiler: order.compiler,
        heap_mb: order.heap_mb,
        padding_bytes: order.env_bytes,
        ..Launch::default()
    };
    match order.attachment {
        Attachment::Nothing => {}
        Attachment::Profiler(spec) => spec.prepare(&mut launch),
        Attachment::Agent(agent) => launch.options.push(agent.option(order.directory)),
    }
    launch.options.push("-XX:-CreateCoredumpOnCrash".to_owned());
    launch
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn iterations_are_elapsed_milliseconds() {
        assert_eq!(milliseconds(&(1_000_000, 3_500_000, 7)), 2.5);
        assert_eq!(milliseconds(&(2, 1, 0)), 0.0);
    }
}
