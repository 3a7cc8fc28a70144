//! What a person reads in the terminal.

mod assessment;
mod cost;
mod doctor;
mod plan;
mod row;
mod verification;

pub use assessment::{assessment_headline, assessment_table};
pub(crate) use assessment::{false_alarms, methods, planted};
pub use cost::{CostPlan, CostStep, Precision, cost_table};
pub use doctor::{CheckRow, CheckStatus, doctor_table};
pub use plan::plan_summary;
