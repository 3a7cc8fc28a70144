//! The questions of the study, answered over all programs.

use proofmark_assess::Role;
use proofmark_rules::PUBLISHED_PT;
use proofmark_stats::{Estimate, mean_t, pearson, pseudomedian, wilson};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::profilers::{Dosed, Finding, MethodPair, ProfilerResult, SingleResult};
use super::program::{PlanResult, ProgramResult};
use super::published::{self, PublishedAdded, PublishedShares};

/// Is a program slowed as asked?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Slowing {
    /// Slowdown wanted, %.
    pub target_pct: f64,
    /// Programs with a plan.
    pub programs: u64,
    /// Typical overhead (pseudo-median over programs), %.
    pub overhead_pct: Option<Estimate>,
    /// The program whose overhead is farthest from the target, and that overhead, %.
    pub worst: Option<(String, Estimate)>,
    /// Programs whose overhead is within 2 points of the target.
    pub within_2_pt: u64,
    /// Typical error of sets (pseudo-median over programs with more than one), points.
    pub set_error_pt: Option<Estimate>,
    /// The program with the largest error of sets, and that error, points.
    pub worst_sets: Option<(String, Estimate)>,
    /// Plans that all searches tried together.
    pub plans: u64,
    /// Most that one search tried.
    pub most_plans: u64,
    /// Wall time of all searches and evaluations, s.
    pub wall_s: f64,
}

/// Do a profiler's shares stay what they are under a uniform slowdown?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ShareChanges {
    /// The profiler.
    pub profiler: String,
    /// The slowdown, %.
    pub target_pct: u32,
    /// Methods that were compared: the five hottest of every program.
    pub methods: u64,
    /// Correlation of normal and slowed shares; n: methods.
    pub correlation: Option<Estimate>,
    /// Methods whose share moved by more than 5 points.
    pub off_by_5_pt: u64,
    /// Mean change of these, points; n counts them. None of fewer than two, and in documents of earlier versions.
    #[serde(default)]
    pub mean_off_pt: Option<Estimate>,
    /// Those of them that are off whatever their blocks were really slowed by.
    pub off_by_5_pt_corrected: u64,
    /// Program and method whose share moved most, and by how much, points.
    pub worst: Option<(String, String, f64)>,
    /// What was published of this profiler at the same targets.
    pub published: Option<PublishedShares>,
}

/// Does a profiler charge what is added to blocks of one method to that method?
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AddedTime {
    /// The profiler.
    pub profiler: String,
    /// What was slowed alone in these experiments; published are single blocks.
    #[serde(default)]
    pub dosed: Dosed,
    /// Blocks, or blocks of one method, that were slowed alone.
    pub tried: u64,
    /// Programs that they belong to.
    pub programs: u64,
    /// Those that say something about a profiler: our own samples agree with the clock.
    pub counted: u64,
    /// Part of those that count whose method the profiler showed with nothing slowed, %; none in documents of earlier versions.
    #[serde(default)]
    pub detected_before_pct: Option<Estimate>,
    /// Part of those that count whose method the profiler showed when it was slowed, %.
    pub detected_pct: Option<Estimate>,
    /// Part of those that count whose method's share grew, %.
    pub grew_pct: Option<Estimate>,
    /// Mean absolute error of those that count, points.
    pub error_pt: Option<Estimate>,
    /// What was published of this profiler.
    pub published: Option<PublishedAdded>,
}

impl Slowing {
    /// Over all programs with a plan for this target.
    #[must_use]
    pub fn of(programs: &[ProgramResult], target_pct: f64) -> Self {
        let of_program = |program: &'_ ProgramResult| {
            let plan = program.plans.iter().find(|p| p.target_pct == target_pct);
            Some((program.program.clone(), plan?.clone()))
        };
        let plans: Vec<(String, PlanResult)> = programs.iter().filter_map(of_program).collect();
        let totals: Vec<(String, Estimate)> = (plans.iter())
            .filter_map(|(name, plan)| Some((name.clone(), plan.overhead_pct?)))
            .collect();
        let errors: Vec<(String, Estimate)> = (plans.iter())
            .filter(|(_, plan)| plan.judged_sets > 1)
            .filter_map(|(name, plan)| Some((name.clone(), plan.set_error_pt?)))
            .collect();
        let off = |total: &Estimate| (total.value - target_pct).abs();
        Self {
            target_pct,
            programs: plans.len() as u64,
            overhead_pct: typical(&totals),
            within_2_pt: totals.iter().filter(|(_, t)| off(t) <= 2.0).count() as u64,
            worst: largest(totals, off),
            set_error_pt: typical(&errors),
            worst_sets: largest(errors, |error| error.value),
            plans: plans.iter().map(|(_, p)| u64::from(p.plans_tried)).sum(),
            most_plans: (plans.iter().map(|(_, p)| u64::from(p.plans_tried)))
                .max()
                .unwrap_or(0),
            wall_s: plans.iter().map(|(_, p)| p.wall_s).sum(),
        }
    }
}

