//! The result of virtual speed-up, as it is written.

use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Name and version of the format.
pub const SPEEDUP_SCHEMA: &str = "proofmark-speedup/1";

/// What a program would gain if functions of it were faster.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SpeedupResult {
    /// [`SPEEDUP_SCHEMA`].
    pub schema: String,
    /// The program with its arguments.
    pub program: String,
    /// The plan that slows everything.
    pub plan: PlanFacts,
    /// The clock of `gain_pct`.
    pub clock: Clock,
    /// Whether the program works in several threads or processes. Gains are then by the wall clock, else by CPU time.
    pub concurrent: bool,
    /// How much less time than it does a function would take, % of its own.
    pub faster_by_pct: f64,
    /// By how much longer the plan makes the program in this run, %; n: rounds.
    pub slowed: Clocks,
    /// The functions, largest gain first.
    pub functions: Vec<FunctionGain>,
    /// Functions that cannot be answered for.
    pub left_out: Vec<SpeedupLeftOut>,
    /// What else is to be said, in sentences.
    pub remarks: Vec<String>,
    /// Rounds; in each every variant was run under every alignment.
    pub rounds: u64,
    /// Alignments in the cache line under which every variant was linked.
    pub alignments: u64,
    /// Iterations that were timed.
    pub iterations: u64,
    /// Seed of the order of variants.
    pub seed: u64,
    /// How long it took, s.
    pub seconds: f64,
}

/// A clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Clock {
    /// From begin to end: what a user waits for.
    Wall,
    /// CPU time, of all threads and processes.
    Cpu,
}

/// A figure by either clock, %. Null below two rounds.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Clocks {
    /// By the wall clock.
    pub wall_pct: Option<Estimate>,
    /// By CPU time.
    pub cpu_pct: Option<Estimate>,
}

impl Clocks {
    /// The figure by this clock.
    #[must_use]
    pub fn by(&self, clock: Clock) -> Option<Estimate> {
        match clock {
            Clock::Wall => self.wall_pct,
            Clock::Cpu => self.cpu_pct,
        }
    }
}

/// What a plan says of itself.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanFacts {
    /// Its file.
    pub path: Option<String>,
    /// The command that it was made with.
    pub workload: String,
    /// Slowdown wanted, %.
    pub target_pct: f64,
    /// What its blocks were brought to, %: more than the target where some time cannot be slowed. Null where the plan's
    /// report does not lie beside it; the target counts then.
    pub aim_pct: Option<f64>,
    /// What the program was slowed by when the plan was evaluated, %; n: pairs of windows.
    pub overhead_pct: Option<Estimate>,
    /// Mean absolute miss of its judged sets of blocks, points; n: pairs of windows.
    pub block_error_pt: Option<Estimate>,
    /// Part of the program's time in its judged blocks, %.
    pub coverage_pct: f64,
    /// Part of the time that cannot be slowed, %. Null where the plan's report does not lie beside it.
    pub outside_pct: Option<f64>,
}

/// What the program would gain by one function.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FunctionGain {
    /// The function, as the linker knows it.
    pub function: String,
    /// By how much less time the program would take if the function were faster by `faster_by_pct`, %, by the result's clock;
    /// n: rounds.
    pub gain_pct: Option<Estimate>,
    /// The same by either clock.
    pub by_clock: Clocks,
    /// By how much less if the function took no time at all, %; n: rounds. Null where that does not follow.
    pub without_it_pct: Option<Estimate>,
    /// Why it does not; null where it does.
    pub not_extrapolated: Option<String>,
    /// Part of the program's time in its judged blocks by the samples of the plan, %; null where that is not known.
    pub share_pct: Option<f64>,
    /// What the plan slows these blocks by, %; n: slowed samples. Null where that is not known.
    pub slowed_pct: Option<Estimate>,
    /// These blocks.
    pub blocks: Vec<SlowedBlock>,
}

/// A judged block of a plan.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct SlowedBlock {
    /// Its unit: the function, or its cold part.
    pub unit: String,
    /// Its id.
    pub block: u32,
    /// Part of the program's time, %; null where that is not known.
    pub share_pct: Option<f64>,
    /// What the plan slows it by, %; n: slowed samples. Null where that is not known.
    pub slowed_pct: Option<Estimate>,
}

/// A function that cannot be answered for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SpeedupLeftOut {
    /// The function.
    pub function: String,
    /// Why.
    pub reason: String,
}
