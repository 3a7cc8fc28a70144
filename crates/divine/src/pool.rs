//! Pools: blocks below the detectable share, slowed with one common density.
//!
//! A pool counts as one tunable. Its level says how many 16ths of an instruction are inserted per
//! unit of member weight, so that blocks of less than one cycle can have their part too: roundings
//! are diffused over the members, weighted by executions, and the pool's sum comes out right.

use crate::{Tunable, TunableKind};

/// Counts of a pool's tunable for one instruction in a block of mean weight.
pub const POOL_STEPS: u32 = 16;

/// Steps of the level per instruction.
const STEPS: f64 = POOL_STEPS as f64;

/// A block of a pool.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Member {
    /// Block id inside the unit.
    pub block: u32,
    /// Executions per iteration.
    pub executions_per_iteration: f64,
    /// Guess of its cycles per execution, in any unit: samples per execution shrunk to the unit's
    /// mean, or its number of operations. Counts are proportional to it.
    pub weight: f64,
}

/// Blocks of one unit that are slowed together.
#[derive(Debug, Clone, PartialEq)]
pub struct Pool {
    members: Vec<Member>,
    mean_weight: f64,
}

impl Pool {
    /// Makes a pool; members without executions or weight are left out. None if nothing is left.
    #[must_use]
    pub fn new(members: Vec<Member>) -> Option<Self> {
        let fit = |x: f64| x.is_finite() && x > 0.0;
        let members: Vec<Member> = members
            .into_iter()
            .filter(|m| fit(m.executions_per_iteration) && fit(m.weight))
            .collect();
        let executions: f64 = members.iter().map(|m| m.executions_per_iteration).sum();
        let weighted: f64 = members
            .iter()
            .map(|m| m.executions_per_iteration * m.weight)
            .sum();
        (!members.is_empty()).then(|| Pool {
            members,
            mean_weight: weighted / executions,
        })
    }

    /// The pool as a tunable. One count of this tunable is 1/16 instruction in a block of mean weight,
    /// so its executions are a sixteenth of the members'.
    #[must_use]
    pub fn tunable(&self, unit: &str, cluster: u32) -> Tunable {
        let executions: f64 = self
            .members
            .iter()
            .map(|m| m.executions_per_iteration)
            .sum();
        Tunable {
            unit: unit.to_owned(),
            block: self.members.iter().map(|m| m.block).min().unwrap_or(0),
            cluster,
            group: None,
            executions_per_iteration: executions / STEPS,
            before: Vec::new(),
            kind: TunableKind::Pool,
        }
    }

    /// Instructions per member for a count of the pool's tunable: `level / 16 * weight / mean weight`,
    /// rounded so that the number executed per iteration is right to half of the rarest member's.
    #[must_use]
    pub fn counts(&self, level: u32) -> Vec<(u32, u32)> {
        let mut order: Vec<usize> = (0..self.members.len()).collect();
        let executions = |i: usize| self.members[i].executions_per_iteration;
        order.sort_by(|&a, &b| executions(b).total_cmp(&executions(a)));
        let mut owed = 0.0;
        let mut counts = vec![(0, 0); self.members.len()];
        for i in order {
            let member = &self.members[i];
            let wanted = f64::from(level) / STEPS * member.weight / self.mean_weight;
            let count = (wanted + owed / member.executions_per_iteration)
                .round()
                .clamp(0.0, 2.0 * wanted + 1.0)
                .floor();
            owed += (wanted - count) * member.executions_per_iteration;
            counts[i] = (member.block, count as u32);
        }
        counts
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_right_although_single_blocks_are_rounded() {
        let member = |block, executions_per_iteration, weight| Member {
            block,
            executions_per_iteration,
            weight,
        };
        let pool = Pool::new(vec![
            member(3, 1000.0, 0.4),
            member(4, 900.0, 1.5),
            member(7, 10.0, 9.0),
            member(8, 300.0, 3.0),
            member(9, 0.0, 1.0),
        ])
        .expect("members");
        let tunable = pool.tunable("u", 0);
        assert_eq!((tunable.block, tunable.kind), (3, TunableKind::Pool));
        for level in [0, 1, 5, 16, 40, 200] {
            let inserted: f64 = pool
                .counts(level)
                .iter()
                .map(|&(block, k)| {
                    pool.members
                        .iter()
                        .find(|m| m.block == block)
                        .map_or(0.0, |m| m.executions_per_iteration)
                        * f64::from(k)
                })
                .sum();
            let wanted = f64::from(level) * tunable.executions_per_iteration;
            assert!(
                (inserted - wanted).abs() <= 155.0,
                "{level}: {inserted} {wanted}"
            );
        }
    }

    #[test]
    fn nothing_to_pool() {
        assert_eq!(
            Pool::new(vec![Member {
                block: 1,
                executions_per_iteration: 0.0,
                weight: 1.0
            }]),
            None
        );
    }
}
