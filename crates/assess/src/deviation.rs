//! How far the profiler is from the truth on one method, with everything that makes it uncertain.

use crate::between;
use crate::shares::{Reach, Side, TruthSide};
use crate::shares::{profiler_side, truth_side};
use crate::{Condition, ProfilerEvidence, WindowAt};
use proofmark_stats::{Confidence, Estimate, Spread, matched_difference};
use std::collections::BTreeMap;

/// What the weight means that may be one method's or another's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ambiguity {
    /// The truth is unknown within it: intervals reach over all of it, so that much of it leaves a verdict undecided.
    Unknown,
    /// It excuses: only what lies outside of it is an error.
    Legitimate,
}

/// Deviation of one method, points: positive if the profiler gives it too much.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Deviation {
    /// Method; `methods.len()` for unattributed.
    pub(crate) method: usize,
    /// Deviation as counted.
    pub(crate) points: f64,
    /// Its uncertainty, squared points.
    pub(crate) spread: Spread,
    /// Runs that the spread speaks for; 1: windows of one run, or of all together.
    pub(crate) runs: u32,
    /// How much smaller the deviation may be if ambiguous weight, and what lies at borders, is the method's.
    pub(crate) down: f64,
    /// How much larger it may be if that is not the method's.
    pub(crate) up: f64,
    /// Whether ambiguity can add to the error or only excuse it.
    pub(crate) ambiguity: Ambiguity,
}

impl Deviation {
    /// Smallest absolute deviation that the ambiguity allows.
    pub(crate) fn nearest(&self) -> f64 {
        (self.points - self.down)
            .max(-(self.points + self.up))
            .max(0.0)
    }

    /// Largest absolute deviation that the ambiguity allows.
    pub(crate) fn farthest(&self) -> f64 {
        match self.ambiguity {
            Ambiguity::Unknown => (self.points - self.down)
                .abs()
                .max((self.points + self.up).abs()),
            Ambiguity::Legitimate => self.nearest(),
        }
    }

    /// The value to show: as counted, or what is left of it after legitimate ambiguity.
    pub(crate) fn shown(&self) -> f64 {
        match self.ambiguity {
            Ambiguity::Unknown => self.points.abs(),
            Ambiguity::Legitimate => self.nearest(),
        }
    }

    /// Two-sided p-value of the hypothesis that nothing but ambiguity is there.
    pub(crate) fn p_value(&self) -> f64 {
        self.spread.p_value(self.nearest())
    }

    /// As an estimate with its own interval, ambiguity not included, points.
    pub(crate) fn estimate(&self, n: u64) -> Estimate {
        Estimate::around(self.points, self.spread.half_width(Confidence::P95), n)
    }
}

/// Profiler and truth in one set of windows.
#[derive(Debug, Clone)]
pub(crate) struct View {
    /// Profiler.
    pub(crate) profiler: Side,
    /// Truth.
    pub(crate) truth: TruthSide,
    /// The same in each run by itself, by its number; empty if there is one run.
    runs: BTreeMap<u32, View>,
}

impl View {
    /// The windows of one condition, with each run by itself; `None` if a side has fewer than two windows with samples.
    pub(crate) fn of(p: &ProfilerEvidence, condition: Condition) -> Option<Self> {
        let together = Self::over(p, |at| at.condition == condition)?;
        let in_run = |run: u32| {
            let view = Self::over(p, |at| at.condition == condition && at.run == run)?;
            Some((run, view))
        };
        Some(Self {
            runs: between::runs_of(p).into_iter().filter_map(in_run).collect(),
            ..together
        })
    }

    /// The windows that `keep` accepts, all together.
    pub(crate) fn over(p: &ProfilerEvidence, keep: impl Fn(&WindowAt) -> bool) -> Option<Self> {
        Some(Self {
            profiler: profiler_side(p, &keep)?,
            truth: truth_side(p, &keep)?,
            runs: BTreeMap::new(),
        })
    }

    /// Methods (and unattributed) with at least this share on either side; percent. If none has that much, the largest of
    /// either side: something can always be compared.
    pub(crate) fn methods_from(&self, share_pct: f64) -> Vec<usize> {
        let methods = self.reaching(share_pct);
        if methods.is_empty() {
            largest(&[self])
        } else {
            methods
        }
    }

