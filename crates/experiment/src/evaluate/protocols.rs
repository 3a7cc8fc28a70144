//! Checks around the slowdown: how a plan was searched for, what the sampler costs, and whether a plan does in processes of
//! their own what it did where it was divined.

use proofmark_divine::SearchKind;
use proofmark_stats::{Estimate, pseudomedian};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::program::{PlanResult, ProgramResult};
use crate::divine::{Compared, DivineReport};

/// What was published of the overhead of the study's own sampler over its programs, %: median, least, most. Of another
/// sampler, at another rate.
pub const PUBLISHED_SAMPLER_PCT: [f64; 3] = [2.35, 0.29, 5.88];

/// How a plan was searched for, and what that took.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SearchDone {
    /// Which search.
    pub kind: SearchKind,
    /// Rounds that it measured; none in documents of earlier versions.
    pub rounds: Option<u32>,
    /// Wall time until its last round was measured, s; none in documents of earlier versions.
    pub seconds: Option<f64>,
}

/// What the sampler costs a program.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SamplerCost {
    /// Samples per second of CPU time.
    pub rate_hz: f64,
    /// How much longer an iteration takes while it is sampled, nothing slowed, %; n: rounds of the evaluation.
    pub pct: Estimate,
}

/// What the sampler costs, over all programs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Sampler {
    /// Programs of which it is known.
    pub programs: u64,
    /// Samples per second of CPU time.
    pub rate_hz: f64,
    /// Typical cost (pseudo-median over programs), %.
    pub pct: Option<Estimate>,
    /// The program that it costs least, and that cost, %.
    pub least: (String, Estimate),
    /// The program that it costs most, and that cost, %.
    pub most: (String, Estimate),
}

/// Plans for one target in processes of their own, beside the process in which each was divined.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Protocols {
    /// Slowdown wanted, %.
    pub target_pct: f64,
    /// Programs whose total is known by both protocols.
    pub programs: u64,
    /// Those whose totals agree.
    pub agree: u64,
    /// Typical difference of totals (pseudo-median over programs), points.
    pub bias_pt: Option<Estimate>,
    /// The program whose totals differ most, and by how much, points.
    pub worst: Option<(String, Estimate)>,
    /// Sets of blocks of all programs that agree, and those that were compared.
    pub sets: [u64; 2],
    /// The same of judged blocks, each on its own.
    pub blocks: [u64; 2],
}

impl SearchDone {
    /// As a report tells it.
    #[must_use]
    pub fn of(report: &DivineReport) -> Self {
        SearchDone {
            kind: report.search,
            rounds: report.rounds,
            seconds: report.search_s,
        }
    }
}

impl SamplerCost {
    /// As a report tells it; none if it does not.
    #[must_use]
    pub fn of(report: &DivineReport) -> Option<Self> {
        Some(SamplerCost {
            rate_hz: report.sampling.as_ref()?.rate_hz,
            pct: report.sampler_pct?,
        })
    }

    /// What one sample costs, µs of CPU time.
    #[must_use]
    pub fn us_per_sample(&self) -> Estimate {
        // Samples are taken of the longer time too.
        let part = |pct: f64| pct / (100.0 + pct);
        let us = |pct: f64| 1e6 * part(pct) / self.rate_hz;
        self.pct.map_increasing(us)
    }
}

impl Sampler {
    /// Over all programs, each with its first plan; none if it is known of none.
    #[must_use]
    pub fn of(programs: &[ProgramResult]) -> Option<Self> {
        let of_program = |program: &ProgramResult| {
            let cost = program.plans.first()?.sampler?;
            Some((program.program.clone(), cost))
        };
        let costs: Vec<(String, SamplerCost)> = programs.iter().filter_map(of_program).collect();
        type Of = (String, SamplerCost);
        let by_cost = |a: &&Of, b: &&Of| a.1.pct.value.total_cmp(&b.1.pct.value);
        let named = |one: &Of| (one.0.clone(), one.1.pct);
        let values: Vec<f64> = costs.iter().map(|(_, cost)| cost.pct.value).collect();
        Some(Sampler {
            programs: costs.len() as u64,
            rate_hz: costs.first()?.1.rate_hz,
            pct: pseudomedian(&values),
            least: costs.iter().min_by(by_cost).map(named)?,
            most: costs.iter().max_by(by_cost).map(named)?,
        })
    }
}

impl Protocols {
    /// Over all programs; none if none of them was measured so for this target.
    #[must_use]
    pub fn of(programs: &[ProgramResult], target_pct: f64) -> Option<Self> {
        let plan = |program: &'_ ProgramResult| -> Option<(String, PlanResult)> {
            let plan = program.plans.iter().find(|p| p.target_pct == target_pct)?;
            plan.fresh.as_ref()?;
            Some((program.program.clone(), plan.clone()))
        };
        let plans: Vec<(String, PlanResult)> = programs.iter().filter_map(plan).collect();
        let found = || plans.iter().filter_map(|(_, plan)| plan.fresh.as_ref());
        let total = |(name, plan): &(String, PlanResult)| {
            let total: Compared = plan.fresh.as_ref()?.total?;
            Some((name.clone(), total))
        };
        let totals: Vec<(String, Compared)> = plans.iter().filter_map(total).collect();
        let biases: Vec<f64> = totals.iter().map(|(_, t)| t.bias_pt.value).collect();
        let size = |one: &(String, Compared)| one.1.bias_pt.value.abs();
        let worst = totals.iter().max_by(|a, b| size(a).total_cmp(&size(b)));
        (!plans.is_empty()).then(|| Protocols {
            target_pct,
            programs: totals.len() as u64,
            agree: totals.iter().filter(|(_, total)| total.agrees).count() as u64,
            bias_pt: pseudomedian(&biases),
            worst: worst.map(|(name, total)| (name.clone(), total.bias_pt)),
            sets: [
                found().map(|one| one.sets.agree).sum(),
                found().map(|one| one.sets.compared).sum(),
            ],
            blocks: [
                found().map(|one| one.blocks.agree).sum(),
                found().map(|one| one.blocks.compared).sum(),
            ],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 20 % at 10,000 samples a second: 12,000 samples for a second of the program, which cost 0.2 s.
    #[test]
    fn samples_are_taken_of_the_longer_time() {
        let cost = SamplerCost {
            rate_hz: 10_000.0,
            pct: Estimate::around(20.0, 1.0, 5),
        };
        let us = cost.us_per_sample();
        assert!((us.value - 1e6 * 0.2 / 12_000.0).abs() < 1e-9, "{us:?}");
        assert!(us.low < us.value && us.value < us.high && us.n == 5);
    }
}
