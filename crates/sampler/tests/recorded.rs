//! What the calibration says of processors whose samples were recorded (tests/fixtures/README.md).

use proofmark_sampler::{BorderFinding, Recorded, Skid, border_of};

fn border(recorded: &str) -> BorderFinding {
    let victims: Vec<Recorded> = recorded
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    border_of(&victims).unwrap()
}

#[test]
fn zen_5_names_what_follows_a_pair() {
    let found = border(include_str!("fixtures/zen5.jsonl"));
    println!("{found:#?}");
    assert_eq!(found.skid, Skid::RetirePair);
    assert!(
        (0.3..3.0).contains(&found.cycles.value),
        "{:?}",
        found.cycles
    );
}

#[test]
fn zen_4() {
    let found = border(include_str!("fixtures/zen4.jsonl"));
    println!("{found:#?}");
    assert!(
        (0.3..3.0).contains(&found.cycles.value),
        "{:?}",
        found.cycles
    );
}

#[test]
fn emerald_rapids_names_the_next_instruction() {
    let found = border(include_str!("fixtures/emerald-rapids.jsonl"));
    println!("{found:#?}");
    assert_eq!(found.skid, Skid::NextInstruction);
    assert!(
        (0.3..3.0).contains(&found.cycles.value),
        "{:?}",
        found.cycles
    );
}
