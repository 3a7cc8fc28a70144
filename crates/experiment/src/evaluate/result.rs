//! The whole evaluation.

use proofmark_divine::Environment;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::cost::StaticCosts;
use super::profilers::Dosed;
use super::program::ProgramResult;
use super::protocols::{Protocols, Sampler};
use super::questions::{self, AddedTime, ShareChanges, Slowing};
use crate::divine::CostModel;

/// Name and version of the format.
pub const EVALUATION_SCHEMA: &str = "proofmark-evaluation/1";

/// The JSON of `evaluate --format json` (schema: `docs/formats/evaluation.schema.json`).
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Evaluation {
    /// [`EVALUATION_SCHEMA`].
    pub schema: String,
    /// Machines and versions on which programs were measured, each once.
    pub environments: Vec<Environment>,
    /// Slowdowns that were asked for, %.
    pub targets_pct: Vec<f64>,
    /// Every program.
    pub programs: Vec<ProgramResult>,
    /// Is a program slowed as asked? One row for each target.
    pub slowing: Vec<Slowing>,
    /// Do shares stay what they are? One row for each profiler and target.
    pub share_changes: Vec<ShareChanges>,
    /// Is added time charged to its method? For each profiler one row of single blocks, and one of several blocks of a method.
    pub added_time: Vec<AddedTime>,
    /// What the sampler costs; none if it is not known.
    #[serde(default)]
    pub sampler: Option<Sampler>,
    /// Would the compiler's own estimates do instead of measuring? One row for each static cost model.
    #[serde(default)]
    pub static_costs: Vec<StaticCosts>,
    /// Do plans do the same in processes of their own? One row for each target for which that was asked.
    #[serde(default)]
    pub protocols: Vec<Protocols>,
}

impl Evaluation {
    /// Of these programs.
    #[must_use]
    pub fn of(targets_pct: &[f64], programs: Vec<ProgramResult>) -> Self {
        let mut environments: Vec<Environment> = Vec::new();
        for environment in programs.iter().filter_map(|p| p.environment.as_ref()) {
            if !environments.contains(environment) {
                environments.push(environment.clone());
            }
        }
        let profilers = questions::names(&programs);
        let slowing = targets_pct.iter().map(|t| Slowing::of(&programs, *t));
        let pairs = profilers
            .iter()
            .flat_map(|name| targets_pct.iter().map(move |target| (name, *target)));
        let changes = pairs.filter_map(|(name, target)| {
            ShareChanges::of(&programs, name, crate::assess::percent(target))
        });
        let kinds = |name: &'_ String| {
            let kinds = [Dosed::Block, Dosed::Method].into_iter();
            let rows = kinds.filter_map(|kind| AddedTime::of(&programs, name, kind));
            rows.collect::<Vec<_>>()
        };
        let added = profilers.iter().flat_map(kinds);
        Self {
            schema: EVALUATION_SCHEMA.into(),
            environments,
            targets_pct: targets_pct.to_vec(),
            slowing: slowing.collect(),
            share_changes: changes.collect(),
            added_time: added.collect(),
            sampler: Sampler::of(&programs),
            static_costs: (CostModel::ALL.into_iter())
                .filter_map(|model| StaticCosts::of(&programs, model))
                .collect(),
            protocols: (targets_pct.iter())
                .filter_map(|target| Protocols::of(&programs, *target))
                .collect(),
            programs,
        }
    }
}
