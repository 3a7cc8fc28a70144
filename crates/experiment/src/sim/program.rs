//! Programs with a known response, modelled on the ones measured natively.

use super::random::Random;
use proofmark_divine::{Tunable, TunableKind};

/// A block and how it truly responds.
#[derive(Debug, Clone)]
pub struct Block {
    /// Share of the baseline time.
    pub share: f64,
    /// Baseline cycles per execution.
    pub tau: f64,
    /// Cost of one instruction beyond the hinge, cycles.
    pub slope: f64,
    /// Free instructions.
    pub hinge: f64,
    /// Height of the plateaus of the response, cycles (0: a clean line).
    pub plateau: f64,
    /// Part of its own effect that it takes from its neighbours' times on top.
    pub overlap: f64,
    /// Part of its own effect that shows in the next block of its cluster instead.
    pub displaced: f64,
    /// Time that it takes longer whatever its own count once the others are slowed to twice their time, part of its baseline
    /// time.
    pub carried: f64,
    /// Loop cluster.
    pub cluster: u32,
}

/// A program.
#[derive(Debug, Clone)]
pub struct Program {
    /// Name for messages.
    pub name: &'static str,
    /// Blocks above the detectable share, then one pool.
    pub blocks: Vec<Block>,
    /// Share of the baseline time in no block.
    pub outside: f64,
    /// Baseline CPU time of an iteration, ns.
    pub iteration_ns: f64,
    /// Clock, GHz.
    pub clock_ghz: f64,
}

/// How the blocks of a program are drawn.
struct Shape {
    name: &'static str,
    blocks: usize,
    /// Shares fall with `rank^-decay`.
    decay: f64,
    /// Median of the cycles per execution and standard deviation of its logarithm.
    tau: (f64, f64),
    per_cluster: usize,
    overlap: f64,
    pooled: f64,
    outside: f64,
}

impl Program {
    /// gcc -O2 kernels: 28 blocks, few and long.
    #[must_use]
    pub fn mix() -> Self {
        let shape = Shape {
            name: "mix",
            blocks: 28,
            decay: 0.85,
            tau: (6.0, 0.8),
            per_cluster: 3,
            overlap: 0.15,
            pooled: 0.02,
            outside: 0.01,
        };
        shape.draw(11)
    }

    /// A parser: 59 blocks, many of 1 to 3 cycles.
    #[must_use]
    pub fn json() -> Self {
        let shape = Shape {
            name: "json",
            blocks: 59,
            decay: 0.75,
            tau: (3.0, 0.7),
            per_cluster: 6,
            overlap: 0.3,
            pooled: 0.04,
            outside: 0.02,
        };
        shape.draw(12)
    }

    /// Tree, hash, quicksort: 34 blocks, much overlap.
    #[must_use]
    pub fn mem() -> Self {
        let shape = Shape {
            name: "mem",
            blocks: 34,
            decay: 0.7,
            tau: (6.0, 0.6),
            per_cluster: 5,
            overlap: 0.5,
            pooled: 0.03,
            outside: 0.02,
        };
        shape.draw(13)
    }

    /// A recursive micro-benchmark like Towers: 24 blocks of one unit.
    #[must_use]
    pub fn tiny() -> Self {
        let shape = Shape {
            name: "tiny",
            blocks: 24,
            decay: 0.6,
            tau: (2.5, 0.7),
            per_cluster: 8,
            overlap: 0.3,
            pooled: 0.03,
            outside: 0.02,
        };
        shape.draw(14)
    }

    /// A recursion of six blocks in one cluster: most of what instructions in a block cost shows in
    /// the block behind it, as measured in Towers.
    #[must_use]
    pub fn recursion() -> Self {
        let shape = Shape {
            name: "recursion",
            blocks: 6,
            decay: 0.0,
            tau: (4.0, 0.2),
            per_cluster: 6,
            overlap: 0.0,
            pooled: 0.01,
            outside: 0.0,
        };
        let mut program = shape.draw(15);
        program.blocks[..6]
            .iter_mut()
            .for_each(|b| b.displaced = 0.7);
        program
    }

