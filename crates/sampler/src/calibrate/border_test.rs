use proptest::prelude::*;

use super::*;
use crate::calibrate::recorded::RecordedBlock;

/// Instructions of a block: cycles of each, in order.
type Code = Vec<Vec<f64>>;

fn adds(n: usize) -> Vec<f64> {
    vec![1.0; n]
}

fn imuls(n: usize) -> Vec<f64> {
    vec![3.0; n]
}

/// Code like that of the real victims.
fn codes() -> Vec<Code> {
    let slow = |n: usize| {
        vec![
            [adds(n - 3), imuls(1)].concat(),
            [imuls(1), adds(n - 3)].concat(),
            adds(n),
        ]
    };
    vec![
        vec![adds(8); 4],
        vec![[adds(5), imuls(1)].concat(); 4],
        slow(8),
        slow(16),
        slow(64),
        vec![[imuls(1), adds(1)].concat().repeat(3), adds(12), imuls(4)],
        vec![[imuls(21), adds(1)].concat(), adds(64)],
    ]
}

/// A victim of which each instruction is reported as the one so many later, each in so many parts.
fn reported(code: &Code, samples_per_cycle: f64, later: &[(usize, f64)]) -> Recorded {
    let owners: Vec<usize> = code
        .iter()
        .enumerate()
        .flat_map(|(block, instructions)| vec![block; instructions.len()])
        .collect();
    let cycles = code.concat();
    let mut seen = vec![0.0; cycles.len()];
    for (at, cycles) in cycles.iter().enumerate() {
        for (by, part) in later {
            seen[(at + by) % owners.len()] += samples_per_cycle * cycles * part;
        }
    }
    let block = |(block, instructions): (usize, &Vec<f64>)| {
        let first = owners.iter().position(|owner| *owner == block).unwrap();
        let count = |from: usize, to: usize| seen[from..to].iter().sum::<f64>().round() as u64;
        RecordedBlock {
            cycles: instructions.iter().sum(),
            unknown: 0.0,
            after_jump: false,
            on_first: count(first, first + 1),
            on_second: count(first + 1, first + 2),
            on_others: count(first + 2, first + instructions.len()),
        }
    };
    Recorded {
        victim: "planted".into(),
        cycles_per_turn: cycles.iter().sum(),
        blocks: code.iter().enumerate().map(block).collect(),
    }
}

fn found(later: &[(usize, f64)]) -> BorderFinding {
    let recorded: Vec<Recorded> = codes()
        .iter()
        .map(|code| reported(code, 2_000.0, later))
        .collect();
    find_border(&recorded, Loss::default()).unwrap()
}

#[test]
fn each_rule_is_found_where_it_holds() {
    // Of a pair it cannot be told which of its two instructions took the time: half of their difference stays.
    for (later, skid, left) in [
        (vec![(0, 1.0)], Skid::None, 0.1),
        (vec![(1, 1.0)], Skid::NextInstruction, 0.1),
        (vec![(1, 0.5), (2, 0.5)], Skid::RetirePair, 0.6),
    ] {
        let border = found(&later);
        assert_eq!(border.skid, skid);
        assert!(border.cycles.value < left, "{skid:?}: {:?}", border.cycles);
    }
}

#[test]
fn samples_smeared_over_twenty_cycles_give_a_border_of_that_size() {
    let smeared: Vec<(usize, f64)> = (0..40).map(|by| (by, 1.0 / 40.0)).collect();
    let border = found(&smeared);
    assert!(
        (15.0..30.0).contains(&border.cycles.value),
        "{:?}",
        border.cycles
    );
    assert!(border.cycles.low <= border.cycles.value && border.cycles.value <= border.cycles.high);
}

proptest! {
    #[test]
    fn the_further_samples_go_the_larger_is_the_border(reach in 4usize..24) {
        let smear = |reach: usize| -> Vec<(usize, f64)> {
            (0..reach).map(|by| (by, 1.0 / reach as f64)).collect()
        };
        let (near, far) = (found(&smear(reach)), found(&smear(reach + 8)));
        prop_assert!(far.cycles.value > near.cycles.value);
    }
}

#[test]
fn noise_alone_is_no_border() {
    // 5,000 samples of 192 cycles, drawn with their noise: a block is off by one cycle or more by chance alone.
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let noisy = |code: &Code| {
        let turn: f64 = code.concat().iter().sum();
        let mut recorded = reported(code, 5_000.0 / turn, &[(1, 1.0)]);
        for block in &mut recorded.blocks {
            let noise = (block.on_others as f64).sqrt() * normal_quantile(random.random::<f64>());
            block.on_others = (block.on_others as f64 + noise).max(0.0) as u64;
        }
        recorded
    };
    let recorded: Vec<Recorded> = codes().iter().map(noisy).collect();
    let border = find_border(&recorded, Loss::default()).unwrap();
    assert!(border.cycles.low < 1.0, "{:?}", border.cycles);
    let naive = border.victims.iter().map(|victim| {
        let errors = victim.known_cycles.iter().zip(&victim.sampled_cycles);
        errors
            .map(|(known, sampled)| (known - sampled).abs())
            .fold(0.0, f64::max)
    });
    assert!(border.cycles.value < naive.fold(0.0, f64::max));
}

#[test]
fn too_few_victims_or_samples_are_an_error_with_the_number() {
    let code = codes().remove(0);
    let few = vec![reported(&code, 1.0, &[(1, 1.0)]); 8];
    let error = find_border(&few, Loss::default()).unwrap_err();
    assert!(error.to_string().contains("256 samples"), "{error}");
    let enough = vec![reported(&code, 1_000.0, &[(1, 1.0)]); 5];
    assert!(find_border(&enough, Loss::default()).is_err());
}
