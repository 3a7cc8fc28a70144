//! Single-block test: one block, or blocks of one method, slowed by x; the owner must gain exactly that, nobody else
//! anything.
//!
//! Where there are windows under a low dose, they are what the high one is compared with: the first instructions hide
//! behind the work around them and move its time, and they are in both. Else unslowed windows are.
//!
//! The expected gain comes from *unsampled totals*, not from our samples, so that the oracle does not agree with itself
//! by construction; but what both show is the experiment's doing ([`excused`]), and an experiment that our samples contradict
//! does not count. With T the total before, x the added time, o the part of T outside of compiled Java methods and p
//! the profiler's own share of the owner before: `f = x / (T*(1-o) + x)` is the added share, the owner must gain
//! `(1-p)*f` and any other method must fall by `p_j*f`.

use crate::between;
use crate::deviation::{Ambiguity, Deviation, View, share_change};
use crate::judge::method_name;
use crate::largest::{Amount, Limits, judge_largest};
use crate::shares::{Side, profiler_side, truth_side};
use crate::totals::{ratio_in, ratio_of};
use crate::{
    Condition, Evidence, MethodChange, ProfilerEvidence, Role, Settings, SingleTest, Verdict,
    WindowAt,
};
use proofmark_rules::{SINGLE_LEAST_WRONG_PT, SINGLE_WRONG_PART};
use proofmark_stats::{Confidence, Estimate, Spread};

/// Added share with its uncertainty.
#[derive(Debug, Clone, Copy)]
struct Added {
    /// `f`, 0 to 1.
    share: f64,
    /// Spread of `f`.
    spread: Spread,
    /// Blocks of the schedule behind it.
    n: u64,
}

/// Judges experiment `index`.
pub(crate) fn single(
    e: &Evidence,
    p: &ProfilerEvidence,
    baseline: &View,
    index: u32,
    settings: &Settings,
) -> Option<SingleTest> {
    let condition = Condition::Single(index);
    let target = p.targets.get(index as usize)?;
    let after = profiler_side(p, |at| at.condition == condition)?;
    let low = Condition::SingleLow(index);
    let dosed = View::of(p, low);
    let (from, first) = match &dosed {
        Some(dosed) => (low, dosed),
        None => (Condition::Baseline, baseline),
    };
    let before = &first.profiler;
    let (ratio, log, spread) = ratio_of(p, (from, condition))?;
    let added = added_share(log, spread, ratio.n, first.truth.outside);
    let owner = target.owner;
    let gain = Gain { owner, added };
    let predicted = gain.predicted(before, owner);
    let wrong_above = (SINGLE_WRONG_PART * predicted.value).clamp(
        SINGLE_LEAST_WRONG_PT.min(settings.margin_pt),
        settings.margin_pt,
    );
    let limits = Limits {
        wrong_above,
        right_below: settings.margin_pt,
    };
    let compared = compared_methods(before, &after, owner, settings.judged_share_pct());
    let truth_before = &first.truth.side;
    let truth_after = truth_side(p, |at| at.condition == condition);
    let together = Errors {
        seen: gain.errors(before, &after, &compared),
        own: (truth_after.as_ref()).map(|t| gain.errors(truth_before, &t.side, &compared)),
    };
    let Errors { seen, own } = together.over_runs(p, (from, condition), owner, &compared);
    let of_owner = seen.iter().find(|error| error.method == owner).copied();
    let seen = match &own {
        Some(own) if p.role == Role::Subject => excused(seen, own),
        _ => seen,
    };
    let amount = Amount {
        samples: before.samples + after.samples,
        seconds: before.seconds + after.seconds,
    };
    let result = judge_largest(&seen, limits, amount, |m| method_name(e, m))?;
    let confirmed = own.as_ref().is_none_or(|own| {
        let own = judge_largest(own, limits, amount, |m| method_name(e, m));
        own.is_none_or(|r| r.verdict != Verdict::Wrong)
    });
    let share = |side: &Side| side.shares[owner].estimate().scaled(100.0);
    Some(SingleTest {
        index,
        label: target.label.clone(),
        owner: method_name(e, owner),
        added_pct: ratio.map_increasing(|r| (r - 1.0) * 100.0),
        before_pct: share(before),
        after_pct: share(&after),
        seen_pt: share_change(before, &after, owner),
        predicted_pt: predicted,
        target_error_pt: of_owner?.estimate(amount.samples.round() as u64),
        truth_gain_pt: truth_after
            .as_ref()
            .map(|t| share_change(truth_before, &t.side, owner)),
        counts: confirmed,
        detected_before: baseline.profiler.shares[owner].share > 0.0,
        detected_after: after.shares[owner].share > 0.0,
        wrong_above_pt: wrong_above,
        changes: compared
            .iter()
            .map(|m| MethodChange {
                method: method_name(e, *m),
                seen_pt: share_change(before, &after, *m),
                expected_pt: gain.predicted(before, *m),
            })
            .collect(),
        result,
    })
}

