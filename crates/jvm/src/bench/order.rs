//! In which order sides and their shifts take turns.

use super::Side;
use crate::table::UnitTable;

/// Codes of each placement.
pub(super) fn placements(sides: &[Side], order: &[usize], first: usize) -> Vec<Vec<u32>> {
    let at = shifts(sides, order, first);
    let codes = order.iter().zip(at);
    codes
        .map(|(side, shift)| sides[*side].shifted[shift].clone())
        .collect()
}

/// Index of the shift of each placement: a side takes the shifts in turn, and the next window starts with the next
/// shift, so that all are met where windows are short.
pub(super) fn shifts(sides: &[Side], order: &[usize], first: usize) -> Vec<usize> {
    let mut turns = vec![first; sides.len()];
    let mut next = |side: usize| {
        turns[side] += 1;
        (turns[side] - 1) % sides[side].shifted.len()
    };
    order.iter().map(|side| next(*side)).collect()
}

/// The same tables for code that begins so many bytes later.
pub(super) fn with_shift(tables: &[UnitTable], shift: u32) -> Vec<UnitTable> {
    let moved = |table: &UnitTable| UnitTable {
        shift,
        ..table.clone()
    };
    tables.iter().map(moved).collect()
}

/// A, B, B, A and so on, so that drift hits both sides alike; `placements` of each.
pub fn abba(placements: usize) -> Vec<usize> {
    (0..placements)
        .flat_map(|at| if at % 2 == 0 { [0, 1] } else { [1, 0] })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Side, abba, placements};

    #[test]
    fn sides_meet_every_shift_equally_often() {
        let side = |codes: [u32; 2]| Side {
            shifted: codes.map(|code| vec![code]).to_vec(),
        };
        let sides = [side([1, 2]), side([11, 12])];
        let of = |first| placements(&sides, &abba(2), first).concat();
        assert_eq!(of(0), [1, 11, 12, 2]);
        assert_eq!(of(1), [2, 12, 11, 1]);
    }

    #[test]
    fn sides_alternate_symmetrically() {
        assert_eq!(abba(4), [0, 1, 1, 0, 0, 1, 1, 0]);
    }
}
