//! What clock and profiler say of the windows of one process.

use std::collections::BTreeMap;

use proofmark_stats::median;
use serde::Serialize;

use super::lab::DosedWindow;
use super::measure::Run;
use super::report::SiteReport;
use crate::dose::{Level, Planned, Window};
use crate::lab::ProfiledWindow;

/// A window that ran.
pub(super) struct Ran {
    /// The set of sites whose gates were open; none where all were closed.
    pub(super) open: Option<usize>,
    pub(super) planned: Planned,
    pub(super) window: DosedWindow,
}

impl Ran {
    /// Whether no site made a turn, and those of this set had their gates open; or none had.
    pub(super) fn rests(&self, set: Option<usize>) -> bool {
        self.planned.level == Level::Rest && self.open == set
    }
}

/// A window as it is kept.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct KeptWindow {
    /// Number of the set of sites whose gates were open; null where all were closed.
    pub set: Option<usize>,
    /// Number of the site that made turns; null where none did.
    pub site: Option<usize>,
    /// The site's dose.
    pub level: Level,
    /// What clock and profiler say of it.
    #[serde(flatten)]
    pub window: Window,
}

/// All windows of a process, to be kept.
pub(super) fn kept(
    ran: &[Ran],
    reported: &[ProfiledWindow],
    report: &SiteReport,
) -> Vec<KeptWindow> {
    let all = ran.iter().zip(reported);
    all.map(|(ran, reported)| KeptWindow {
        set: ran.open,
        site: ran.planned.site,
        level: ran.planned.level,
        window: joined(ran, reported, report, &[]),
    })
    .collect()
}

/// What clock and profiler say of a window. `lines` are those of its site, each with its method's name.
pub(super) fn joined(
    ran: &Ran,
    reported: &ProfiledWindow,
    report: &SiteReport,
    lines: &[(String, u32)],
) -> Window {
    let all = reported.lines.iter();
    let at_line = all.filter(|((method, line), _)| {
        let name = format!("{}.{}", method.class, method.name);
        lines.iter().any(|one| one.0 == name && one.1 == *line)
    });
    let known = !reported.lines.is_empty() && !lines.is_empty();
    Window {
        iteration_ns: ran.window.mean_ns(),
        cpu_ns: 1e9 * ran.window.cpu_s(),
        methods: counts(reported),
        at_line: known.then(|| at_line.map(|(_, weight)| weight).sum()),
        other: reported.native + reported.unattributed,
        void: report.compiled_within(ran.window.begin_ns, ran.window.end_ns),
    }
}

/// Samples of each method; overloads are one.
pub(super) fn counts(window: &ProfiledWindow) -> BTreeMap<String, f64> {
    let mut all = BTreeMap::new();
    for (method, count) in &window.methods {
        let name = format!("{}.{}", method.class, method.name);
        *all.entry(name).or_insert(0.0) += count;
    }
    all
}

/// Mean CPU time of an iteration over windows, ns.
fn mean_of<'r>(all: impl Iterator<Item = &'r Ran>) -> Option<f64> {
    let times: Vec<f64> = all.map(|one| one.window.mean_ns()).collect();
    (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64)
}

/// Samples of a window, those in no Java method too.
pub(super) fn samples(window: &ProfiledWindow) -> f64 {
    window.methods.values().sum::<f64>() + window.native + window.unattributed
}

/// Of each window with all gates closed, how many threads had CPU time and the part that the busiest had.
pub(super) fn threads_at_rest(runs: &[Run]) -> Vec<(u32, f64)> {
    let all = runs.iter().flat_map(|run| &run.ran);
    let rest = all.filter(|one| one.rests(None));
    rest.map(|one| one.window.threads()).collect()
}

