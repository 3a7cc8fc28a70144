//! Simulated JVMs around which a test does or hears something.

use std::collections::BTreeMap;

use proofmark_experiment::LabError;
use proofmark_experiment::dose::sites::{
    DosedWindow, KeptWindow, SiteLab, SiteLabs, SiteReport, WantedSite, WarmUp, Watching,
};
use proofmark_experiment::dose::{Dose, JvmFacts, Times};
use proofmark_experiment::lab::ProfiledWindow;
use proofmark_experiment::sim::{SimulatedSiteLab, SimulatedSites};

/// What a test does around JVMs, and what it hears of their time: nothing, unless it says so.
pub trait Around {
    /// What it does around one of them.
    type Jvm: AroundJvm + Send;

    /// A JVM of this name is about to start.
    fn start(&self, name: &str) -> Self::Jvm;

    /// All were ended.
    fn ended(&self) {}

    fn chosen(&self, _times: &Times) {}

    fn sites_found(&self, _times: &Times) {}

    fn adds(&self, _seconds: f64) {}
}

/// What a test does around one JVM.
pub trait AroundJvm {
    /// The time of a JVM that says it is so long after its start, s.
    fn elapsed_s(&self, own_s: f64) -> f64 {
        own_s
    }

    fn before_warm_up(&mut self) -> Result<(), LabError> {
        Ok(())
    }

    fn before_window(&mut self) -> Result<(), LabError> {
        Ok(())
    }

    /// It did something that takes time, and is now so long after its start, s.
    fn did(&mut self, _elapsed_s: f64) {}
}

impl AroundJvm for () {}

/// Simulated JVMs, and what is around them.
pub struct Surrounded<A> {
    pub labs: SimulatedSites,
    pub around: A,
}

impl<A: Around> SiteLabs for Surrounded<A> {
    type Lab = SurroundedLab<A::Jvm>;
    type Error = LabError;

    fn start(
        &self,
        name: &str,
        sites: &[WantedSite],
        profiler: Option<&str>,
    ) -> Result<Self::Lab, LabError> {
        let around = self.around.start(name);
        let lab = self.labs.start(name, sites, profiler)?;
        Ok(SurroundedLab { lab, around })
    }

    fn end_all(&self) {
        self.labs.end_all();
        self.around.ended();
    }

    fn log(&self, name: &str) -> Option<String> {
        self.labs.log(name)
    }

    fn bytecodes(&self) -> BTreeMap<String, f64> {
        self.labs.bytecodes()
    }

    fn chosen(&self, times: &Times) {
        self.around.chosen(times);
    }

    fn sites_found(&self, times: &Times) {
        self.around.sites_found(times);
    }

    fn adds(&self, seconds: f64) {
        self.around.adds(seconds);
    }
}

/// One of them.
pub struct SurroundedLab<J> {
    lab: SimulatedSiteLab,
    around: J,
}

impl<J: AroundJvm> SurroundedLab<J> {
    /// What was done, once it is told how late it is.
    fn did<T>(&mut self, done: T) -> T {
        let elapsed_s = self.around.elapsed_s(self.lab.elapsed_s());
        self.around.did(elapsed_s);
        done
    }
}

impl<J: AroundJvm> SiteLab for SurroundedLab<J> {
    type Error = LabError;

    fn facts(&self) -> JvmFacts {
        self.lab.facts()
    }

    fn elapsed_s(&self) -> f64 {
        self.around.elapsed_s(self.lab.elapsed_s())
    }

    fn at_once(&self, busy: f64) -> usize {
        self.lab.at_once(busy)
    }

    fn warm_up(&mut self, warm: &WarmUp) -> Result<Option<String>, LabError> {
        self.around.before_warm_up()?;
        let done = self.lab.warm_up(warm);
        self.did(done)
    }

    fn gates(&mut self, open: &[u16], warm: &WarmUp) -> Result<(), LabError> {
        let done = self.lab.gates(open, warm);
        self.did(done)
    }

    fn window(
        &mut self,
        dose: Option<Dose>,
        seconds: f64,
        least: u32,
        watching: Watching,
    ) -> Result<DosedWindow, LabError> {
        self.around.before_window()?;
        let done = self.lab.window(dose, seconds, least, watching);
        self.did(done)
    }

    fn count(&mut self, iterations: u32) -> Result<Vec<Vec<u32>>, LabError> {
        let done = self.lab.count(iterations);
        self.did(done)
    }

    fn passes(&mut self, clock: Dose, passes: u32) -> Result<u64, LabError> {
        let done = self.lab.passes(clock, passes);
        self.did(done)
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
