//! `perf record` around many windows, and what it reports of each.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::launch::{Launch, LaunchError, Ran, Wanted, system, windows};
use crate::{Program, Reported};

/// The command of ours that runs windows under `perf record`, with the order's file as its argument.
pub const PERF_WORD: &str = "native-windows";

/// How perf looks.
#[derive(Debug, Clone, PartialEq)]
pub struct PerfSettings {
    /// Samples per second.
    pub rate_hz: f64,
    /// Further options of `perf record`, such as `--call-graph dwarf`.
    pub options: Vec<String>,
}

/// What is to be done under perf.
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

/// Runs windows under one `perf record`.
///
/// # Errors
/// When the program cannot be run, or perf fails.
pub fn perf_windows(
    program: &Program,
    launch: &mut Launch,
    wanted: &[Wanted],
    settings: &PerfSettings,
) -> Result<Vec<(Ran, Reported)>, LaunchError> {
    let directory = launch.directory.clone();
    let [order, done, data] =
        ["order.json", "done.json", "perf.data"].map(|name| directory.join(name));
    let text = serde_json::to_vec(&Order {
        launch: launch.clone(),
        wanted: wanted.to_vec(),
    });
    let text = text.map_err(|error| LaunchError::Profiler(error.to_string()))?;
    std::fs::write(&order, text).map_err(system(&order))?;
    let _ = std::fs::remove_file(&done);
    let own = std::env::current_exe().map_err(system(Path::new("proofmark")))?;
    let mut command = Command::new("perf");
    command.args([
        "record",
        "-q",
        "-e",
        "cpu-clock",
        "-F",
        &format!("{:.0}", settings.rate_hz),
    ]);
    command
        .args(&settings.options)
        .arg("-o")
        .arg(&data)
        .arg("--")
        .arg(own)
        .arg(PERF_WORD)
        .arg(&order);
    let output = command
        .stdin(Stdio::null())
        .output()
        .map_err(system(Path::new("perf")))?;
    let said = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    let Ok(text) = std::fs::read(&done) else {
        return Err(LaunchError::Profiler(format!("perf record: {said}")));
    };
    let came: Result<Done, String> =
        serde_json::from_slice(&text).map_err(|error| LaunchError::Profiler(error.to_string()))?;
    let came = came.map_err(LaunchError::Profiler)?;
    *launch = came.launch;
    let script = Command::new("perf")
        .args([
            "script",
            "--no-demangle",
            "--no-inline",
            "-G",
            "-F",
            "pid,ip,sym,dso",
            "-i",
        ])
        .arg(&data)
        .stdin(Stdio::null())
        .output()
        .map_err(system(Path::new("perf")))?;
    if !script.status.success() {
        let said = String::from_utf8_lossy(&script.stderr).trim().to_owned();
        return Err(LaunchError::Profiler(format!("perf script: {said}")));
    }
    let text = String::from_utf8_lossy(&script.stdout);
    Ok(came.ran.into_iter().zip_reported(program, &text))
}

/// The other end: runs the windows of an order, and writes what came of it beside it.
///
/// # Errors
/// When the order cannot be read or the result cannot be written.
pub fn recorded(order: &Path) -> Result<(), LaunchError> {
    let text = std::fs::read(order).map_err(system(order))?;
    let wrong = |error: serde_json::Error| LaunchError::Profiler(error.to_string());
    let Order { mut launch, wanted } = serde_json::from_slice(&text).map_err(wrong)?;
    let ran = windows(&mut launch, &wanted, &AtomicBool::new(false));
    let done: Result<Done, String> = ran
        .map(|ran| Done { ran, launch })
        .map_err(|error| error.to_string());
    let path = order.with_file_name("done.json");
    let text = serde_json::to_vec(&done).map_err(wrong)?;
    std::fs::write(&path, text).map_err(system(&path))
}

trait ZipReported {
    fn zip_reported(self, program: &Program, script: &str) -> Vec<(Ran, Reported)>;
}

impl<I: Iterator<Item = Ran>> ZipReported for I {
    fn zip_reported(self, program: &Program, script: &str) -> Vec<(Ran, Reported)> {
        let mut all: Vec<(Ran, Reported)> = self.map(|ran| (ran, Reported::default())).collect();
        let mut window_of = BTreeMap::new();
        for (at, (ran, _)) in all.iter().enumerate() {
            // Ids come back after 32,768 processes at the earliest.
            window_of.extend(ran.processes.iter().map(|one| (one.pid, at)));
        }
        for line in script.lines() {
            if let Some((pid, symbol, file)) = sample(line)
                && let Some(at) = window_of.get(&pid)
            {
                all[*at].1.add(program.named(symbol, file), 1.0);
            }
        }
        all
    }
}

/// `30110     55e27e86b068 main (/tmp/t)`
fn sample(line: &str) -> Option<(u32, &str, &str)> {
    let (pid, rest) = line.trim().split_once(char::is_whitespace)?;
    let (_, rest) = rest.trim_start().split_once(char::is_whitespace)?;
    let (symbol, file) = rest.rsplit_once('(')?;
    Some((
        pid.parse().ok()?,
        symbol.trim(),
        file.trim_end().strip_suffix(')')?,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_of_perf_script_is_a_sample() {
        let line = "  30110     55e27e86b068 main (/tmp/t)";
        assert_eq!(sample(line), Some((30110, "main", "/tmp/t")));
        let line = "  30110  ffffffff81b6a338 [unknown] ([kernel.kallsyms])";
        assert_eq!(
            sample(line),
            Some((30110, "[unknown]", "[kernel.kallsyms]"))
        );
        assert_eq!(sample("# comment"), None);
        assert_eq!(sample(""), None);
    }
}
