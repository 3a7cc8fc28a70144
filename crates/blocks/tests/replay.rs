//! Which method does the VM's debug information name, by each rule, for addresses as sampled and as corrected?

use std::collections::HashMap;

use proofmark_blocks::{
    Block, BlockTimes, Code, CodeMap, Frame, Install, PcRule, Sample, Skid, Span, Unit, attribute,
};

const START: u64 = 0x7000;

/// A block of three operations of 4 bytes, of the methods m0, m1 and m2; each has a record at its end.
fn map() -> CodeMap {
    let position = |name: &str| {
        vec![Frame {
            method: name.into(),
            bci: 0,
            line: None,
        }]
    };
    let unit = Unit {
        name: "root".into(),
        signature: String::new(),
        blocks: vec![Block {
            id: 0,
            successors: Vec::new(),
            loop_header: None,
            loop_depth: 0,
            frequency: 1.0,
            cycles: None,
            operations: Vec::new(),
        }],
        positions: ["m0", "m1", "m2"].map(position).to_vec(),
    };
    let span = |at: u32| Span {
        start: 4 * at,
        block: Some(0),
        position: Some(at),
        inserted: false,
    };
    let mut map = CodeMap::new();
    let unit = map.add_unit(unit).expect("a unit");
    map.add_code(&Code {
        id: 5,
        unit,
        size: 12,
        spans: (0..3).map(span).collect(),
        debug: vec![(4, 0), (8, 1), (12, 2)],
    })
    .expect("its code");
    map.add_install(&Install {
        code: 5,
        start: START,
        time_ns: 10,
    })
    .expect("its place");
    map
}

/// One sample at this offset.
fn sampled(skid: Skid, offset: u64) -> BlockTimes {
    let sample = Sample {
        ip: START + offset,
        time_ns: 11,
        weight: 1.0,
    };
    attribute(&map(), skid, &HashMap::new(), [sample])
}

/// The method that a rule names; none if it names none.
fn named(times: &BlockTimes, rule: PcRule, corrected: bool) -> Option<String> {
    let mut all = times.replays.iter();
    let replay = all.find(|one| (one.rule, one.corrected) == (rule, corrected))?;
    replay.methods.keys().next().cloned()
}

/// The sample names the first byte of m2's operation; m1's was waited for. Read with `>=` the late address gives m1, which
/// is right, and the corrected one m0; read with `>` it is the other way round.
#[test]
fn skid_and_rule_can_cancel_each_other() {
    let late = sampled(Skid::NextInstruction, 8);
    assert_eq!(late.methods.keys().next().map(String::as_str), Some("m1"));
    let of = |rule, corrected| named(&late, rule, corrected).unwrap_or_default();
    assert_eq!(of(PcRule::AtOrBehind, false), "m1");
    assert_eq!(of(PcRule::Behind, false), "m2");
    assert_eq!(of(PcRule::AtOrBefore, false), "m1");
    assert_eq!(of(PcRule::AtOrBehind, true), "m0");
    assert_eq!(of(PcRule::Behind, true), "m1");
    assert_eq!(of(PcRule::AtOrBefore, true), "m0");
}

/// Without skid there is nothing to correct.
#[test]
fn without_skid_both_addresses_are_one() {
    let exact = sampled(Skid::None, 4);
    for rule in PcRule::ALL {
        let both = [false, true].map(|corrected| named(&exact, rule, corrected));
        assert_eq!(both[0], both[1], "{rule:?}");
    }
    assert_eq!(named(&exact, PcRule::Behind, false).as_deref(), Some("m1"));
}

#[test]
fn a_unit_counts_for_its_root() {
    let times = sampled(Skid::NextInstruction, 6);
    assert_eq!(times.roots["root"].sum, 1.0);
    let mut twice = times.clone();
    twice.merge(&times);
    assert_eq!(twice.roots["root"].sum, 2.0);
    assert_eq!(twice.replays.len(), times.replays.len());
}
