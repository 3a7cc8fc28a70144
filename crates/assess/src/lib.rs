//! Judges a profiler: did it report exactly what was done to the program?
//!
//! [`assess`] takes [`Evidence`] (weights per method from the profiler under test and from the block map, CPU times of
//! iterations) and returns an [`Assessment`]: per profiler a verdict, its error in points of share with a 95 % interval,
//! what it blames wrongly, and how small an error would have been seen. Pure: the same evidence and seed give the same
//! answer, so the judge itself is tested with simulated profilers whose true error is known.
//!
//! # What a share is
//! Time in *compiled Java methods*, per thread of the workload, in the windows of one condition, pooled over windows:
//! - truth: samples of both streams in the method's machine code over samples in the machine code of all compiled Java
//!   methods. Samples outside of it (stubs, native code, kernel) are left out and reported.
//! - profiler: weight on the method over weight on all Java methods plus what it says is Java but cannot name
//!   (`unattributed`); the latter is treated as a method of its own whose true share is zero. Native leaves are left out,
//!   as in the truth. Lost samples and other threads are in no share, their parts are reported.
//!
//! # Intervals
//! Shares are ratio estimators over windows; every interval is the wider of the between-window t interval and the binomial
//! normal interval ([`proofmark_stats::Spread`]). The largest error over K methods has the interval
//! `[max(|e| - h_K), max(|e| + h_1)]`: `h_K` from 1 % shared by K methods (Bonferroni), because any of them could stick
//! out; `h_1` from a one-sided 4 % of a single method, because only the truly worst method has to be covered. Together
//! at least 95 %; the ends are uneven because an accusation should be rarer than a missed acquittal. Evidence of several runs
//! has intervals over runs, never narrower than those of windows.
//!
//! # Accuracy
//! `docs/accuracy.md` ranks the sources of error. What the block map itself has wrong in both streams is not seen by
//! comparing with it: where added time says so ([`BlockMap`]), comparisons with it decide nothing. Not seen here:
//! dependence between windows beyond drift that the balanced order cancels.
#![forbid(unsafe_code)]

mod aa;
mod absolute;
mod between;
mod blames;
mod block_map;
mod cause;
mod controls;
mod cost;
mod deviation;
mod evidence;
mod judge;
mod largest;
mod notes;
mod pc_rule;
mod planted;
mod replay;
mod result;
mod schedule;
mod settings;
mod shares;
mod single;
mod tables;
mod totals;
mod uniform;
mod validate;
mod verdict;

pub use between::MOST_RUNS;
pub use block_map::BlockMap;
pub use cause::{Cause, CauseKind, explain};
pub use controls::{ControlOutcome, Controls};
pub use cost::{Rates, SAMPLES_PER_CONDITION, half_width_after};
pub use evidence::{
    Condition, Evidence, ExcludedBlock, ProfilerEvidence, ProfilerWindow, Replay, Role,
    SingleTarget, TotalWindow, TruthStream, TruthWindow, WindowAt,
};
pub use judge::assess;
pub use pc_rule::PcRule;
pub use replay::{ReplayTest, RuleFit};
pub use result::{
    AaTest, AbsoluteTest, Assessment, Blame, ConditionShare, ConditionSize, ErrorPoints, Judgement,
    Losses, MethodChange, MethodShares, Planted, SCHEMA, SEVERAL, SingleTest, TestResult, Tests,
    UNATTRIBUTED, Undecided, UniformTest,
};
pub use schedule::{Request, Schedule, ScheduleError, plan};
pub use settings::Settings;
pub use validate::EvidenceError;
pub use verdict::{Verdict, overall};