    /// Twelve blocks. Every fourth stands alone behind a loop: once the rest is slowed it takes more than twice its time,
    /// whatever it gets itself, as was seen in Havlak and Mandelbrot.
    #[must_use]
    pub fn shadowed() -> Self {
        let shape = Shape {
            name: "shadowed",
            blocks: 12,
            decay: 0.3,
            tau: (8.0, 0.5),
            per_cluster: 3,
            overlap: 0.1,
            pooled: 0.02,
            outside: 0.01,
        };
        let mut program = shape.draw(16);
        let behind = (100..).zip(program.blocks[..12].iter_mut().step_by(4));
        for (cluster, block) in behind {
            block.carried = 2.0;
            block.cluster = cluster;
        }
        program
    }

    /// Twelve blocks in two loops. Of what instructions in every third cost, most shows in the block behind it, as was seen
    /// in CD.
    #[must_use]
    pub fn handed_on() -> Self {
        let shape = Shape {
            name: "handed on",
            blocks: 12,
            decay: 0.3,
            tau: (6.0, 0.4),
            per_cluster: 6,
            overlap: 0.1,
            pooled: 0.02,
            outside: 0.01,
        };
        let mut program = shape.draw(17);
        for (at, block) in program.blocks[..12].iter_mut().enumerate() {
            block.cluster = at as u32 / 6;
            block.displaced = if at % 3 == 0 { 0.7 } else { 0.0 };
        }
        program
    }

    /// A loop with nearly all of the time that is left every few hundred cycles, and two blocks of the loop around it. The
    /// first of these takes several times as long once the loop is slowed, whatever it gets itself, as was seen in Mandelbrot.
    #[must_use]
    pub fn left_often() -> Self {
        let block = |share: f64, tau: f64, carried: f64, cluster: u32| Block {
            share,
            tau,
            slope: 0.23,
            hinge: 1.6 * tau,
            plateau: 0.0,
            overlap: 0.0,
            displaced: 0.0,
            carried,
            cluster,
        };
        Program {
            name: "left often",
            blocks: vec![
                block(0.985, 18.0, 0.0, 0),
                block(0.01, 6.0, 6.65, 1),
                block(0.004, 2.5, 0.5, 1),
                block(0.001, 5.0, 0.0, u32::MAX),
            ],
            outside: 0.0,
            iteration_ns: 2e7,
            clock_ghz: 3.5,
        }
    }

    /// The program as a run compiles it: every block takes another time per execution, all together the same. `sd`:
    /// relative standard deviation of a block's time over runs.
    pub(super) fn in_run(&self, sd: f64, seed: u64, run: u32) -> Self {
        if sd == 0.0 {
            return self.clone();
        }
        let mut random = Random::new(seed ^ (u64::from(run) + 1).wrapping_mul(0x9e37_79b9));
        let mut factors: Vec<f64> = (0..self.blocks.len())
            .map(|_| (sd * random.normal()).exp())
            .collect();
        let before: f64 = self.blocks.iter().map(|block| block.share).sum();
        let blocks = self.blocks.iter().zip(&factors);
        let after: f64 = blocks.map(|(block, factor)| block.share * factor).sum();
        factors
            .iter_mut()
            .for_each(|factor| *factor *= before / after);
        let mut program = self.clone();
        for (block, factor) in program.blocks.iter_mut().zip(factors) {
            block.share *= factor;
            block.tau *= factor;
        }
        program
    }

    pub(super) fn executions(&self, block: &Block) -> f64 {
        block.share * self.iteration_ns * self.clock_ghz / block.tau
    }

