//! What each command does.

pub mod cells;
pub mod divine;
