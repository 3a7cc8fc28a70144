//! What is told about candidates.

use proofmark_divine::{Environment, TunableKind};
use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::CandidatesRequest;
use super::choice::preferred;
use crate::divine::Divined;
use crate::lab::Insertion;
use crate::session::About;

/// Name and version of the format.
pub const CANDIDATES_SCHEMA: &str = "proofmark-candidates/1";

/// Candidates beside each other.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CandidatesReport {
    /// [`CANDIDATES_SCHEMA`].
    pub schema: String,
    /// The program.
    pub workload: String,
    /// Slowdown wanted of every block, %.
    pub target_pct: f64,
    /// Machine and versions.
    pub environment: Environment,
    /// Core clock with which times became cycles, GHz.
    pub clock_ghz: f64,
    /// The candidates, in the order of the request.
    pub candidates: Vec<CandidateRow>,
    /// The one that comes nearest, as it is named on the command line of `divine`; none if none comes near.
    pub recommended: Option<String>,
    /// Others that come near, and whose error of blocks is not told apart from that one's: the intervals overlap.
    #[serde(default)]
    pub not_told_apart: Vec<String>,
    /// The instruction that the machine's calibration suggests; none in documents of earlier versions.
    #[serde(default)]
    pub usual: Option<String>,
    /// The one that is told apart from it as better, between a block's own instructions: what other commands take on the
    /// machine where it was measured. None if none is.
    #[serde(default)]
    pub preferred: Option<String>,
}

/// One candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CandidateRow {
    /// The instruction: mov, nop, lea, nop9, pushpop, sfence, long or pause.
    pub instruction: String,
    /// Where in a block it goes: spread, start or end.
    pub at: String,
    /// What it costs, and how much of it is free; none if it failed before.
    pub response: Option<Response>,
    /// Instructions that stand in the code under the plan that was found.
    pub inserted: u64,
    /// Blocks that have any.
    pub blocks: u64,
    /// Growth of the program under that plan, %; n: pairs of windows.
    pub overhead_pct: Option<Estimate>,
    /// Mean absolute miss of the judged sets of blocks, weighted by time, points.
    pub block_error_pt: Option<Estimate>,
    /// Part of the judged time in sets within 10 points of the target, %.
    pub within_10_pt_pct: Option<Estimate>,
    /// How the slowdown is spread over the judged time, ascending.
    pub histogram: Vec<TimeWithin>,
    /// What a profiler shows; none if nobody looked.
    pub view: Option<View>,
    /// Plans that were tried.
    pub plans_tried: u32,
    /// Time that all of it took, s.
    pub wall_s: f64,
    /// Why it has no figures; none if it has.
    pub failed: Option<String>,
}

/// What an instruction costs in this program's blocks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Response {
    /// Instructions per block with which that was measured, few and many.
    pub instructions: [u32; 2],
    /// Cycles that one more takes, mean over executions; n: rounds.
    pub cycles_per_instruction: Option<Estimate>,
    /// Instructions that are free in an execution of a block, mean over executions; n: rounds.
    pub free_per_execution: Option<Estimate>,
}

/// Part of the judged time whose slowdown lies between two figures.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TimeWithin {
    /// From this slowdown, %; none: from the least.
    pub from_pct: Option<f64>,
    /// To below this one, %; none: to the most.
    pub to_pct: Option<f64>,
    /// Part of the judged baseline time, %.
    pub time_pct: f64,
}

/// The profile of the program as it is, and slowed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct View {
    /// The profiler.
    pub profiler: String,
    /// Mean over the hottest methods of the squared difference of their shares, points squared; n: samples.
    pub mean_squared_error: Estimate,
    /// What chance alone makes of it.
    pub noise: f64,
    /// These methods.
    pub methods: Vec<MethodView>,
}

/// A method in both profiles.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MethodView {
    /// The method.
    pub method: String,
    /// Its share of the program as it is, %.
    pub normal_pct: f64,
    /// Its share of the slowed program, %.
    pub slowed_pct: f64,
}

/// Borders of the histogram, %.
const BORDERS: [f64; 10] = [
    0.0, 50.0, 80.0, 90.0, 110.0, 120.0, 150.0, 200.0, 400.0, 1000.0,
];
/// A candidate comes near if the program's growth is off by no more than this part of the target.
pub(super) const NEAR: f64 = 0.1;

impl CandidatesReport {
    pub(super) fn of(about: &About, request: &CandidatesRequest, rows: Vec<CandidateRow>) -> Self {
        let target_pct = 100.0 * request.target;
        let near = near(&rows, target_pct);
        let best = near.first().copied();
        let overlap = |one: &&CandidateRow| {
            let error = |row: &CandidateRow| row.block_error_pt;
            let best = best.and_then(error);
            error(one)
                .zip(best)
                .is_some_and(|(one, best)| one.low <= best.high)
        };
        CandidatesReport {
            schema: CANDIDATES_SCHEMA.into(),
            workload: about.workload.clone(),
            target_pct,
            environment: about.environment.clone(),
            clock_ghz: about.clock_ghz,
            recommended: best.map(|best| {
                format!(
                    "--filler {} --insertion-point {}",
                    best.instruction, best.at
                )
            }),
            not_told_apart: (near.iter().skip(1).copied())
                .filter(overlap)
                .map(CandidateRow::name)
                .collect(),
            usual: Some(about.filler.name().to_owned()),
            preferred: preferred(&rows, target_pct, about.filler),
            candidates: rows,
        }
    }
}

