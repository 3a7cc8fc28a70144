//! The three words.

use crate::{Assessment, Role};
use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Answer of one test or of all tests of a profiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Every error's interval lies wholly below the margin.
    Right,
    /// One error's interval lies wholly above the margin.
    Wrong,
    /// Neither: more data, or not to be decided here.
    Undecided,
}

impl Verdict {
    /// Verdict on one error: wrong if its interval lies wholly above `wrong_above`, right if wholly below `right_below`
    /// (both in points).
    #[must_use]
    pub fn of(error_pt: &Estimate, wrong_above: f64, right_below: f64) -> Self {
        if error_pt.wholly_above(wrong_above) {
            Self::Wrong
        } else if error_pt.wholly_below(right_below) {
            Self::Right
        } else {
            Self::Undecided
        }
    }

    /// Verdict of several tests: one wrong makes it wrong, else one undecided makes it undecided; no test is undecided.
    #[must_use]
    pub fn all(verdicts: impl IntoIterator<Item = Self>) -> Self {
        let mut any = false;
        let mut worst = Self::Right;
        for verdict in verdicts {
            any = true;
            worst = match (worst, verdict) {
                (Self::Wrong, _) | (_, Self::Wrong) => Self::Wrong,
                (Self::Undecided, _) | (_, Self::Undecided) => Self::Undecided,
                _ => Self::Right,
            };
        }
        if any { worst } else { Self::Undecided }
    }
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Undecided => "undecided",
        })
    }
}

/// Verdict on all profilers under test; controls do not count. Without any of them (only controls): right if the controls are
/// in order, else undecided.
#[must_use]
pub fn overall(assessment: &Assessment) -> Verdict {
    let subjects = assessment
        .profilers
        .iter()
        .filter(|p| p.role == Role::Subject);
    let verdicts: Vec<Verdict> = subjects.map(|p| p.verdict).collect();
    if verdicts.is_empty() && assessment.controls_ok == Some(true) {
        return Verdict::Right;
    }
    Verdict::all(verdicts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_decide_not_values() {
        let e = |low, high| Estimate {
            value: (low + high) / 2.0,
            low,
            high,
            n: 9,
        };
        assert_eq!(Verdict::of(&e(1.0, 4.9), 5.0, 5.0), Verdict::Right);
        assert_eq!(Verdict::of(&e(1.0, 5.1), 5.0, 5.0), Verdict::Undecided);
        assert_eq!(Verdict::of(&e(4.9, 30.0), 5.0, 5.0), Verdict::Undecided);
        assert_eq!(Verdict::of(&e(5.1, 30.0), 5.0, 5.0), Verdict::Wrong);
        assert_eq!(Verdict::of(&e(2.1, 4.0), 2.0, 5.0), Verdict::Wrong);
    }

    #[test]
    fn wrong_beats_undecided_beats_right() {
        use Verdict::{Right, Undecided, Wrong};
        assert_eq!(Verdict::all([Right, Undecided, Wrong]), Wrong);
        assert_eq!(Verdict::all([Right, Undecided]), Undecided);
        assert_eq!(Verdict::all([Right, Right]), Right);
        assert_eq!(Verdict::all([]), Undecided);
    }
}