fn typical(of: &[(String, Estimate)]) -> Option<Estimate> {
    pseudomedian(&of.iter().map(|(_, one)| one.value).collect::<Vec<_>>())
}

fn largest(
    of: Vec<(String, Estimate)>,
    size: impl Fn(&Estimate) -> f64,
) -> Option<(String, Estimate)> {
    of.into_iter()
        .max_by(|a, b| size(&a.1).total_cmp(&size(&b.1)))
}

impl ShareChanges {
    /// Over all programs; none if the profiler saw none of them slowed so.
    #[must_use]
    pub fn of(programs: &[ProgramResult], profiler: &str, target_pct: u32) -> Option<Self> {
        let seen: Vec<(&str, &Finding)> = (programs.iter())
            .flat_map(|program| {
                let name = program.program.as_str();
                of_profiler(program, profiler)
                    .flat_map(move |p| p.top.iter().map(move |f| (name, f)))
            })
            .filter(|(_, finding)| finding.target_pct == target_pct)
            .collect();
        let pairs = || {
            seen.iter()
                .flat_map(|(name, finding)| finding.methods.iter().map(move |pair| (*name, pair)))
        };
        let normal: Vec<f64> = pairs().map(|(_, pair)| pair.normal_pct.value).collect();
        let slowed: Vec<f64> = pairs().map(|(_, pair)| pair.slowed_pct.value).collect();
        let moved = pairs()
            .map(|(program, pair)| (program.to_owned(), pair.method.clone(), change_pt(pair)));
        let off: Vec<f64> = (pairs().map(|(_, pair)| change_pt(pair).abs()))
            .filter(|change| *change > PUBLISHED_PT)
            .collect();
        (!seen.is_empty()).then(|| Self {
            profiler: profiler.to_owned(),
            target_pct,
            methods: normal.len() as u64,
            correlation: pearson(&normal, &slowed),
            off_by_5_pt: seen.iter().map(|(_, f)| f.off_by_5_pt).sum(),
            mean_off_pt: mean_t(&off).map(|mean| mean.clamped(0.0, f64::INFINITY)),
            off_by_5_pt_corrected: seen.iter().map(|(_, f)| f.off_by_5_pt_corrected).sum(),
            worst: moved.max_by(|a, b| a.2.abs().total_cmp(&b.2.abs())),
            published: published::shares(profiler),
        })
    }
}

/// By how many points a share moved.
fn change_pt(pair: &MethodPair) -> f64 {
    pair.slowed_pct.value - pair.normal_pct.value
}

impl AddedTime {
    /// Over all programs; none if nothing of this kind was slowed alone under this profiler.
    #[must_use]
    pub fn of(programs: &[ProgramResult], profiler: &str, dosed: Dosed) -> Option<Self> {
        let singles = |program: &'_ ProgramResult| -> Vec<SingleResult> {
            of_profiler(program, profiler)
                .flat_map(|p| p.singles.clone())
                .filter(|single| dosed == Dosed::Either || single.dosed() == dosed)
                .collect()
        };
        let by_program: Vec<Vec<SingleResult>> = programs.iter().map(singles).collect();
        let all: Vec<&SingleResult> = by_program.iter().flatten().collect();
        let counted: Vec<&&SingleResult> = all.iter().filter(|single| single.counts).collect();
        let part = |holds: &dyn Fn(&SingleResult) -> Option<bool>| {
            let known: Vec<bool> = counted.iter().filter_map(|single| holds(single)).collect();
            let hits = known.iter().filter(|hit| **hit).count();
            Some(wilson(hits as u64, known.len() as u64)?.scaled(100.0))
        };
        let errors: Vec<f64> = counted.iter().map(|s| s.error_pt.value.abs()).collect();
        (!all.is_empty()).then(|| Self {
            profiler: profiler.to_owned(),
            dosed,
            tried: all.len() as u64,
            programs: by_program.iter().filter(|s| !s.is_empty()).count() as u64,
            counted: counted.len() as u64,
            detected_before_pct: part(&|single| single.detected_before),
            detected_pct: part(&|single| Some(single.detected)),
            grew_pct: part(&|single| Some(single.after_pct.value > single.before_pct.value)),
            error_pt: mean_t(&errors).map(|mean| mean.clamped(0.0, f64::INFINITY)),
            published: published::added(profiler).filter(|_| dosed != Dosed::Method),
        })
    }
}

fn of_profiler<'a>(
    program: &'a ProgramResult,
    profiler: &'a str,
) -> impl Iterator<Item = &'a ProfilerResult> {
    program.profilers.iter().filter(move |p| p.name == profiler)
}

/// Names of all profilers that were looked at, controls last.
pub(super) fn names(programs: &[ProgramResult]) -> Vec<String> {
    let mut all: Vec<(bool, String)> = Vec::new();
    for profiler in programs.iter().flat_map(|program| &program.profilers) {
        let one = (profiler.role != Role::Subject, profiler.name.clone());
        if !all.contains(&one) {
            all.push(one);
        }
    }
    all.sort_by_key(|(control, _)| *control);
    all.into_iter().map(|(_, name)| name).collect()
}