/// Those whose total comes near, the one with the least error of blocks first.
pub(super) fn near(rows: &[CandidateRow], target_pct: f64) -> Vec<&CandidateRow> {
    let error = |row: &CandidateRow| row.block_error_pt.map_or(f64::MAX, |error| error.value);
    let near = |row: &&CandidateRow| {
        let overhead = row.overhead_pct;
        overhead.is_some_and(|pct| (pct.value - target_pct).abs() <= NEAR * target_pct)
    };
    let mut all: Vec<&CandidateRow> = rows.iter().filter(near).collect();
    all.sort_by(|a, b| error(a).total_cmp(&error(b)));
    all
}

impl CandidateRow {
    pub(super) fn of(
        insertion: Insertion,
        response: Response,
        found: &Divined,
        view: Option<View>,
    ) -> Self {
        let instructions = found.tunables.instructions(&found.outcome.counts);
        let evaluation = &found.evaluation;
        CandidateRow {
            response: Some(response),
            inserted: instructions.values().map(|count| u64::from(*count)).sum(),
            blocks: instructions.values().filter(|count| **count > 0).count() as u64,
            overhead_pct: Some(evaluation.overhead_pct),
            block_error_pt: Some(evaluation.block_error_pt),
            within_10_pt_pct: Some(evaluation.within_10_pt_pct),
            histogram: histogram(found),
            view,
            plans_tried: found.outcome.plans_tried,
            failed: None,
            ..CandidateRow::failed(insertion, "")
        }
    }

    /// One without figures.
    pub(super) fn failed(insertion: Insertion, reason: &str) -> Self {
        CandidateRow {
            instruction: insertion.filler.name().into(),
            at: insertion.at.name().into(),
            response: None,
            inserted: 0,
            blocks: 0,
            overhead_pct: None,
            block_error_pt: None,
            within_10_pt_pct: None,
            histogram: Vec::new(),
            view: None,
            plans_tried: 0,
            wall_s: 0.0,
            failed: Some(reason.to_owned()),
        }
    }

    /// `mov spread`
    #[must_use]
    pub fn name(&self) -> String {
        format!("{} {}", self.instruction, self.at)
    }
}

fn histogram(found: &Divined) -> Vec<TimeWithin> {
    let tunables = found
        .tunables
        .as_slice()
        .iter()
        .zip(&found.evaluation.tunables);
    let judged = tunables.filter(|(tunable, _)| tunable.kind == TunableKind::Block);
    let seen: Vec<(f64, f64)> = judged
        .filter_map(|(_, tunable)| Some((tunable.achieved_overhead_pct?.value, tunable.share_pct)))
        .collect();
    spread(&seen)
}

/// Slowdowns with their shares of time, put between the borders.
fn spread(seen: &[(f64, f64)]) -> Vec<TimeWithin> {
    let all: f64 = seen.iter().map(|(_, share)| share).sum();
    let from = std::iter::once(None).chain(BORDERS.iter().copied().map(Some));
    let to = BORDERS.iter().copied().map(Some).chain([None]);
    from.zip(to)
        .map(|(from_pct, to_pct)| {
            let within = |pct: f64| {
                from_pct.is_none_or(|from| pct >= from) && to_pct.is_none_or(|to| pct < to)
            };
            let here = seen.iter().filter(|(pct, _)| within(*pct));
            TimeWithin {
                from_pct,
                to_pct,
                time_pct: 100.0 * here.map(|(_, share)| share).sum::<f64>() / all.max(1e-9),
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::{Filler, InsertionPoint};

    fn row(filler: Filler, overhead: f64, error: f64) -> CandidateRow {
        let at = InsertionPoint::Spread;
        CandidateRow {
            overhead_pct: Some(Estimate::around(overhead, 1.0, 9)),
            block_error_pt: Some(Estimate::around(error, 1.0, 9)),
            failed: None,
            ..CandidateRow::failed(Insertion { filler, at }, "")
        }
    }

    #[test]
    fn the_finest_that_comes_near_is_recommended() {
        let rows = [
            row(Filler::Sfence, 140.0, 1.0),
            row(Filler::Nop, 104.0, 6.0),
            row(Filler::Mov, 97.0, 4.0),
            CandidateRow::failed(Insertion::plan(Filler::Pause), "died"),
        ];
        let names: Vec<String> = near(&rows, 100.0).iter().map(|row| row.name()).collect();
        assert_eq!(names, ["mov spread", "nop spread"]);
        assert!(near(&rows[..1], 100.0).is_empty());
        assert_eq!(
            super::super::words(Insertion::plan(Filler::Mov)),
            rows[2].name()
        );
    }

    #[test]
    fn all_of_the_time_is_in_the_histogram() {
        let spread = spread(&[
            (-4.0, 1.0),
            (99.0, 6.0),
            (109.9, 1.0),
            (110.0, 1.0),
            (5000.0, 1.0),
        ]);
        let at = |pct: f64| {
            spread
                .iter()
                .find(|one| one.from_pct == Some(pct))
                .unwrap()
                .time_pct
        };
        assert!((spread.iter().map(|one| one.time_pct).sum::<f64>() - 100.0).abs() < 1e-9);
        assert!((at(90.0) - 70.0).abs() < 1e-9 && (at(110.0) - 10.0).abs() < 1e-9);
        assert_eq!((spread[0].from_pct, spread[10].to_pct), (None, None));
    }
}
