//! `proofmark study`: do profilers agree with themselves and with each other?

pub mod analysis;
mod files;
pub mod live;
pub mod live_estimate;
pub mod live_manifest;
pub mod live_order;
mod live_place;
pub mod live_plan;
pub mod live_profilers;
pub mod live_record;
pub mod live_run;
pub mod live_summary;
mod manifest;
mod pattern;
mod reading;
mod thread;
mod times;