    /// Methods (and unattributed) with at least this share on either side, percent; none if all are smaller.
    pub(crate) fn reaching(&self, share_pct: f64) -> Vec<usize> {
        let large = |side: &Side, m: usize| side.shares[m].share * 100.0 >= share_pct;
        (0..self.profiler.shares.len())
            .filter(|m| large(&self.profiler, *m) || large(&self.truth.side, *m))
            .collect()
    }

    /// Profiler minus truth for one method, over runs where there are several.
    pub(crate) fn deviation(&self, method: usize) -> Deviation {
        let runs = self.runs.values().map(|run| run.deviation(method));
        between::deviation(self.together(method), &runs.collect::<Vec<_>>())
    }

    /// The same in all windows. In the same windows, what both saw of a phase cancels; else independent.
    fn together(&self, method: usize) -> Deviation {
        let (seen, real) = (
            &self.profiler.shares[method],
            &self.truth.side.shares[method],
        );
        let matched = if self.profiler.windows == self.truth.side.windows {
            matched_difference(seen, real)
        } else {
            None
        };
        let (difference, spread) =
            matched.unwrap_or_else(|| (seen.share - real.share, seen.spread.plus(&real.spread)));
        let Reach {
            below,
            above,
            border,
        } = self.truth.reach[method];
        Deviation {
            method,
            points: difference * 100.0,
            spread: spread.times(100.0),
            runs: 1,
            down: (above + border) * 100.0,
            up: (below + border) * 100.0,
            ambiguity: Ambiguity::Unknown,
        }
    }

    /// Change of the deviation from `self` (before) to `after`: what the profiler shows minus what was achieved.
    /// Ambiguous weight stays with the same instructions, so that only what it grows or shrinks by can move the truth; what
    /// shrinks moves it the other way. Borders may move it either way. A run is compared with itself: what it has in common
    /// before and after is no change.
    pub(crate) fn change(&self, after: &Self, method: usize) -> Deviation {
        let (a, b) = (self.deviation(method), after.deviation(method));
        let (before, later) = (self.truth.reach[method], after.truth.reach[method]);
        let (down, up) = (later.above - before.above, later.below - before.below);
        let border = (later.border - before.border).abs();
        let change = Deviation {
            method,
            points: b.points - a.points,
            spread: a.spread.plus(&b.spread),
            runs: 1,
            down: (down.max(0.0) + (-up).max(0.0) + border) * 100.0,
            up: (up.max(0.0) + (-down).max(0.0) + border) * 100.0,
            ambiguity: Ambiguity::Unknown,
        };
        let in_run = |(run, before): (&u32, &View)| {
            let after = after.runs.get(run)?;
            Some(before.change(after, method))
        };
        let runs: Vec<Deviation> = self.runs.iter().filter_map(in_run).collect();
        match runs[..] {
            [alone] => alone,
            _ => between::deviation(change, &runs),
        }
    }
}

/// The method that the profiler, and the one that the truth gives the most in all these windows together, ascending.
pub(crate) fn largest(views: &[&View]) -> Vec<usize> {
    let seen: Vec<&Side> = views.iter().map(|view| &view.profiler).collect();
    let real: Vec<&Side> = views.iter().map(|view| &view.truth.side).collect();
    let either = [largest_of(&seen), largest_of(&real)];
    let mut methods: Vec<usize> = either.into_iter().flatten().collect();
    methods.sort_unstable();
    methods.dedup();
    methods
}

fn largest_of(sides: &[&Side]) -> Option<usize> {
    let methods = sides.first()?.shares.len();
    let share = |m: usize| sides.iter().map(|side| side.shares[m].share).sum::<f64>();
    (0..methods).max_by(|a, b| share(*a).total_cmp(&share(*b)))
}

