//! Who owns the code on the other side of a block's borders?

use std::collections::{HashMap, HashSet, VecDeque};

use crate::Span;
use crate::owners::UnitOwners;

/// First and last owners of the blocks of a code, by the blocks' indices in emission order.
pub(crate) struct Borders<'a> {
    unit: &'a UnitOwners,
    first: HashMap<usize, u32>,
    last: HashMap<usize, u32>,
}

impl<'a> Borders<'a> {
    pub fn of(spans: &[Span], unit: &'a UnitOwners) -> Self {
        let (mut first, mut last) = (HashMap::new(), HashMap::new());
        for span in spans {
            let block = span.block.and_then(|block| unit.flow.index_of(block));
            if let (Some(block), Some(owner)) = (block, unit.of_span(span)) {
                first.entry(block).or_insert(owner);
                last.insert(block, owner);
            }
        }
        Self { unit, first, last }
    }

    /// Owners of the first positions that control reaches from the end of a block.
    pub fn behind(&self, block: u32) -> Vec<u32> {
        let flow = &self.unit.flow;
        let next = |at: usize| flow.successors(at).to_vec();
        let from = flow.index_of(block);
        from.map_or_else(Vec::new, |from| reached(from, next, &self.first))
    }

    /// Owners of the last positions from which control comes to a block; the root's where it comes from the caller.
    pub fn before(&self, block: u32) -> Vec<u32> {
        let flow = &self.unit.flow;
        let next = |at: usize| flow.predecessors(at).iter().map(|edge| edge.from).collect();
        let Some(from) = flow.index_of(block) else {
            return Vec::new();
        };
        if flow.predecessors(from).is_empty() {
            return vec![self.unit.root];
        }
        reached(from, next, &self.last)
    }
}

/// Owners of the nearest blocks that have one, through those that have none.
fn reached(
    from: usize,
    next: impl Fn(usize) -> Vec<usize>,
    owners: &HashMap<usize, u32>,
) -> Vec<u32> {
    let mut found = Vec::new();
    let mut seen = HashSet::from([from]);
    let mut waiting = VecDeque::from([from]);
    while let Some(block) = waiting.pop_front() {
        for next in next(block) {
            if !seen.insert(next) {
                continue;
            }
            match owners.get(&next) {
                Some(owner) => found.push(*owner),
                None => waiting.push_back(next),
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