    /// Control goes round through the blocks of a cluster.
    fn before(&self, i: usize) -> Vec<(usize, f64)> {
        let others = (0..self.blocks.len()).filter(|&j| j != i && self.behind(j) == i);
        let passages = |j: usize| {
            let both = [i, j].map(|b| self.executions(&self.blocks[b]));
            (j, both[0].min(both[1]))
        };
        others.map(passages).collect()
    }

    /// Next block of the same cluster, round about.
    pub(super) fn behind(&self, i: usize) -> usize {
        let mut after = (i + 1..self.blocks.len()).chain(0..=i);
        after
            .find(|&j| self.blocks[j].cluster == self.blocks[i].cluster)
            .unwrap_or(i)
    }

    /// Tunables for a search over this program.
    #[must_use]
    pub fn tunables(&self) -> Vec<Tunable> {
        let pool = self.blocks.len() - 1;
        let tunable = |(i, block): (usize, &Block)| Tunable {
            unit: format!("{}.run", self.name),
            block: u32::try_from(i).unwrap_or(u32::MAX),
            cluster: block.cluster,
            group: None,
            executions_per_iteration: self.executions(block),
            before: self.before(i),
            kind: if i == pool {
                TunableKind::Pool
            } else {
                TunableKind::Block
            },
        };
        self.blocks.iter().enumerate().map(tunable).collect()
    }
}

impl Shape {
    fn draw(&self, seed: u64) -> Program {
        let mut random = Random::new(seed);
        let raw: Vec<f64> = (1..=self.blocks)
            .map(|rank| (rank as f64).powf(-self.decay))
            .collect();
        let judged = 1.0 - self.pooled - self.outside;
        let scale = judged / raw.iter().sum::<f64>();
        let mut blocks: Vec<Block> = raw
            .iter()
            .map(|share| self.block(share * scale, &mut random))
            .collect();
        // Neighbours in rank are not neighbours in the code.
        for block in &mut blocks {
            let clusters = self.blocks.div_ceil(self.per_cluster) as f64;
            block.cluster = (random.uniform() * clusters) as u32;
        }
        blocks.push(Block {
            overlap: 0.0,
            cluster: u32::MAX,
            ..self.block(self.pooled, &mut random)
        });
        Program {
            name: self.name,
            blocks,
            outside: self.outside,
            iteration_ns: 2e7,
            clock_ghz: 3.5,
        }
    }

    fn block(&self, share: f64, random: &mut Random) -> Block {
        let tau = (self.tau.0 * (self.tau.1 * random.normal()).exp()).clamp(0.35, 60.0);
        let slope = (0.23 * (0.45 * random.normal()).exp()).clamp(0.13, 0.7);
        Block {
            share,
            tau,
            slope,
            hinge: -1.7 * tau * (1.0 - random.uniform()).ln(),
            plateau: if random.uniform() < 0.4 { 0.3 } else { 0.0 },
            overlap: self.overlap * random.uniform() * 1.2,
            displaced: 0.0,
            carried: 0.0,
            cluster: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_changes_blocks_and_neither_their_executions_nor_the_total() {
        let program = Program::mix();
        let total = |program: &Program| program.blocks.iter().map(|b| b.share).sum::<f64>();
        let (first, second) = (program.in_run(0.1, 7, 0), program.in_run(0.1, 7, 1));
        for run in [&first, &second] {
            assert!((total(run) - total(&program)).abs() < 1e-9);
            for (block, before) in run.blocks.iter().zip(&program.blocks) {
                let (now, then) = (run.executions(block), program.executions(before));
                assert!((now / then - 1.0).abs() < 1e-9);
            }
        }
        let moved = first.blocks.iter().zip(&second.blocks);
        let moved = moved.filter(|(a, b)| (a.share / b.share - 1.0).abs() > 0.02);
        assert!(moved.count() > first.blocks.len() / 2);
        let same = program.in_run(0.0, 7, 1);
        assert_eq!(total(&same).to_bits(), total(&program).to_bits());
    }
}
