//! Tables and counters as the JVM writes them, whole and broken.

use std::collections::HashMap;

use proofmark_events::{
    EventsError, Measure, Profile, Reading, Strategy, read_counters, read_table,
};
use proptest::prelude::*;

/// `while (i < n) { if (odd) a[i] = new Object(); i++ }`, counted in all five ways.
const TABLE: &str = include_str!("data/five.table");
const COUNTERS: &str = include_str!("data/five.counters");

#[test]
fn the_five_strategies_agree() {
    let table = read_table(TABLE).unwrap();
    let run = read_counters(COUNTERS).unwrap();
    assert_eq!(table.codes.len(), 5);
    let strategies: Vec<Strategy> = table.codes.iter().map(|code| code.strategy).collect();
    assert_eq!(strategies, Strategy::ALL);
    let of_code = |at: usize| {
        let mut one = table.clone();
        one.codes = vec![table.codes[at].clone()];
        Profile::of(&one, &run, &|_| 0).unwrap()
    };
    // 2 activations of 10 iterations each, every other one allocates; the second snapshot adds one of 4.
    for (at, strategy) in strategies.iter().enumerate() {
        let profile = of_code(at);
        let totals: Vec<i64> = profile.totals.iter().map(|total| total.value).collect();
        assert_eq!(totals, [12, 24, 24 + 3], "{}", strategy.name());
        assert_eq!(
            profile.over_time,
            [[10, 20, 22], [2, 4, 5]],
            "{}",
            strategy.name()
        );
        assert!(profile.lost.is_empty());
    }
    let all = Profile::of(&table, &run, &|_| 0).unwrap();
    assert_eq!(all.totals[0].value, 5 * 12);
    assert_eq!(all.units["p.C.m(I)V"][1].value, 5 * 24);
    assert_eq!(all.blocks["p.C.m(I)V"][&3], 2 * 12);
    let inlined = all.positions.iter().filter(|(frames, _)| {
        let innermost = &frames[0];
        (innermost.method.as_str(), innermost.line) == ("p.C.make()Lp/C;", Some(33))
    });
    let counts = inlined.map(|(_, counts)| counts[&0]);
    assert_eq!(counts.sum::<i64>(), 2 * 12);
    assert_eq!(all.unplaced, [3 * 12, 5 * 24, 5 * 27]);
}

#[test]
fn a_counter_may_stand_for_several_events() {
    let more = TABLE.replace(
        "count\t0\t-\t-\tc3\n",
        "count\t0\t-\t-\tc3\ncount\t1\t-\t-\tc3*3\ncount\t2\t-\t-\tc3*-1\n",
    );
    let mut table = read_table(&more).unwrap();
    table.codes.retain(|code| code.strategy == Strategy::Live);
    let profile = Profile::of(&table, &read_counters(COUNTERS).unwrap(), &|_| 0).unwrap();
    let totals: Vec<i64> = profile.totals.iter().map(|total| total.value).collect();
    assert_eq!(totals, [12, 24 + 3 * 12, 27 - 12]);
    assert!(read_table(&more.replace("c3*3", "c3*three")).is_err());
}

#[test]
fn counters_of_the_compiler_are_read() {
    let lines = "compiler\tnumber of allocations:  @ p.C.m(C.java:3) (m)\t70\nend";
    let run = read_counters(&COUNTERS.replace("end", lines)).unwrap();
    assert_eq!(
        run.compiler["number of allocations:  @ p.C.m(C.java:3) (m)"],
        70
    );
    assert!(read_counters(&COUNTERS.replace("end", "compiler\tx\nend")).is_err());
}

#[test]
fn every_field_is_read() {
    let table = read_table(TABLE).unwrap();
    assert_eq!(table.types[0].name, "allocation");
    assert_eq!(table.types[0].category, "allocations");
    let code = &table.codes[0];
    assert_eq!((code.id, code.size, code.entry_bci), (17, 1044, -1));
    assert_eq!(code.unit, "p.C.m(I)V");
    let frames = &code.positions[0];
    assert_eq!(
        (frames.len(), frames[0].bci, frames[0].line),
        (2, 4, Some(33))
    );
    assert_eq!(
        (frames[1].method.as_str(), frames[1].line),
        ("p.C.m(I)V", None)
    );
    let leaks = |id: u32| {
        let mut blocks = code.graph.blocks.iter();
        blocks.find(|block| block.id == id).unwrap().leaks
    };
    assert!(leaks(3) && !leaks(1));
    let held = Measure::Counter {
        counter: 1,
        scale: 2,
        held: true,
    };
    assert!(code.graph.edges.iter().any(|edge| edge.measure == held));
    assert!(matches!(&table.codes[2].reading, Reading::Paths(numbering) if numbering.paths == 6));
    let run = read_counters(COUNTERS).unwrap();
    assert_eq!((run.used, run.bytes, run.threads), (40, 320, 1));
    assert_eq!(
        (run.iterations[0].begin_ns, run.iterations[0].cpu_ns),
        (100, 90)
    );
}

