//! The borders of blocks, against what the instructions do with control.

use std::collections::BTreeSet;

use super::compare::{end, holds, target};
use super::{Difference, Flow, Instruction, Stretch, Twins};

/// How many addresses blocks begin at, and the distances of those to which nothing leads that was seen.
///
/// # Errors
/// When control comes to the middle of a block, or leaves it there.
pub(super) fn borders(
    twins: &Twins<'_>,
    owners: &[&Stretch],
) -> Result<(usize, Vec<u64>), Difference> {
    let begins = begins(twins.map, end(twins.new));
    let code = Code {
        instructions: twins.new,
        owners,
    };
    let known: BTreeSet<u64> = begins.iter().filter_map(|one| code.settled(*one)).collect();
    let mut seen = BTreeSet::from([code.settled(twins.begin())]);
    for to in comings(twins) {
        let to = code.settled(to);
        if let Some(to) = to.filter(|to| !known.contains(to)) {
            let at = twins.at(to);
            return Err(Difference::NoBegin { at });
        }
        seen.insert(to);
    }
    for one in twins.new.iter().filter(|one| one.flow != Flow::Next) {
        let behind = code.settled(one.end());
        let ends = |next: u64| begins.range(one.end()..=next).next().is_some();
        if behind.is_some_and(|next| !ends(next)) {
            let at = twins.at(one.address);
            return Err(Difference::NoEnd { at });
        }
        seen.insert(behind);
    }
    let named = twins.ways.named.range(twins.begin()..end(twins.new));
    seen.extend(named.map(|address| code.settled(*address)));
    let unseen = begins
        .iter()
        .filter(|begin| !seen.contains(&code.settled(**begin)));
    let unseen = unseen.map(|begin| twins.at(*begin)).collect();
    Ok((begins.len(), unseen))
}

/// Where blocks begin.
fn begins(map: &[Stretch], end: u64) -> BTreeSet<u64> {
    let mut before = None;
    let mut begins = BTreeSet::new();
    for one in map {
        if before.replace(one.block) != Some(one.block) && one.begin < end {
            begins.insert(one.begin);
        }
    }
    begins
}

/// Addresses in the function that control is seen to come to, or that its own code names.
fn comings(twins: &Twins<'_>) -> Vec<u64> {
    let own = |one: &Instruction| [target(one), one.place];
    let mut all: Vec<u64> = twins.new.iter().flat_map(own).flatten().collect();
    all.retain(|address| holds(twins.new, *address));
    all.extend(twins.ways.jumped.range(twins.begin()..end(twins.new)));
    all
}

struct Code<'c> {
    instructions: &'c [Instruction],
    owners: &'c [&'c Stretch],
}

impl Code<'_> {
    /// Where control that comes to an address does something first: padding is passed. None at the end.
    fn settled(&self, address: u64) -> Option<u64> {
        let from = self
            .instructions
            .partition_point(|one| one.address < address);
        let mut behind = self.instructions.iter().zip(self.owners).skip(from);
        let found = behind.find(|(one, owner)| !one.nothing || owner.inserted);
        found.map(|(one, _)| one.address)
    }
}
