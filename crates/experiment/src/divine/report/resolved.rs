//! What of a plan can be told on this machine: sets, and blocks that are long enough.

use proofmark_blocks::Resolution;
use proofmark_divine::{Cell, CellKind, Evaluation, Outcome, Reason, SetResult};

use super::rows::{Resolved, SetRow};
use super::{DivineReport, seen};

/// The part of the shortest set from which on a block says something of itself where no other joins it: its two borders
/// are then a quarter of it at most.
const ALONE: f64 = 0.5;

impl Resolved {
    /// What follows from a calibration.
    #[must_use]
    pub fn of(resolution: &Resolution) -> Self {
        Resolved {
            border_cycles: resolution.border_cycles,
            shortest_judged_cycles: resolution.shortest_judged_cycles(),
        }
    }
}

impl DivineReport {
    /// Adds what the machine can resolve, and says of no block alone what only its set can tell. `blocks` holds the blocks of
    /// machine code in each cell.
    #[must_use]
    pub fn with_resolution(
        mut self,
        resolution: &Resolution,
        (cells, blocks): (&[Cell], &[u64]),
        (outcome, evaluation): (&Outcome, &Evaluation),
    ) -> Self {
        let shortest = resolution.shortest_judged_cycles();
        self.resolution = Some(Resolved::of(resolution));
        for ((cell, blocks), found) in cells.iter().zip(blocks).zip(&outcome.cells) {
            let row = self.row(cell);
            row.blocks = Some(*blocks);
            row.reason = alone(row.reason, cell, found.cycles, ALONE * shortest);
        }
        let of_kind = |kind| {
            let all = cells.iter().zip(blocks);
            let of_it = all.filter(move |(cell, _)| cell.kind == kind);
            of_it.map(|(_, blocks)| *blocks).sum()
        };
        self.judged_blocks = of_kind(CellKind::Block);
        self.pooled_blocks = of_kind(CellKind::Pool);
        let seen = evaluation
            .sets
            .iter()
            .filter(|set| set.result.share_pct > 0.0);
        let sets = seen.map(|set| self.set((cells, blocks), outcome, set));
        let mut sets: Vec<SetRow> = sets.collect();
        sets.sort_by(|a, b| b.share_pct.total_cmp(&a.share_pct));
        self.sets = sets;
        self
    }

    fn set(
        &self,
        (cells, blocks): (&[Cell], &[u64]),
        outcome: &Outcome,
        set: &SetResult,
    ) -> SetRow {
        let time = |at: &usize| outcome.cells[*at].cycles * cells[*at].executions_per_iteration;
        let longest = set.cells.iter().max_by(|a, b| time(a).total_cmp(&time(b)));
        let longest = *longest.expect("a set has a cell");
        let cell = &cells[longest];
        let all: f64 = set.cells.iter().map(time).sum();
        let cycles = all / cell.executions_per_iteration.max(f64::MIN_POSITIVE);
        let achieved = set.result.achieved_overhead_pct;
        let judged = seen(Reason::OffTarget, achieved, self.target_pct);
        let shortest = self
            .resolution
            .map_or(0.0, |known| known.shortest_judged_cycles);
        SetRow {
            unit: cell.unit.clone(),
            group: cell.group,
            block: cell.block,
            blocks: set.cells.iter().map(|at| blocks[*at]).sum(),
            cycles,
            share_pct: set.result.share_pct,
            achieved_overhead_pct: achieved,
            reason: match cell.group {
                Some(_) => judged,
                None => alone(judged, cell, cycles, ALONE * shortest),
            },
        }
    }
}

/// What can be said of a cell by itself.
fn alone(reason: Reason, cell: &Cell, cycles: f64, shortest: f64) -> Reason {
    let of_time = matches!(
        reason,
        Reason::OnTarget | Reason::OffTarget | Reason::TooSmall | Reason::Overlaps
    );
    match cell.kind {
        CellKind::Block if of_time && cell.group.is_some() => Reason::InSet,
        CellKind::Block if of_time && cycles < shortest => Reason::Unresolved,
        _ => reason,
    }
}
