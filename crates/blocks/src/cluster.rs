//! Blocks that overlap in the processor and cannot be told apart by sampling.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::{Flow, Unit};

/// Blocks of one innermost loop, or those of a unit that lie in no loop (calls of the unit follow each
/// other then, for example in a recursion).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cluster {
    /// Header of the outermost loop that belongs to it; none for the blocks outside of loops.
    pub header: Option<u32>,
    /// Ids of the blocks, in emission order.
    pub blocks: Vec<u32>,
}

/// Time and executions of a unit's blocks over the same stretch of time.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct BlockCosts {
    /// Cycles by block id.
    pub cycles: HashMap<u32, f64>,
    /// Executions by block id.
    pub executions: HashMap<u32, f64>,
}

impl BlockCosts {
    /// Cycles per execution; none if nothing was counted.
    #[must_use]
    pub fn cycles_per_execution(&self, block: u32) -> Option<f64> {
        let executions = *self.executions.get(&block)?;
        let cycles = self.cycles.get(&block).copied().unwrap_or(0.0);
        (executions > 0.0).then(|| cycles / executions)
    }
}

/// Clusters of a unit, in emission order of their first blocks. With `costs`, a loop that takes
/// fewer than `merge_below` cycles per iteration of what is around it joins that: the processor
/// works on the surroundings at the same time.
#[must_use]
pub fn clusters(unit: &Unit, costs: Option<&BlockCosts>, merge_below: f64) -> Vec<Cluster> {
    let joined = costs
        .map(|costs| joined_loops(unit, costs, merge_below))
        .unwrap_or_default();
    let mut order = Vec::new();
    let mut blocks: HashMap<Option<u32>, Vec<u32>> = HashMap::new();
    for block in &unit.blocks {
        let mut header = block.loop_header;
        while let Some(outer) = header.and_then(|header| joined.get(&header)) {
            header = *outer;
        }
        if !blocks.contains_key(&header) {
            order.push(header);
        }
        blocks.entry(header).or_default().push(block.id);
    }
    let cluster = |header| Cluster {
        header,
        blocks: blocks.remove(&header).unwrap_or_default(),
    };
    order.into_iter().map(cluster).collect()
}

/// Loops that join the loop (or the unit) around them: header to header, inner loops first.
fn joined_loops(unit: &Unit, costs: &BlockCosts, below: f64) -> BTreeMap<u32, Option<u32>> {
    let flow = Flow::of(unit);
    let mut cycles: HashMap<Option<u32>, f64> = HashMap::new();
    for block in &unit.blocks {
        *cycles.entry(block.loop_header).or_default() +=
            costs.cycles.get(&block.id).copied().unwrap_or(0.0);
    }
    let mut headers: Vec<(u32, u32)> = unit
        .blocks
        .iter()
        .filter(|block| block.loop_header == Some(block.id))
        .map(|block| (block.loop_depth, block.id))
        .collect();
    headers.sort_unstable_by(|left, right| right.cmp(left));
    let mut joined = BTreeMap::new();
    for (_, header) in headers {
        let outer = outer_loop(unit, &flow, header);
        let Some(around) = outer.or_else(|| unit.blocks.first().map(|block| block.id)) else {
            continue;
        };
        let iterations = costs.executions.get(&around).copied().unwrap_or(0.0);
        let own = cycles.get(&Some(header)).copied().unwrap_or(0.0);
        if own < below * iterations {
            joined.insert(header, outer);
            *cycles.entry(outer).or_default() += own;
        }
    }
    joined
}

/// Header of the loop around the loop of `header`: that of the nearest block, against the direction of
/// control, that is one level less deep.
fn outer_loop(unit: &Unit, flow: &Flow, header: u32) -> Option<u32> {
    let start = flow.index_of(header)?;
    let depth = unit.blocks[start].loop_depth;
    let mut visited = HashSet::from([start]);
    let mut queue = std::collections::VecDeque::from([start]);
    while let Some(at) = queue.pop_front() {
        for incoming in flow.predecessors(at) {
            let block = &unit.blocks[incoming.from];
            if block.loop_depth < depth {
                return block.loop_header;
            }
            if visited.insert(incoming.from) {
                queue.push_back(incoming.from);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_units::{block, looped, unit};

    /// 0 -> loop 1 { 2, loop 3 { 4 } } -> 5
    fn nested() -> Unit {
        unit(vec![
            block(0, &[1]),
            looped(1, &[2, 5], 1, 1),
            looped(2, &[3], 1, 1),
            looped(3, &[4, 1], 3, 2),
            looped(4, &[3], 3, 2),
            block(5, &[]),
        ])
    }

    fn costs(outer: f64, inner_cycles: f64) -> BlockCosts {
        BlockCosts {
            cycles: HashMap::from([(3, inner_cycles / 2.0), (4, inner_cycles / 2.0), (2, 1e9)]),
            executions: HashMap::from([(0, 1.0), (1, outer), (3, 5.0 * outer)]),
        }
    }

    fn blocks(clusters: &[Cluster]) -> Vec<Vec<u32>> {
        clusters
            .iter()
            .map(|cluster| cluster.blocks.clone())
            .collect()
    }

    #[test]
    fn innermost_loops_and_the_rest_of_the_unit() {
        let found = clusters(&nested(), None, 50.0);
        assert_eq!(blocks(&found), [vec![0, 5], vec![1, 2], vec![3, 4]]);
        assert_eq!(found[0].header, None);
        assert_eq!(found[2].header, Some(3));
    }

    #[test]
    fn a_short_inner_loop_joins_the_one_around_it() {
        let short = clusters(&nested(), Some(&costs(1000.0, 40.0 * 1000.0)), 50.0);
        assert_eq!(blocks(&short), [vec![0, 5], vec![1, 2, 3, 4]]);
        let long = clusters(&nested(), Some(&costs(1000.0, 60.0 * 1000.0)), 50.0);
        assert_eq!(blocks(&long), [vec![0, 5], vec![1, 2], vec![3, 4]]);
    }

    #[test]
    fn the_outer_loop_is_found_through_a_sibling() {
        let mut unit = nested();
        unit.blocks[3].successors = vec![4, 6];
        unit.blocks.push(looped(6, &[6, 1], 6, 2));
        assert_eq!(outer_loop(&unit, &Flow::of(&unit), 6), Some(1));
    }
}
