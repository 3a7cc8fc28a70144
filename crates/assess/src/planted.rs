//! Self-check: is a known misattribution found with this run's own windows?

use crate::absolute::absolute;
use crate::blames::{blames, candidates};
use crate::deviation::View;
use crate::judge::method_name;
use crate::{
    Condition, Evidence, Planted, ProfilerEvidence, ProfilerWindow, Role, Settings, Verdict,
    WindowAt,
};
use proofmark_rules::{PLANTED, PLANTED_LOSER, PLANTED_MARGINS, PLANTED_METHODS, PLANTED_MOVED};
use proofmark_stats::{Estimate, clopper_pearson};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Share (0 to 1) of 20 planted misattributions of 5 points that are blamed, from the right method to
/// the right one; `n`: tries. Each try draws the oracle control's unslowed windows anew (with
/// replacement) and moves 5 % of its profile from one large method to another. `None` without an
/// oracle, with fewer than two methods or too few windows.
///
/// # Accuracy
/// Drawing windows again adds their noise a second time, so that the share is rather too small. The
/// tries share the windows of one run.
pub(crate) fn planted(e: &Evidence, settings: &Settings) -> Option<Estimate> {
    let oracle = e.profilers.iter().find(|p| p.role == Role::OracleControl)?;
    let faults = faults(oracle, PLANTED_LOSER)?;
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed ^ 0x0070_6c61_6e74);
    let (mut found, mut tried) = (0, 0);
    for (from, to) in faults.into_iter().cycle().take(PLANTED) {
        let mut faulty = redrawn(oracle, &mut rng);
        plant(&mut faulty, PLANTED_MOVED, (from, to));
        if let Some(view) = View::of(&faulty, Condition::Baseline) {
            tried += 1;
            let deviations = candidates(&view, settings);
            let blamed = blames(e, &deviations, view.profiler.samples, settings);
            let (from, to) = (method_name(e, from), method_name(e, to));
            found += u64::from(blamed.iter().any(|b| b.from == from && b.to == to));
        }
    }
    clopper_pearson(found, tried)
}

/// Whether the absolute test calls a profiler wrong by misattributions of 1.5 margins, planted into its own unslowed
/// windows. Beforehand its windows are centred: what it shows too much of a method in the mean is taken out of each, so that
/// it is right but for noise. `None` with fewer than two methods or too few windows.
///
/// # Accuracy
/// As [`planted`]. The noise is that of the profile as it is: a profiler that never shows a method has none there.
pub(crate) fn planted_in(
    e: &Evidence,
    p: &ProfilerEvidence,
    settings: &Settings,
) -> Option<Planted> {
    let moved = PLANTED_MARGINS * settings.margin_pt / 100.0;
    let honest = centred(p)?;
    let faults = faults(&honest, moved.max(PLANTED_LOSER))?;
    let is_wrong = |p: &ProfilerEvidence| {
        let view = View::of(p, Condition::Baseline)?;
        Some(absolute(e, p, &view, settings)?.result.verdict == Verdict::Wrong)
    };
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed ^ 0x006f_776e);
    let (mut found, mut alarms, mut tried) = (0, 0, 0);
    for fault in faults.into_iter().cycle().take(PLANTED) {
        let mut drawn = redrawn(&honest, &mut rng);
        let before = is_wrong(&drawn);
        plant(&mut drawn, moved, fault);
        if let Some((before, after)) = before.zip(is_wrong(&drawn)) {
            tried += 1;
            alarms += u64::from(before);
            found += u64::from(after);
        }
    }
    Some(Planted {
        moved_pt: 100.0 * moved,
        found: clopper_pearson(found, tried)?,
        false_wrong: clopper_pearson(alarms, tried)?,
    })
}

/// The profiler's unslowed windows, with the shares of the truth in the mean.
fn centred(p: &ProfilerEvidence) -> Option<ProfilerEvidence> {
    let view = View::of(p, Condition::Baseline)?;
    let shares = view.profiler.shares.iter().zip(&view.truth.side.shares);
    let shares: Vec<(f64, f64)> = shares
        .map(|(seen, real)| (seen.share, real.share))
        .collect();
    let mut honest = p.clone();
    for window in &mut honest.windows {
        let all = window.methods.iter().sum::<f64>() + window.unattributed;
        let weights = window.methods.iter_mut().chain([&mut window.unattributed]);
        for (weight, (seen, real)) in weights.zip(&shares) {
            // A surplus is taken out in proportion, so that nothing falls below 0; a lack is filled evenly.
            match seen > real {
                true => *weight *= real / seen,
                false => *weight += (real - seen) * all,
            }
        }
    }
    Some(honest)
}

