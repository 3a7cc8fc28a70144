//! Comparisons with known answers, and against a slow twin.

use std::collections::BTreeMap;

use proofmark_count::{Counted, Coverage, Executed, compare_counts, compare_time};
use proofmark_profile::{CountFile, Options, import};
use proofmark_test_support::fit_schema;
use proptest::prelude::*;

/// A file with these own weights per path; a path is a row of method numbers, root first.
fn file(mode: &str, weights: &BTreeMap<Vec<u8>, u64>, rest: u64) -> CountFile {
    let mut text = format!(
        "proofmark-count\t1\nmode\t{mode}\ngranularity\t10\nrandom\t0\nseed\t1\nscope\tapplication\n"
    );
    for method in 0..=u8::MAX {
        text += &format!("method\t{method}\tApp\tm{method}\t()V\n");
    }
    let total = weights.values().sum::<u64>() + rest;
    text += &format!("thread\tplatform\tended\t{total}\t5000\t{rest}\t0\tmain\n");
    for (path, weight) in weights {
        for depth in 0..path.len() {
            let own = if depth + 1 == path.len() { *weight } else { 0 };
            let known = depth + 1 < path.len() && weights.contains_key(&path[..=depth]);
            if !known {
                text += &format!("{depth}\t{}\t{own}\t0\n", path[depth]);
            } else {
                text += &format!("{depth}\t{}\t0\t0\n", path[depth]);
            }
        }
    }
    CountFile::parse(text.as_bytes())
        .expect("a sound file")
        .canonical()
}

fn weights(rows: &[(&[u8], u64)]) -> BTreeMap<Vec<u8>, u64> {
    rows.iter()
        .map(|&(path, weight)| (path.to_vec(), weight))
        .collect()
}

#[test]
fn a_hand_worked_case() {
    // Shares: A 0.5, 0.3, 0.2, 0; B 0.25, 0.25, 0, 0.5. The smaller ones: 0.25 + 0.25.
    let a = file(
        "exact",
        &weights(&[(&[0], 50), (&[0, 1], 30), (&[0, 2], 20)]),
        0,
    );
    let b = file(
        "sampled",
        &weights(&[(&[0], 10), (&[0, 1], 10), (&[0, 1, 2], 20)]),
        9,
    );
    let found = compare_counts(&a, &b);
    assert_eq!(found.overlap_pct, 50.0);
    // Methods: A 50, 30, 20; B 25, 25, 50.
    assert_eq!(found.method_overlap_pct, 70.0);
    assert_eq!((found.bytecodes.a, found.bytecodes.b), (100, 49));
    assert_eq!(found.bytecodes.relative_error_pct, Some(-51.0));
    let sizes = found.contexts;
    assert_eq!((sizes.a, sizes.b, sizes.common), (3, 3, 2));
    assert_eq!(sizes.relative_size_pct, Some(100.0));
    assert_eq!(found.coverage, 80.0);
    assert_eq!(found.methods[0].method, "App.m2()V");
}

#[test]
fn bytecodes_against_time() {
    let a = file("exact", &weights(&[(&[0], 100), (&[0, 1], 300)]), 0);
    // m1 has 75 % of the bytecodes and 20 % of the time; the JDK's time belongs to who called it.
    let b = b"App.m0_[j] 500\nApp.m0_[j];java.util.Map.get_[j] 300\nApp.m0_[j];App.m1_[j] 200\nGC_[j] 1000\n";
    let b = import(b, &Options::default()).unwrap();
    let found = compare_time(&a, &b);
    assert!(found.overloads_merged);
    assert_eq!(found.coverage, 50.0);
    let m1 = found
        .methods
        .iter()
        .find(|row| row.method == "App.m1")
        .unwrap();
    assert_eq!(
        (m1.bytecodes, m1.bytecodes_pct, m1.time_pct.value),
        (300, 75.0, 20.0)
    );
    assert!(m1.differs && (m1.cost.unwrap() - 20.0 / 75.0).abs() < 1e-12);
    let m0 = found
        .methods
        .iter()
        .find(|row| row.method == "App.m0")
        .unwrap();
    assert_eq!((m0.time_pct.value, m0.below_pct), (80.0, 30.0));
    assert_eq!(found.overlap_pct, 45.0);
}

