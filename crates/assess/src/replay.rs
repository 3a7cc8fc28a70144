//! The JVM's debug information, replayed over our own samples by the rule of the profiler.
//!
//! Our samples are named three times: by the block map (the truth), by the JVM's records of the instructions that were
//! waited for, and by its records of the addresses that were sampled. The last is what a profiler with this rule says that
//! does nothing else wrong. So its error in unslowed code is three figures: *debug information* is the second against the
//! first, *skid* the third against the second, and *the rest* the profile against the third. They need not add up: each is
//! the largest difference of any share, and they may cancel.
//!
//! # Accuracy
//! The corrected address is that of the instruction in front, as far as the map of operations tells it: inside of a longer
//! operation its first byte is not known, so that `>=` may take a record there that it would not. Intervals are those of
//! other shares: too wide where both sides are the same samples.

use crate::deviation::{Deviation, View};
use crate::largest::{Amount, largest_error};
use crate::{
    Condition, PcRule, ProfilerEvidence, ProfilerWindow, Role, Settings, TruthStream, TruthWindow,
};
use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Where a profiler's error in unslowed code comes from: largest differences of a share over the compared methods, points;
/// `n` counts samples.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayTest {
    /// The rule by which the profiler looks addresses up.
    pub rule: PcRule,
    /// Its source says so; false: it is the rule that fits its profile best.
    pub rule_known: bool,
    /// What the JVM's records make of the right instructions.
    pub debug_info_pt: Estimate,
    /// What late addresses change of that.
    pub skid_pt: Estimate,
    /// What the profiler shows otherwise: its own doing.
    pub rest_pt: Estimate,
    /// The late addresses by every rule.
    pub rules: Vec<RuleFit>,
}

/// What a profiler would show with a rule.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RuleFit {
    /// The rule.
    pub rule: PcRule,
    /// How far it would be from the truth, points.
    pub truth_pt: Estimate,
    /// How far the profiler is from that, points.
    pub profiler_pt: Estimate,
}

/// By what our samples are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Names {
    /// The block map: the truth.
    Map,
    /// The JVM's records by a rule, of the addresses that were sampled.
    Sampled(PcRule),
    /// The same of the instructions that were waited for.
    WaitedFor(PcRule),
    /// The root methods of the compiled units.
    Roots,
}

impl Names {
    /// Samples of a stream by method; `None` if these names are not known.
    fn of(self, stream: &TruthStream) -> Option<&[f64]> {
        let (rule, corrected) = match self {
            Self::Map => return Some(&stream.methods),
            Self::Roots => return (!stream.roots.is_empty()).then_some(&stream.roots[..]),
            Self::Sampled(rule) => (rule, false),
            Self::WaitedFor(rule) => (rule, true),
        };
        let mut all = stream.replays.iter();
        let replay = all.find(|one| (one.rule, one.corrected) == (rule, corrected));
        // As evidence of an earlier version has it.
        let alone = self == Self::Sampled(PcRule::AtOrBehind) && !stream.reported.is_empty();
        replay
            .map(|one| &one.methods[..])
            .or(alone.then_some(&stream.reported[..]))
    }

    /// The same; a stream without samples needs no names.
    fn weights(self, stream: &TruthStream) -> Option<Vec<f64>> {
        let none = stream.methods.iter().sum::<f64>() <= 0.0;
        let nothing = || none.then(|| vec![0.0; stream.methods.len()]);
        self.of(stream).map(<[f64]>::to_vec).or_else(nothing)
    }
}

/// The three figures; `None` for controls, and where the JVM's records are not known.
pub(crate) fn replay(
    p: &ProfilerEvidence,
    baseline: &View,
    settings: &Settings,
) -> Option<ReplayTest> {
    if p.role != Role::Subject {
        return None;
    }
    let compared = baseline.methods_from(settings.judged_share_pct());
    let fit = |rule: PcRule| {
        Some(RuleFit {
            rule,
            truth_pt: apart(&shown(p, Names::Sampled(rule), Names::Map)?, &compared)?,
            profiler_pt: apart(&instead(p, Names::Sampled(rule))?, &compared)?,
        })
    };
    let rules: Vec<RuleFit> = PcRule::ALL.into_iter().filter_map(fit).collect();
    let known = PcRule::of_profiler(&p.name);
    let own = own(&rules, known)?;
    let (late, right) = (Names::Sampled(own.rule), Names::WaitedFor(own.rule));
    Some(ReplayTest {
        rule: own.rule,
        rule_known: known == Some(own.rule),
        debug_info_pt: apart(&shown(p, right, Names::Map)?, &compared)?,
        skid_pt: apart(&shown(p, late, right)?, &compared)?,
        rest_pt: own.profiler_pt,
        rules,
    })
}

