//! Lookups through the whole map against a slow twin, and reports that contradict each other.

use proofmark_blocks::{Block, Code, CodeMap, CodeMapError, Install, Span, Unit};
use proptest::prelude::*;

fn block(id: u32) -> Block {
    Block {
        id,
        successors: Vec::new(),
        loop_header: None,
        loop_depth: 0,
        frequency: 1.0,
        cycles: None,
        operations: Vec::new(),
    }
}

fn unit(blocks: u32) -> Unit {
    Unit {
        name: "u".into(),
        signature: String::new(),
        blocks: (0..blocks).map(block).collect(),
        positions: Vec::new(),
    }
}

fn span(start: u32, block: Option<u32>) -> Span {
    Span {
        start,
        block,
        position: None,
        inserted: false,
    }
}

/// Codes as lists of (bytes, block); operations without bytes included.
fn codes() -> impl Strategy<Value = Vec<Vec<(u32, Option<u32>)>>> {
    let piece = (0u32..4, prop::option::of(0u32..4));
    prop::collection::vec(prop::collection::vec(piece, 1..8), 1..5)
}

fn code(id: u32, pieces: &[(u32, Option<u32>)]) -> Code {
    let mut size = 0;
    let mut spans = Vec::new();
    for (bytes, block) in pieces {
        spans.push(span(size, *block));
        size += bytes;
    }
    Code {
        id,
        unit: 0,
        size,
        spans,
        debug: Vec::new(),
    }
}

/// Code id and block at an address, by looking at every installation and every span.
fn slow_locate(
    codes: &[Code],
    installs: &[Install],
    ip: u64,
    time_ns: u64,
) -> Option<(u32, Option<u32>, bool)> {
    let range = |install: &Install| {
        let size = codes
            .iter()
            .find(|code| code.id == install.code)
            .unwrap()
            .size;
        install.start..install.start + u64::from(size)
    };
    let known: Vec<(usize, &Install)> = installs
        .iter()
        .enumerate()
        .filter(|(_, install)| install.time_ns <= time_ns)
        .collect();
    let covering = known
        .iter()
        .filter(|(_, install)| range(install).contains(&ip));
    let (at, latest) = covering.max_by_key(|(at, install)| (install.time_ns, *at))?;
    let taken = known.iter().any(|(other_at, other)| {
        (other.time_ns, other_at) > (latest.time_ns, at)
            && !range(other).is_empty()
            && range(other).start < range(latest).end
            && range(latest).start < range(other).end
    });
    let code = codes.iter().find(|code| code.id == latest.code).unwrap();
    let offset = u32::try_from(ip - latest.start).unwrap();
    let span = code.spans.iter().rfind(|span| span.start <= offset)?;
    (!taken).then_some((code.id, span.block, span.start == offset))
}

proptest! {
    #[test]
    fn locates_what_a_linear_scan_locates(
        pieces in codes(),
        installs in prop::collection::vec((any::<prop::sample::Index>(), 0u64..80, 0u64..20), 0..30),
        probes in prop::collection::vec((0u64..110, 0u64..22), 60),
    ) {
        let codes: Vec<Code> =
            (10..).zip(&pieces).map(|(id, pieces)| code(id, pieces)).collect();
        let installs: Vec<Install> = installs
            .iter()
            .map(|(code, start, time_ns)| Install {
                code: code.get(&codes).id,
                start: *start,
                time_ns: *time_ns,
            })
            .collect();
        let mut map = CodeMap::new();
        map.add_unit(unit(4)).unwrap();
        for code in &codes {
            map.add_code(code).unwrap();
        }
        for (so_far, install) in installs.iter().enumerate() {
            map.add_install(install).unwrap();
            let (ip, time) = probes[so_far];
            let found = map.locate(ip, time).map(|at| (at.code, at.block, at.at_span_start));
            prop_assert_eq!(found, slow_locate(&codes, &installs[..=so_far], ip, time));
        }
        for (ip, time) in probes {
            let found = map.locate(ip, time).map(|at| (at.code, at.block, at.at_span_start));
            prop_assert_eq!(found, slow_locate(&codes, &installs, ip, time), "{} {}", ip, time);
        }
    }
}

