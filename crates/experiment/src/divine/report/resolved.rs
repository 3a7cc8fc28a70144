//! What of a plan can be told on this machine: sets, and blocks that are long enough.

use proofmark_blocks::Resolution;
use proofmark_divine::{Evaluation, Outcome, Reason, SetResult, Tunable, TunableKind};

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
    /// machine code in each tunable.
    #[must_use]
    pub fn with_resolution(
        mut self,
        resolution: &Resolution,
        (tunables, blocks): (&[Tunable], &[u64]),
        (outcome, evaluation): (&Outcome, &Evaluation),
    ) -> Self {
        let shortest = resolution.shortest_judged_cycles();
        self.resolution = Some(Resolved::of(resolution));
        for ((tunable, blocks), found) in tunables.iter().zip(blocks).zip(&outcome.tunables) {
            let row = self.row(tunable);
            row.blocks = Some(*blocks);
            row.reason = alone(row.reason, tunable, found.cycles, ALONE * shortest);
        }
        let of_kind = |kind| {
            let all = tunables.iter().zip(blocks);
            let of_it = all.filter(move |(tunable, _)| tunable.kind == kind);
            of_it.map(|(_, blocks)| *blocks).sum()
        };
        self.judged_blocks = of_kind(TunableKind::Block);
        self.pooled_blocks = of_kind(TunableKind::Pool);
        let seen = evaluation
            .sets
            .iter()
            .filter(|set| set.result.share_pct > 0.0);
        let sets = seen.map(|set| self.set((tunables, blocks), outcome, set));
        let mut sets: Vec<SetRow> = sets.collect();
        sets.sort_by(|a, b| b.share_pct.total_cmp(&a.share_pct));
        self.sets = sets;
        self
    }

    fn set(
        &self,
        (tunables, blocks): (&[Tunable], &[u64]),
        outcome: &Outcome,
        set: &SetResult,
    ) -> SetRow {
        let time =
            |at: &usize| outcome.tunables[*at].cycles * tunables[*at].executions_per_iteration;
        let longest = set
            .tunables
            .iter()
            .max_by(|a, b| time(a).total_cmp(&time(b)));
        let longest = *longest.expect("a set has a tunable");
        let tunable = &tunables[longest];
        let all: f64 = set.tunables.iter().map(time).sum();
        let cycles = all / tunable.executions_per_iteration.max(f64::MIN_POSITIVE);
        let achieved = set.result.achieved_overhead_pct;
        let judged = seen(Reason::OffTarget, achieved, self.target_pct);
        let shortest = self
            .resolution
            .map_or(0.0, |known| known.shortest_judged_cycles);
        SetRow {
            unit: tunable.unit.clone(),
            group: tunable.group,
            block: tunable.block,
            blocks: set.tunables.iter().map(|at| blocks[*at]).sum(),
            cycles,
            share_pct: set.result.share_pct,
            achieved_overhead_pct: achieved,
            reason: match tunable.group {
                Some(_) => judged,
                None => alone(judged, tunable, cycles, ALONE * shortest),
            },
        }
    }
}

/// What can be said of a tunable by itself.
fn alone(reason: Reason, tunable: &Tunable, cycles: f64, shortest: f64) -> Reason {
    let of_time = matches!(
        reason,
        Reason::OnTarget | Reason::OffTarget | Reason::TooSmall | Reason::Overlaps
    );
    match tunable.kind {
        TunableKind::Block if of_time && tunable.group.is_some() => Reason::InSet,
        TunableKind::Block if of_time && cycles < shortest => Reason::Unresolved,
        _ => reason,
    }
}
