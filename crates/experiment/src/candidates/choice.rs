//! Which slowdown instruction a run takes, and who chose it.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CandidateRow;
use super::report::{NEAR, near};
use crate::divine::DivineReport;
use crate::lab::{Filler, InsertionPoint};

/// The slowdown instruction of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Slowdown {
    /// The instruction, as it is named on the command line.
    pub instruction: String,
    /// Who chose it.
    pub chosen_by: Chooser,
    /// Day on which `candidates` recommended it, `2026-11-23`; none if somebody else chose it.
    pub recommended_on: Option<String>,
    /// The program with which `candidates` found it; none if somebody else chose it.
    pub recommended_with: Option<String>,
}

/// Who chose a slowdown instruction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Chooser {
    /// The user, with `--filler`.
    User,
    /// The plan that was given, which counts it.
    Plan,
    /// `candidates`, on this machine.
    Candidates,
    /// The machine's calibration.
    Calibration,
}

impl Slowdown {
    /// An instruction that nobody recommended.
    #[must_use]
    pub fn of(filler: Filler, chosen_by: Chooser) -> Self {
        Slowdown {
            instruction: filler.name().to_owned(),
            chosen_by,
            recommended_on: None,
            recommended_with: None,
        }
    }

    /// One that `candidates` recommended on this day, after trying it with this program.
    #[must_use]
    pub fn recommended(filler: Filler, on: &str, with: &str) -> Self {
        Slowdown {
            recommended_on: Some(on.to_owned()),
            recommended_with: Some(with.to_owned()),
            ..Self::of(filler, Chooser::Candidates)
        }
    }

    /// The instruction; none if it is not known here.
    #[must_use]
    pub fn filler(&self) -> Option<Filler> {
        Filler::named(&self.instruction)
    }
}

impl fmt::Display for Slowdown {
    /// `lea, recommended by candidates on 2026-11-23 (Towers)`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, ", self.instruction)?;
        match self.chosen_by {
            Chooser::User => f.write_str("asked for with --filler"),
            Chooser::Plan => f.write_str("counted by the plan"),
            Chooser::Calibration => f.write_str("by the calibration of this machine"),
            Chooser::Candidates => {
                f.write_str("recommended by candidates")?;
                if let Some(on) = &self.recommended_on {
                    write!(f, " on {on}")?;
                }
                match &self.recommended_with {
                    Some(program) => write!(f, " ({program})"),
                    None => Ok(()),
                }
            }
        }
    }
}

/// The JSON of `divine --format json` (schema: `docs/formats/divine.schema.json`): the plan, and what slows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DivineAnswer {
    /// What divining found.
    #[serde(flatten)]
    pub report: DivineReport,
    /// The slowdown instruction and who chose it; none in documents of earlier versions.
    #[serde(default)]
    pub filler: Option<Slowdown>,
}

/// The instruction that other commands should take instead of the `usual` one, that of the calibration: of those that come
/// near and are told apart from it as better, the one with the least error of blocks. Only what stands between a block's own
/// instructions counts, as all other commands insert so.
///
/// # Accuracy
/// Told apart is, whose 95 % interval does not overlap with that of the usual one: of the error of blocks, or of the total
/// where that of the usual one misses the target by more than a tenth with its whole interval. Of two that do not differ that
/// is seen in less than 1 of 100 cases, of seven beside the usual one in a few of 100. A usual one that was not tried, or
/// failed, is not replaced: a process that dies may be chance.
pub(super) fn preferred(rows: &[CandidateRow], target_pct: f64, usual: Filler) -> Option<String> {
    let spread = InsertionPoint::Spread.name();
    let mut there = rows.iter().filter(|row| row.at == spread);
    let usual = there.find(|row| row.instruction == usual.name())?;
    let better = |row: &&CandidateRow| {
        row.at == spread
            && row.instruction != usual.instruction
            && (is_finer(row, usual) || is_nearer(row, usual, target_pct))
    };
    let best = near(rows, target_pct).into_iter().find(better)?;
    Some(best.instruction.clone())
}

