//! What each command does.

pub mod assess;
pub mod cells;
pub mod count;
pub mod demo;
pub mod divine;
pub mod divine_command;
pub mod doctor;
pub mod estimate;
pub mod events;
pub mod fresh;
pub mod identity;
pub mod import;
pub mod journal;
pub mod look;
pub mod observe;
pub mod production;
pub mod profilers;
pub mod renumber;
pub mod singles;
pub mod study;
pub mod tables;
pub mod undisturbed;
pub mod verify;
pub mod windows;
