//! What the VM's debug information says of sampled addresses, looked up in the ways that profilers do it.
//!
//! Its records stand at the ends of operations. A sample mostly names the instruction behind the one that took the time, so
//! that each rule is asked twice: for the address as it was sampled, and for that of the instruction that was waited for.
//! The difference is what skid does to a profiler with that rule.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Weight;

/// Which record of the VM's debug information a profiler takes for an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PcRule {
    /// The first one behind it (`>`).
    Behind,
    /// The first one at or behind it (`>=`).
    AtOrBehind,
    /// The last one at or before it (`<=`).
    AtOrBefore,
}

impl PcRule {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Behind, Self::AtOrBehind, Self::AtOrBefore];

    /// The record that belongs to an offset, of records in ascending order of their own.
    pub(crate) fn find(self, records: &[(u32, u32)], offset: u32) -> Option<u32> {
        let behind = || records.partition_point(|(at, _)| *at <= offset);
        let at = match self {
            Self::Behind => behind(),
            Self::AtOrBehind => records.partition_point(|(at, _)| *at < offset),
            Self::AtOrBefore => behind().checked_sub(1)?,
        };
        records.get(at).map(|(_, record)| *record)
    }
}

/// Samples by method, named by the VM's debug information in one way.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Replay {
    /// The rule.
    pub rule: PcRule,
    /// Looked up was the instruction that was waited for; else the address that was sampled.
    pub corrected: bool,
    /// By method name, as in [`crate::Frame::method`].
    pub methods: BTreeMap<String, Weight>,
}

/// Adds those of another window of the same JVM.
pub(crate) fn merge(own: &mut Vec<Replay>, other: &[Replay]) {
    for replay in other {
        let same = |one: &&mut Replay| (one.rule, one.corrected) == (replay.rule, replay.corrected);
        match own.iter_mut().find(same) {
            Some(one) => {
                for (name, weight) in &replay.methods {
                    one.methods.entry(name.clone()).or_default().merge(weight);
                }
            }
            None => own.push(replay.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_rule_takes_its_record() {
        let records = [(4, 10), (8, 11)];
        let found = |offset: u32| PcRule::ALL.map(|rule| rule.find(&records, offset));
        assert_eq!(found(3), [Some(10), Some(10), None]);
        assert_eq!(found(4), [Some(11), Some(10), Some(10)]);
        assert_eq!(found(7), [Some(11), Some(11), Some(10)]);
        assert_eq!(found(8), [None, Some(11), Some(11)]);
        assert_eq!(found(9), [None, None, Some(11)]);
    }

    #[test]
    fn windows_add_up_by_rule_and_correction() {
        let mut one = Weight::default();
        one.add(1.0);
        let replay = |corrected| Replay {
            rule: PcRule::Behind,
            corrected,
            methods: [("m".to_owned(), one)].into(),
        };
        let mut own = vec![replay(false)];
        merge(&mut own, &[replay(true), replay(false)]);
        let sums: Vec<(bool, f64)> = own
            .iter()
            .map(|one| (one.corrected, one.methods["m"].sum))
            .collect();
        assert_eq!(sums, [(false, 2.0), (true, 1.0)]);
    }
}
