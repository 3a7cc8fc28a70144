//! Which method does a profiler charge with time that was put into a known one?
//!
//! A *site* in a method makes as many turns of a loop as a field says. With few turns and with many the same machine
//! code runs, so that whatever the program's time grows by was spent in that method, and the clock says how much it is.
//! The *attribution matrix* says where the profiler reports it:
//!
//! ```text
//! S(m -> n) = (R_high(n) - R_low(n)) / (T_high - T_low)
//! ```
//!
//! with T the CPU time of an iteration and R(n) the part of it that the profiler reports in n. A right profiler has
//! S(m -> m) = 1 and 0 elsewhere; what is the same under both doses (the program's own time, its misattribution, the
//! site at rest) drops out.
//!
//! - [`find_doses`]: how many turns, by the clock alone;
//! - [`order`], [`visits`]: windows under both doses, interleaved;
//! - [`rows`]: the matrix with its intervals;
//! - [`by_count`]: what the added time should be by counting, beside what the clock says in the same JVM;
//! - [`Truth`]: what a right profiler may report in place;
//! - [`over_runs`]: the same over several JVMs;
//! - [`JvmWords`]: what each of them says by itself;
//! - [`EarlierLook`]: what was said before JVMs were added to decide what was open;
//! - [`Unfinished`]: JVMs that were to be added, and were ended before they had a result;
//! - [`told`]: what to do, in how many JVMs that is so, and what would decide what is open; [`Noted`]: what else is said there, a
//!   [`Conflict`] of profilers for instance, or profiles that are [`Against`] the bytecodes; [`Told`]: all of it as one text and in
//!   parts, each a [`Said`]; [`AdviceAbout`]: whom and what it is about;
//! - [`besides`]: what else is wrong with the profiler that is named first;
//! - [`judge`]: verdicts per row and profiler; [`attributions`]: these and what was shown, as it is written;
//! - [`RowCause`]: why a row is wrong, where what was measured tells it; [`KEEPS_BOXES`]: what keeps a known fault of C2 out;
//! - [`sites`]: the whole test of a program, over anything that can run it with sites; [`EveryDose`]: with every kind of
//!   dose in turn;
//! - [`blocks`]: the same with instructions in the blocks of methods, in the laboratory;
//! - [`shares_at_rest`], [`DoseResult::known_share`]: what part of the program's time a method takes.

mod about;
mod accusing;
mod advice;
mod again;
mod blind;
pub mod blocks;
mod boxing;
mod cause;
mod conflict;
mod cost;
mod counted;
mod counted_jvms;
mod decides;
mod doses;
mod every;
mod facts;
mod failed;
mod finding;
mod for_now;
mod growth;
mod judge;
mod jvms;
mod kept;
mod kind;
mod looks;
mod matrix;
mod more;
mod order;
mod own_share;
mod placed;
mod planted;
mod profile;
mod remedy;
mod replication;
mod result;
mod runs;
mod said;
mod scatter;
mod shares;
pub mod sites;
mod size;
mod tested;
#[cfg(test)]
mod tests;
mod threads;
mod told;
mod truth;
mod unfinished;
mod untested;
mod weighed;
mod why_open;
mod work;

pub use about::{Accused, AccusedBy, AdviceAbout};
pub use advice::{advice, advice_about, listed};
pub use again::Again;
pub use boxing::KEEPS_BOXES;
pub use cause::{RowCause, RowCauseKind};
pub use conflict::Conflict;
pub use cost::{FoundSites, Times, Took, cost};
pub use counted::{Timed, by_count};
pub use doses::{Clock, Dose, Doses, FindSettings, Found, find_doses};
pub use every::EveryDose;
pub use facts::{JvmFacts, MachineFacts, NativeFacts};
pub use failed::FailedRun;
pub use finding::{Against, besides};
pub use judge::{RowVerdict, Subject, judge, lacked_by, line_verdict, profiler_kind};
pub use jvms::{EarlierLook, JvmWords};
pub use matrix::{Lacking, Row, Window, false_alarm, lacking, rows};
pub use order::{Level, Planned, Visit, order, visits};
pub use own_share::OwnShare;
pub use placed::{Placed, Shown, attributions};
pub use planted::Planted;
pub use profile::{JavaShares, ProfileChange, ProfileCheck, ProfileDifference};
pub use proofmark_rewrite::DoseKind;
pub use replication::{Replication, ReplicationLevel};
pub use result::{
    Attribution, AttributionRow, DOSE_SCHEMA, DoseResult, Elsewhere, LeftOut, LineVerdict,
    MethodFacts, SiteFacts, Vehicle, open_cost_remark, rest_cost_remark,
};
pub use runs::{is_wide, over_runs, without_vague};
pub use said::{Said, Told, first_sentence};
pub use shares::{AsItIs, KnownShare, java_shares, shares_at_rest};
pub use size::Size;
pub use threads::ThreadFacts;
pub use told::{Noted, told, told_of_native};
pub use truth::{OtherSites, Truth};
pub use unfinished::Unfinished;
pub use untested::{UntestedMethod, methods_for, shown_by_each, untested_said};
pub use weighed::{Weighed, each_once, hottest, nothing_to_test, one_works};
pub use work::WorkTested;
