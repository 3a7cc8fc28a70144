//! The processes of a profiler, one after the other: one that fails takes no verdict along, as long as two remain.

use super::lab::SiteLabs;
use super::measure::{Run, one_run};
use super::tune::Tuned;
use super::{Test, of_profiler};
use crate::dose::FailedRun;

/// Processes of a profiler that must remain where some fail: one says nothing of what differs from process to process.
const LEAST_RUNS: usize = 2;

/// The processes of a profiler.
pub(super) struct Runs {
    /// Those that did what they were asked for.
    pub(super) good: Vec<Run>,
    pub(super) failed: Vec<FailedRun>,
    /// So many remain that the profiler is judged.
    pub(super) enough: bool,
}

/// Starts the processes of a profiler one after the other; no more where too few can remain. Failures of the program are
/// errors.
pub(super) fn all_runs<L: SiteLabs>(
    test: &Test<'_, L>,
    profiler: &str,
    tuned: &[Tuned],
) -> Result<Runs, L::Error> {
    let all = test.order.size.runs;
    let least = LEAST_RUNS.min(all);
    let (mut good, mut failed): (Vec<Run>, Vec<FailedRun>) = Default::default();
    for number in 0..all {
        let known = good.first().map(|first| first.doses.clone());
        match one_run(test, (profiler, number), tuned, known.as_deref()) {
            Ok(run) => good.push(run),
            Err(error) => failed.push(FailedRun {
                run: number + 1,
                reason: of_profiler(error)?,
                log: test.labs.log(&process(profiler, number)),
            }),
        }
        if all - failed.len() < least {
            break;
        }
    }
    let enough = good.len() >= least;
    Ok(Runs {
        good,
        failed,
        enough,
    })
}

/// Name of a profiler's process of this number.
pub(super) fn process(profiler: &str, number: usize) -> String {
    match number {
        0 => profiler.to_owned(),
        number => format!("{profiler}-run-{}", number + 1),
    }
}
