//! Events of a running JVM against known answers and against block executions counted in another way.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use crate::common::{kit, lab_settings};
use proofmark::request::Mode;
use proofmark::request::Selection;
use proofmark::run::events::count::{self, Compiled, Counted};
use proofmark_blocks::{BlockKey, Unit};
use proofmark_events::{Profile, Strategy};
use proofmark_jvm::toolchain::Kit;
use proofmark_jvm::{EventLaunch, EventTypeInfo, Scope, WarmJvm, Workload};
use proofmark_rewrite::of_the_program;

/// Moves of the tower of 13 disks, times the runs of an iteration.
const MOVES: i64 = 8191 * 400;
/// Iterations that are counted.
const ITERATIONS: u32 = 3;
/// Runs after which no unit of the program should be replaced any more.
const SETTLING: usize = 6;

/// One JVM after the other: where two share processors, the JVM replaces code of its own accord more often. Two tests, of which one
/// waits for the other, would keep a place that a third one can use.
#[test]
fn events_are_what_the_code_did() {
    let Some(kit) = kit() else { return };
    as_the_code_did(&kit);
    where_nothing_can_be_sampled(&kit);
}

/// One JVM for all checks: getting it ready takes longer than they do.
fn as_the_code_did(kit: &Kit) {
    let place = tempfile::tempdir().unwrap();
    let mut workload = Workload::parse("suite:Towers", Vec::new()).unwrap();
    // A unit of its own, so that the calls of it are the moves.
    workload.jvm_options =
        vec!["-XX:CompileCommand=dontinline,proofmark.suite.Towers$Board::moveTopDisk".into()];
    let mut settings = lab_settings(place.path().join("log"));
    settings.scope = Scope::All;
    // Units of the JDK get counters per thread, so that compiler threads that run them do not count.
    settings.launch.events = Some(EventLaunch {
        counters_per_thread: 1 << 16,
        ..EventLaunch::default()
    });
    let mut jvm = WarmJvm::prepare(kit, &workload, settings).unwrap();
    types_are_documented(&jvm.client_mut().event_types().unwrap());
    let mut seen = BTreeMap::new();
    for strategy in Strategy::ALL {
        let counted = counted(&mut jvm, strategy, place.path());
        seen.insert(strategy, counted);
    }
    strategies_agree(&seen);
    let (compiled, edge) = &seen[&Strategy::Edge];
    calls_are_the_moves(edge, 1);
    branches_are_those_of_the_machine_code(&jvm, compiled, edge);
    let coverage = count::coverage(&mut jvm, compiled).unwrap();
    assert!(coverage.graal_blocks_pct.unwrap() > 95.0, "{coverage:?}");
    // Nothing was calibrated here: a share of samples needs to know nothing of where in a block they fall.
    let outside = coverage.outside_time_pct.expect("samples");
    assert!((0.0..90.0).contains(&outside.value), "{coverage:?}");
    // All that is under control is counted: what is left is known by its time.
    let left = &coverage.uncounted;
    assert!(left.iter().all(|one| one.blocks_pct.is_none()), "{left:?}");
    what_is_not_chosen_is_named(&mut jvm, compiled);
    jvm.stop();
}

/// With all units but the hottest one, that one is named first.
fn what_is_not_chosen_is_named(jvm: &mut WarmJvm, compiled: &Compiled) {
    let executed = count::executed(jvm);
    let most = executed.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    let hottest = most.expect("some unit was executed").0;
    let mut others = compiled.clone();
    others.units.retain(|unit| *unit != hottest);
    let mut coverage = count::coverage(jvm, &others).unwrap();
    let selection = Selection {
        units: Some("no such unit".into()),
        ..Selection::default()
    };
    count::explain(&mut coverage, &[], &selection);
    let first = &coverage.uncounted[0];
    assert_eq!(first.unit, jvm.unit_name(hottest));
    assert_eq!(first.reason.as_deref(), Some("left out, as asked for"));
    let parts = first.blocks_pct.unwrap() + coverage.graal_blocks_pct.unwrap();
    assert!((95.0..=100.0 + 1e-9).contains(&parts), "{coverage:?}");
}