/// The rule that is known, unless another one certainly fits better; else the one that fits best.
fn own(rules: &[RuleFit], known: Option<PcRule>) -> Option<RuleFit> {
    let nearer = |a: &&RuleFit, b: &&RuleFit| a.profiler_pt.value.total_cmp(&b.profiler_pt.value);
    let best = rules.iter().min_by(nearer)?;
    let stated = rules.iter().find(|fit| Some(fit.rule) == known);
    let stated = stated.filter(|fit| fit.profiler_pt.low <= best.profiler_pt.high);
    Some(*stated.unwrap_or(best))
}

/// The evidence with other names of our samples in the place of the truth, nothing left open; `None` for controls, and if
/// some names are not known.
pub(crate) fn instead(p: &ProfilerEvidence, names: Names) -> Option<ProfilerEvidence> {
    if p.role != Role::Subject {
        return None;
    }
    let stream = |stream: &TruthStream| {
        Some(TruthStream {
            methods: names.weights(stream)?,
            outside: stream.outside,
            ..TruthStream::default()
        })
    };
    let mut truth = Vec::new();
    for window in &p.truth {
        let streams: Option<Vec<TruthStream>> = window.streams.iter().map(stream).collect();
        truth.push(TruthWindow {
            at: window.at,
            streams: streams?,
        });
    }
    Some(ProfilerEvidence {
        truth,
        border_doubt: Vec::new(),
        ..p.clone()
    })
}

/// The evidence of a profiler that shows our samples by one kind of names, with another in the place of the truth.
fn shown(p: &ProfilerEvidence, names: Names, truth: Names) -> Option<ProfilerEvidence> {
    let mut windows = Vec::new();
    for window in p.truth.iter().filter(|w| !w.streams.is_empty()) {
        let mut methods: Vec<f64> = Vec::new();
        for stream in &window.streams {
            let seen = names.weights(stream)?;
            methods.resize(seen.len(), 0.0);
            let sums = methods.iter_mut().zip(seen);
            sums.for_each(|(sum, weight)| *sum += weight);
        }
        windows.push(ProfilerWindow {
            at: window.at,
            methods,
            native: 0.0,
            unattributed: 0.0,
            lost: 0.0,
            other_threads: 0.0,
        });
    }
    Some(ProfilerEvidence {
        windows,
        ..instead(p, truth)?
    })
}

/// Largest difference between profiler and truth in unslowed windows, points.
fn apart(p: &ProfilerEvidence, compared: &[usize]) -> Option<Estimate> {
    let view = View::of(p, Condition::Baseline)?;
    let deviations: Vec<Deviation> = compared.iter().map(|m| view.deviation(*m)).collect();
    let amount = Amount {
        samples: view.profiler.samples,
        seconds: view.profiler.seconds,
    };
    largest_error(&deviations, amount)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fit(rule: PcRule, value: f64) -> RuleFit {
        RuleFit {
            rule,
            truth_pt: Estimate::around(0.0, 0.0, 1),
            profiler_pt: Estimate::around(value, 1.0, 1),
        }
    }

    #[test]
    fn what_the_source_says_holds_until_the_profile_says_otherwise() {
        let rules =
            |known: f64, other: f64| [fit(PcRule::AtOrBehind, known), fit(PcRule::Behind, other)];
        let chosen = |rules: &[RuleFit], known| own(rules, known).expect("rules").rule;
        let known = Some(PcRule::AtOrBehind);
        assert_eq!(chosen(&rules(3.0, 1.5), known), PcRule::AtOrBehind);
        assert_eq!(chosen(&rules(9.0, 1.5), known), PcRule::Behind);
        assert_eq!(chosen(&rules(3.0, 1.5), None), PcRule::Behind);
        assert_eq!(own(&[], known), None);
    }
}
