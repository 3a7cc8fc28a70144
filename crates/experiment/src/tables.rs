//! Plans by name, and what they mean in a particular JVM.

use std::collections::BTreeMap;

use proofmark_blocks::{CodeMap, Unit, first_difference};
use proofmark_divine::PlanFile;

use crate::lab::{Insertion, UnitTable};

/// Instructions per block of one unit, with what the unit must look like.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct NamedTable {
    /// Root method.
    pub unit: String,
    /// Structural signature.
    pub signature: String,
    /// Block id to number of instructions.
    pub counts: BTreeMap<u32, u32>,
}

/// Tables of a plan for one JVM.
pub struct Resolved {
    /// For the compiler.
    pub tables: Vec<UnitTable>,
    /// Units that this JVM compiled differently or not at all, with the first difference.
    pub refused: Vec<String>,
}

/// The plan of a file as tables by name.
#[must_use]
pub fn of_plan(plan: &PlanFile) -> Vec<NamedTable> {
    let table = |unit: &proofmark_divine::PlanUnit| NamedTable {
        unit: unit.name.clone(),
        signature: unit.signature.clone(),
        counts: unit
            .blocks
            .iter()
            .map(|(id, block)| (*id, block.count))
            .chain(unit.pooled.iter().map(|(id, n)| (*id, *n)))
            .collect(),
    };
    plan.units.iter().map(table).collect()
}

/// Finds the units among those under control in a JVM; a table never goes to code that it was not made for. `originals` are
/// descriptions of the units in the JVM where the plan was made, for naming the first difference.
#[must_use]
pub fn resolve(
    (map, units): (&CodeMap, &[u32]),
    tables: &[NamedTable],
    insertion: Insertion,
    originals: &[Unit],
) -> Resolved {
    let mut resolved = Resolved {
        tables: Vec::new(),
        refused: Vec::new(),
    };
    let described = map.units();
    for table in tables {
        let found = units
            .iter()
            .find(|unit| described[**unit as usize].name == table.unit);
        let Some(unit) = found.copied() else {
            resolved
                .refused
                .push(format!("{}: not hot in this JVM", table.unit));
            continue;
        };
        let here = &described[unit as usize];
        if here.signature != table.signature {
            let original = originals
                .iter()
                .find(|unit| unit.name == table.unit && unit.signature == table.signature);
            let what = original.and_then(|original| first_difference(original, here));
            let what = what.unwrap_or_else(|| {
                format!(
                    "signature {} instead of {}",
                    here.signature, table.signature
                )
            });
            resolved
                .refused
                .push(format!("{}: compiled differently here: {what}", table.unit));
            continue;
        }
        let stranger = |id: &&u32| !here.blocks.iter().any(|block| block.id == **id);
        if let Some(id) = table.counts.keys().find(stranger) {
            resolved
                .refused
                .push(format!("{}: it has no block {id}", table.unit));
            continue;
        }
        let counts = table
            .counts
            .iter()
            .filter(|(_, count)| **count > 0)
            .map(|(id, count)| (*id, *count))
            .collect();
        resolved
            .tables
            .push(UnitTable::new(unit, insertion, counts));
    }
    resolved
}