/// CPU time of an iteration in each window with all gates closed, as a part of the usual one in its process; without windows in which
/// methods with sites were compiled.
pub(super) fn rest_parts(runs: &[Run]) -> Vec<f64> {
    let of_run = |run: &Run| -> Vec<f64> {
        let compiled = |one: &DosedWindow| run.report.compiled_within(one.begin_ns, one.end_ns);
        let rest = run.ran.iter().filter(|one| one.rests(None));
        let rest = rest.filter(|one| !compiled(&one.window));
        let times = rest.map(|one| one.window.mean_ns() / f64::from(one.window.together));
        let times: Vec<f64> = times.collect();
        let usual = median(&times).filter(|usual| *usual > 0.0);
        let part = |usual: f64| -> Vec<f64> { times.iter().map(|time| time / usual).collect() };
        usual.map(part).unwrap_or_default()
    };
    runs.iter().flat_map(of_run).collect()
}

/// By how much a site, with those of its set, slows the program when their gates are open, without a turn, as a part of the
/// program's time: the mean over processes.
pub(super) fn slower(runs: &[&Run], site: usize) -> Option<f64> {
    let of_run = |run: &&Run| {
        let mean = |set| mean_of(run.ran.iter().filter(|one| one.rests(set)));
        Some(mean(Some(run.sets[site]))? / mean(None)? - 1.0)
    };
    let all: Vec<f64> = runs.iter().filter_map(of_run).collect();
    (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
}

/// Samples of threads that are not the program's, % of all that were taken.
pub(super) fn others_pct(runs: &[Run]) -> f64 {
    let all = || runs.iter().flat_map(|run| &run.reported);
    let others: f64 = all().map(|one| one.other_threads).sum();
    let own: f64 = all().map(samples).sum();
    100.0 * others / (others + own).max(f64::MIN_POSITIVE)
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

/// What clock and profiler say of the windows at rest, with all gates closed or those of a site's set open; with several processes
/// all of one are one window, because shares differ from process to process.
pub(super) fn rest_windows(runs: &[&Run], site: Option<usize>) -> Vec<Window> {
    let of_run = |run: &Run| {
        let set = site.map(|site| run.sets[site]);
        let rest = run.ran.iter().zip(&run.reported);
        let rest = rest.filter(|(ran, _)| ran.rests(set));
        let window = |(ran, reported)| joined(ran, reported, &run.report, &[]);
        rest.map(window).collect::<Vec<Window>>()
    };
    match runs {
        [one] => of_run(one),
        several => several.iter().map(|run| summed(of_run(run))).collect(),
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::dose::sites::pace::SiteRounds;
    use crate::dose::sites::report::Compilation;

    /// A window of two iterations of that time, ns, which began then.
    pub fn window((begin_ns, time): (u64, u64), open: Option<usize>, level: Level) -> Ran {
        Ran {
            open,
            planned: Planned { site: None, level },
            window: DosedWindow {
                begin_ns,
                end_ns: begin_ns + 2 * time,
                together: 1,
                iterations: vec![(begin_ns, begin_ns + time, time); 2],
                busy_threads: 1,
                busiest_ns: 2 * time,
                step_ns: None,
            },
        }
    }

    /// A process twice as fast as another is no restless one.
    #[test]
    fn windows_at_rest_are_compared_with_those_of_their_process() {
        let second = 1_000_000_000;
        let run = |speed: u64| {
            let at_rest =
                |at: u64, time: u64| window((at * second, time * speed), None, Level::Rest);
            Run {
                number: 0,
                rows: Vec::new(),
                sets: Vec::new(),
                doses: Vec::new(),
                ran: vec![
                    at_rest(1, 100),
                    at_rest(2, 80),
                    at_rest(3, 130),
                    // A method with a site was compiled meanwhile.
                    at_rest(9, 900),
                    window((4 * second, 700), Some(0), Level::Rest),
                    window((5 * second, 800), None, Level::High),
                ],
                reported: Vec::new(),
                report: SiteReport {
                    compiled: vec![Compilation {
                        ns: 9 * second + 1,
                        inside: [0].into(),
                        inlined: [].into(),
                        revealed: [].into(),
                    }],
                    ..SiteReport::default()
                },
                rounds: SiteRounds::default(),
            }
        };
        let parts = rest_parts(&[run(1), run(2)]);
        assert_eq!(parts, [1.0, 0.8, 1.3, 1.0, 0.8, 1.3]);
    }
}
