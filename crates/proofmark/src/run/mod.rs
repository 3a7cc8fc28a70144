//! What each command does.

pub mod assess;
pub mod candidates;
pub mod count;
pub mod demo;
pub mod divine;
pub mod doctor;
pub mod dose;
pub mod evaluate;
pub mod events;
pub mod import;
pub mod native;
pub mod plan_files;
pub mod production;
pub mod profilers;
pub mod slowdown;
pub mod study;
