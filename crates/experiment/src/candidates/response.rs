//! What an instruction costs in the blocks of a program, and how much of it is free.

use std::collections::BTreeMap;

use proofmark_blocks::BlockKey;
use proofmark_stats::mean_t;

use super::Response;
use crate::divine::iteration_ns;
use crate::lab::{Filler, Insertion, Lab, LabError, WindowSpec};
use crate::select::tables;

/// Windows, each with all three variants in both orders.
const ROUNDS: usize = 6;
/// Stay at one placement, s.
const PLACEMENT_S: f64 = 0.08;

/// The same number of instructions goes into every block, a low and a high one by turns; the clock says what an
/// iteration takes, and exact counts how many of them are executed:
///
/// ```text
/// cost = (T_high - T_low) / (executions (n_high - n_low)),    free = n_low - (T_low - T_0) / (executions cost)
/// ```
///
/// # Accuracy
/// Student's intervals over rounds. Free instructions are the mean over executions of blocks; both amounts must lie
/// beyond what is free, else the cost comes out too small.
///
/// # Errors
/// When the process fails.
pub(super) fn response(
    lab: &mut dyn Lab,
    insertion: Insertion,
    clock_ghz: f64,
) -> Result<Response, LabError> {
    let [low, high] = amounts(insertion.filler);
    let keys: Vec<BlockKey> = lab.executions().keys().copied().collect();
    let executions: f64 = lab.executions().values().sum();
    let all =
        |count: u32| -> BTreeMap<BlockKey, u32> { keys.iter().map(|key| (*key, count)).collect() };
    let mut variants = vec![lab.baseline()];
    for count in [low, high] {
        variants.push(lab.variant(&tables(&all(count), insertion))?);
    }
    let spec = WindowSpec {
        label: "response",
        seconds: PLACEMENT_S,
        iterations: 1,
        rate_hz: None,
    };
    let (mut costs, mut free) = (Vec::new(), Vec::new());
    for _ in 0..ROUNDS {
        let seen = lab.window(&spec, &variants, &[0, 1, 2, 2, 1, 0])?;
        let cycles = |variant: usize| -> f64 {
            let times: Vec<f64> = seen.of_variant(variant).map(iteration_ns).collect();
            clock_ghz * times.iter().sum::<f64>() / times.len() as f64
        };
        let [rest, at_low, at_high] = [0, 1, 2].map(cycles);
        let cost = (at_high - at_low) / (executions * f64::from(high - low));
        costs.push(cost);
        free.push(f64::from(low) - (at_low - rest) / (executions * cost));
    }
    for variant in &variants[1..] {
        lab.forget(variant)?;
    }
    Ok(Response {
        instructions: [low, high],
        cycles_per_instruction: mean_t(&costs),
        free_per_execution: mean_t(&free),
    })
}

/// Instructions per block, few and many: beyond what is free, and far below what makes the program crawl.
fn amounts(filler: Filler) -> [u32; 2] {
    match filler {
        Filler::Mov | Filler::Nop | Filler::Lea | Filler::Nop9 => [16, 48],
        Filler::PushPop => [6, 18],
        Filler::Long => [2, 6],
        Filler::Sfence => [2, 6],
        Filler::Pause => [1, 3],
    }
}
