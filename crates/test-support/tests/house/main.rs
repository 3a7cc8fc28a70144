//! The rules of the house, each with its test: what is not checked is soon not so.

mod ci;
mod crates;
mod files;
mod formats;
mod invariants;
mod purity;
mod references;
mod rules;
mod seams;
mod strangers;
