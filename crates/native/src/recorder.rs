//! Recorders that look at many processes at once (perf, samply): they start a process of ours, which runs the windows.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::Reported;
use crate::launch::{Launch, LaunchError, system};
use crate::windows::{Ran, Runner, Wanted};

/// The command of ours that runs windows under a recorder, with the order's file as its argument.
pub const PERF_WORD: &str = "native-windows";

/// What is to be done under the recorder.
#[derive(Serialize, Deserialize)]
struct Order {
    launch: Launch,
    wanted: Vec<Wanted>,
}

/// What came of it.
#[derive(Serialize, Deserialize)]
struct Done {
    ran: Vec<Ran>,
    launch: Launch,
}

/// Runs windows under a recorder, to whose command our own is added.
///
/// # Errors
/// When the program cannot be run, or the recorder fails.
pub(crate) fn record(
    runner: &mut Runner,
    wanted: &[Wanted],
    mut command: Command,
) -> Result<Vec<Ran>, LaunchError> {
    runner.end()?;
    let launch = &mut runner.launch;
    let [order, done] = ["order.json", "done.json"].map(|name| launch.directory.join(name));
    let text = serde_json::to_vec(&Order {
        launch: launch.clone(),
        wanted: wanted.to_vec(),
    });
    let text = text.map_err(|error| LaunchError::Profiler(error.to_string()))?;
    std::fs::write(&order, text).map_err(system(&order))?;
    let _ = std::fs::remove_file(&done);
    let own = std::env::current_exe().map_err(system(Path::new("proofmark")))?;
    command.arg("--").arg(own).arg(PERF_WORD).arg(&order);
    let name = command.get_program().to_owned();
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(system(Path::new(&name)))?;
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    let Ok(text) = std::fs::read(&done) else {
        let name = name.display();
        return Err(LaunchError::Profiler(format!("{name} record: {said}")));
    };
    let came: Result<Done, String> =
        serde_json::from_slice(&text).map_err(|error| LaunchError::Profiler(error.to_string()))?;
    let came = came.map_err(LaunchError::Profiler)?;
    *launch = came.launch;
    Ok(came.ran)
}

/// The other end: runs the windows of an order, and writes what came of it beside it.
///
/// # Errors
/// When the order cannot be read or the result cannot be written.
pub fn recorded(order: &Path) -> Result<(), LaunchError> {
    let text = std::fs::read(order).map_err(system(order))?;
    let wrong = |error: serde_json::Error| LaunchError::Profiler(error.to_string());
    let Order { launch, wanted } = serde_json::from_slice(&text).map_err(wrong)?;
    let mut runner = Runner::new(launch);
    let ran = runner.windows(&wanted, &AtomicBool::new(false));
    let ran = ran.and_then(|ran| runner.end().map(|()| ran));
    let done: Result<Done, String> = ran
        .map(|ran| Done {
            ran,
            launch: runner.launch,
        })
        .map_err(|error| error.to_string());
    let path = order.with_file_name("done.json");
    let text = serde_json::to_vec(&done).map_err(wrong)?;
    std::fs::write(&path, text).map_err(system(&path))
}

/// Puts each sample into the window that it was taken in. What was taken outside of all (start-up and end of a program that
/// marks its iterations, which the clock does not count either) is dropped.
pub(crate) struct Sorted {
    all: Vec<(Ran, Reported)>,
    /// Stretches of a process, one after another, with their windows. Ids come back after 32,768 processes at the earliest.
    spans: BTreeMap<u32, Vec<([u64; 2], usize)>>,
}

impl Sorted {
    /// Windows without samples.
    pub(crate) fn new(ran: Vec<Ran>) -> Self {
        let mut spans: BTreeMap<u32, Vec<([u64; 2], usize)>> = BTreeMap::new();
        for (at, ran) in ran.iter().enumerate() {
            for one in &ran.stretches {
                let span = one.span_ns.unwrap_or([0, u64::MAX]);
                spans.entry(one.pid).or_default().push((span, at));
            }
        }
        let empty = |ran| (ran, Reported::default());
        Self {
            all: ran.into_iter().map(empty).collect(),
            spans,
        }
    }

    /// What was reported in the window of a process, at a time by `CLOCK_MONOTONIC`; none outside of all.
    pub(crate) fn window(&mut self, pid: u32, ns: u64) -> Option<&mut Reported> {
        let spans = self.spans.get(&pid)?;
        let behind = spans.partition_point(|(span, _)| span[0] <= ns);
        let (span, at) = spans[behind.checked_sub(1)?];
        if ns > span[1] {
            return None;
        }
        Some(&mut self.all[at].1)
    }

    /// The windows with what was reported.
    pub(crate) fn into_windows(self) -> Vec<(Ran, Reported)> {
        self.all
    }
}
