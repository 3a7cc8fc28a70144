//! Recorders that look at many processes at once (perf, samply): they start a process of ours, which runs the windows.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;

use rustix::io::Errno;
use rustix::process::{WaitOptions, getpid, set_child_subreaper, wait};
use serde::{Deserialize, Serialize};

use crate::Reported;
use crate::launch::{Launch, LaunchError, system};
use crate::tied::end_group_with;
use crate::tool::run;
use crate::windows::{Ran, Runner, Wanted};

/// The command of ours that runs windows under a recorder, with the order's file as its argument.
pub const PERF_WORD: &str = "native-windows";

/// What is to be done under the recorder.
#[derive(Serialize, Deserialize)]
struct Order {
    launch: Launch,
    wanted: Vec<Wanted>,
    /// The process that wants it.
    owner: u32,
}

/// What came of it.
#[derive(Serialize, Deserialize)]
struct Done {
    ran: Vec<Ran>,
    launch: Launch,
    /// The process of ours that ran them.
    own: u32,
}

const LEFT: &str = "the program ends before processes that it has started, whose time is in the profile, but not on the clock: let \
     it wait for them";

/// Runs windows under a recorder, to whose command our own is added. They are ready for its samples.
///
/// # Errors
/// When the program cannot be run, the recorder fails, or the user wants to stop.
pub(crate) fn record(
    runner: &mut Runner,
    wanted: &[Wanted],
    mut command: Command,
    interrupted: &AtomicBool,
) -> Result<Sorted, LaunchError> {
    runner.end(interrupted)?;
    let launch = &mut runner.launch;
    let [order, done] = ["order.json", "done.json"].map(|name| launch.directory.join(name));
    let text = serde_json::to_vec(&Order {
        launch: launch.clone(),
        wanted: wanted.to_vec(),
        owner: std::process::id(),
    });
    let text = text.map_err(|error| LaunchError::Profiler(error.to_string()))?;
    std::fs::write(&order, text).map_err(system(&order))?;
    let _ = std::fs::remove_file(&done);
    let own = std::env::current_exe().map_err(system(Path::new("proofmark")))?;
    command.arg("--").arg(own).arg(PERF_WORD).arg(&order);
    let name = command.get_program().to_owned();
    let said = run(&mut command, &launch.directory, interrupted)?;
    let Ok(text) = std::fs::read(&done) else {
        let text = format!("{} record: {}", name.display(), said.err);
        return Err(LaunchError::Profiler(text));
    };
    let came: Result<Done, String> =
        serde_json::from_slice(&text).map_err(|error| LaunchError::Profiler(error.to_string()))?;
    let came = came.map_err(LaunchError::Profiler)?;
    *launch = came.launch;
    Ok(Sorted::new(came.ran, came.own))
}

/// The other end: runs the windows of an order, and writes what came of it beside it. It has the recorder's process group, which
/// ends with whoever gave the order, killed or not.
///
/// # Errors
/// When the order cannot be read or the result cannot be written.
pub fn recorded(order: &Path) -> Result<(), LaunchError> {
    let text = std::fs::read(order).map_err(system(order))?;
    let wrong = |error: serde_json::Error| LaunchError::Profiler(error.to_string());
    let Order {
        launch,
        wanted,
        owner,
    } = serde_json::from_slice(&text).map_err(wrong)?;
    end_group_with(owner).map_err(system(order))?;
    // What the program leaves behind becomes ours when it ends.
    set_child_subreaper(Some(getpid())).map_err(|error| system(order)(error.into()))?;
    let mut runner = Runner::new(launch);
    // Whoever wants to stop ends the whole group.
    let interrupted = AtomicBool::new(false);
    let ran = runner.windows(&wanted, &interrupted);
    let ran = ran.and_then(|ran| runner.end(&interrupted).map(|()| ran));
    let done: Result<Done, String> = match ran {
        Ok(_) if !runner.launch.marked && is_left() => Err(LEFT.into()),
        Ok(ran) => Ok(Done {
            ran,
            launch: runner.launch,
            own: std::process::id(),
        }),
        Err(error) => Err(error.to_string()),
    };
    let path = order.with_file_name("done.json");
    let text = serde_json::to_vec(&done).map_err(wrong)?;
    std::fs::write(&path, text).map_err(system(&path))
}

/// Whether a process is there that the program has started and did not wait for: all of our own have been waited for.
fn is_left() -> bool {
    !matches!(wait(WaitOptions::NOHANG), Err(Errno::CHILD))
}

/// Puts each sample into the window that it was taken in.
///
/// *Accuracy.* Processes run one after another, and nothing else under the recorder but our own, which waits meanwhile. So what
/// was taken during a whole process is of it or of its children, whose time is on its clock too. Of marked iterations only samples
/// of the process itself count, as on their clock. What was taken outside of all (start-up and end of a program that marks its
/// iterations, which the clock does not count either) is dropped.
pub(crate) struct Sorted {
    all: Vec<(Ran, Reported)>,
    /// Stretches with their windows, one after another: of each process that marks its iterations, and of whole ones together.
    spans: BTreeMap<Option<u32>, Vec<([u64; 2], usize)>>,
    /// The last window of each process. Ids come back after 32,768 processes at the earliest.
    processes: BTreeMap<u32, usize>,
    /// Our own process.
    own: u32,
}

impl Sorted {
    /// Windows without samples, which the process `own` of ours ran.
    pub(crate) fn new(ran: Vec<Ran>, own: u32) -> Self {
        let mut spans: BTreeMap<Option<u32>, Vec<([u64; 2], usize)>> = BTreeMap::new();
        let mut processes = BTreeMap::new();
        for (at, ran) in ran.iter().enumerate() {
            for one in &ran.stretches {
                let process = (!one.whole).then_some(one.pid);
                spans.entry(process).or_default().push((one.span_ns, at));
                processes.insert(one.pid, at);
            }
        }
        let empty = |ran| (ran, Reported::default());
        Self {
            all: ran.into_iter().map(empty).collect(),
            spans,
            processes,
            own,
        }
    }

    /// What was reported in the window in which a process was at a time by `CLOCK_MONOTONIC`; none outside of all.
    pub(crate) fn window(&mut self, pid: u32, ns: u64) -> Option<&mut Reported> {
        if pid == self.own {
            return None;
        }
        let at = self.at(Some(pid), ns).or_else(|| self.at(None, ns))?;
        Some(&mut self.all[at].1)
    }

    fn at(&self, process: Option<u32>, ns: u64) -> Option<usize> {
        let spans = self.spans.get(&process)?;
        let behind = spans.partition_point(|(span, _)| span[0] <= ns);
        let (span, at) = spans[behind.checked_sub(1)?];
        (ns <= span[1]).then_some(at)
    }

    /// Whether a process is our own, or one that we started.
    pub(crate) fn knows(&self, pid: u32) -> bool {
        pid == self.own || self.processes.contains_key(&pid)
    }

    /// What was reported in the window of a process that we started, whatever the time.
    pub(crate) fn window_of(&mut self, pid: u32) -> Option<&mut Reported> {
        let at = self.processes.get(&pid)?;
        Some(&mut self.all[*at].1)
    }

    /// The windows with what was reported.
    pub(crate) fn into_windows(self) -> Vec<(Ran, Reported)> {
        self.all
    }
}
