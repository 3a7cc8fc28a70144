//! From windows under doses to rows and verdicts of everybody who watched.

use proofmark_assess::Condition;

use super::DoseTarget;
use crate::assess::windows::{JvmWindows, in_windows};
use crate::dose::Level;
use crate::dose::blocks::{self, BlockDoses, BlockTarget, Watched, WatchedTarget};

/// Rows and verdicts of everybody whose windows are given; none if nothing was dosed.
#[must_use]
pub fn block_doses<'a>(
    targets: &[DoseTarget],
    seen: impl Iterator<Item = &'a JvmWindows>,
    margin_pt: f64,
) -> Option<BlockDoses> {
    let written = |target: &DoseTarget| BlockTarget {
        method: in_windows(&target.owner),
        label: target.label.clone(),
        blocks: target.blocks,
        share_pct: target.share.scaled(100.0),
        instructions: target.instructions(),
    };
    let all: Vec<BlockTarget> = targets.iter().map(written).collect();
    let watched: Vec<Watched> = seen
        .filter(|windows| windows.failure.is_none())
        .map(|windows| watched(targets, windows))
        .collect();
    (!all.is_empty()).then(|| blocks::block_doses(all, &watched, margin_pt))
}

/// What one profiler, or our own sampler, saw of the doses, run by run.
#[must_use]
pub fn watched(targets: &[DoseTarget], seen: &JvmWindows) -> Watched {
    let all = in_run(targets, seen);
    let runs = seen.runs().into_iter();
    let mut runs = runs.map(|run| in_run(targets, &seen.of_run(run)));
    let Some(first) = runs.next() else {
        return all;
    };
    Watched {
        samples_per_s: all.samples_per_s,
        lost_samples: all.lost_samples,
        further: runs.collect(),
        ..first
    }
}

/// The same of windows of one run.
fn in_run(targets: &[DoseTarget], seen: &JvmWindows) -> Watched {
    let windows = seen.dose_windows();
    let samples: f64 = windows
        .iter()
        .map(|(_, window)| window.other + window.methods.values().sum::<f64>())
        .sum();
    let rest = windows
        .iter()
        .filter(|(condition, _)| *condition == Condition::Baseline);
    let dosed = seen.dosed();
    let of_label = |(index, (_, label)): (usize, &(String, &str))| {
        let target = targets.iter().position(|target| target.label == **label)?;
        let of_target = windows.iter().filter_map(|(condition, window)| {
            let level = level(*condition, index as u32)?;
            Some((level, window.clone()))
        });
        Some(WatchedTarget {
            target,
            instructions: targets[target].most(),
            windows: of_target.collect(),
        })
    };
    Watched {
        name: seen.name.clone(),
        targets: dosed.iter().enumerate().filter_map(of_label).collect(),
        rest: rest.map(|(_, window)| window.clone()).collect(),
        samples_per_s: samples / seen.seconds(),
        lost_samples: seen.lost(),
        further: Vec::new(),
    }
}

fn level(condition: Condition, index: u32) -> Option<Level> {
    match condition {
        Condition::SingleLow(of) if of == index => Some(Level::Low),
        Condition::Single(of) if of == index => Some(Level::High),
        _ => None,
    }
}
