//! `proofmark count`: profiles without noise, from counted bytecodes.

pub mod brief;
mod command;
pub mod compare;
mod crash;
mod export;
mod forward;
pub mod instrument;
pub mod live;
pub mod overhead;
mod runtime;
pub mod show;
mod silent;
mod steps;
