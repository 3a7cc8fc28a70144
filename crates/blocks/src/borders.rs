//! Who owns the code on the other side of a block's borders?

use std::collections::{HashMap, HashSet, VecDeque};

use crate::owners::UnitOwners;
use crate::{Span, Unit};

/// Control flow between blocks, by id.
#[derive(Debug, Clone, Default)]
pub(crate) struct Edges {
    to: HashMap<u32, Vec<u32>>,
    from: HashMap<u32, Vec<u32>>,
}

impl Edges {
    pub fn of(unit: &Unit) -> Self {
        let mut edges = Self::default();
        for block in &unit.blocks {
            for successor in &block.successors {
                edges.to.entry(block.id).or_default().push(*successor);
                edges.from.entry(*successor).or_default().push(block.id);
            }
        }
        edges
    }
}

/// First and last owners of the blocks of a code.
pub(crate) struct Borders<'a> {
    unit: &'a UnitOwners,
    first: HashMap<u32, u32>,
    last: HashMap<u32, u32>,
}

impl<'a> Borders<'a> {
    pub fn of(spans: &[Span], unit: &'a UnitOwners) -> Self {
        let (mut first, mut last) = (HashMap::new(), HashMap::new());
        for span in spans {
            if let (Some(block), Some(owner)) = (span.block, unit.of_span(span)) {
                first.entry(block).or_insert(owner);
                last.insert(block, owner);
            }
        }
        Self { unit, first, last }
    }

    /// Owners of the first positions that control reaches from the end of a block.
    pub fn behind(&self, block: u32) -> Vec<u32> {
        reached(block, &self.unit.edges.to, &self.first)
    }

    /// Owners of the last positions from which control comes to a block; the root's where it comes from the caller.
    pub fn before(&self, block: u32) -> Vec<u32> {
        let mut owners = reached(block, &self.unit.edges.from, &self.last);
        if !self.unit.edges.from.contains_key(&block) {
            owners.push(self.unit.root);
        }
        owners
    }
}

/// Owners of the nearest blocks that have one, through those that have none.
fn reached(block: u32, edges: &HashMap<u32, Vec<u32>>, owners: &HashMap<u32, u32>) -> Vec<u32> {
    let mut found = Vec::new();
    let mut seen = HashSet::from([block]);
    let mut waiting = VecDeque::from([block]);
    while let Some(block) = waiting.pop_front() {
        for next in edges.get(&block).into_iter().flatten() {
            if !seen.insert(*next) {
                continue;
            }
            match owners.get(next) {
                Some(owner) => found.push(*owner),
                None => waiting.push_back(*next),
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::owners::Methods;
    use crate::test_units::{block, span, unit};

    /// 0 -> 1 -> 2 and 3, 2 -> 1; block 1 and 3 have no positions.
    #[test]
    fn borders_are_looked_for_through_blocks_without_positions() {
        let blocks = vec![
            block(0, &[1]),
            block(1, &[2, 3]),
            block(2, &[1]),
            block(3, &[]),
        ];
        let mut methods = Methods::default();
        let unit = UnitOwners::of(&unit(blocks), &mut methods);
        let spans = [
            span(0, 0, 1),
            span(4, 1, -1),
            span(8, 2, 2),
            span(9, 2, 1),
            span(12, 3, -1),
        ];
        let borders = Borders::of(&spans, &unit);
        let names = |ids: Vec<u32>| -> Vec<String> {
            ids.iter().map(|id| methods.name(*id).to_string()).collect()
        };
        assert_eq!(names(borders.behind(1)), ["p.C.b()V"]);
        assert_eq!(names(borders.before(1)), ["p.C.a()V", "p.C.a()V"]);
        assert_eq!(names(borders.before(3)), ["p.C.a()V", "p.C.a()V"]);
        assert_eq!(names(borders.before(0)), ["p.C.root()V"]);
        assert!(borders.behind(3).is_empty());
    }
}
