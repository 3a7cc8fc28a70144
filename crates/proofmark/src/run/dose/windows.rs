//! What clock and profiler say of the windows of one JVM.

use std::path::Path;

use proofmark_experiment::dose::{Level, Planned, Window};
use proofmark_experiment::lab::ProfiledWindow;
use proofmark_jvm::LabError;
use proofmark_jvm::dose::{AgentReport, DosedWindow};
use serde::Serialize;

use super::choose::counts;
use super::measure::Run;
use super::session::mean_ns;

/// A window that ran.
pub(super) struct Ran {
    pub(super) planned: Planned,
    pub(super) window: DosedWindow,
}

/// A window as it is kept.
#[derive(Serialize)]
struct Kept {
    site: Option<usize>,
    level: Level,
    #[serde(flatten)]
    window: Window,
}

/// Writes all windows of a JVM down, beside its profiler's own files.
pub(super) fn keep(
    file: &Path,
    ran: &[Ran],
    reported: &[ProfiledWindow],
    report: &AgentReport,
) -> Result<(), LabError> {
    let all = ran.iter().zip(reported);
    let all: Vec<Kept> = all
        .map(|(ran, reported)| Kept {
            site: ran.planned.site,
            level: ran.planned.level,
            window: joined(ran, reported, report, &[]),
        })
        .collect();
    let text = serde_json::to_vec(&all).map_err(std::io::Error::from);
    let written = text.and_then(|text| std::fs::write(file, text));
    written.map_err(LabError::io(format!("cannot write {}", file.display())))
}

/// What clock and profiler say of a window. `lines` are those of its site, each with its method's name.
pub(super) fn joined(
    ran: &Ran,
    reported: &ProfiledWindow,
    report: &AgentReport,
    lines: &[(String, u32)],
) -> Window {
    let all = reported.lines.iter();
    let at_line = all.filter(|((method, line), _)| {
        let name = format!("{}.{}", method.class, method.name);
        lines.iter().any(|one| one.0 == name && one.1 == *line)
    });
    let known = !reported.lines.is_empty() && !lines.is_empty();
    Window {
        iteration_ns: mean_ns(&ran.window),
        cpu_ns: 1e9 * cpu_s(ran),
        methods: counts(reported),
        at_line: known.then(|| at_line.map(|(_, weight)| weight).sum()),
        other: reported.native + reported.unattributed,
        void: report.compiled_within(ran.window.begin_ns, ran.window.end_ns),
    }
}

/// Mean CPU time of an iteration over windows, ns.
pub(super) fn mean_of<'r>(all: impl Iterator<Item = &'r Ran>) -> Option<f64> {
    let times: Vec<f64> = all.map(|one| mean_ns(&one.window)).collect();
    (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64)
}

/// CPU time of a window, s.
pub(super) fn cpu_s(ran: &Ran) -> f64 {
    let all = ran.window.iterations.iter().map(|(_, _, cpu)| *cpu as f64);
    all.sum::<f64>() / 1e9
}

/// Samples of a window, those in no Java method too.
pub(super) fn samples(window: &ProfiledWindow) -> f64 {
    window.methods.values().sum::<f64>() + window.native + window.unattributed
}

/// The samples of all windows in one.
fn summed(windows: Vec<Window>) -> Window {
    let mut sum = Window::default();
    for window in windows {
        for (method, samples) in window.methods {
            *sum.methods.entry(method).or_default() += samples;
        }
        sum.other += window.other;
    }
    sum
}

/// What clock and profiler say of the windows at rest; with several JVMs all of one JVM is one window, because shares
/// differ from JVM to JVM.
pub(super) fn rest_windows(runs: &[Run]) -> Vec<Window> {
    let of_run = |run: &Run| {
        let rest = run.ran.iter().zip(&run.reported);
        let rest = rest.filter(|(ran, _)| ran.planned.level == Level::Rest);
        let window = |(ran, reported)| joined(ran, reported, &run.report, &[]);
        rest.map(window).collect::<Vec<Window>>()
    };
    match runs {
        [one] => of_run(one),
        several => several.iter().map(|run| summed(of_run(run))).collect(),
    }
}
