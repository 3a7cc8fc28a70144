//! How often control crosses a border between the code of two methods.

use std::collections::{BTreeMap, HashMap};

use crate::layout::Layout;
use crate::{BlockKey, CodeMap, EdgeCounts};

/// Passages of control across the borders of every method's code, per iteration: one number per border, by method name. A border
/// lies between two neighbouring operations of different methods, in a block or along an edge.
///
/// `edges` holds edge counts by unit index, `executions` the executions of blocks per iteration. Units without counts are left out.
///
/// # Accuracy
/// Edge counts that the block counts leave open are the likeliest ones (see [`EdgeCounts::solve`]). Calls to other units and returns
/// from them are no borders here: the wait of a call is seen on the call.
#[must_use]
pub fn method_passages(
    map: &CodeMap,
    edges: &HashMap<u32, EdgeCounts>,
    executions: &HashMap<BlockKey, f64>,
) -> BTreeMap<String, Vec<f64>> {
    let mut passages: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for (unit, counts) in edges {
        let Some(layout) = map.first_layout_of(*unit) else {
            continue;
        };
        let executed = |block: u32| {
            let key = BlockKey { unit: *unit, block };
            executions.get(&key).copied().unwrap_or(0.0)
        };
        for (before, behind, times) in crossings(layout, counts, executed) {
            for method in [before, behind] {
                let name = map.method(method).to_string();
                passages.entry(name).or_default().push(times);
            }
        }
    }
    passages
}

/// Methods in front of and behind every border of a code, with passages.
fn crossings(
    layout: &Layout,
    counts: &EdgeCounts,
    executed: impl Fn(u32) -> f64,
) -> Vec<(u32, u32, f64)> {
    let inside = layout
        .neighbours_in_blocks()
        .map(|(block, before, behind)| (before.owner.method, behind.owner.method, executed(block)));
    let mut into: HashMap<u32, f64> = HashMap::new();
    for edge in &counts.edges {
        *into.entry(edge.to).or_default() += edge.count;
    }
    let along = counts.edges.iter().filter_map(|edge| {
        let before = layout.last_of(edge.from?)?;
        let behind = layout.first_of(edge.to)?;
        let part = edge.count / into[&edge.to].max(f64::MIN_POSITIVE);
        Some((
            before.owner.method,
            behind.owner.method,
            part * executed(edge.to),
        ))
    });
    inside
        .chain(along)
        .filter(|(before, behind, times)| before != behind && *times > 0.0)
        .collect()
}
