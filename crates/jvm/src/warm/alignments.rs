//! Code at several offsets of its cache line, and far from the code before it.
//!
//! HotSpot puts every method at the same offset in a cache line, so that installing it again at another
//! address keeps what the offset does to its time: up to a fifth of a program's (docs/method-time.md).
//! Every variant is therefore compiled once per alignment, with padding in front of its entry.

use std::time::Instant;

use proofmark_experiment::lab::{Filler, Insertion, UnitTable};

use super::WarmJvm;
use crate::error::LabError;

/// Offsets of the code in its cache line, bytes. The two that differ most first.
const OFFSETS: [u32; 4] = [0, 32, 16, 48];
/// Cache line, bytes.
const LINE: u32 = 64;
/// Distance between placements that is aimed at, bytes, so that a window does not see only the same few pages of
/// the code cache. What that alone is worth was not measured.
const STRIDE: u32 = 64 << 10;
/// Largest padding of a unit: HotSpot keeps the offset of its entry in 16 bits.
const MOST_PADDING: u32 = 24 << 10;
/// Time that one iteration under each alignment may take, s.
const ALIGNED_S: f64 = 1.5;
/// Time for compiling all units under all alignments, s; each plan costs it.
const COMPILING_S: f64 = 2.5;

impl WarmJvm {
    /// Compiles the baseline once for every alignment that there is time for.
    pub(super) fn align(&mut self) -> Result<(), LabError> {
        self.aligned = vec![(0, self.baseline.clone())];
        let most = (ALIGNED_S * 1e9 / self.warm.iteration_ns.max(1.0)) as usize;
        if most < 2 || self.hot.is_empty() {
            return Ok(());
        }
        let tables: Vec<UnitTable> = self.hot.iter().map(|unit| nothing(*unit)).collect();
        let mut aligned = Vec::new();
        let mut compiling = 0.0;
        for (at, offset) in OFFSETS.into_iter().enumerate().take(most) {
            if at > 1 && compiling * OFFSETS.len() as f64 > COMPILING_S * at as f64 {
                break;
            }
            let started = Instant::now();
            let padding = offset + strides(at, self.hot.len());
            let codes = self.client.compile(&padded(&tables, padding))?;
            compiling += started.elapsed().as_secs_f64();
            aligned.push((padding, self.hot.iter().copied().zip(codes).collect()));
        }
        self.aligned = aligned;
        Ok(())
    }
}

/// Padding of every unit under an alignment, full cache lines; each alignment has its own, so that placements
/// do not follow each other at equal distances.
fn strides(alignment: usize, units: usize) -> u32 {
    let each = (STRIDE / units as u32).min(MOST_PADDING);
    let part = [4, 6, 5, 7][alignment % 4];
    each * part / 7 / LINE * LINE
}

/// Table of a unit without any insertion.
fn nothing(unit: u32) -> UnitTable {
    UnitTable::new(unit, Insertion::plan(Filler::Mov), Vec::new())
}

/// The same tables for code that begins so many bytes later.
pub(super) fn padded(tables: &[UnitTable], padding: u32) -> Vec<UnitTable> {
    let moved = |table: &UnitTable| UnitTable {
        padding,
        ..table.clone()
    };
    tables.iter().map(moved).collect()
}