/// A traversal that leaves in the middle of the loop, whose count is then lost with the register.
#[test]
fn a_loss_in_a_loop_held_in_a_register_opens_the_bound() {
    let table = read_table(TABLE).unwrap();
    let run = read_counters(COUNTERS).unwrap();
    let mut one = table.clone();
    one.codes.truncate(1);
    let lossy = Profile::of(&one, &run, &|_| 1).unwrap();
    assert_eq!(lossy.totals[1].value, 24);
    assert_eq!(lossy.totals[1].high, i64::MAX);
    assert_eq!(lossy.lost["p.C.m(I)V"], 1);
}

#[test]
fn what_is_wrong_is_named_with_its_line() {
    let broken: [(&str, &str, &str); 13] = [
        (
            "proofmark-events\t1",
            "proofmark-events\t2",
            "line 1: expected 'proofmark-events' and version 1",
        ),
        (
            "type\t1\tif",
            "type\t7\tif",
            "expected the type with index 1",
        ),
        (
            "code\t17\tedge",
            "code\t17\tguess",
            "expected a strategy: edge, live, pc, pd or dec",
        ),
        (
            "\t1044\t",
            "\tmany\t",
            "expected bytes of machine code, found 'many'",
        ),
        (
            "p.C.make()Lp/C;:4:33",
            "p.C.make()Lp/C;",
            "expected a frame METHOD:BCI:LINE",
        ),
        ("0:1@0", "9:1@0", "expected a type below 3"),
        ("0:1@0", "0:1@77", "expected position 77 to come before"),
        ("0:1@0", "0;1@0", "expected events as TYPE:COUNT@POSITION"),
        ("i1*2", "i1*0", "expected a stride that is not 0"),
        ("i1*2", "q5", "expected what measures the edge"),
        (
            "edge\t1\t0\t1",
            "edge\t1\t0\t99",
            "expected block 99 of an 'edge' line",
        ),
        ("path\t10\t6", "path\t10\tx", "expected the number of paths"),
        ("x0,3", "c7", "expected steps vV or xV,R on all edges"),
    ];
    for (from, to, expected) in broken {
        assert!(TABLE.contains(from), "the fixture has no {from}");
        let message = read_table(&TABLE.replacen(from, to, 1))
            .unwrap_err()
            .to_string();
        assert!(
            message.contains(expected) && message.starts_with("line "),
            "{to}: {message}"
        );
    }
    let message =
        read_counters(&COUNTERS.replacen("snapshot\t1\t100", "snapshot\t1\tx", 1)).unwrap_err();
    assert_eq!(
        message.to_string(),
        "line 4: expected the iteration's begin in ns, found 'x'"
    );
    let message = read_counters("proofmark-counters\t1\n5\t7\nend\n")
        .unwrap_err()
        .to_string();
    assert_eq!(message, "line 2: expected 'snapshot', found '5 7'");
}

#[test]
fn a_file_that_was_cut_off_is_recognised_wherever_it_was() {
    for (text, read) in [
        (
            TABLE,
            (|t| read_table(t).err()) as fn(&str) -> Option<EventsError>,
        ),
        (COUNTERS, |t| read_counters(t).err()),
    ] {
        let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
        for end in &ends[..ends.len() - 1] {
            assert!(read(&text[..*end]).is_some(), "accepted after {end} bytes");
        }
        assert!(matches!(
            read(&text[..ends[3]]),
            Some(EventsError::Truncated { line: 4 })
        ));
        assert_eq!(read(text), None);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// Damage of any kind gives an error or another table, never a panic, and decoding it neither.
    #[test]
    fn damaged_files_do_not_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), "[-0-9a-z\t\n:,@*]{0,3}"), 1..5),
    ) {
        let damage = |text: &str| {
            let mut text = text.to_owned();
            for (at, with) in &edits {
                let at = at.index(text.len());
                text.replace_range(at..at + 1, with);
            }
            text
        };
        if let Ok(table) = read_table(&damage(TABLE)) {
            let run = read_counters(COUNTERS).unwrap();
            let _ = Profile::of(&table, &run, &|_| 1);
        }
        if let Ok(run) = read_counters(&damage(COUNTERS)) {
            let table = read_table(TABLE).unwrap();
            let _ = Profile::of(&table, &run, &|_| 0);
        }
    }
}

#[test]
fn counters_are_differences_from_the_first_snapshot() {
    let text = "proofmark-counters\t1\nsnapshot\t0\t0\t0\t0\n3\t100\nsnapshot\t1\t1\t2\t3\n3\t107\n9\t2\nsnapshot\t2\t1\t2\t3\n3\t110\nused\t4\nbytes\t32\nthreads\t1\nend\n";
    let run = read_counters(text).unwrap();
    assert_eq!(run.iterations.len(), 2);
    assert_eq!(run.iterations[0].added, HashMap::from([(3, 7), (9, 2)]));
    assert_eq!(run.added(3), 10);
    assert_eq!(run.added(4), 0);
}