#[test]
fn a_profile_of_another_program_is_remarked() {
    let a = file("exact", &weights(&[(&[0], 100)]), 0);
    let b = import(b"Other.x_[j] 5\n", &Options::default()).unwrap();
    let found = compare_time(&a, &b);
    assert!(
        found
            .remarks
            .iter()
            .any(|text| text.contains("same program"))
    );
    assert_eq!((found.overlap_pct, found.coverage), (0.0, 0.0));
}

#[test]
fn the_committed_schemas_are_what_is_written() {
    let a = file("exact", &weights(&[(&[0], 100), (&[0, 1], 300)]), 0);
    let b = import(b"App.m0_[j] 500\n", &Options::default()).unwrap();
    let counted = Counted::of(&a, "a".into(), Some(Coverage::default()));
    fit_schema("count-comparison.schema.json", &[compare_counts(&a, &a)]);
    fit_schema("count-time-comparison.schema.json", &[compare_time(&a, &b)]);
    fit_schema("count.schema.json", &[counted]);
}

/// A block counts in full although an exception ended it, so the share can be above 100 %; of one below nothing is said.
#[test]
fn more_than_the_jvm_executed_is_explained() {
    let file = file("exact", &weights(&[(&[0], 100)]), 0);
    let counted = |counted_in_scope_pct: f64| {
        let executed = Some(Executed {
            in_scope: 99,
            hidden: 0,
            all: 400,
            counted_in_scope_pct,
            counted_pct: 25.0,
            uncounted: Vec::new(),
        });
        let coverage = Coverage {
            executed,
            ..Coverage::default()
        };
        Counted::of(&file, "a".into(), Some(coverage)).remarks
    };
    assert!(counted(101.0)[0].contains("more was counted than executed"));
    assert_eq!(counted(100.0), [""; 0]);
}

/// The definition, over a map of paths.
fn slow_overlap(a: &BTreeMap<Vec<u8>, u64>, b: &BTreeMap<Vec<u8>, u64>) -> f64 {
    let sum = |side: &BTreeMap<_, u64>| side.values().sum::<u64>() as f64;
    let share = |side: &BTreeMap<Vec<u8>, u64>, path| {
        side.get(path).copied().unwrap_or(0) as f64 / sum(side)
    };
    a.keys()
        .map(|path| share(a, path).min(share(b, path)))
        .sum::<f64>()
        * 100.0
}

fn any_weights() -> impl Strategy<Value = BTreeMap<Vec<u8>, u64>> {
    let path = prop::collection::vec(0u8..4, 1..5);
    prop::collection::btree_map(path, 1u64..1000, 1..30)
}

proptest! {
    #[test]
    fn overlap_is_its_definition(a in any_weights(), b in any_weights()) {
        let (x, y) = (file("exact", &a, 0), file("exact", &b, 3));
        let found = compare_counts(&x, &y);
        prop_assert!((found.overlap_pct - slow_overlap(&a, &b)).abs() < 1e-9);
        prop_assert!((compare_counts(&y, &x).overlap_pct - found.overlap_pct).abs() < 1e-9);
        prop_assert_eq!(compare_counts(&x, &x).overlap_pct, 100.0);
        prop_assert!(found.method_overlap_pct >= found.overlap_pct - 1e-9);
    }
}

/// 0 -> 1 -> 2 is the same on both sides; 3 differs below both 0 and 2, nearer to the root below 0.
#[test]
fn where_two_runs_begin_to_differ() {
    let run = |deep: u64, near: u64| {
        let paths: [(&[u8], u64); 4] = [
            (&[0], 10),
            (&[0, 1, 2], 20),
            (&[0, 1, 2, 3], deep),
            (&[0, 3], near),
        ];
        file("exact", &weights(&paths), 0)
    };
    let first = |a: &CountFile, b: &CountFile| compare_counts(a, b).first_difference;
    assert_eq!(first(&run(5, 7), &run(5, 7)), None);
    let found = first(&run(5, 7), &run(6, 9)).expect("a difference");
    assert_eq!(
        (found.method.as_str(), found.callers.len()),
        ("App.m3()V", 1)
    );
    assert_eq!(
        (found.bytecodes.a, found.bytecodes.b, found.contexts),
        (7, 9, 2)
    );
    let found = first(&run(5, 7), &run(6, 7)).expect("a difference");
    assert_eq!(found.callers, ["App.m0()V", "App.m1()V", "App.m2()V"]);
    let sampled = file("sampled", &weights(&[(&[0], 10)]), 0);
    assert_eq!(first(&run(5, 7), &sampled), None, "counted in another way");
}
