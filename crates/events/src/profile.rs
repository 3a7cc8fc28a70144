//! Events of a whole program: all codes together, per unit, per source position, over time.

use std::collections::BTreeMap;

use crate::decode::{Decoded, Total, decode};
use crate::error::EventsError;
use crate::read::Snapshots;
use crate::table::{Code, EventType, Frame, Table};

/// What a program did while its code counted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Profile {
    /// Types; all lists of totals have one entry for each.
    pub types: Vec<EventType>,
    /// Events of all iterations together, by type.
    pub totals: Vec<Total>,
    /// The same of every unit that was executed, by name.
    pub units: BTreeMap<String, Vec<Total>>,
    /// Events by source position, inlined frames included: innermost first.
    pub positions: BTreeMap<Vec<Frame>, BTreeMap<usize, i64>>,
    /// Events per iteration, by type: one list per iteration.
    pub over_time: Vec<Vec<i64>>,
    /// Executions of blocks that the counters say, by unit name and block id.
    pub blocks: BTreeMap<String, BTreeMap<u32, i64>>,
    /// Traversals known to be lost, by unit; units without loss are left out.
    pub lost: BTreeMap<String, u64>,
    /// Events of types whose source position is not known, all units together, by type.
    pub unplaced: Vec<i64>,
}

/// Traversals of a code that are known from elsewhere to have left it without passing an edge.
pub type Left<'a> = dyn Fn(&Code) -> u64 + 'a;

impl Profile {
    /// Decodes all codes of a table.
    ///
    /// # Errors
    /// When the counters do not fit the table.
    pub fn of(table: &Table, run: &Snapshots, left: &Left<'_>) -> Result<Self, EventsError> {
        let mut profile = Profile {
            types: table.types.clone(),
            totals: vec![Total::default(); table.types.len()],
            unplaced: vec![0; table.types.len()],
            ..Profile::default()
        };
        for code in &table.codes {
            let decoded = decode(
                code,
                &table.types,
                &|counter| run.added(counter),
                left(code),
            )?;
            profile.add(code, &decoded);
        }
        for iteration in &run.iterations {
            let added = |counter| iteration.added.get(&counter).copied().unwrap_or(0);
            let mut totals = vec![0; table.types.len()];
            for code in &table.codes {
                let decoded = decode(code, &table.types, &added, 0)?;
                for (sum, total) in totals.iter_mut().zip(&decoded.totals) {
                    *sum += total.value;
                }
            }
            profile.over_time.push(totals);
        }
        Ok(profile)
    }

    fn add(&mut self, code: &Code, decoded: &Decoded) {
        if decoded.lost > 0 {
            *self.lost.entry(code.unit.clone()).or_default() += decoded.lost;
        }
        if decoded.totals.iter().all(|t| *t == Total::default())
            && decoded.blocks.iter().flatten().all(|count| *count == 0)
        {
            return;
        }
        let unit = self.units.entry(code.unit.clone()).or_default();
        unit.resize(self.types.len(), Total::default());
        for (kind, total) in decoded.totals.iter().enumerate() {
            unit[kind] = unit[kind].plus(*total);
            self.totals[kind] = self.totals[kind].plus(*total);
        }
        let blocks = self.blocks.entry(code.unit.clone()).or_default();
        for (block, count) in code.graph.blocks.iter().zip(&decoded.blocks) {
            if let Some(count) = count.filter(|count| *count != 0) {
                *blocks.entry(block.id).or_default() += count;
            }
        }
        self.place(code, decoded);
    }

    fn place(&mut self, code: &Code, decoded: &Decoded) {
        let mut placed = vec![0; self.types.len()];
        for ((kind, position), count) in &decoded.positions {
            let Some(frames) = position.and_then(|at| code.positions.get(at)) else {
                continue;
            };
            placed[*kind] += count;
            let here = self.positions.entry(frames.clone()).or_default();
            *here.entry(*kind).or_default() += count;
        }
        for (kind, placed) in placed.into_iter().enumerate() {
            self.unplaced[kind] += decoded.totals[kind].value - placed;
        }
    }
}
