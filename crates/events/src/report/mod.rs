//! The JSON of `events`, `events diff` and `events cost`.

mod comparison;

use std::collections::BTreeMap;

use proofmark_divine::Environment;
use proofmark_stats::{Estimate, mean_t};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Frame, Profile, Total};

pub use comparison::{
    Configuration, EVENTS_COST_SCHEMA, EVENTS_DIFF_SCHEMA, EventsCost, EventsDiff,
};

/// Name and version of the format.
pub const EVENTS_SCHEMA: &str = "proofmark-events/1";

/// What a program's optimised code did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EventsReport {
    /// [`EVENTS_SCHEMA`].
    pub schema: String,
    /// Workload.
    pub workload: String,
    /// Machine and versions.
    pub environment: Environment,
    /// How it was counted: edge, live, pc, pd or dec.
    pub strategy: String,
    /// Whether every thread has counters of its own (exact with any number of threads).
    pub per_thread: bool,
    /// Iterations counted.
    pub iterations: u64,
    /// Runs of the program (calls of its `main`) in each of them: short ones are counted together.
    pub runs_per_iteration: u64,
    /// By type; types that cannot occur in this compiler are there with their reason.
    pub events: BTreeMap<String, EventFigures>,
    /// What part of the program was counted.
    pub coverage: Coverage,
    /// What counting missed.
    pub lost: Lost,
    /// Where events happened, the largest number of events first.
    pub positions: Vec<PositionRow>,
    /// What counting took.
    pub counters: Counters,
    /// Units that were not counted, each with its reason.
    pub refused: Vec<String>,
}

/// Events of one type.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct EventFigures {
    /// Category.
    pub category: String,
    /// Events in all iterations; low and high are what losses allow, not a confidence interval; n: iterations.
    pub total: Option<Estimate>,
    /// Mean per counted iteration (which may be several runs of the program) with its interval; none with fewer than two
    /// iterations.
    pub per_iteration: Option<Estimate>,
    /// Events in each iteration.
    pub over_time: Vec<i64>,
    /// Events in all iterations by unit; units without any are left out.
    pub per_unit: BTreeMap<String, i64>,
    /// Events whose source position the compiler did not keep.
    pub without_position: i64,
    /// Why it cannot happen in this compiler; none if it can.
    pub cannot_occur: Option<String>,
}

/// What part of the program was counted.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Coverage {
    /// Executions of blocks in counted units among those in all units of Graal's code, %; none if that is not known.
    pub graal_blocks_pct: Option<f64>,
    /// Part of the time of the workload's thread outside of Graal's code (interpreter, C1 code, VM), %; n: samples. None
    /// where nothing can be sampled.
    pub outside_time_pct: Option<Estimate>,
    /// What the command line restricted counting to; none if nothing.
    pub restricted: Option<String>,
    /// Units counted.
    pub units: u64,
    /// Units whose code was replaced while it was counted, by the JVM's own compilation or a deoptimisation.
    pub replaced: Vec<String>,
    /// Code of Graal's that was executed and not counted, the largest part first; empty where nothing can be sampled.
    pub uncounted: Vec<Uncounted>,
}

/// A unit that was executed and not counted.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Uncounted {
    /// Its name.
    pub unit: String,
    /// Executions of its blocks among those in all units of Graal's code, %; none for code that is not under control.
    pub blocks_pct: Option<f64>,
    /// Its part of the time of the workload's thread, %; none for code under control.
    pub time_pct: Option<f64>,
    /// Why it was not counted; none if that is not known.
    pub reason: Option<String>,
}

impl Uncounted {
    /// The larger of its parts, %.
    #[must_use]
    pub fn largest_pct(&self) -> f64 {
        let part = |pct: Option<f64>| pct.unwrap_or(0.0);
        part(self.blocks_pct).max(part(self.time_pct))
    }
}

/// What counting missed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Lost {
    /// Traversals of code that began and ended without passing an edge (deoptimisation in the middle of a block).
    pub traversals: u64,
    /// The same by unit; units without any are left out.
    pub per_unit: BTreeMap<String, u64>,
    /// True if a total has no upper bound: a loop was left whose count was held in a register.
    pub unbounded: bool,
}

/// Events at one source position.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PositionRow {
    /// Method and line, the innermost inlined frame first; the last one is the unit.
    pub frames: Vec<PositionFrame>,
    /// Events by type.
    pub events: BTreeMap<String, i64>,
}

