//! What an inserted slowdown instruction costs.

use proofmark_stats::{Estimate, median};
use serde::{Deserialize, Serialize};

use super::clock::clock_ghz_now;
use super::fusing::Fusing;
use super::hinge::Hinge;
use super::slope_victims::{ALU_MOVS, ALU_NOPS, LATENCY_MOVS, LATENCY_NOPS, Variant};
use super::stretch::{median_estimate, time_ns};

/// Rounds of a sitting over all victims and numbers of inserted instructions, some 0.1 s; the interval comes from all sittings' rounds.
const ROUNDS: usize = 10;

/// Cycles, as guessed, of one timed stretch: about 0.15 ms.
const STRETCH_CYCLES: u64 = 500_000;

/// An instruction inserted to slow a block down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SlowdownInstruction {
    /// 64-bit `mov r,r`, rotated over r8 to r15, none of them in the block's own work.
    RotatedMov,
    /// Two-byte `nop` (66 90).
    TwoByteNop,
}

/// What bounds the block that was slowed down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Bound {
    /// A chain of 6 cycles; most issue slots are free.
    Latency,
    /// Ten independent operations; every ALU port is busy.
    Alu,
}

/// Response of one kind of block to one kind of slowdown instruction: flat for the free ones, then linear. A prior for the search, not a truth:
/// real blocks lie between both bounds and beyond.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Slope {
    /// What was inserted.
    pub instruction: SlowdownInstruction,
    /// Into what.
    pub bound: Bound,
    /// Cycles per execution of the block with nothing inserted.
    pub base_cycles: Estimate,
    /// Cycles per inserted instruction beyond the free ones; n counts rounds. 0: up to 96 instructions cost nothing.
    pub cycles_per_instruction: Estimate,
    /// Inserted instructions that cost nothing (where the line meets the base); n counts rounds. Without meaning where the slope is 0.
    pub free_instructions: Estimate,
    /// Largest distance of a measured point (median over the rounds) from the fit, in cycles: how far the hinge is from the truth.
    pub worst_residual_cycles: f64,
}

const VICTIMS: [(SlowdownInstruction, Bound, &[Variant]); 4] = [
    (
        SlowdownInstruction::RotatedMov,
        Bound::Latency,
        LATENCY_MOVS,
    ),
    (SlowdownInstruction::RotatedMov, Bound::Alu, ALU_MOVS),
    (
        SlowdownInstruction::TwoByteNop,
        Bound::Latency,
        LATENCY_NOPS,
    ),
    (SlowdownInstruction::TwoByteNop, Bound::Alu, ALU_NOPS),
];

/// The four responses, measured in interleaved rounds against the chain of known length.
///
/// # Accuracy
/// A neighbour on the same core takes issue slots and makes slopes up to 60 % steeper. Sittings some seconds apart, and medians over
/// all their rounds, keep one busy second out of a result that is kept; a neighbour that stays is part of the machine.
#[derive(Default)]
pub(super) struct SlopeSittings {
    /// Per victim its curves, a round each.
    curves: [Vec<Vec<(f64, f64)>>; VICTIMS.len()],
}

impl SlopeSittings {
    /// One more sitting.
    pub fn sit(&mut self) {
        for _ in 0..ROUNDS {
            for (curves, (_, _, variants)) in self.curves.iter_mut().zip(VICTIMS) {
                curves.push(variants.iter().map(measure_point).collect());
            }
        }
    }

    /// Medians over the rounds of all sittings.
    pub fn slopes(&self) -> Vec<Slope> {
        let summarised = VICTIMS.iter().zip(&self.curves);
        summarised
            .filter_map(|(&(instruction, bound, _), curves)| summarise(instruction, bound, curves))
            .collect()
    }
}

/// Inserted instructions and cycles per turn, with the clock of just before and just after.
fn measure_point(&(inserted, victim): &Variant) -> (f64, f64) {
    let turns = STRETCH_CYCLES / (6 + u64::from(inserted) / 4);
    let before_ghz = clock_ghz_now();
    let spent_ns = time_ns(|| victim(turns));
    let ghz = f64::midpoint(before_ghz, clock_ghz_now());
    (f64::from(inserted), spent_ns * ghz / turns as f64)
}

