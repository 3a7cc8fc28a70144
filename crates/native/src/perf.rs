//! `perf record` around many windows, and what it reports of each.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicBool;

use serde::{Deserialize, Serialize};

use crate::launch::{Launch, LaunchError, system};
use crate::windows::{Ran, Runner, Wanted};
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
    runner: &mut Runner,
    wanted: &[Wanted],
    settings: &PerfSettings,
) -> Result<Vec<(Ran, Reported)>, LaunchError> {
    runner.end()?;
    let launch = &mut runner.launch;
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
        // The clock by which marked windows begin and end.
        "-k",
        "CLOCK_MONOTONIC",
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
            "--ns",
            "-F",
            "pid,time,ip,sym,dso",
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
    Ok(reported(program, came.ran, &text))
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
fn reported(program: &Program, ran: Vec<Ran>, script: &str) -> Vec<(Ran, Reported)> {
    let mut all: Vec<(Ran, Reported)> = (ran.into_iter())
        .map(|ran| (ran, Reported::default()))
        .collect();
    // Ids come back after 32,768 processes at the earliest.
    let mut spans: BTreeMap<u32, Vec<([u64; 2], usize)>> = BTreeMap::new();
    for (at, (ran, _)) in all.iter().enumerate() {
        for one in &ran.stretches {
            let span = one.span_ns.unwrap_or([0, u64::MAX]);
            spans.entry(one.pid).or_default().push((span, at));
        }
    }
    for sample in script.lines().filter_map(Sample::parse) {
        let Some(spans) = spans.get(&sample.pid) else {
            continue;
        };
        // They follow each other.
        let behind = spans.partition_point(|(span, _)| span[0] <= sample.ns);
        let before = behind.checked_sub(1).map(|at| spans[at]);
        if let Some((_, at)) = before.filter(|(span, _)| sample.ns <= span[1]) {
            all[at]
                .1
                .add(program.named(sample.symbol, sample.file), 1.0);
        }
    }
    all
}

/// `30110  5093.123456789:     55e27e86b068 main (/tmp/t)`
#[derive(Debug, PartialEq)]
struct Sample<'l> {
    pid: u32,
    ns: u64,
    symbol: &'l str,
    file: &'l str,
}

impl<'l> Sample<'l> {
    fn parse(line: &'l str) -> Option<Self> {
        let (pid, rest) = line.trim().split_once(char::is_whitespace)?;
        let (time, rest) = rest.split_once(':')?;
        let (seconds, rest_ns) = time.trim().split_once('.')?;
        let seconds: u64 = seconds.parse().ok()?;
        let (_, rest) = rest.trim_start().split_once(char::is_whitespace)?;
        let (symbol, file) = rest.rsplit_once('(')?;
        Some(Self {
            pid: pid.parse().ok()?,
            ns: seconds.checked_mul(1_000_000_000)? + rest_ns.parse::<u64>().ok()?,
            symbol: symbol.trim(),
            file: file.trim_end().strip_suffix(')')?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::windows::Stretch;

    #[test]
    fn a_line_of_perf_script_is_a_sample() {
        let line = "  30110  5093.000000789:     55e27e86b068 operator() (/tmp/t)";
        let sample = Sample {
            pid: 30110,
            ns: 5_093_000_000_789,
            symbol: "operator()",
            file: "/tmp/t",
        };
        assert_eq!(Sample::parse(line), Some(sample));
        let line = "  30110  5093.000000001:  ffffffff81b6a338 [unknown] ([kernel.kallsyms])";
        let sample = Sample::parse(line).unwrap();
        assert_eq!(
            (sample.ns, sample.symbol, sample.file),
            (5_093_000_000_001, "[unknown]", "[kernel.kallsyms]")
        );
        assert_eq!(Sample::parse("# comment"), None);
        assert_eq!(Sample::parse(""), None);
    }

    #[test]
    fn samples_outside_of_windows_are_dropped() {
        let stretch = |span_ns| Ran {
            stretches: vec![Stretch {
                pid: 7,
                cpu_ns: 1.0,
                iterations: 1,
                span_ns: Some(span_ns),
            }],
            obeyed: 0,
        };
        let script: String = [5, 10, 15, 20, 25, 30, 31]
            .map(|ns| format!("7 0.{ns:09}: 1 f (/tmp/t)\n"))
            .concat()
            + "8 0.000000015: 1 f (/tmp/t)\n";
        let program = Program::without_sites("/tmp/t".as_ref());
        let windows = vec![stretch([10, 19]), stretch([25, 30])];
        let all = reported(&program, windows, &script);
        let counts: Vec<f64> = all.iter().map(|(_, one)| one.functions["f"]).collect();
        assert_eq!(counts, [2.0, 2.0]);
    }
}
