//! Estimators, intervals and distances. Pure: numbers in, numbers out.
#![forbid(unsafe_code)]

mod estimate;

pub use estimate::Estimate;
