//! What counting says in the processes of profilers, whose windows are timed anyway: only the time of a step is read beside them.

use proofmark_rules::DOSE_COUNTED_JVMS;
use proofmark_stats::Estimate;

use super::clock::StepClock;
use super::counted::by_others;
use super::lab::WantedSite;
use super::measure::Run;
use super::runs::Processes;
use super::tune::Tuned;
use super::windows::Ran;
use crate::dose::counted_jvms::{Counted, CountedUnder};
use crate::dose::{Level, Planned, Timed, by_count};

/// The sites of a process with a profiler, with their gates, and the clock behind them where counting says anything of any and so many
/// processes are enough to count: the one without a profiler, and those of all profilers but one. Readings take 16 ms a window.
pub(super) fn sites(tuned: &[Tuned], jvms: usize) -> (Vec<WantedSite>, Option<StepClock>) {
    let mut sites: Vec<WantedSite> = tuned.iter().map(Tuned::gated).collect();
    let counted = tuned.iter().any(|one| one.by_count.is_some());
    let counted = counted && jvms >= DOSE_COUNTED_JVMS;
    let clock = counted.then(|| StepClock::behind(&sites));
    sites.extend(clock.map(StepClock::site));
    (sites, clock)
}

/// What counting says in the processes of profilers beside what it says without one.
pub(super) struct CountedThere {
    /// Of each profiler, by its place: the sites with what is right for it, which its own processes have no part in.
    pub(super) judged: Vec<Vec<Tuned>>,
    /// What is to be said of profilers that do not count.
    pub(super) remark: Option<String>,
}

/// Takes what counting says over all processes, of each site and so of those that it does not know.
pub(super) fn counted(tuned: &mut [Tuned], processes: &Processes<'_>) -> CountedThere {
    let plain: Vec<Option<Estimate>> = tuned.iter().map(|one| one.by_count).collect();
    let under = processes.profilers.iter().zip(&processes.runs);
    let under = under.map(|(profiler, runs)| CountedUnder {
        profiler: (*profiler).clone(),
        jvms: runs.good.iter().map(|run| in_run(tuned, run)).collect(),
    });
    let under: Vec<CountedUnder> = under.collect();
    let judged = (processes.profilers.iter())
        .map(|profiler| with(tuned, &Counted::without(profiler, &plain, &under)))
        .collect();
    let over = Counted::over(&plain, &under);
    for (one, site) in tuned.iter_mut().zip(&over.sites) {
        one.by_count = site.map(|(part, _)| part);
        one.counted_in = site.map_or(0, |(_, jvms)| jvms);
    }
    by_others(tuned);
    CountedThere {
        judged,
        remark: over.remark(),
    }
}

/// These sites, where counting says that.
fn with(tuned: &[Tuned], parts: &[Option<Estimate>]) -> Vec<Tuned> {
    let of = |(one, part): (&Tuned, &Option<Estimate>)| Tuned {
        by_count: *part,
        ..one.clone()
    };
    let mut all: Vec<Tuned> = tuned.iter().zip(parts).map(of).collect();
    by_others(&mut all);
    all
}

/// What counting says of each site in a process.
fn in_run(tuned: &[Tuned], run: &Run) -> Vec<Option<Estimate>> {
    tuned.iter().enumerate().map(|one| part(one, run)).collect()
}

/// What counting says of a site in a process, by its pairs of windows; none where the clock was not read beside them.
fn part((site, one): (usize, &Tuned), run: &Run) -> Option<Estimate> {
    let (executions, doses) = (one.executions?, run.doses.get(site).copied().flatten()?);
    let arm = |level: Level| {
        let planned = Planned {
            site: Some(site),
            level,
        };
        let all = run.ran.iter().filter(move |ran| ran.planned == planned);
        all.map(move |ran| timed(run, ran))
    };
    let pairs = arm(Level::Low).zip(arm(Level::High));
    let pairs = pairs.filter_map(|(low, high)| Some((low?, high?)));
    let pairs: Vec<(Timed, Timed)> = pairs.collect();
    let steps = f64::from(doses.high - doses.low) * f64::from(one.steps);
    by_count(&pairs, executions * steps)
}

