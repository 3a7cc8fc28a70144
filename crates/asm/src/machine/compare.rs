//! A function of a variant against the same function of the program without slots.

use std::collections::BTreeMap;

use super::borders::borders;
use super::{Checked, Difference, Flow, Instruction, Stretch, Twins};

/// Least alignment that padding is for, bytes.
const ALIGNED: u64 = 4;

/// Compares a function of a variant with the program's, and with the variant's block map.
///
/// # Errors
/// With the first thing that does not hold.
pub fn checked(twins: &Twins<'_>) -> Result<Checked, Difference> {
    let owners = owners(twins)?;
    let inserted = inserted(twins, &owners)?;
    let own = |at: &usize| !owners[*at].inserted;
    let old = steps(twins.old, 0..twins.old.len());
    let new = steps(twins.new, (0..twins.new.len()).filter(own));
    let pairs = paired(twins, &old, &new)?;
    targets(twins, &pairs)?;
    let (borders, unseen) = borders(twins, &owners)?;
    Ok(Checked {
        instructions: pairs.len(),
        inserted,
        borders,
        unseen,
    })
}

impl Twins<'_> {
    /// Where the variant's function begins.
    pub(super) fn begin(&self) -> u64 {
        self.new.first().map_or(0, |one| one.address)
    }

    /// The distance of an address from the begin of the variant's function.
    pub(super) fn at(&self, address: u64) -> u64 {
        address.wrapping_sub(self.begin())
    }
}

/// Where code ends.
pub(super) fn end(code: &[Instruction]) -> u64 {
    code.last().map_or(0, Instruction::end)
}

/// Whether an address is in code.
pub(super) fn holds(code: &[Instruction], address: u64) -> bool {
    let begin = code.first().map_or(0, |one| one.address);
    (begin..end(code)).contains(&address)
}

/// Per instruction of the variant the stretch that it is in.
fn owners<'c>(twins: &Twins<'c>) -> Result<Vec<&'c Stretch>, Difference> {
    let within = |address: u64| Difference::Within {
        at: twins.at(address),
    };
    let mut owners = Vec::with_capacity(twins.new.len());
    let mut stretches = twins.map.iter().peekable();
    let mut now = None;
    for one in twins.new {
        while let Some(next) = stretches.next_if(|next| next.begin <= one.address) {
            if next.begin < one.address {
                return Err(within(next.begin));
            }
            now = Some(next);
        }
        owners.push(now.ok_or_else(|| within(one.address))?);
    }
    // Own assembly without an instruction may stand at the end.
    match stretches.find(|left| left.begin != end(twins.new)) {
        Some(left) => Err(within(left.begin)),
        None => Ok(owners),
    }
}

/// How many instructions were inserted: as many as were wanted, and such as change nothing.
fn inserted(twins: &Twins<'_>, owners: &[&Stretch]) -> Result<usize, Difference> {
    let mut found: BTreeMap<u32, u32> = BTreeMap::new();
    for (one, owner) in twins.new.iter().zip(owners) {
        if !owner.inserted {
            continue;
        }
        if !one.idle {
            return Err(Difference::NotIdle {
                at: twins.at(one.address),
                now: one.to_string(),
            });
        }
        *found.entry(owner.block).or_default() += 1;
    }
    let wanted = (0..).zip(twins.counts.iter().copied());
    for (block, wanted) in wanted.filter(|(_, wanted)| *wanted > 0) {
        let found = found.remove(&block).unwrap_or(0);
        if found != wanted {
            return Err(Difference::Count {
                block,
                wanted,
                found,
            });
        }
    }
    match found.into_iter().next() {
        Some((block, found)) => Err(Difference::Count {
            block,
            wanted: 0,
            found,
        }),
        None => Ok(owners.iter().filter(|owner| owner.inserted).count()),
    }
}

