//! A/A test: nothing slowed, so every alarm is false.

use crate::between;
use crate::deviation::{Deviation, View};
use crate::largest::largest_error;
use crate::uniform::{both, changed_methods};
use crate::{AaTest, Condition, ProfilerEvidence, Settings, WindowAt};
use proofmark_rules::{AA_DEPENDENCE, AA_LEAST_WINDOWS};
use proofmark_stats::{Confidence, Estimate, clopper_pearson};
use rand::{SeedableRng, seq::SliceRandom};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

/// Compares random halves of the unslowed windows with each other, by the statistic of the uniform test, and counts
/// alarms at the nominal rate. Different splits only, so few windows give few comparisons. `None` below six windows. Of
/// several runs each is compared with itself.
///
/// # Accuracy
/// The splits reuse the same windows and are not independent: see [`rate`].
pub(crate) fn aa(p: &ProfilerEvidence, settings: &Settings) -> Option<AaTest> {
    let runs = between::runs_of(p);
    if runs.is_empty() {
        return among(p, &baseline_windows(p, |_| true), settings);
    }
    let in_run = |run: &u32| among(p, &baseline_windows(p, |at| at.run == *run), settings);
    between::aa(&runs.iter().filter_map(in_run).collect::<Vec<_>>())
}

/// The test among these windows of one run.
fn among(p: &ProfilerEvidence, windows: &[u32], settings: &Settings) -> Option<AaTest> {
    if windows.len() < 2 * AA_LEAST_WINDOWS {
        return None;
    }
    let splits = random_splits(windows, settings);
    let outcomes: Vec<bool> = splits
        .iter()
        .filter_map(|first| alarm(&compare(p, (first, windows), settings)?.0, settings))
        .collect();
    let alarms = outcomes.iter().filter(|a| **a).count() as u64;
    let halves: BTreeSet<u32> = windows[..windows.len() / 2].iter().copied().collect();
    let (drift, amount) = compare(p, (&halves, windows), settings)?;
    Some(AaTest {
        nominal: settings.aa_nominal,
        alarms,
        rate: rate(alarms, outcomes.len() as u64)?,
        drift_pt: largest_error(&drift, amount)?,
        drift: alarm(&drift, settings)?,
    })
}

/// Rate of so many alarms in so many comparisons.
///
/// # Accuracy
/// Splits of the same windows raise their alarms together. So the interval is that of
/// [`AA_DEPENDENCE`] times fewer comparisons, alarms rounded up; `n` is the number of comparisons that were made.
pub(crate) fn rate(alarms: u64, comparisons: u64) -> Option<Estimate> {
    let independent = (comparisons / AA_DEPENDENCE).max(1);
    let interval = clopper_pearson(alarms.div_ceil(AA_DEPENDENCE).min(independent), independent)?;
    (comparisons > 0).then(|| Estimate {
        value: alarms as f64 / comparisons as f64,
        n: comparisons,
        ..interval
    })
}

/// Numbers of the unslowed windows on either side that `keep` accepts, ascending.
fn baseline_windows(p: &ProfilerEvidence, keep: impl Fn(&WindowAt) -> bool) -> Vec<u32> {
    let baseline =
        |at: &WindowAt| (at.condition == Condition::Baseline && keep(at)).then_some(at.window);
    let all = p
        .windows
        .iter()
        .map(|w| &w.at)
        .chain(p.truth.iter().map(|w| &w.at));
    let all: BTreeSet<u32> = all.filter_map(baseline).collect();
    all.into_iter().collect()
}

/// First groups of distinct random halves; the group that holds the first window is the first, so that no split counts
/// twice.
fn random_splits(windows: &[u32], settings: &Settings) -> BTreeSet<BTreeSet<u32>> {
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut shuffled = windows.to_vec();
    let mut splits = BTreeSet::new();
    for _ in 0..settings.aa_comparisons * 20 {
        if splits.len() >= settings.aa_comparisons {
            break;
        }
        shuffled.shuffle(&mut rng);
        let (first, second) = shuffled.split_at(windows.len() / 2);
        let group = if first.contains(&windows[0]) || first.len() != second.len() {
            first
        } else {
            second
        };
        splits.insert(group.iter().copied().collect());
    }
    splits
}

fn compare(
    p: &ProfilerEvidence,
    (first, windows): (&BTreeSet<u32>, &[u32]),
    settings: &Settings,
) -> Option<(Vec<Deviation>, crate::largest::Amount)> {
    let ours = |at: &WindowAt| {
        at.condition == Condition::Baseline && windows.binary_search(&at.window).is_ok()
    };
    let before = View::over(p, |at| ours(at) && first.contains(&at.window))?;
    let after = View::over(p, |at| ours(at) && !first.contains(&at.window))?;
    let methods = changed_methods(&before, &after, settings.judged_share_pct());
    Some((
        methods.iter().map(|m| before.change(&after, *m)).collect(),
        both(&before, &after),
    ))
}

/// True if any method moved significantly, family-wise at the nominal rate; ambiguity is no excuse here.
fn alarm(deviations: &[Deviation], settings: &Settings) -> Option<bool> {
    let confidence = Confidence::leaving(settings.aa_nominal).simultaneous(deviations.len());
    let moved = |d: &Deviation| d.points.abs() > d.spread.half_width(confidence);
    (!deviations.is_empty()).then(|| deviations.iter().any(moved))
}
