//! What has the programs of an evaluation measured.

use std::path::Path;

use proofmark_experiment::evaluate::ProgramResult;
use serde_json::Value;

use super::program;
use crate::request::AssessRequest;
use crate::surroundings::Surroundings;

/// A program that is to be measured.
pub(super) struct Order {
    /// Its position among all programs of the evaluation, from 0.
    pub at: usize,
    /// Its name in results.
    pub name: String,
    /// What is asked for, in a directory of its own.
    pub request: AssessRequest,
    /// The name of that directory inside of the evaluation's.
    pub place: String,
    /// The workload with its class path and options.
    pub workload: Value,
    /// `program 2 of 14: suite:List`
    pub which: String,
}

/// Takes the result of a program.
pub(super) type Done<'a> = &'a mut dyn FnMut(&Order, ProgramResult) -> anyhow::Result<()>;

/// Has programs measured.
pub(super) trait Executor {
    /// Has all of them measured; `done` is called with each as it ends, in any order.
    ///
    /// # Errors
    /// When nothing can be measured, the user stops it, or a result cannot be taken. A program that cannot be measured is a
    /// result.
    fn run(&self, orders: &[Order], done: Done<'_>) -> anyhow::Result<()>;
}

/// Here, one after the other.
pub(super) struct Local<'a> {
    /// Directory of the evaluation.
    pub place: &'a Path,
    /// What is the same for every command.
    pub around: &'a Surroundings,
}

impl Executor for Local<'_> {
    fn run(&self, orders: &[Order], done: Done<'_>) -> anyhow::Result<()> {
        for order in orders {
            self.around.progress.note(&order.which);
            let result = program::result(&order.name, &order.request, self.place, self.around)?;
            done(order, result)?;
        }
        Ok(())
    }
}
