//! Units that take too little time to be judged by themselves: together they are one set.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_blocks::BlockKey;
use proofmark_divine::TunableKind;

use super::{Baseline, Reason, Tunables};

/// Stands for the unit of the set in results.
pub const SMALL_UNITS: &str = "small units";

impl Tunables {
    /// Takes units below the smallest share out of `rest` and makes them one judged set, if together they are large enough.
    /// A unit has no borders but those at its calls: the longest take part, and shorter ones as long as the code of all
    /// of them takes `shortest_cycles` in the mean each time that one is entered. Returns whether there is such a set.
    pub(super) fn add_small_units(
        &mut self,
        baseline: &Baseline<'_>,
        shortest_cycles: f64,
        cluster: u32,
        rest: &mut BTreeSet<BlockKey>,
    ) -> bool {
        let mut units: BTreeMap<u32, Vec<BlockKey>> = BTreeMap::new();
        for key in rest.iter() {
            units.entry(key.unit).or_default().push(*key);
        }
        units.retain(|unit, _| !self.selection.units.contains(unit));
        let long = long_together(baseline, &units, shortest_cycles);
        units.retain(|unit, _| long.contains(unit));
        let blocks: Vec<BlockKey> = units.values().flatten().copied().collect();
        let share = baseline.times.share_of_blocks(blocks.iter().copied()).value;
        if blocks.is_empty() || share < self.selection.detectable_share {
            return false;
        }
        for key in &blocks {
            rest.remove(key);
        }
        let group = self
            .tunables
            .iter()
            .filter_map(|tunable| tunable.group)
            .max();
        if let Some(tunable) = self.add_pool(baseline, cluster, blocks) {
            tunable.unit = SMALL_UNITS.to_owned();
            tunable.kind = TunableKind::Block;
            tunable.group = Some(group.map_or(0, |last| last + 1));
        }
        let judged = |unit: Option<u32>| unit.is_some_and(|unit| units.contains_key(&unit));
        self.selection
            .excluded
            .retain(|one| one.reason != Reason::SmallUnit || !judged(one.unit));
        true
    }
}

/// The units that are long enough together: the longest first, and each that leaves them at so many cycles per entry in the
/// mean.
fn long_together(
    baseline: &Baseline<'_>,
    units: &BTreeMap<u32, Vec<BlockKey>>,
    shortest_cycles: f64,
) -> BTreeSet<u32> {
    let mut entered: Vec<(u32, f64, f64)> = (units.iter())
        .map(|(unit, blocks)| {
            let cycles: f64 = blocks.iter().map(|key| baseline.block_cycles(*key)).sum();
            (*unit, cycles, entries(baseline, *unit))
        })
        .filter(|(_, _, entries)| *entries > 0.0)
        .collect();
    entered.sort_by(|a, b| (b.1 / b.2).total_cmp(&(a.1 / a.2)));
    let (mut all_cycles, mut all_entries) = (0.0_f64, 0.0_f64);
    entered.retain(|&(_, cycles, entries)| {
        let fits = all_cycles + cycles >= shortest_cycles * (all_entries + entries);
        if fits {
            all_cycles += cycles;
            all_entries += entries;
        }
        fits
    });
    entered.into_iter().map(|(unit, _, _)| unit).collect()
}

/// How often a unit is entered per iteration: its first block runs once then, unless that is a loop.
fn entries(baseline: &Baseline<'_>, unit: u32) -> f64 {
    let first = baseline.map.units()[unit as usize].blocks.first();
    first.map_or(0.0, |first| {
        let key = BlockKey {
            unit,
            block: first.id,
        };
        baseline.executions.get(&key).copied().unwrap_or(0.0)
    })
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proofmark_blocks::{Block, BlockTimes, CodeMap, Unit, Weight};

    use super::super::SelectionSettings;
    use super::*;

    const SMALL: u32 = 10;

    fn weight(samples: f64) -> Weight {
        Weight {
            sum: samples,
            squares: samples,
        }
    }

    /// A unit of 84 % and ten of 1.6 %, which are entered a hundred times, but the last one so often.
    fn program(last: f64) -> (CodeMap, BlockTimes, HashMap<BlockKey, f64>) {
        let mut map = CodeMap::new();
        let mut times = BlockTimes {
            total: weight(100_000.0),
            ..BlockTimes::default()
        };
        let mut executions = HashMap::new();
        for unit in 0..=SMALL {
            let block = Block {
                id: 0,
                successors: Vec::new(),
                loop_header: None,
                loop_depth: 0,
                frequency: 1.0,
                cycles: None,
                operations: vec!["ADD".into()],
            };
            let described = Unit {
                name: format!("a.B.c{unit}()V"),
                signature: String::new(),
                blocks: vec![block],
                positions: Vec::new(),
            };
            map.add_unit(described).expect("a unit");
            let key = BlockKey { unit, block: 0 };
            let samples = if unit == 0 { 84_000.0 } else { 1_600.0 };
            times.blocks.insert(key, weight(samples));
            times.units.insert(unit, weight(samples));
            // An iteration takes 3 million cycles, so a small unit 48,000: 480 each time if it is entered a hundred times.
            executions.insert(key, if unit == SMALL { last } else { 100.0 });
        }
        (map, times, executions)
    }

    fn chosen(last: f64) -> Tunables {
        let (map, times, executions) = program(last);
        let baseline = Baseline {
            map: &map,
            times: &times,
            executions: &executions,
            iteration_ns: 1e6,
            clock_ghz: 3.0,
        };
        Tunables::choose(&baseline, &SelectionSettings::default())
    }

    /// Unit, kind and number of blocks of every tunable.
    fn kinds(tunables: &Tunables) -> Vec<(&str, TunableKind, usize)> {
        let all = tunables.as_slice().iter().enumerate();
        all.map(|(at, tunable)| {
            let blocks = tunables.blocks(at).len();
            (tunable.unit.as_str(), tunable.kind, blocks)
        })
        .collect()
    }

    /// Half a cycle each time: all ten take 4.8 cycles in the mean, the nine others 480.
    #[test]
    fn units_below_the_smallest_share_are_one_set_if_they_are_long_enough() {
        let tunables = chosen(100_000.0);
        assert_eq!(
            kinds(&tunables),
            [
                ("a.B.c0()V", TunableKind::Block, 1),
                (SMALL_UNITS, TunableKind::Block, 9),
                ("a.B.c10()V", TunableKind::Pool, 1),
            ]
        );
        // What is judged now is not told as left out.
        let left_out: Vec<_> = tunables
            .selection()
            .excluded
            .iter()
            .map(|e| e.unit)
            .collect();
        assert_eq!(left_out, [Some(SMALL)]);
        let mut counts = vec![0; 3];
        counts[1] = 32;
        let table = tunables.instructions(&counts);
        let inserted: u32 = table.values().sum();
        assert_eq!(inserted, 18, "two in each block of the set: {table:?}");
    }

    /// Five cycles each time are too short for one alone: of all ten it is 44 in the mean.
    #[test]
    fn a_short_unit_is_judged_with_longer_ones() {
        let tunables = chosen(10_000.0);
        assert_eq!(
            kinds(&tunables),
            [
                ("a.B.c0()V", TunableKind::Block, 1),
                (SMALL_UNITS, TunableKind::Block, 10),
            ]
        );
        assert!(tunables.selection().excluded.is_empty());
    }
}
