//! Simulated JVMs with a clock in common: a machine that runs one at a time, on which what they do takes time.

use std::sync::{Arc, Mutex};

use proofmark_experiment::Progress;
use proofmark_experiment::dose::sites::{DoseOrder, run};
use proofmark_experiment::dose::{DoseResult, Times};
use proofmark_experiment::sim::SimulatedSites;

use super::around::{Around, AroundJvm, Surrounded};

/// The time, s.
type Now = Arc<Mutex<f64>>;

/// The clock that simulated JVMs have in common.
pub struct Clock {
    /// How many times as long everything takes in the JVM of this name.
    slow: fn(&str) -> f64,
    now_s: Now,
    /// What was heard of the time that JVMs of profilers take.
    pub found: Mutex<Vec<Times>>,
    /// The same of those that were added, s.
    pub added: Mutex<Vec<f64>>,
}

/// JVMs with such a clock.
pub type Clocked = Surrounded<Clock>;

impl Clocked {
    pub fn new(labs: SimulatedSites, slow: fn(&str) -> f64) -> Self {
        let around = Clock {
            slow,
            now_s: Now::default(),
            found: Mutex::default(),
            added: Mutex::default(),
        };
        Self { labs, around }
    }

    /// The result of a test; its time is that of the clock.
    pub fn tested(&self, order: &DoseOrder) -> DoseResult {
        let watch = Watch(Arc::clone(&self.around.now_s));
        run(self, order, &watch).expect("a result")
    }
}

/// Looks at the clock.
struct Watch(Now);

impl Progress for Watch {
    fn stage(&self, _name: &str) {}

    fn step(&self, _text: &str) {}

    fn note(&self, _text: &str) {}

    fn expect(&self, _seconds: f64) {}

    fn elapsed_s(&self) -> f64 {
        *self.0.lock().expect("the time")
    }
}

impl Around for Clock {
    type Jvm = OfOneJvm;

    fn start(&self, name: &str) -> OfOneJvm {
        OfOneJvm {
            slow: (self.slow)(name),
            now_s: Arc::clone(&self.now_s),
            told_s: 0.0,
        }
    }

    fn sites_found(&self, times: &Times) {
        self.found.lock().expect("what was heard").push(*times);
    }

    fn adds(&self, seconds: f64) {
        self.added.lock().expect("what was heard").push(seconds);
    }
}

/// The clock in one of them.
pub struct OfOneJvm {
    slow: f64,
    now_s: Now,
    /// So much of its own time is in that of the clock, s.
    told_s: f64,
}

impl AroundJvm for OfOneJvm {
    fn elapsed_s(&self, own_s: f64) -> f64 {
        self.slow * own_s
    }

    /// The clock goes on by as much as that took.
    fn did(&mut self, elapsed_s: f64) {
        *self.now_s.lock().expect("the time") += elapsed_s - self.told_s;
        self.told_s = elapsed_s;
    }
}
