//! A directory that `study run` made.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use anyhow::Context as _;
use proofmark_profile::{Options, Profile, import};
use proofmark_stats::median;
use proofmark_study::{
    MANIFEST, NO_PROFILER, Recording, RunRecord, RunThread, Taking, read_manifest, recording,
};

use super::reading::Reading;
use super::thread::has_thread;
use crate::progress::Progress;
use crate::read::whole;

/// Reads every run that the manifest names; failed runs, unreadable recordings and those in which nothing counts are left
/// out and said.
///
/// # Errors
/// When the manifest cannot be read.
pub(super) fn read(
    directory: &Path,
    taking: &Taking,
    progress: &Progress,
) -> anyhow::Result<Reading> {
    let path = directory.join(MANIFEST);
    let runs = read_manifest(&whole(&path)?).with_context(|| path.display().to_string())?;
    let mut out = Reading::default();
    out.remarks.extend(missing_runs(directory, &runs));
    let all = runs.len();
    for (at, run) in runs.iter().enumerate() {
        let name = format!("run {} of {} under {}", run.run, run.program, run.profiler);
        progress.step(&format!("reading {} of {all}: {name}", at + 1));
        if let Some(failure) = &run.failure {
            out.remarks
                .push(format!("Left out: {name} failed: {failure}."));
        } else if run.profiler == NO_PROFILER {
            let time = median(&run.iterations_ms);
            out.unprofiled
                .extend(time.map(|ms| (run.program.clone(), ms)));
        } else {
            match one(directory, run, taking) {
                Ok((recording, profile)) => {
                    out.keep(&name, recording, &profile, taking);
                }
                Err(error) => out.remarks.push(format!("Left out: {name}: {error:#}.")),
            }
        }
    }
    Ok(out)
}

/// What a study that was interrupted, or whose list is cut off, does not have.
fn missing_runs(directory: &Path, runs: &[RunRecord]) -> Option<String> {
    let set = |name: fn(&RunRecord) -> &String| runs.iter().map(name).collect::<BTreeSet<_>>();
    let mut counts: BTreeMap<(&String, &String), usize> = BTreeMap::new();
    for run in runs {
        *counts.entry((&run.program, &run.profiler)).or_default() += 1;
    }
    let most = counts.values().copied().max()?;
    let cells = set(|run| &run.program).into_iter().flat_map(|program| {
        set(|run| &run.profiler)
            .into_iter()
            .map(move |p| (program, p))
    });
    let fewer: Vec<String> = cells
        .filter_map(|cell| {
            let made = counts.get(&cell).copied().unwrap_or(0);
            (made < most).then(|| format!("{} under {} {made} of {most}", cell.0, cell.1))
        })
        .collect();
    let first = fewer.first()?;
    Some(format!(
        "{} is not finished: {first} runs{}; the same `study run` with --out goes on with it.",
        directory.display(),
        match fewer.len() - 1 {
            0 => String::new(),
            more => format!(" and fewer of {more} more"),
        }
    ))
}

fn one(directory: &Path, run: &RunRecord, taking: &Taking) -> anyhow::Result<(Recording, Profile)> {
    let beside = |name: &Option<String>| -> anyhow::Result<Option<Vec<u8>>> {
        let name = name.as_ref();
        name.map(|name| whole(&directory.join(name))).transpose()
    };
    let file = run
        .file
        .as_ref()
        .context("the manifest names no recording")?;
    let options = Options {
        interval_ns: run.interval_ns,
        perf_map: beside(&run.perf_map)?,
        jitdump: beside(&run.jitdump)?,
        ..Options::default()
    };
    let profile = import(&whole(&directory.join(file))?, &options)?;
    has_thread(&profile, taking)?;
    let of_run = RunThread {
        os_id: run.thread_os_id,
        name: run.thread_name.clone(),
    };
    let taking = Taking {
        thread: taking.thread.clone().or(Some(of_run)),
        native: taking.native,
    };
    let recording = Recording {
        iteration_ms: median(&run.iterations_ms),
        ..recording(&run.program, &run.profiler, &profile, &taking)
    };
    Ok((recording, profile))
}
