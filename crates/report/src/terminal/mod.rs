//! What a person reads in the terminal.

mod assessment;
mod blocks;
mod both;
mod candidates;
mod cost;
mod count;
mod diff;
mod doctor;
mod dose;
mod evaluation;
mod events;
mod every;
mod plan;
mod profile;
mod row;
mod study;
mod verification;

pub use assessment::assessment_table;
pub(crate) use assessment::{false_alarms, methods, planted};
use blocks::block_dose_table;
pub use both::assess_text;
pub use candidates::candidates_table;
pub use cost::cost_table;
pub use count::{count_comparison, count_summary, coverage_text, time_comparison};
pub use diff::diff_table;
pub use doctor::{CheckRow, CheckStatus, CommandRow, DoctorReport, doctor_table};
pub use dose::dose_table;
pub(crate) use dose::site;
pub use evaluation::evaluation_text;
pub use events::{events_cost_table, events_diff_table, events_table, types_table};
pub use every::every_dose_table;
pub use plan::plan_summary;
pub use profile::{ProfileView, profile_doubts, profile_table};
pub use study::study_tables;
