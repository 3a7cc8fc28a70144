//! The baseline profile of a program: where its time goes when nothing is slowed.

use std::collections::{BTreeSet, HashMap};

use proofmark_blocks::{BlockKey, BlockTimes};
use serde::{Deserialize, Serialize};

use super::renumber::{Renumbering, UnitName, names};
use crate::lab::Lab;

/// The baseline as the choice of blocks needs it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct BaselineProfile {
    /// Units of the JVM that was looked at.
    units: Vec<UnitName>,
    /// Samples.
    pub times: BlockTimes,
    /// Executions per iteration.
    executions: Vec<(BlockKey, f64)>,
    /// CPU time per iteration, ns.
    pub iteration_ns: f64,
}

impl BaselineProfile {
    /// What was just seen.
    #[must_use]
    pub fn new(lab: &dyn Lab, times: BlockTimes, iteration_ns: f64) -> Self {
        let mut executions: Vec<(BlockKey, f64)> =
            lab.executions().iter().map(|(key, n)| (*key, *n)).collect();
        executions.sort_by_key(|(key, _)| *key);
        BaselineProfile {
            units: names(lab),
            times,
            executions,
            iteration_ns,
        }
    }

    /// Executions per iteration.
    #[must_use]
    pub fn executions(&self) -> HashMap<BlockKey, f64> {
        self.executions.iter().copied().collect()
    }

    /// Names of the units that were under control.
    #[must_use]
    pub fn controlled(&self) -> BTreeSet<String> {
        self.executions
            .iter()
            .map(|(key, _)| self.units[key.unit as usize].name.clone())
            .collect()
    }

    /// The same in the numbers of a JVM that compiled the same code.
    ///
    /// # Errors
    /// The first unit that differs, in words.
    pub fn in_jvm(&self, lab: &dyn Lab) -> Result<Self, String> {
        let executed = self.executions.iter().filter(|(_, n)| *n > 0.0);
        let executed: BTreeSet<u32> = executed.map(|(key, _)| key.unit).collect();
        let renumbering = Renumbering::new(&self.units, lab, &executed)?;
        Ok(self.renumbered(&renumbering, lab))
    }

    fn renumbered(&self, renumbering: &Renumbering, lab: &dyn Lab) -> Self {
        let executions = self
            .executions
            .iter()
            .filter_map(|(key, n)| Some((renumbering.block(*key)?, *n)));
        let executions = executions.collect();
        BaselineProfile {
            units: names(lab),
            times: renumbering.times(&self.times),
            executions,
            iteration_ns: self.iteration_ns,
        }
    }
}
