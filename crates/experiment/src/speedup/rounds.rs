//! Rounds: every variant under every alignment once, in an order that is drawn anew.

use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;

use super::{Clocked, SpeedupRequest};
use crate::lab::{GroupData, LabError, Measured, Variant, WindowSpec};
use crate::progress::Progress;

/// Times of an iteration in a round, ns, of each variant.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Round {
    /// From begin to end.
    pub(super) wall: Vec<f64>,
    /// CPU time.
    pub(super) cpu: Vec<f64>,
    /// Iterations, of all variants.
    pub(super) iterations: u64,
}

/// Measures the variants. Turns of a round come in an order and in its opposite, so that drift meets all alike.
pub(super) fn rounds<L: Clocked + ?Sized>(
    lab: &mut L,
    variants: &[Variant],
    request: &SpeedupRequest,
    progress: &dyn Progress,
) -> Result<Vec<Round>, LabError> {
    let mut random = ChaCha8Rng::seed_from_u64(request.seed);
    let mut order: Vec<usize> = (0..variants.len()).collect();
    let spec = WindowSpec {
        label: "speedup",
        seconds: request.window_s,
        iterations: 1,
        rate_hz: None,
    };
    let alignments = lab.alignments().max(1);
    let placements = (alignments * variants.len()) as f64;
    let mut seen = Vec::new();
    for number in 1..=request.rounds {
        let left = f64::from(request.rounds - number + 1);
        progress.expect(left * placements * request.window_s);
        progress.step(&format!("round {number} of {}", request.rounds));
        order.shuffle(&mut random);
        let mut turns: Vec<usize> = Vec::new();
        for turn in 0..alignments {
            turns.extend(&order);
            if turn % 2 == 0 {
                order.reverse();
            }
        }
        let measured = lab.window(&spec, variants, &turns)?;
        seen.push(of_round(&measured, variants.len()));
    }
    Ok(seen)
}

fn of_round(measured: &Measured, variants: usize) -> Round {
    let wall = |(begin, end, _): &(u64, u64, u64)| end.saturating_sub(*begin) as f64;
    let cpu = |(_, _, cpu): &(u64, u64, u64)| *cpu as f64;
    let all = measured.groups.iter().map(|group| group.iterations.len());
    Round {
        wall: (0..variants)
            .map(|variant| mean(measured, variant, &wall))
            .collect(),
        cpu: (0..variants)
            .map(|variant| mean(measured, variant, &cpu))
            .collect(),
        iterations: all.sum::<usize>() as u64,
    }
}

/// Mean over the placements of a variant, each with its mean: alignments weigh alike.
fn mean(measured: &Measured, variant: usize, time: &dyn Fn(&(u64, u64, u64)) -> f64) -> f64 {
    let of_group = |group: &GroupData| {
        let all: f64 = group.iterations.iter().map(time).sum();
        all / group.iterations.len().max(1) as f64
    };
    let means: Vec<f64> = measured.of_variant(variant).map(of_group).collect();
    means.iter().sum::<f64>() / means.len().max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::Loss;

    #[test]
    fn placements_weigh_alike_and_waiting_is_no_cpu_time() {
        let group = |variant, iterations: &[(u64, u64, u64)]| GroupData {
            variant,
            alignment: 0,
            iterations: iterations.to_vec(),
            times: Default::default(),
            streams: Default::default(),
        };
        let measured = Measured {
            groups: vec![
                group(0, &[(0, 10, 4), (10, 20, 4)]),
                group(1, &[(20, 27, 9)]),
                group(0, &[(30, 50, 8)]),
            ],
            loss: Loss::default(),
            begin_ns: 0,
            end_ns: 50,
            repeats: 0,
        };
        let round = of_round(&measured, 2);
        assert_eq!((round.wall, round.cpu), (vec![15.0, 7.0], vec![6.0, 9.0]));
        assert_eq!(round.iterations, 4);
    }
}