/// One inlining level.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PositionFrame {
    /// Method, `package.Class.name(descriptor)return`.
    pub method: String,
    /// Source line; none if the class file has no lines.
    pub line: Option<u32>,
    /// Bytecode index.
    pub bci: i32,
}

/// What counting took.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize, JsonSchema)]
pub struct Counters {
    /// Counters given out.
    pub used: u64,
    /// Bytes of counters, those of all threads included.
    pub bytes: u64,
    /// Java threads at the end.
    pub threads: u64,
    /// Bytes of counting machine code.
    pub code_bytes: u64,
    /// Time to compile it, s.
    pub compile_s: f64,
}

impl EventsReport {
    /// Fills in what was counted. Types of `wanted` that never happened are there with 0.
    pub fn fill(&mut self, profile: &Profile) {
        self.iterations = profile.over_time.len() as u64;
        for (kind, named) in profile.types.iter().enumerate() {
            let over_time: Vec<i64> = profile.over_time.iter().map(|i| i[kind]).collect();
            let values: Vec<f64> = over_time.iter().map(|n| *n as f64).collect();
            let per_unit = profile
                .units
                .iter()
                .map(|(unit, totals)| (unit.clone(), totals[kind].value));
            let figures = self.events.entry(named.name.clone()).or_default();
            figures.category.clone_from(&named.category);
            figures.total = Some(bounded(profile.totals[kind], self.iterations));
            figures.per_iteration = mean_t(&values);
            figures.over_time = over_time;
            figures.per_unit = per_unit.filter(|(_, count)| *count != 0).collect();
            figures.without_position = profile.unplaced[kind];
        }
        self.positions = positions(profile);
        self.lost = Lost {
            traversals: profile.lost.values().sum(),
            per_unit: profile.lost.clone(),
            unbounded: profile.totals.iter().any(|total| total.high == i64::MAX),
        };
    }

    /// Runs of the program that were counted, at least 1: what totals are divided by for the figures of a run.
    #[must_use]
    pub fn runs(&self) -> u64 {
        (self.iterations * self.runs_per_iteration).max(1)
    }

    /// Types that happened, the most frequent first.
    #[must_use]
    pub fn ranked(&self) -> Vec<(&str, &EventFigures)> {
        let happened = |f: &EventFigures| f.total.is_some_and(|total| total.value != 0.0);
        let mut ranked: Vec<(&str, &EventFigures)> = self
            .events
            .iter()
            .filter(|(_, figures)| happened(figures))
            .map(|(name, figures)| (name.as_str(), figures))
            .collect();
        let size = |f: &EventFigures| f.total.map_or(0.0, |total| total.value);
        ranked.sort_by(|a, b| size(b.1).total_cmp(&size(a.1)).then(a.0.cmp(b.0)));
        ranked
    }

    /// Units by their events of all types together, the largest first.
    #[must_use]
    pub fn units(&self) -> Vec<(&str, i64)> {
        let mut sums: BTreeMap<&str, i64> = BTreeMap::new();
        for figures in self.events.values() {
            for (unit, count) in &figures.per_unit {
                *sums.entry(unit).or_default() += count;
            }
        }
        let mut units: Vec<(&str, i64)> = sums.into_iter().collect();
        units.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
        units
    }
}

fn bounded(total: Total, iterations: u64) -> Estimate {
    let high = if total.high == i64::MAX {
        f64::INFINITY
    } else {
        total.high as f64
    };
    Estimate {
        value: total.value as f64,
        low: total.low as f64,
        high,
        n: iterations,
    }
}

fn positions(profile: &Profile) -> Vec<PositionRow> {
    let row = |(frames, counts): (&Vec<Frame>, &BTreeMap<usize, i64>)| PositionRow {
        frames: frames
            .iter()
            .map(|frame| PositionFrame {
                method: frame.method.clone(),
                line: frame.line,
                bci: frame.bci,
            })
            .collect(),
        events: counts
            .iter()
            .filter(|(_, count)| **count != 0)
            .map(|(kind, count)| (profile.types[*kind].name.clone(), *count))
            .collect(),
    };
    let mut rows: Vec<PositionRow> = profile.positions.iter().map(row).collect();
    rows.retain(|row| !row.events.is_empty());
    let size = |row: &PositionRow| row.events.values().sum::<i64>();
    rows.sort_by_key(|row| std::cmp::Reverse(size(row)));
    rows
}
