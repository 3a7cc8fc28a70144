//! One run of a study: a JVM of its own, at most one profiler, iterations from a cold start.
//!
//! The program runs as its users compile it: C2 with the usual tiers. The harness repeats it and tells the time of every
//! iteration. Profilers that the JVM or the harness can start see the iterations and nothing else; agents of other makers
//! see the JVM from its start to its end.

mod agent;
mod attached;
mod host;
mod perf;
mod recording;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::error::LabError;
use crate::launch::{Compiler, Launch};
use crate::profilers::ProfilerSpec;
use crate::toolchain::Kit;
use crate::wire::Iteration;
use crate::workload::Workload;

pub use agent::Agent;
pub use perf::problem as perf_problem;
pub use recording::Recording;

use attached::Attached;
use host::Host;

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
    let mut host = Host::start(kit, order, &launch(order))?;
    let attached = Attached::begin(order, &mut host)?;
    let window = host.iterations(order.iterations, order.run_limit)?;
    let attached = attached.end(&mut host)?;
    let (thread_os_id, thread_name) = (i64::from(host.hello().tid), host.hello().thread.clone());
    let java_ended = host.stop(attached.writes_at_the_end());
    let recording = attached.recording(java_ended)?;
    Ok(RunOutcome {
        iterations_ms: window.iter().map(milliseconds).collect(),
        thread_os_id,
        thread_name,
        recording,
    })
}

fn milliseconds((begin, end, _): &Iteration) -> f64 {
    end.saturating_sub(*begin) as f64 / 1e6
}

fn launch(order: &RunOrder<'_>) -> Launch {
    let mut launch = Launch {
        compiler: order.compiler,
        heap_mb: order.heap_mb,
        ..Launch::default()
    };
    match order.attachment {
        Attachment::Nothing => {}
        Attachment::Profiler(spec) => spec.prepare(&mut launch),
        Attachment::Agent(agent) => launch.options.push(agent.option(order.directory)),
    }
    launch.options.extend([
        format!("-XX:ErrorFile={}", error_file(order.log).display()),
        "-XX:-CreateCoredumpOnCrash".into(),
    ]);
    launch
}

/// Where a crashing JVM writes its report: beside its log.
fn error_file(log: &Path) -> PathBuf {
    log.with_extension("hs_err.log")
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