/// Times of a window in which no method with a site was compiled, of one iteration of the workload.
fn timed(run: &Run, ran: &Ran) -> Option<Timed> {
    let window = &ran.window;
    let compiled = run.report.compiled_within(window.begin_ns, window.end_ns);
    Some(Timed {
        iteration_ns: window.mean_ns() / f64::from(window.together),
        step_ns: window.step_ns.filter(|step| *step > 0.0 && !compiled)?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::Doses;
    use crate::dose::sites::pace::SiteRounds;
    use crate::dose::sites::report::{Compilation, SiteReport};
    use crate::dose::sites::together::tests::site;
    use crate::dose::sites::windows::tests::window;

    /// A process with windows of a site under both doses: times of two iterations of the workload each, and of a step.
    fn run(windows: &[[f64; 4]]) -> Run {
        let of = |(at, (time, step_ns), level): (u64, (f64, f64), Level)| {
            let mut ran = window((1_000_000_000 * at, 2 * time as u64), Some(0), level);
            ran.planned.site = Some(0);
            ran.window.together = 2;
            ran.window.step_ns = Some(step_ns);
            ran
        };
        let pairs = (0..).zip(windows);
        let ran = pairs.flat_map(|(at, [low, low_step, high, high_step])| {
            [
                of((2 * at, (*low, *low_step), Level::Low)),
                of((2 * at + 1, (*high, *high_step), Level::High)),
            ]
        });
        Run {
            number: 0,
            rows: Vec::new(),
            sets: vec![0],
            doses: vec![Some(Doses {
                low: 2,
                high: 12,
                growth: [0.5, 9.0],
            })],
            ran: ran.collect(),
            reported: Vec::new(),
            report: SiteReport::default(),
            rounds: SiteRounds::default(),
        }
    }

    #[test]
    fn the_clock_is_there_where_enough_processes_count() {
        let known = Tuned {
            by_count: Some(Estimate::around(1.0, 0.02, 9)),
            ..site(0.1)
        };
        let there = |one: &Tuned, jvms| {
            let (sites, clock) = sites(std::slice::from_ref(one), jvms);
            assert_eq!(sites.len(), 1 + usize::from(clock.is_some()));
            clock.is_some()
        };
        assert!(there(&known, DOSE_COUNTED_JVMS));
        assert!(!there(&known, DOSE_COUNTED_JVMS - 1));
        assert!(!there(&site(0.1), DOSE_COUNTED_JVMS));
    }

    /// A hundred passes, ten turns more of 32 steps: 32,000 steps.
    #[test]
    fn times_are_taken_in_steps_of_their_moment() {
        let tuned = |executions| Tuned {
            steps: 32,
            executions,
            ..site(0.1)
        };
        let one = tuned(Some(100.0));
        let of = |windows: &[[f64; 4]]| part((0, &one), &run(windows));
        let mut windows = [
            [10_000.0, 1.0, 42_000.0, 1.0],
            // The machine is slower by a half, and then from one window to the next.
            [15_000.0, 1.5, 63_000.0, 1.5],
            [10_000.0, 1.0, 63_000.0, 1.5],
        ];
        let found = of(&windows).expect("counted");
        assert!(
            (found.value - 1.0).abs() < 1e-9 && found.n == 3,
            "{found:?}"
        );
        // Windows without a step's time say nothing.
        windows[0][1] = 0.0;
        assert_eq!(of(&windows).map(|part| part.n), Some(2));
        windows[1][3] = 0.0;
        assert_eq!(of(&windows), None);
        assert_eq!(part((0, &tuned(None)), &run(&windows)), None);
    }

    /// As above; in the first low window code with a site is compiled, which takes time.
    #[test]
    fn a_window_in_which_code_is_compiled_does_not_count_nor_does_its_pair() {
        let one = Tuned {
            steps: 32,
            executions: Some(100.0),
            ..site(0.1)
        };
        let mut ran = run(&[
            [30_000.0, 1.0, 50_000.0, 1.0],
            [10_000.0, 1.0, 42_000.0, 1.0],
            [20_000.0, 1.0, 52_000.0, 1.0],
        ]);
        ran.report.compiled.push(Compilation {
            ns: 1,
            inside: [0].into(),
            inlined: [].into(),
            revealed: [].into(),
        });
        let found = part((0, &one), &ran).expect("counted");
        assert!(
            (found.value - 1.0).abs() < 1e-9 && found.n == 2,
            "{found:?}"
        );
    }
}