fn summarise(
    instruction: SlowdownInstruction,
    bound: Bound,
    curves: &[Vec<(f64, f64)>],
) -> Option<Slope> {
    let fits: Vec<Hinge> = curves
        .iter()
        .filter_map(|curve| Hinge::fit(curve))
        .collect();
    let over_rounds = |value: fn(&Hinge) -> f64| median_estimate(fits.iter().map(value).collect());
    let middle = median_curve(curves)?;
    Some(Slope {
        instruction,
        bound,
        base_cycles: over_rounds(|fit| fit.base)?,
        cycles_per_instruction: over_rounds(|fit| fit.slope)?,
        free_instructions: over_rounds(|fit| fit.free)?,
        worst_residual_cycles: Hinge::fit(&middle)?.worst_residual(&middle),
    })
}

/// Cycles per instruction below which an instruction is no means to slow code down: counts would be in the thousands.
const LEAST_SLOPE: f64 = 0.05;

/// Rotated `mov`, unless it is unfit here and the `nop` is not: too cheap in one of the blocks, or without any cost of its own in
/// front of an operation on its register.
pub(super) fn recommended(slopes: &[Slope], fusing: Option<&Fusing>) -> SlowdownInstruction {
    let dear_enough = |instruction| {
        let of_it = slopes
            .iter()
            .filter(|slope| slope.instruction == instruction);
        of_it
            .map(|slope| slope.cycles_per_instruction.value)
            .fold(f64::INFINITY, f64::min)
            >= LEAST_SLOPE
    };
    let mov_fits =
        dear_enough(SlowdownInstruction::RotatedMov) && !fusing.is_some_and(Fusing::fuses);
    if mov_fits || !dear_enough(SlowdownInstruction::TwoByteNop) {
        SlowdownInstruction::RotatedMov
    } else {
        SlowdownInstruction::TwoByteNop
    }
}

/// Median over the rounds at every number of inserted instructions.
fn median_curve(curves: &[Vec<(f64, f64)>]) -> Option<Vec<(f64, f64)>> {
    let points = curves
        .first()?
        .iter()
        .enumerate()
        .map(|(index, &(inserted, _))| {
            let cycles: Vec<f64> = curves.iter().map(|curve| curve[index].1).collect();
            Some((inserted, median(&cycles)?))
        });
    points.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slope(instruction: SlowdownInstruction, bound: Bound, cycles: f64) -> Slope {
        let around = |value| Estimate::around(value, 0.01, 15);
        Slope {
            instruction,
            bound,
            base_cycles: around(6.0),
            cycles_per_instruction: around(cycles),
            free_instructions: around(4.0),
            worst_residual_cycles: 0.1,
        }
    }

    #[test]
    fn the_instruction_that_costs_something_everywhere_is_recommended() {
        use SlowdownInstruction::{RotatedMov, TwoByteNop};
        let slopes = |mov: [f64; 2], nop: [f64; 2]| {
            [
                slope(RotatedMov, Bound::Latency, mov[0]),
                slope(RotatedMov, Bound::Alu, mov[1]),
                slope(TwoByteNop, Bound::Latency, nop[0]),
                slope(TwoByteNop, Bound::Alu, nop[1]),
            ]
        };
        let good = slopes([0.2, 0.2], [0.17, 0.19]);
        assert_eq!(recommended(&good, None), RotatedMov);
        assert_eq!(
            recommended(&slopes([0.2, 0.01], [0.2, 0.2]), None),
            TwoByteNop
        );
        assert_eq!(
            recommended(&slopes([0.2, 0.01], [0.0, 0.2]), None),
            RotatedMov
        );
        let fused = Fusing {
            same_register_cycles: Estimate::around(0.0, 0.01, 25),
            other_register_cycles: Estimate::around(0.2, 0.01, 25),
        };
        assert_eq!(recommended(&good, Some(&fused)), TwoByteNop);
        assert_eq!(recommended(&[], None), RotatedMov);
    }

    #[test]
    fn one_disturbed_point_does_not_move_the_slope() {
        let curve = |disturbed: f64| -> Vec<(f64, f64)> {
            [0.0_f64, 8.0, 16.0, 24.0, 32.0, 64.0]
                .map(|n| {
                    (
                        n,
                        6.0 + 0.25 * (n - 8.0).max(0.0) + if n == disturbed { 9.0 } else { 0.0 },
                    )
                })
                .into()
        };
        let curves: Vec<_> = [1.0, 1.0, 1.0, 64.0, 1.0, 16.0, 1.0, 1.0].map(curve).into();
        let slope = summarise(SlowdownInstruction::RotatedMov, Bound::Latency, &curves).unwrap();
        assert!(
            (slope.cycles_per_instruction.value - 0.25).abs() < 1e-9,
            "{slope:?}"
        );
        assert!(
            (slope.free_instructions.value - 8.0).abs() < 1e-9
                && slope.worst_residual_cycles < 1e-9,
            "{slope:?}"
        );
    }
}
