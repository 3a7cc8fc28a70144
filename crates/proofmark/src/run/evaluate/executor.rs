//! What has the programs of an evaluation measured.

use proofmark_experiment::evaluate::ProgramResult;
use serde_json::Value;

use crate::builds::Builds;
use crate::progress::Progress;
use crate::request::AssessRequest;

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
    /// Builds of what is measured.
    pub builds: Builds,
    /// `program 2 of 14: suite:List`
    pub which: String,
    /// What it is estimated to take, s.
    pub seconds: f64,
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
    /// Measures a program.
    pub measure: &'a dyn Fn(&Order) -> anyhow::Result<ProgramResult>,
    /// What is going on.
    pub progress: &'a Progress,
}

impl Executor for Local<'_> {
    fn run(&self, orders: &[Order], done: Done<'_>) -> anyhow::Result<()> {
        for (at, order) in orders.iter().enumerate() {
            self.progress.note(&order.which);
            // What a program says of its own time is not all that is left.
            let behind = orders[at + 1..].iter().map(|order| order.seconds);
            self.progress.behind(behind.sum());
            self.progress.expect(order.seconds);
            let result = (self.measure)(order)?;
            done(order, result)?;
        }
        self.progress.behind(0.0);
        Ok(())
    }
}

#[cfg(test)]
impl Order {
    /// A program at this position, which takes so many seconds.
    pub fn of((at, name): (usize, &str), seconds: f64) -> Self {
        let queens = proofmark_jvm::Workload::parse("suite:Queens", Vec::new());
        Order {
            at,
            name: name.into(),
            request: AssessRequest::demo(queens.unwrap(), None),
            place: name.into(),
            workload: Value::Null,
            builds: Builds::default(),
            which: String::new(),
            seconds,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;

    use super::*;

    /// Each says that it will take a minute itself; the estimates of those behind it are left too.
    #[test]
    fn the_time_left_is_that_of_all_programs() {
        let (progress, seen) = (Progress::new(true), RefCell::new(Vec::new()));
        let hours = [2.0, 3.0, 4.0].map(|hours| 3600.0 * hours);
        let names = ["a", "b", "c"].into_iter().enumerate();
        let orders: Vec<Order> = names.zip(hours).map(|(at, s)| Order::of(at, s)).collect();
        let measure = |order: &Order| {
            let left = |seen: &RefCell<Vec<f64>>| seen.borrow_mut().extend(progress.left_s());
            left(&seen);
            progress.expect(60.0);
            left(&seen);
            Ok(ProgramResult::failed(&order.name, "it rains".into()))
        };
        let local = Local {
            measure: &measure,
            progress: &progress,
        };
        local.run(&orders, &mut |_, _| Ok(())).unwrap();
        let left: Vec<f64> = (seen.borrow().iter())
            .map(|seconds| (seconds / 360.0).round() / 10.0)
            .collect();
        assert_eq!(left, [9.0, 7.0, 7.0, 4.0, 4.0, 0.0]);
    }
}
