//! Simulated JVMs with a clock in common: a machine that runs one at a time, on which what they do takes time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use proofmark_experiment::dose::sites::{
    DoseOrder, DosedWindow, KeptWindow, SiteLab, SiteLabs, SiteReport, WantedSite, WarmUp,
    Watching, run,
};
use proofmark_experiment::dose::{Dose, DoseResult, JvmFacts, Times};
use proofmark_experiment::lab::ProfiledWindow;
use proofmark_experiment::sim::{SimulatedSiteLab, SimulatedSites};
use proofmark_experiment::{LabError, Progress};

/// The time, s.
type Now = Arc<Mutex<f64>>;

/// Such JVMs.
pub struct Clocked {
    pub labs: SimulatedSites,
    /// How many times as long everything takes in the JVM of this name.
    slow: fn(&str) -> f64,
    now_s: Now,
    /// What was heard of the time that JVMs of profilers take.
    pub found: Mutex<Vec<Times>>,
    /// The same of those that were added, s.
    pub added: Mutex<Vec<f64>>,
}

impl Clocked {
    pub fn new(labs: SimulatedSites, slow: fn(&str) -> f64) -> Self {
        Self {
            labs,
            slow,
            now_s: Now::default(),
            found: Mutex::default(),
            added: Mutex::default(),
        }
    }

    /// The result of a test; its time is that of the clock.
    pub fn tested(&self, order: &DoseOrder) -> DoseResult {
        let watch = Watch(Arc::clone(&self.now_s));
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

impl SiteLabs for Clocked {
    type Lab = ClockedLab;
    type Error = LabError;

    fn start(
        &self,
        name: &str,
        sites: &[WantedSite],
        profiler: Option<&str>,
    ) -> Result<ClockedLab, LabError> {
        Ok(ClockedLab {
            lab: self.labs.start(name, sites, profiler)?,
            slow: (self.slow)(name),
            now_s: Arc::clone(&self.now_s),
            told_s: 0.0,
        })
    }

    fn end_all(&self) {
        self.labs.end_all();
    }

    fn log(&self, name: &str) -> Option<String> {
        self.labs.log(name)
    }

    fn bytecodes(&self) -> BTreeMap<String, f64> {
        self.labs.bytecodes()
    }

    fn sites_found(&self, times: &Times) {
        self.found.lock().expect("what was heard").push(*times);
    }

    fn adds(&self, seconds: f64) {
        self.added.lock().expect("what was heard").push(seconds);
    }
}

/// One of them.
pub struct ClockedLab {
    lab: SimulatedSiteLab,
    slow: f64,
    now_s: Now,
    /// So much of its own time is in that of the clock, s.
    told_s: f64,
}

impl ClockedLab {
    /// What was done; the clock goes on by as much as that took.
    fn took<T>(&mut self, done: T) -> T {
        let at_s = self.elapsed_s();
        *self.now_s.lock().expect("the time") += at_s - self.told_s;
        self.told_s = at_s;
        done
    }
}

impl SiteLab for ClockedLab {
    type Error = LabError;

    fn facts(&self) -> JvmFacts {
        self.lab.facts()
    }

    fn elapsed_s(&self) -> f64 {
        self.slow * self.lab.elapsed_s()
    }

    fn at_once(&self, busy: f64) -> usize {
        self.lab.at_once(busy)
    }

    fn warm_up(&mut self, warm: &WarmUp) -> Result<Option<String>, LabError> {
        let done = self.lab.warm_up(warm);
        self.took(done)
    }

    fn gates(&mut self, open: &[u16], warm: &WarmUp) -> Result<(), LabError> {
        let done = self.lab.gates(open, warm);
        self.took(done)
    }

    fn window(
        &mut self,
        dose: Option<Dose>,
        seconds: f64,
        least: u32,
        watching: Watching,
    ) -> Result<DosedWindow, LabError> {
        let done = self.lab.window(dose, seconds, least, watching);
        self.took(done)
    }

    fn count(&mut self, iterations: u32) -> Result<Vec<Vec<u32>>, LabError> {
        let done = self.lab.count(iterations);
        self.took(done)
    }

    fn passes(&mut self, clock: Dose, passes: u32) -> Result<u64, LabError> {
        let done = self.lab.passes(clock, passes);
        self.took(done)
    }

    fn report(&self) -> SiteReport {
        self.lab.report()
    }

    fn reported(&mut self) -> Result<Vec<ProfiledWindow>, LabError> {
        self.lab.reported()
    }

    fn keep(&self, windows: &[KeptWindow]) -> Result<(), LabError> {
        self.lab.keep(windows)
    }

    fn finish(self) -> Result<Vec<ProfiledWindow>, LabError> {
        self.lab.finish()
    }

    fn end(self) {
        self.lab.end();
    }
}