/// Pairs of methods: every one with this share (0 to 1) loses to each of the others.
fn faults(p: &ProfilerEvidence, least: f64) -> Option<Vec<(usize, usize)>> {
    View::of(p, Condition::Baseline)?;
    let methods = p.truth.first()?.streams.first()?.methods.len();
    let mut shares: Vec<(usize, f64)> = (0..methods).map(|m| (m, share(p, m))).collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    shares.truncate(PLANTED_METHODS);
    shares.retain(|(_, share)| *share > 0.0);
    let losers = shares.iter().filter(|(_, share)| *share >= least);
    let pairs = losers.flat_map(|(from, _)| {
        let others = shares.iter().filter(move |(to, _)| to != from);
        others.map(move |(to, _)| (*from, *to))
    });
    let pairs: Vec<(usize, usize)> = pairs.collect();
    (!pairs.is_empty()).then_some(pairs)
}

/// Share of a method in the unslowed windows of the truth.
fn share(p: &ProfilerEvidence, method: usize) -> f64 {
    let windows = p
        .truth
        .iter()
        .filter(|w| w.at.condition == Condition::Baseline);
    let streams = windows.flat_map(|w| &w.streams);
    let (own, all) = streams.fold((0.0, 0.0), |(own, all), s| {
        (own + s.methods[method], all + s.methods.iter().sum::<f64>())
    });
    if all > 0.0 { own / all } else { 0.0 }
}

/// Unslowed windows drawn with replacement, on both sides; together where both sides saw the same windows, so that what
/// both saw of a phase still cancels.
fn redrawn(p: &ProfilerEvidence, rng: &mut ChaCha8Rng) -> ProfilerEvidence {
    let mut drawn = p.clone();
    drawn.totals.clear();
    let is_baseline = |at: &WindowAt| at.condition == Condition::Baseline;
    drawn.windows.retain(|w| is_baseline(&w.at));
    drawn.truth.retain(|w| is_baseline(&w.at));
    drawn.windows.sort_by_key(|w| w.at.window);
    drawn.truth.sort_by_key(|w| w.at.window);
    let numbers = drawn.truth.iter().map(|w| w.at.window);
    let same = drawn.windows.iter().map(|w| w.at.window).eq(numbers);
    let mut draw = |n: usize| -> Vec<usize> { (0..n).map(|_| rng.random_range(0..n)).collect() };
    let of_profiler = draw(drawn.windows.len());
    let (of_truth, first) = match same {
        true => (of_profiler.clone(), 0),
        false => (draw(drawn.truth.len()), of_profiler.len() as u32),
    };
    drawn.windows = of_profiler
        .iter()
        .map(|at| drawn.windows[*at].clone())
        .collect();
    drawn.truth = of_truth.iter().map(|at| drawn.truth[*at].clone()).collect();
    // Numbers stay different: a window that was drawn twice counts as two.
    let windows = drawn.windows.iter_mut().map(|w| &mut w.at);
    windows.zip(0..).for_each(|(at, number)| at.window = number);
    let truth = drawn.truth.iter_mut().map(|w| &mut w.at);
    truth
        .zip(first..)
        .for_each(|(at, number)| at.window = number);
    drawn
}

/// Moves this part (0 to 1) of all weight, in proportion to what the method has in each window.
fn plant(p: &mut ProfilerEvidence, part: f64, (from, to): (usize, usize)) {
    let of = |sum: &dyn Fn(&ProfilerWindow) -> f64| p.windows.iter().map(sum).sum::<f64>();
    let (own, all) = (
        of(&|w| w.methods[from]),
        of(&|w| w.methods.iter().sum::<f64>() + w.unattributed),
    );
    let moved = (part * all / own.max(f64::MIN_POSITIVE)).min(1.0);
    for window in &mut p.windows {
        let moved = moved * window.methods[from];
        window.methods[from] -= moved;
        window.methods[to] += moved;
    }
}