/// Where the kernel lets nobody sample, the program's events are counted all the same, and what is not known is not said.
fn where_nothing_can_be_sampled(kit: &Kit) {
    let place = tempfile::tempdir().unwrap();
    let mut workload = Workload::parse("suite:Towers", Vec::new()).unwrap();
    workload.jvm_options =
        vec!["-XX:CompileCommand=dontinline,proofmark.suite.Towers$Board::moveTopDisk".into()];
    let mut settings = lab_settings(place.path().join("log"));
    settings.probe = None;
    settings.scope = Scope::All;
    // As for all JVMs of a comparison but the first.
    settings.together = Some(2);
    settings.launch.events = Some(EventLaunch {
        counters_per_thread: 1 << 16,
        ..EventLaunch::default()
    });
    let mut jvm = WarmJvm::prepare(kit, &workload, settings).unwrap();
    assert_eq!(jvm.warm().together, 2);
    let (compiled, edge) = counted(&mut jvm, Strategy::Edge, place.path());
    calls_are_the_moves(&edge, 2);
    let coverage = count::coverage(&mut jvm, &compiled).unwrap();
    assert_eq!(coverage.graal_blocks_pct, None);
    assert_eq!(coverage.outside_time_pct, None);
    assert!(coverage.units > 0, "{coverage:?}");
    jvm.stop();
}

/// docs/events.md names every type and every category.
fn types_are_documented(types: &[EventTypeInfo]) {
    assert_eq!(types.len(), 43);
    let names = types.iter().map(|t| (t.name.as_str(), t.category.as_str()));
    assert!(
        names.eq(proofmark_events::CATALOGUE),
        "the crate's catalogue differs"
    );
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/events.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let missing = |word: &&str| !text.contains(&format!("`{word}`"));
    let words = types
        .iter()
        .flat_map(|one| [one.name.as_str(), one.category.as_str()]);
    let missing: Vec<&str> = words.filter(missing).collect();
    assert!(missing.is_empty(), "not in docs/events.md: {missing:?}");
}

fn counted(jvm: &mut WarmJvm, strategy: Strategy, place: &std::path::Path) -> (Compiled, Counted) {
    let mode = Mode {
        name: strategy.name().into(),
        strategy,
        types: Vec::new(),
        per_thread: false,
        check: true,
    };
    let units: Vec<u32> = count::executed(jvm)
        .into_iter()
        .map(|(unit, _)| unit)
        .collect();
    let table = place.join(format!("{}.table", strategy.name()));
    let mut once = || {
        let compiled = count::compile(jvm, Some(&mode), &units, &table).unwrap();
        assert!(compiled.failures.is_empty(), "{:?}", compiled.failures);
        let counted = count::run(jvm, &compiled, ITERATIONS, &table).unwrap();
        (compiled, counted)
    };
    // Units of the JDK are compiled anew when the JVM wants. The program's are warm; when the JVM, on a busy machine, leaves the last
    // of what it compiled itself is the machine's business.
    let is_replaced = |counted: &Counted| {
        let mut replaced = counted.replaced.iter();
        replaced.any(|unit| of_the_program(unit))
    };
    let mut seen = once();
    for _ in 1..SETTLING {
        if !is_replaced(&seen.1) {
            break;
        }
        seen = once();
    }
    assert!(!is_replaced(&seen.1), "{:?}", seen.1.replaced);
    seen
}

