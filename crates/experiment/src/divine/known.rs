//! What a search for one target leaves to that for the next one in the same process: how blocks respond does not depend on
//! the target.

use proofmark_divine::Round;

use super::Request;
use super::identity::{CellName, order, reordered};
use super::look::Look;

/// Rounds of a search, with the cells that they are about.
#[derive(Debug, Clone)]
pub struct Known {
    /// The first look at the program.
    pub(super) look: Look,
    /// Target for which the cells were chosen, 1.0 is +100 %: all searches have the same cells.
    pub(super) chosen_for: f64,
    cells: Vec<CellName>,
    rounds: Vec<Round>,
}

impl Known {
    /// Of a finished search.
    pub(super) fn new(
        request: &Request,
        look: Look,
        cells: Vec<CellName>,
        rounds: &[Round],
    ) -> Self {
        Known {
            look,
            chosen_for: chosen_for(request),
            cells,
            rounds: rounds.to_vec(),
        }
    }

    /// The rounds in the order of these cells; none if they are others.
    pub(super) fn rounds(&self, cells: &[CellName]) -> Vec<Round> {
        let order = order(cells, &self.cells);
        let rounds = |order: Vec<usize>| self.rounds.iter().map(|r| reordered(r, &order)).collect();
        order.map_or_else(Vec::new, rounds)
    }
}

/// Target for which a search chooses its cells.
pub(super) fn chosen_for(request: &Request) -> f64 {
    let known = request.known.as_ref();
    known.map_or(request.target, |known| known.chosen_for)
}
