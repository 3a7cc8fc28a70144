//! Is the instrument itself in order?

use crate::{Condition, Judgement, Role, Verdict};
use proofmark_rules::CONTROL_OWNS_PCT;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a control did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ControlOutcome {
    /// What it must.
    Passed,
    /// The opposite: the instrument is broken.
    Failed,
    /// Its verdict is undecided.
    Undecided,
    /// The program cannot show it: fewer than two methods own 10 % each.
    NotApplicable,
    /// It was not run.
    NotRun,
}

/// Outcome of the controls.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Controls {
    /// The safepoint-biased profiler must be found wrong.
    pub safepoint: ControlOutcome,
    /// The oracle must be found right.
    pub oracle: ControlOutcome,
}

impl Controls {
    /// Reads the outcome off the judgements.
    #[must_use]
    pub fn of(judgements: &[Judgement]) -> Self {
        let find = |role| judgements.iter().find(|j| j.role == role);
        let outcome = |j: &Judgement, wanted| match j.verdict {
            v if v == wanted => ControlOutcome::Passed,
            Verdict::Undecided => ControlOutcome::Undecided,
            _ => ControlOutcome::Failed,
        };
        let safepoint = match find(Role::SafepointControl) {
            None => ControlOutcome::NotRun,
            Some(j) if !applicable(j) => ControlOutcome::NotApplicable,
            Some(j) => outcome(j, Verdict::Wrong),
        };
        let oracle = find(Role::OracleControl)
            .map_or(ControlOutcome::NotRun, |j| outcome(j, Verdict::Right));
        Self { safepoint, oracle }
    }

    /// Whether a control did not do what it must: then nothing can be said of profilers. One that was not run, or that the
    /// program cannot show, says nothing.
    #[must_use]
    pub fn broken(&self) -> bool {
        self.names_of(ControlOutcome::Failed).next().is_some()
            || self.names_of(ControlOutcome::Undecided).next().is_some()
    }

    /// Controls with this outcome.
    pub(crate) fn names_of(&self, outcome: ControlOutcome) -> impl Iterator<Item = &'static str> {
        let all = [("oracle", self.oracle), ("safepoint", self.safepoint)];
        let these = all.into_iter().filter(move |(_, one)| *one == outcome);
        these.map(|(name, _)| name)
    }

    /// False if a control failed; true if the oracle passed and the safepoint control passed or is not applicable;
    /// `None` if something is undecided or was not run.
    #[must_use]
    pub fn ok(&self) -> Option<bool> {
        use ControlOutcome::{Failed, NotApplicable, Passed};
        match (self.safepoint, self.oracle) {
            (Failed, _) | (_, Failed) => Some(false),
            (Passed | NotApplicable, Passed) => Some(true),
            _ => None,
        }
    }
}

/// True if at least two methods truly own enough of the unslowed time.
fn applicable(j: &Judgement) -> bool {
    let share = |m: &crate::MethodShares| {
        let baseline = m
            .by_condition
            .iter()
            .find(|c| c.condition == Condition::Baseline)?;
        Some(baseline.truth_pct?.value)
    };
    j.shares
        .iter()
        .filter_map(share)
        .filter(|pct| *pct >= CONTROL_OWNS_PCT)
        .count()
        >= 2
}