/// Totals of every unit of the program and every type; allocation slow paths and what hangs on them may differ by a few.
/// The JVM compiles units of the JDK when it wants, and they count from then on.
fn strategies_agree(seen: &BTreeMap<Strategy, (Compiled, Counted)>) {
    let totals = |strategy: Strategy| {
        let profile = &seen[&strategy].1.profile;
        let mut totals: BTreeMap<(&str, &str), i64> = BTreeMap::new();
        for (unit, counts) in &profile.units {
            for (kind, total) in profile.types.iter().zip(counts) {
                if of_the_program(unit) && total.value != 0 {
                    totals.insert((unit, &kind.name), total.value);
                }
            }
        }
        totals
    };
    let truth = totals(Strategy::Dec);
    let kinds: BTreeSet<&str> = truth.keys().map(|(_, kind)| *kind).collect();
    assert!(kinds.len() >= 8, "{truth:?}");
    for strategy in Strategy::ALL {
        let own = totals(strategy);
        let keys: BTreeSet<_> = truth.keys().chain(own.keys()).collect();
        for key in keys {
            let count =
                |totals: &BTreeMap<(&str, &str), i64>| totals.get(key).copied().unwrap_or(0);
            let (total, expected) = (count(&own), count(&truth));
            let few = i64::from(ITERATIONS) * 20;
            assert!(
                (total - expected).abs() <= few,
                "{key:?}: {total} by {}, {expected} by dec",
                strategy.name()
            );
        }
        let lost = &seen[&strategy].1.profile.lost;
        assert!(
            !lost.keys().any(|unit| of_the_program(unit)),
            "{}: {lost:?}",
            strategy.name()
        );
    }
}

/// Index of a type of events.
fn kind_of(profile: &Profile, name: &str) -> Option<usize> {
    profile.types.iter().position(|kind| kind.name == name)
}

/// `together`: runs of the program in an iteration.
fn calls_are_the_moves(edge: &Counted, together: i64) {
    let profile = &edge.profile;
    let moves = MOVES * together * i64::from(ITERATIONS);
    let calls: i64 = ["invokestatic", "invokespecial", "invokevirtual"]
        .iter()
        .filter_map(|name| kind_of(profile, name))
        .map(|kind| profile.totals[kind].value)
        .sum();
    assert!(calls >= moves, "{calls}");
    // The unit of the moves is entered once for each of them.
    let (_, blocks) = profile
        .blocks
        .iter()
        .find(|(unit, _)| unit.contains("moveTopDisk"))
        .expect("moveTopDisk was counted");
    assert!(blocks.values().any(|count| *count == moves), "{blocks:?}");
    assert!(blocks.values().all(|count| *count <= moves), "{blocks:?}");
    // The same in every iteration.
    let load = kind_of(profile, "load").expect("a type of that name");
    let loads: Vec<i64> = profile
        .over_time
        .iter()
        .map(|totals| totals[load])
        .collect();
    assert!(
        loads
            .iter()
            .all(|n| *n > MOVES && (n - loads[0]).abs() < loads[0] / 1000),
        "{loads:?}"
    );
}

/// Second source: executions of the machine code's blocks, counted when the JVM was prepared by instructions
/// inserted after register allocation. Every two-way branch of the machine code is an `if`. Those counters also count
/// what the compiler runs, itself Java, so that units of the JDK are left out.
fn branches_are_those_of_the_machine_code(jvm: &WarmJvm, compiled: &Compiled, edge: &Counted) {
    let kind = kind_of(&edge.profile, "if").expect("a type of that name");
    let mut compared = 0;
    for unit in &compiled.units {
        let described = &jvm.client().map().units()[*unit as usize];
        if !of_the_program(&described.name) {
            continue;
        }
        let branches = branches(described, *unit, jvm.executions());
        let totals = edge.profile.units.get(&described.name);
        let ifs = totals.map_or(0, |t| t[kind].value) as f64 / f64::from(ITERATIONS);
        assert!(
            (branches - ifs).abs() <= 20.0 + 1e-4 * branches,
            "{}: {branches} branches in the machine code, {ifs} counted as if",
            described.name
        );
        compared += i32::from(branches > 1000.0);
    }
    assert!(compared >= 2, "hardly any unit branched");
}

fn branches(unit: &Unit, index: u32, executions: &HashMap<BlockKey, f64>) -> f64 {
    let two_ways = unit.blocks.iter().filter(|block| {
        let call = block
            .operations
            .last()
            .is_some_and(|name| name.eq_ignore_ascii_case("jump"));
        block.successors.len() == 2 && !call
    });
    two_ways
        .filter_map(|block| {
            let key = BlockKey {
                unit: index,
                block: block.id,
            };
            executions.get(&key)
        })
        .sum()
}