/// Added share of compiled Java time from the mean log ratio of totals (delta method).
fn added_share(log: f64, spread: Spread, n: u64, outside: f64) -> Added {
    let inside = (1.0 - outside).max(1e-6);
    let relative = (log.exp() - 1.0) / inside;
    let slope = log.exp() / inside / (1.0 + relative).powi(2);
    let known = Spread {
        floor: spread.between.max(spread.floor),
        ..spread
    };
    Added {
        share: relative / (1.0 + relative),
        spread: known.times(slope),
        n,
    }
}

/// Errors of the compared methods, in their order.
struct Errors {
    /// The profiler's.
    seen: Vec<Deviation>,
    /// Those of our own samples, if there are any.
    own: Option<Vec<Deviation>>,
}

impl Errors {
    /// In the windows of one run; `None` if it has too few.
    fn in_run(
        p: &ProfilerEvidence,
        (from, to): (Condition, Condition),
        run: u32,
        (owner, compared): (usize, &[usize]),
    ) -> Option<Self> {
        let under =
            |condition: Condition| move |at: &WindowAt| at.condition == condition && at.run == run;
        let (before, after) = (View::over(p, under(from))?, profiler_side(p, under(to))?);
        let (ratio, log, spread) = ratio_in(p, (from, to), Some(run))?;
        let added = added_share(log, spread, ratio.n, before.truth.outside);
        let gain = Gain { owner, added };
        let own = truth_side(p, under(to));
        Some(Self {
            seen: gain.errors(&before.profiler, &after, compared),
            own: own.map(|own| gain.errors(&before.truth.side, &own.side, compared)),
        })
    }

    /// Over runs, where there are several; `self`: of all windows together.
    fn over_runs(
        self,
        p: &ProfilerEvidence,
        conditions: (Condition, Condition),
        owner: usize,
        compared: &[usize],
    ) -> Self {
        let in_run = |run: u32| Self::in_run(p, conditions, run, (owner, compared));
        let runs = between::runs_of(p).into_iter().filter_map(in_run);
        let (seen, own): (Vec<_>, Vec<_>) = runs.map(|run| (run.seen, run.own)).unzip();
        let own: Vec<Vec<Deviation>> = own.into_iter().flatten().collect();
        Self {
            seen: between::deviations(self.seen, &seen),
            own: self.own.map(|all| between::deviations(all, &own)),
        }
    }
}

/// What is expected of every method.
struct Gain {
    /// The method that gains all added time.
    owner: usize,
    added: Added,
}

impl Gain {
    /// Expected change of `method`: `(1 - p)*f` for the owner, `-p*f` for the others.
    fn predicted(&self, before: &Side, method: usize) -> Estimate {
        let share = &before.shares[method];
        let weight = self.weight(share.share, method);
        let spread = share
            .spread
            .times(self.added.share)
            .plus(&self.added.spread.times(weight))
            .times(100.0);
        Estimate::around(
            weight * self.added.share * 100.0,
            spread.half_width(Confidence::P95),
            self.added.n,
        )
    }

    /// Seen minus predicted, of every one of these methods.
    fn errors(&self, before: &Side, after: &Side, methods: &[usize]) -> Vec<Deviation> {
        let error = |method: &usize| self.error(before, after, *method);
        methods.iter().map(error).collect()
    }

    /// Seen minus predicted: `s' - s*(1-f) - [owner]*f`.
    fn error(&self, before: &Side, after: &Side, method: usize) -> Deviation {
        let (a, b) = (&before.shares[method], &after.shares[method]);
        let (added, weight) = (self.added, self.weight(a.share, method));
        let spread = b
            .spread
            .plus(&a.spread.times(1.0 - added.share))
            .plus(&added.spread.times(weight));
        Deviation {
            method,
            points: (b.share - a.share - weight * added.share) * 100.0,
            spread: spread.times(100.0),
            runs: 1,
            down: 0.0,
            up: 0.0,
            ambiguity: Ambiguity::Unknown,
        }
    }

    fn weight(&self, share: f64, method: usize) -> f64 {
        if method == self.owner {
            1.0 - share
        } else {
            -share
        }
    }
}

/// What our own samples show too is the experiment's doing and not the profiler's: only what lies outside of it counts.
fn excused(seen: Vec<Deviation>, own: &[Deviation]) -> Vec<Deviation> {
    let pairs = seen.into_iter().zip(own);
    let excused = pairs.map(|(seen, own)| Deviation {
        spread: seen.spread.plus(&own.spread),
        down: own.points.max(0.0),
        up: (-own.points).max(0.0),
        ambiguity: Ambiguity::Legitimate,
        ..seen
    });
    excused.collect()
}

/// The owner and everything large enough before or after.
fn compared_methods(before: &Side, after: &Side, owner: usize, share_pct: f64) -> Vec<usize> {
    let large = |side: &Side, m: usize| side.shares[m].share * 100.0 >= share_pct;
    (0..before.shares.len())
        .filter(|m| *m == owner || large(before, *m) || large(after, *m))
        .collect()
}
