//! `proofmark count`: profiles without noise, from counted bytecodes.

mod command;
pub mod compare;
mod export;
mod forward;
pub mod instrument;
pub mod live;
pub mod overhead;
mod runtime;
pub mod show;
mod steps;
