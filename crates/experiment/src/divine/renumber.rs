//! Units have other numbers in every JVM: from one JVM's numbers to another's, by name and signature.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_blocks::{BlockKey, BlockTimes};
use serde::{Deserialize, Serialize};

use crate::lab::{Lab, unit_name};

/// A unit as every JVM knows it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UnitName {
    /// Root method.
    pub name: String,
    /// Structural signature.
    pub signature: String,
}

/// All units of a JVM by number.
#[must_use]
pub fn names(lab: &dyn Lab) -> Vec<UnitName> {
    lab.map()
        .units()
        .iter()
        .map(|unit| UnitName {
            name: unit.name.clone(),
            signature: unit.signature.clone(),
        })
        .collect()
}

/// Numbers there to numbers here.
pub struct Renumbering {
    units: BTreeMap<u32, u32>,
}

impl Renumbering {
    /// From a JVM with these units; every unit of `needed` must be under control here with the same signature.
    ///
    /// # Errors
    /// The first unit that is not, in words.
    pub fn new(there: &[UnitName], lab: &dyn Lab, needed: &BTreeSet<u32>) -> Result<Self, String> {
        let units = lab.units().into_iter();
        let here: BTreeMap<&str, u32> = units.map(|unit| (unit_name(lab, unit), unit)).collect();
        let described = lab.map().units();
        let mut units = BTreeMap::new();
        for (number, unit) in there.iter().enumerate() {
            let number = number as u32;
            let found = here.get(unit.name.as_str()).copied();
            let same = found.filter(|found| described[*found as usize].signature == unit.signature);
            if let Some(same) = same {
                units.insert(number, same);
            } else if needed.contains(&number) {
                let why = if found.is_some() {
                    "compiled differently now"
                } else {
                    "not hot now"
                };
                return Err(format!("{}: {why}", unit.name));
            }
        }
        Ok(Renumbering { units })
    }

    /// A block here.
    #[must_use]
    pub fn block(&self, key: BlockKey) -> Option<BlockKey> {
        self.units.get(&key.unit).map(|unit| BlockKey {
            unit: *unit,
            block: key.block,
        })
    }

    /// Block times here; what lies in units that are not here counts in the total only.
    #[must_use]
    pub fn times(&self, times: &BlockTimes) -> BlockTimes {
        let unit = |number: &u32| self.units.get(number).copied();
        BlockTimes {
            units: times
                .units
                .iter()
                .filter_map(|(n, weight)| Some((unit(n)?, *weight)))
                .collect(),
            blocks: times
                .blocks
                .iter()
                .filter_map(|(key, weight)| Some((self.block(*key)?, *weight)))
                .collect(),
            no_block: times
                .no_block
                .iter()
                .filter_map(|(n, weight)| Some((unit(n)?, *weight)))
                .collect(),
            ..times.clone()
        }
    }
}