#[test]
fn the_first_address_of_a_block_is_that_of_its_first_bytes() {
    let mut map = CodeMap::new();
    map.add_unit(unit(2)).unwrap();
    let pieces = [
        (2, None),
        (0, Some(0)),
        (3, Some(0)),
        (1, Some(0)),
        (0, Some(1)),
        (4, None),
    ];
    map.add_code(&code(1, &pieces)).unwrap();
    map.add_install(&Install {
        code: 1,
        start: 100,
        time_ns: 0,
    })
    .unwrap();
    let starts: Vec<u64> = (100..110)
        .filter(|ip| map.locate(*ip, 0).unwrap().at_block_start)
        .collect();
    assert_eq!(starts, [102]);
    assert!(map.locate(101, 0).unwrap().prologue && !map.locate(106, 0).unwrap().prologue);
    assert_eq!(map.locate(106, 0).unwrap().block, None);
}

#[test]
fn contradictions_are_errors_that_name_the_place() {
    let mut map = CodeMap::new();
    let mut twice = unit(2);
    twice.blocks[1].id = 0;
    let error = map.add_unit(twice).unwrap_err();
    assert_eq!(error.to_string(), "unit u: two blocks have the id 0");
    let mut open = unit(1);
    open.blocks[0].successors = vec![5];
    let error = map.add_unit(open).unwrap_err();
    assert_eq!(
        error.to_string(),
        "unit u: block 0 has the unknown successor 5"
    );
    map.add_unit(unit(1)).unwrap();
    let mut wrong = code(1, &[(4, Some(0))]);
    wrong.unit = 3;
    assert_eq!(
        map.add_code(&wrong),
        Err(CodeMapError::UnknownUnit { code: 1, unit: 3 })
    );
    map.add_code(&code(1, &[(4, Some(0))])).unwrap();
    assert_eq!(map.add_code(&code(1, &[])), Err(CodeMapError::SameCode(1)));
    let install = Install {
        code: 2,
        start: 0,
        time_ns: 0,
    };
    assert_eq!(map.add_install(&install), Err(CodeMapError::UnknownCode(2)));
}

#[test]
fn malformed_spans_are_refused() {
    let mut map = CodeMap::new();
    map.add_unit(unit(1)).unwrap();
    let with = |spans: Vec<Span>| Code {
        id: 1,
        unit: 0,
        size: 8,
        spans,
        debug: Vec::new(),
    };
    let mut positioned = span(0, None);
    positioned.position = Some(0);
    let cases = [
        with(vec![span(4, None), span(2, None)]),
        with(vec![span(9, None)]),
        with(vec![span(0, Some(1))]),
        with(vec![positioned]),
    ];
    for case in cases {
        let result = map.add_code(&case);
        assert!(
            matches!(result, Err(CodeMapError::BadSpan { .. })),
            "{case:?}: {result:?}"
        );
    }
}

/// Not a benchmark: it fails only if lookups become slower by orders of magnitude.
#[test]
fn lookups_stay_fast_with_many_versions() {
    let mut map = CodeMap::new();
    map.add_unit(unit(4)).unwrap();
    let pieces: Vec<_> = (0..1000).map(|at| (4, Some(at / 250))).collect();
    map.add_code(&code(1, &pieces)).unwrap();
    for time_ns in 0..8000 {
        let start = (time_ns * 7919) % 1_000_000;
        map.add_install(&Install {
            code: 1,
            start,
            time_ns,
        })
        .unwrap();
    }
    let begin = std::time::Instant::now();
    let hits = (0..1_000_000u64).filter(|at| map.locate(at * 37 % 1_000_000, 9000).is_some());
    assert!(hits.count() > 100_000);
    let each = begin.elapsed() / 1_000_000;
    println!("{each:?} per lookup");
    assert!(each.as_micros() < 100, "{each:?} per lookup");
}