/// Whether the blocks of one are off by less than those of the usual one.
fn is_finer(one: &CandidateRow, usual: &CandidateRow) -> bool {
    let errors = one.block_error_pt.zip(usual.block_error_pt);
    errors.is_some_and(|(one, usual)| one.high < usual.low)
}

/// Whether the total of the usual one does not come near, and that of the other is another one.
fn is_nearer(one: &CandidateRow, usual: &CandidateRow, target_pct: f64) -> bool {
    let totals = one.overhead_pct.zip(usual.overhead_pct);
    totals.is_some_and(|(one, usual)| {
        let above = usual.low > target_pct * (1.0 + NEAR) && usual.low > one.high;
        let below = usual.high < target_pct * (1.0 - NEAR) && usual.high < one.low;
        above || below
    })
}

#[cfg(test)]
mod tests {
    use proofmark_stats::Estimate;

    use super::*;
    use crate::lab::Insertion;

    /// A candidate with this total and this error of blocks, each give or take 2.
    fn row(filler: Filler, at: InsertionPoint, total: f64, error: f64) -> CandidateRow {
        CandidateRow {
            overhead_pct: Some(Estimate::around(total, 2.0, 30)),
            block_error_pt: Some(Estimate::around(error, 2.0, 30)),
            failed: None,
            ..CandidateRow::failed(Insertion { filler, at }, "")
        }
    }

    fn spread(filler: Filler, total: f64, error: f64) -> CandidateRow {
        row(filler, InsertionPoint::Spread, total, error)
    }

    #[test]
    fn only_what_is_told_apart_replaces_the_usual_one() {
        use Filler::{Lea, Mov, Nop9, Sfence};
        let of = |rows: &[CandidateRow]| preferred(rows, 100.0, Mov);
        let mov = spread(Mov, 101.0, 9.0);
        let near = spread(Lea, 99.0, 6.0);
        let finer = spread(Lea, 99.0, 4.5);
        let finest = spread(Nop9, 104.0, 2.5);
        assert_eq!(of(&[mov.clone(), near]), None, "the intervals overlap");
        let both = [mov.clone(), finer.clone(), finest];
        assert_eq!(of(&both).as_deref(), Some("nop9"));
        let coarse = spread(Sfence, 140.0, 1.0);
        assert_eq!(of(&[mov.clone(), coarse]), None, "it does not come near");
        let start = row(Lea, InsertionPoint::Start, 99.0, 1.0);
        assert_eq!(of(&[mov, start]), None, "others insert in between");
        let failed = CandidateRow::failed(Insertion::plan(Mov), "died");
        assert_eq!(of(&[failed, finer.clone()]), None);
        assert_eq!(of(&[finer]), None, "the usual one was not tried");
    }

    #[test]
    fn a_usual_one_that_misses_by_far_is_replaced_by_one_that_comes_near() {
        let of = |total: f64| {
            let lea = spread(Filler::Lea, 105.0, 8.0);
            preferred(&[spread(Filler::Mov, total, 8.0), lea], 100.0, Filler::Mov)
        };
        assert_eq!(of(117.0).as_deref(), Some("lea"));
        assert_eq!(of(111.0), None, "it may come near");
        assert_eq!(of(80.0).as_deref(), Some("lea"));
    }

    #[test]
    fn who_chose_is_said() {
        let lea = Slowdown::recommended(Filler::Lea, "2026-11-23", "Towers");
        assert_eq!(
            lea.to_string(),
            "lea, recommended by candidates on 2026-11-23 (Towers)"
        );
        assert_eq!(lea.filler(), Some(Filler::Lea));
        let text = serde_json::to_string(&lea).expect("JSON");
        let back: Slowdown = serde_json::from_str(&text).expect("a choice");
        assert_eq!(back, lea);
        let mov = Slowdown::of(Filler::Mov, Chooser::Calibration);
        assert!(mov.to_string().contains("calibration"), "{mov}");
    }
}
