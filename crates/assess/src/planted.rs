//! Self-check: is a known misattribution found with this run's own windows?

use crate::blames::{blames, candidates};
use crate::deviation::View;
use crate::judge::method_name;
use crate::{Condition, Evidence, ProfilerEvidence, Role, Settings};
use proofmark_rules::{PLANTED, PLANTED_LOSER, PLANTED_MOVED};
use proofmark_stats::{Estimate, clopper_pearson};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Methods that take part, largest first.
const METHODS: usize = 6;

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
    let faults = faults(oracle)?;
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed ^ 0x0070_6c61_6e74);
    let (mut found, mut tried) = (0, 0);
    for (from, to) in faults.into_iter().cycle().take(PLANTED) {
        let mut faulty = redrawn(oracle, &mut rng);
        faulty
            .windows
            .iter_mut()
            .for_each(|window| plant(&mut window.methods, from, to));
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

/// Pairs of methods: every large enough one loses to each of the others.
fn faults(p: &ProfilerEvidence) -> Option<Vec<(usize, usize)>> {
    View::of(p, Condition::Baseline)?;
    let methods = p.truth.first()?.streams.first()?.methods.len();
    let mut shares: Vec<(usize, f64)> = (0..methods).map(|m| (m, share(p, m))).collect();
    shares.sort_by(|a, b| b.1.total_cmp(&a.1));
    shares.truncate(METHODS);
    shares.retain(|(_, share)| *share > 0.0);
    let losers = shares.iter().filter(|(_, share)| *share >= PLANTED_LOSER);
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

/// Unslowed windows drawn with replacement, on both sides.
fn redrawn(p: &ProfilerEvidence, rng: &mut ChaCha8Rng) -> ProfilerEvidence {
    let mut drawn = p.clone();
    drawn.totals.clear();
    drawn
        .windows
        .retain(|w| w.at.condition == Condition::Baseline);
    drawn
        .truth
        .retain(|w| w.at.condition == Condition::Baseline);
    drawn.windows = draw(&drawn.windows, rng);
    drawn.truth = draw(&drawn.truth, rng);
    // Numbers stay different: a window that was drawn twice counts as two.
    let numbers = 0..;
    let windows = drawn.windows.iter_mut().map(|w| &mut w.at);
    let all = windows.chain(drawn.truth.iter_mut().map(|w| &mut w.at));
    all.zip(numbers).for_each(|(at, number)| at.window = number);
    drawn
}

fn draw<T: Clone>(from: &[T], rng: &mut ChaCha8Rng) -> Vec<T> {
    from.iter()
        .map(|_| from[rng.random_range(0..from.len())].clone())
        .collect()
}

/// Moves the fault's part of all weight, as far as the method has it.
fn plant(methods: &mut [f64], from: usize, to: usize) {
    let moved = (PLANTED_MOVED * methods.iter().sum::<f64>()).min(methods[from]);
    methods[from] -= moved;
    methods[to] += moved;
}
