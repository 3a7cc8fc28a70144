//! A processor that skids by one instruction, simulated; the right rule finds the known answer and the wrong rule misses it.

use super::*;

const BLOCKS: [Range<u64>; 3] = [0x100..0x113, 0x113..0x128, 0x140..0x15d];

/// Samples of a perfect sampler on the blocks `add x5, imul`, `imul, add x5, jmp`, `add x8, dec, jnz`: a thousand per cycle of an instruction,
/// charged to itself or to the next.
fn samples_of(skid: Skid) -> Vec<Sample> {
    let adds = |start: u64, count: u64| (0..count).map(move |number| (start + 3 * number, 1));
    let mut instructions: Vec<(u64, u64)> = adds(0x100, 5).collect();
    instructions.extend([(0x10f, 3), (0x113, 3)]);
    instructions.extend(adds(0x117, 5));
    instructions.push((0x126, 0));
    instructions.extend(adds(0x140, 8));
    instructions.push((0x158, 0));
    let next = |index: usize| instructions[(index + 1) % instructions.len()].0;
    let mut samples = Vec::new();
    for (index, &(own, cycles)) in instructions.iter().enumerate() {
        let ip = if skid == Skid::None { own } else { next(index) };
        samples.extend((0..cycles * 1000).map(|_| Sample {
            ip,
            time_ns: 0,
            stream: 0,
        }));
    }
    samples
}

fn find(truth: Skid, rule: Skid) -> SharesFinding {
    compare(
        &samples_of(truth),
        rule,
        &BLOCKS,
        &SHARES_CYCLES,
        Loss::default(),
    )
    .unwrap()
}

#[test]
fn the_right_rule_finds_the_known_answer_exactly() {
    for rule in [Skid::NextInstruction, Skid::None] {
        let finding = find(rule, rule);
        assert!(finding.known_answer_found, "{finding:?}");
        assert!(
            finding
                .blocks
                .iter()
                .all(|block| (block.observed.value - block.expected).abs() < 1e-3),
            "{finding:?}"
        );
    }
}

#[test]
fn a_planted_wrong_rule_misses_it() {
    for (truth, rule) in [
        (Skid::NextInstruction, Skid::None),
        (Skid::None, Skid::NextInstruction),
    ] {
        let finding = find(truth, rule);
        assert!(!finding.known_answer_found, "{finding:?}");
    }
}

#[test]
fn addresses_outside_the_victim_do_not_count() {
    let mut samples = samples_of(Skid::None);
    samples.push(Sample {
        ip: 0x130,
        time_ns: 0,
        stream: 0,
    });
    let finding = compare(
        &samples,
        Skid::None,
        &BLOCKS,
        &SHARES_CYCLES,
        Loss::default(),
    )
    .unwrap();
    assert_eq!(finding.samples, 24_000);
}

#[test]
fn on_this_machine_the_found_rule_finds_the_known_answer_and_the_other_misses_it() {
    let Ok(probe) = crate::probe() else {
        eprintln!("skipped: perf_event_open is not permitted or has no event here");
        return;
    };
    let settings = Settings::at_rate(&probe, 10_000.0).unwrap();
    let finding = crate::calibrate::skid::find_skid(&settings, 300_000_000).unwrap();
    let wrong = match finding.skid {
        Skid::NextInstruction => Skid::None,
        Skid::None => Skid::NextInstruction,
        Skid::Unclear => {
            eprintln!("skipped: the skid of this machine is unclear: {finding:?}");
            return;
        }
    };
    let (samples, loss) = sample_victim(&settings, 600_000_000, shares).unwrap();
    let judged = |rule| compare(&samples, rule, &shares_blocks(), &SHARES_CYCLES, loss).unwrap();
    let right = judged(finding.skid);
    assert!(right.known_answer_found, "{right:?}");
    let planted = judged(wrong);
    assert!(!planted.known_answer_found, "{planted:?}");
}
