//! `perf record` around many windows, and what it reports of each.

use std::process::Command;
use std::sync::atomic::AtomicBool;

use crate::launch::LaunchError;
use crate::recorder::{Sorted, record};
use crate::tool::run;
use crate::windows::{Ran, Runner, Wanted};
use crate::{Program, Reported};

/// How perf looks.
#[derive(Debug, Clone, PartialEq)]
pub struct PerfSettings {
    /// Samples per second.
    pub rate_hz: f64,
    /// Further options of `perf record`, such as `--call-graph dwarf`.
    pub options: Vec<String>,
}

/// Runs windows under one `perf record`.
///
/// # Errors
/// When the program cannot be run, perf fails, or the user wants to stop.
pub fn perf_windows(
    program: &Program,
    runner: &mut Runner,
    wanted: &[Wanted],
    settings: &PerfSettings,
    interrupted: &AtomicBool,
) -> Result<Vec<(Ran, Reported)>, LaunchError> {
    let directory = runner.launch.directory.clone();
    let data = directory.join("perf.data");
    let mut command = Command::new("perf");
    // The clock by which windows begin and end.
    command.args(["record", "-q", "-e", "cpu-clock", "-k", "CLOCK_MONOTONIC"]);
    command.args(["-F", &format!("{:.0}", settings.rate_hz)]);
    command.args(&settings.options).arg("-o").arg(&data);
    let windows = record(runner, wanted, command, interrupted)?;
    let mut script = Command::new("perf");
    script.args(["script", "--no-demangle", "--no-inline", "-G", "--ns"]);
    script.args(["-F", "pid,time,ip,sym,dso", "-i"]).arg(&data);
    let script = run(&mut script, &directory, interrupted)?;
    if !script.status.success() {
        let text = format!("perf script: {}", script.err);
        return Err(LaunchError::Profiler(text));
    }
    let text = String::from_utf8_lossy(&script.out);
    Ok(reported(program, windows, &text))
}

fn reported(program: &Program, mut windows: Sorted, script: &str) -> Vec<(Ran, Reported)> {
    for sample in script.lines().filter_map(Sample::parse) {
        if let Some(window) = windows.window(sample.pid, sample.ns) {
            window.add(program.named(sample.symbol, sample.file), 1.0);
        }
    }
    windows.into_windows()
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

    fn ran(pid: u32, span_ns: [u64; 2], whole: bool) -> Ran {
        Ran {
            stretches: vec![Stretch {
                pid,
                cpu_ns: 1.0,
                iterations: 1,
                span_ns,
                whole,
            }],
            obeyed: 0,
        }
    }

    /// How many samples of `f` each window has. Our own process is 5.
    fn counts(windows: Vec<Ran>, script: &str) -> Vec<f64> {
        let program = Program::without_sites("/tmp/t".as_ref());
        let all = reported(&program, Sorted::new(windows, 5), script);
        all.iter().map(|(_, one)| one.functions["f"]).collect()
    }

    #[test]
    fn samples_outside_of_windows_are_dropped() {
        let script: String = [5, 10, 15, 20, 25, 30, 31]
            .map(|ns| format!("7 0.{ns:09}: 1 f (/tmp/t)\n"))
            .concat()
            + "8 0.000000015: 1 f (/tmp/t)\n";
        let windows = vec![ran(7, [10, 19], false), ran(7, [25, 30], false)];
        assert_eq!(counts(windows, &script), [2.0, 2.0]);
    }

    /// 8 is a child of 7, and 10 is one of 9. 5 is our own process.
    #[test]
    fn samples_of_children_count_while_their_process_runs() {
        let script: String = [
            (7, 9),
            (7, 12),
            (8, 15),
            (5, 16),
            (8, 20),
            (8, 22),
            (5, 23),
            (9, 25),
            (10, 27),
            (10, 31),
        ]
        .map(|(pid, ns)| format!("{pid} 0.{ns:09}: 1 f (/tmp/t)\n"))
        .concat();
        let windows = vec![ran(7, [10, 20], true), ran(9, [25, 30], true)];
        assert_eq!(counts(windows, &script), [3.0, 2.0]);
    }
}