/// An instruction with the padding in front of it. Behind the last one there may be padding alone.
struct Step {
    /// Lengths of the padding, bytes.
    padding: Vec<u32>,
    /// Where the padding ends.
    end: u64,
    /// Index of the instruction.
    at: Option<usize>,
}

/// The instructions with these indices, step by step.
fn steps(code: &[Instruction], indices: impl Iterator<Item = usize>) -> Vec<Step> {
    let mut steps = Vec::new();
    let mut padding = Vec::new();
    let mut end = 0;
    for at in indices {
        let one = &code[at];
        if one.nothing {
            padding.push(one.length);
            end = one.end();
        } else {
            let padding = std::mem::take(&mut padding);
            let at = Some(at);
            steps.push(Step { padding, end, at });
        }
    }
    let at = None;
    steps.push(Step { padding, end, at });
    steps
}

/// Instructions of the program with those of the variant.
type Pairs<'c> = Vec<(&'c Instruction, &'c Instruction)>;

fn paired<'c>(twins: &Twins<'c>, old: &[Step], new: &[Step]) -> Result<Pairs<'c>, Difference> {
    let mut pairs = Vec::new();
    for (before, now) in old.iter().zip(new) {
        let [o, n] = [
            before.at.map(|at| &twins.old[at]),
            now.at.map(|at| &twins.new[at]),
        ];
        match (o, n) {
            (Some(o), Some(n)) if !same(o, n, twins) => {
                return Err(Difference::Changed {
                    at: twins.at(n.address),
                    before: o.to_string(),
                    now: n.to_string(),
                });
            }
            (Some(o), Some(n)) => pairs.push((o, n)),
            (Some(o), None) => {
                let before = o.to_string();
                return Err(Difference::Less { before });
            }
            (None, Some(n)) => {
                let at = twins.at(n.address);
                let now = n.to_string();
                return Err(Difference::More { at, now });
            }
            (None, None) => {}
        }
        let aligns = now.padding.is_empty() || now.end.is_multiple_of(ALIGNED);
        if !aligns && before.padding != now.padding {
            let at = twins.at(now.end);
            return Err(Difference::Padding { at });
        }
    }
    Ok(pairs)
}

/// Whether two instructions are the same but for addresses.
fn same(old: &Instruction, new: &Instruction, twins: &Twins<'_>) -> bool {
    let [of_old, of_new] = twins.addresses;
    let numbers = old.numbers.iter().zip(&new.numbers);
    let mut numbers = numbers.map(|(o, n)| o == n || (of_old.contains(o) && of_new.contains(n)));
    old.shape == new.shape && old.numbers.len() == new.numbers.len() && numbers.all(|same| same)
}

/// Jumps lead to the same instructions, and names of places in the function's own code do.
fn targets(twins: &Twins<'_>, pairs: &[(&Instruction, &Instruction)]) -> Result<(), Difference> {
    // How many of the function's instructions are in front of an address in it.
    let before = |address: u64| {
        let inside = holds(twins.old, address);
        inside.then(|| pairs.partition_point(|(old, _)| old.address < address))
    };
    let now = |address: u64| {
        let inside = holds(twins.new, address);
        inside.then(|| pairs.partition_point(|(_, new)| new.address < address))
    };
    for (old, new) in pairs {
        let leads = [(target(old), target(new)), (old.place, new.place)];
        let differs = |(o, n): &(Option<u64>, Option<u64>)| {
            o.is_some() != n.is_some() || o.and_then(before) != n.and_then(now)
        };
        if leads.iter().any(differs) {
            let at = twins.at(new.address);
            return Err(Difference::Target { at });
        }
    }
    Ok(())
}

/// Where an instruction jumps to.
pub(super) fn target(one: &Instruction) -> Option<u64> {
    match one.flow {
        Flow::Jump(to) | Flow::Branch(to) => Some(to),
        Flow::Next | Flow::Indirect | Flow::Leaves => None,
    }
}