/// Change of one side's share from `before` to `after`, points.
pub(crate) fn share_change(before: &Side, after: &Side, method: usize) -> Estimate {
    let (a, b) = (&before.shares[method], &after.shares[method]);
    let spread = a.spread.plus(&b.spread).times(100.0);
    let n = (a.samples + b.samples).round() as u64;
    Estimate::around(
        (b.share - a.share) * 100.0,
        spread.half_width(Confidence::P95),
        n,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ProfilerWindow, Role, TotalWindow, TruthStream, TruthWindow};

    const SLOWED: Condition = Condition::Uniform(100);

    /// Four windows of 100 samples under either condition, half of them in each of two methods; so many of the first one's
    /// are ambiguous, and so many of the second one's may be its. Slowed iterations take twice as long.
    fn evidence(ambiguous: [f64; 2], claimable: [f64; 2]) -> ProfilerEvidence {
        let at = |window: u32| WindowAt {
            window,
            run: 0,
            block: window / 2,
            condition: if window.is_multiple_of(2) {
                Condition::Baseline
            } else {
                SLOWED
            },
            seconds: 1.0,
        };
        let seen = |window: u32| ProfilerWindow {
            at: at(window),
            methods: vec![50.0, 50.0],
            native: 0.0,
            unattributed: 0.0,
            lost: 0.0,
            other_threads: 0.0,
        };
        let real = |window: u32| {
            let slowed = (window % 2) as usize;
            TruthWindow {
                at: at(window),
                streams: vec![TruthStream {
                    methods: vec![50.0, 50.0],
                    ambiguous: vec![ambiguous[slowed], 0.0],
                    claimable: vec![claimable[slowed], 0.0],
                    ..TruthStream::default()
                }],
            }
        };
        let total = |window: u32| TotalWindow {
            at: at(window),
            iteration_ms: vec![f64::from(10 + 10 * (window % 2)); 3],
        };
        ProfilerEvidence {
            name: "x".into(),
            role: Role::Subject,
            analyses: 1,
            failure: None,
            windows: (0..8).map(seen).collect(),
            truth: (0..8).map(real).collect(),
            totals: (0..8).map(total).collect(),
            targets: Vec::new(),
            border_doubt: Vec::new(),
        }
    }

    /// How far the change of the first method's deviation reaches down and up when everything is slowed, points.
    fn reach_of_change(p: &ProfilerEvidence) -> [f64; 2] {
        let before = View::of(p, Condition::Baseline).expect("unslowed windows");
        let after = View::of(p, SLOWED).expect("slowed windows");
        let change = before.change(&after, 0);
        [change.down, change.up].map(|points| (points * 1e6).round() / 1e6)
    }

    /// 6 points before and 3 after: if they are another method's, the profiler shows the method 6 points more too much before
    /// and 3 after, so that the deviation changes by up to 3 points less.
    #[test]
    fn ambiguity_that_shrinks_moves_the_change_the_other_way() {
        let change = |ambiguous, claimable| reach_of_change(&evidence(ambiguous, claimable));
        let none = [0.0; 2];
        assert_eq!(change([6.0, 3.0], none), [3.0, 0.0]);
        assert_eq!(change([3.0, 6.0], none), [0.0, 3.0]);
        assert_eq!(change(none, [6.0, 3.0]), [0.0, 3.0]);
        assert_eq!(change(none, [3.0, 6.0]), [3.0, 0.0]);
        assert_eq!(change([6.0, 3.0], [6.0, 3.0]), [3.0, 3.0]);
    }

    /// A share is one of what is inside of methods, here of half of the time: 1 % of the whole is 2 % of it.
    #[test]
    fn borders_are_parts_of_the_whole_and_shares_are_not() {
        let mut p = evidence([0.0; 2], [0.0; 2]);
        p.border_doubt = vec![0.01];
        for stream in p.truth.iter_mut().flat_map(|w| &mut w.streams) {
            stream.outside = stream.methods.iter().sum();
        }
        let view = View::of(&p, Condition::Baseline).expect("unslowed windows");
        let borders = view.truth.reach.iter().map(|reach| reach.border);
        assert_eq!(borders.collect::<Vec<_>>(), [0.02, 0.0, 0.0]);
        let first = view.deviation(0);
        assert!((first.down - 2.0).abs() < 1e-9 && (first.up - 2.0).abs() < 1e-9);
    }

    /// What is 4 % of the time is 2 % once that is twice as long; which way it went is not known.
    #[test]
    fn borders_move_less_of_a_slowed_program() {
        let mut p = evidence([0.0; 2], [0.0; 2]);
        p.border_doubt = vec![0.04];
        assert_eq!(reach_of_change(&p), [2.0, 2.0]);
        let mut p = evidence([6.0, 3.0], [0.0; 2]);
        p.border_doubt = vec![0.04];
        assert_eq!(reach_of_change(&p), [5.0, 2.0]);
        // Without a clock it is as slow as it was meant to be.
        p.totals.clear();
        assert_eq!(reach_of_change(&p), [5.0, 2.0]);
    }
}
