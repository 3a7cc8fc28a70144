//! Control flow of a unit: predecessors, and how control arrives along each edge.

use std::collections::HashMap;

use crate::Unit;

/// The machine instruction through which control arrives at a block along an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Arrival {
    /// The predecessor is emitted just before and ends without an unconditional jump.
    FallThrough,
    /// A conditional or indirect jump; also a pair of both where the compiler's choice is not known.
    Branch,
    /// A direct unconditional jump, or the runtime's unwinder along an exception edge. It takes no
    /// time of its own and absorbs that of the instruction before it, inside the predecessor.
    Jump,
}

/// One edge into a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Incoming {
    /// Index of the predecessor in emission order.
    pub from: usize,
    /// How control arrives along this edge.
    pub arrival: Arrival,
}

/// Edges of one unit, between indices in emission order; parallel edges count as one.
#[derive(Debug, Clone)]
pub struct Flow {
    index: HashMap<u32, usize>,
    successors: Vec<Vec<usize>>,
    predecessors: Vec<Vec<Incoming>>,
}

impl Flow {
    /// Reads the edges of `unit`. Successors that are no block of the unit are left out.
    #[must_use]
    pub fn of(unit: &Unit) -> Self {
        let index: HashMap<u32, usize> = unit
            .blocks
            .iter()
            .enumerate()
            .map(|(at, block)| (block.id, at))
            .collect();
        let mut flow = Self {
            successors: vec![Vec::new(); unit.blocks.len()],
            predecessors: vec![Vec::new(); unit.blocks.len()],
            index,
        };
        for from in 0..unit.blocks.len() {
            flow.add_edges_of(unit, from);
        }
        flow
    }

    fn add_edges_of(&mut self, unit: &Unit, from: usize) {
        for id in &unit.blocks[from].successors {
            let Some(to) = self.index_of(*id) else {
                continue;
            };
            if !self.successors[from].contains(&to) {
                let arrival = arrival(unit, from, to);
                self.successors[from].push(to);
                self.predecessors[to].push(Incoming { from, arrival });
            }
        }
    }

    /// Index in emission order of the block with this id.
    #[must_use]
    pub fn index_of(&self, id: u32) -> Option<usize> {
        self.index.get(&id).copied()
    }

    /// Number of blocks.
    #[must_use]
    pub fn len(&self) -> usize {
        self.successors.len()
    }

    /// True if the unit has no blocks.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.successors.is_empty()
    }

    /// Successors of the block at index `from`, each once, in the compiler's order.
    #[must_use]
    pub fn successors(&self, from: usize) -> &[usize] {
        &self.successors[from]
    }

    /// Edges into the block at index `to`.
    #[must_use]
    pub fn predecessors(&self, to: usize) -> &[Incoming] {
        &self.predecessors[to]
    }
}

/// The compiler elides a jump to the block that is emitted next. A block that ends with the `JUMP`
/// operation and has more successors than one is a call with exception edges, which no jump takes.
fn arrival(unit: &Unit, from: usize, to: usize) -> Arrival {
    let block = &unit.blocks[from];
    let ends_with_jump = block
        .operations
        .last()
        .is_some_and(|name| name.eq_ignore_ascii_case("jump"));
    if to == from + 1 {
        Arrival::FallThrough
    } else if block.successors.len() == 1 || ends_with_jump {
        Arrival::Jump
    } else {
        Arrival::Branch
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_units::{block, unit};

    #[test]
    fn a_jump_to_the_next_block_is_elided() {
        let unit = unit(vec![block(0, &[7]), block(7, &[0, 9]), block(9, &[])]);
        let flow = Flow::of(&unit);
        assert_eq!(
            flow.predecessors(1),
            [Incoming {
                from: 0,
                arrival: Arrival::FallThrough
            }]
        );
        assert_eq!(
            flow.predecessors(0),
            [Incoming {
                from: 1,
                arrival: Arrival::Branch
            }]
        );
        assert_eq!(flow.successors(1), [0, 2]);
    }

    #[test]
    fn a_single_distant_successor_is_reached_by_a_jump() {
        let unit = unit(vec![block(0, &[2]), block(1, &[]), block(2, &[0])]);
        let flow = Flow::of(&unit);
        assert_eq!(
            flow.predecessors(2),
            [Incoming {
                from: 0,
                arrival: Arrival::Jump
            }]
        );
    }

    #[test]
    fn an_exception_edge_of_a_call_is_no_branch() {
        let mut call = block(0, &[1, 2]);
        call.operations = vec!["LABEL".into(), "DIRECT_CALL".into(), "JUMP".into()];
        let flow = Flow::of(&unit(vec![call, block(1, &[]), block(2, &[])]));
        assert_eq!(
            flow.predecessors(2),
            [Incoming {
                from: 0,
                arrival: Arrival::Jump
            }]
        );
    }
}
