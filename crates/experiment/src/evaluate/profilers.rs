//! What an evaluation keeps of a profiler on one program.

use proofmark_assess::{
    Condition, Judgement, MethodShares, Role, SingleTest, UNATTRIBUTED, Verdict,
};
use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::dose::blocks::BlockDoses;

/// Hottest methods of a profiler that are compared, as in the published study.
const TOP: usize = 5;

/// What one profiler showed in the laboratory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProfilerResult {
    /// Its name.
    pub name: String,
    /// Whether it is under test or a control.
    pub role: Role,
    /// Verdict of the laboratory.
    pub verdict: Verdict,
    /// Per uniform slowdown the hottest methods, normal and slowed.
    pub top: Vec<Finding>,
    /// Blocks of one method that were slowed alone.
    pub singles: Vec<SingleResult>,
}

/// Shares of the hottest methods under a uniform slowdown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// The slowdown, %.
    pub target_pct: u32,
    /// The hottest methods, hottest first.
    pub methods: Vec<MethodPair>,
    /// Those whose share moved by more than 5 points.
    pub off_by_5_pt: u64,
    /// Those of them that are still off once it is taken into account how far their blocks were really slowed.
    pub off_by_5_pt_corrected: u64,
}

/// A method's share in a profile, with nothing slowed and with everything slowed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MethodPair {
    /// The method.
    pub method: String,
    /// Share with nothing slowed, %.
    pub normal_pct: Estimate,
    /// Share with everything slowed, %.
    pub slowed_pct: Estimate,
}

/// Blocks of one method that were slowed alone.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SingleResult {
    /// What was slowed.
    pub label: String,
    /// Number of blocks; none in documents of earlier versions.
    #[serde(default)]
    pub blocks: Option<u64>,
    /// The method that owns it.
    pub method: String,
    /// Time that was added, % of the program's.
    pub added_pct: Estimate,
    /// Share of the method before, %.
    pub before_pct: Estimate,
    /// Share of the method after, %.
    pub after_pct: Estimate,
    /// What its share ought to have gained, points.
    pub predicted_pt: Estimate,
    /// What it gained beyond that, points.
    pub error_pt: Estimate,
    /// Whether the profiler showed the method at all with nothing slowed; none in documents of earlier versions.
    #[serde(default)]
    pub detected_before: Option<bool>,
    /// Whether the profiler showed the method at all when it was slowed.
    pub detected: bool,
    /// Whether our own samples agree with the clock about it; else it says nothing about a profiler.
    pub counts: bool,
}

/// What was slowed alone.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Dosed {
    /// A single block, as in the published study.
    Block,
    /// Several blocks of one method.
    Method,
    /// Either, which documents of earlier versions do not tell apart.
    #[default]
    Either,
}

impl ProfilerResult {
    /// `doses`: what was dosed.
    pub(super) fn of(judgement: &Judgement, doses: Option<&BlockDoses>) -> Self {
        let tests = &judgement.tests;
        let top = tests.uniform.iter().map(|test| Finding {
            target_pct: test.target_pct,
            methods: hottest(&judgement.shares, test.target_pct),
            off_by_5_pt: test.off_by_5_pt as u64,
            off_by_5_pt_corrected: test.off_by_5_pt_corrected as u64,
        });
        Self {
            name: judgement.name.clone(),
            role: judgement.role,
            verdict: judgement.verdict,
            top: top.collect(),
            singles: (tests.single.iter())
                .map(|test| SingleResult::of(test, doses))
                .collect(),
        }
    }
}

impl SingleResult {
    fn of(test: &SingleTest, doses: Option<&BlockDoses>) -> Self {
        let mut targets = doses.into_iter().flat_map(|doses| &doses.targets);
        let target = targets.find(|target| target.label == test.label);
        Self {
            label: test.label.clone(),
            blocks: target.map(|target| target.blocks as u64),
            method: test.owner.clone(),
            added_pct: test.added_pct,
            before_pct: test.before_pct,
            after_pct: test.after_pct,
            predicted_pt: test.predicted_pt,
            error_pt: test.target_error_pt,
            detected_before: Some(test.detected_before),
            detected: test.detected_after,
            counts: test.counts,
        }
    }

    /// Whether it is a single block or several of a method.
    #[must_use]
    pub fn dosed(&self) -> Dosed {
        // Labels are `block 138 of UNIT` and `26 blocks of METHOD`.
        let single = self.label.starts_with("block ");
        match self.blocks.map_or(single, |blocks| blocks == 1) {
            true => Dosed::Block,
            false => Dosed::Method,
        }
    }
}

/// The methods that the profiler shows hottest with nothing slowed; samples without a name are no method.
fn hottest(shares: &[MethodShares], target_pct: u32) -> Vec<MethodPair> {
    let share = |method: &MethodShares, condition: Condition| {
        let of = method.by_condition.iter();
        let mut of = of.filter(|one| one.condition == condition);
        of.find_map(|one| one.profiler_pct)
    };
    let pair = |method: &MethodShares| {
        Some(MethodPair {
            method: method.method.clone(),
            normal_pct: share(method, Condition::Baseline)?,
            slowed_pct: share(method, Condition::Uniform(target_pct))?,
        })
    };
    let named = shares.iter().filter(|one| one.method != UNATTRIBUTED);
    let mut pairs: Vec<MethodPair> = named.filter_map(pair).collect();
    pairs.sort_by(|a, b| b.normal_pct.value.total_cmp(&a.normal_pct.value));
    pairs.truncate(TOP);
    pairs
}

#[cfg(test)]
mod tests {
    use proofmark_assess::ConditionShare;

    use super::*;

    /// Samples without a name may be the largest row; the methods that are counted as off are not compared with it either.
    #[test]
    fn samples_without_a_name_are_none_of_the_five_methods() {
        let row = |method: &str, pct: f64| MethodShares {
            method: method.into(),
            by_condition: [Condition::Baseline, Condition::Uniform(100)]
                .map(|condition| ConditionShare {
                    condition,
                    truth_pct: None,
                    profiler_pct: Some(Estimate::around(pct, 1.0, 1000)),
                })
                .into(),
        };
        let methods = ["a", "b", "c", "d", "e", "f"];
        let rows = methods
            .iter()
            .zip(1..)
            .map(|(name, at)| row(name, f64::from(at)));
        let shares: Vec<MethodShares> = rows.chain([row(UNATTRIBUTED, 79.0)]).collect();
        let top = hottest(&shares, 100);
        let names: Vec<&str> = top.iter().map(|pair| pair.method.as_str()).collect();
        assert_eq!(names, ["f", "e", "d", "c", "b"]);
    }
}
