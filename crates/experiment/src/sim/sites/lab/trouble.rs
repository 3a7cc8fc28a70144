//! What happens in a process besides the test.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use super::SimulatedSiteLab;
use crate::dose::sites::Compilation;
use crate::lab::{Failure, LabError};
use crate::sim::Happening;

impl SimulatedSiteLab {
    /// What happens in this window besides the test.
    pub(super) fn happening(&self) -> Result<(), LabError> {
        if self.ended.load(Ordering::Relaxed) {
            return Err(LabError::new(Failure::Interrupted, "interrupted"));
        }
        for happening in &self.happens {
            let (failure, text) = match happening {
                Happening::Dies(at) if self.windows >= *at => (
                    Failure::Died,
                    "the JVM ended (signal 11) during 'dose-window'",
                ),
                Happening::IsInterrupted(at) if self.windows >= *at => {
                    (Failure::Interrupted, "interrupted")
                }
                _ => continue,
            };
            return Err(LabError::new(failure, text));
        }
        Ok(())
    }

    /// Every so many windows a method with a site is compiled.
    pub(super) fn compile(&mut self) {
        let number = self.windows;
        let compiles = |one: &Happening| match one {
            Happening::ReplacesCode(every) => number.is_multiple_of(*every),
            _ => false,
        };
        if self.happens.iter().any(compiles) {
            self.report.compiled.push(Compilation {
                ns: self.clock_ns + 1,
                inside: BTreeSet::from([0]),
                inlined: BTreeSet::new(),
                revealed: BTreeSet::new(),
            });
        }
    }
}
