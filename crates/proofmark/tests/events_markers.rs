//! Markers change nothing: code of real programs compiled without markers, again without, and with markers that were taken
//! out again, profiles frozen. Takes minutes:
//! `PROGRAMS=programs.toml cargo test --release -p proofmark --test events_markers -- --ignored --nocapture`, where
//! docs/studies/events/inputs.sh has written the file; without the variable, programs of the suite only.

use std::collections::BTreeMap;
use std::path::Path;

use crate::common::own_events::own_types;
use crate::common::programs::programs;
use crate::common::{kit, lab_settings};
use proofmark_jvm::toolchain::Kit;
use proofmark_jvm::{EventLaunch, EventPlan, Scope, WarmJvm, Workload};

/// The type of the user's own that spoils code (positive control).
const SPOILS: &str = "early-node";

/// Programs of the suite that are compared besides.
const SUITE: [&str; 5] = [
    "suite:CD",
    "suite:DeltaBlue",
    "suite:Havlak",
    "suite:Json",
    "suite:Richards",
];

/// Units of one program whose code is another than in the compilation before them.
#[derive(Default)]
struct Seen {
    units: usize,
    again: usize,
    marked: usize,
    spoilt: usize,
}

#[test]
#[ignore = "compiles some 1,000 units three times: minutes"]
fn markers_change_no_code_of_real_programs() {
    let Some(kit) = kit() else { return };
    let mut sum = Seen::default();
    println!(
        "{:28} {:>6} {:>9} {:>9} {:>9}",
        "program", "units", "unmarked", "marked", "control"
    );
    for program in programs(&SUITE) {
        let seen = compared(&kit, &program.workload);
        print(&program.name, &seen);
        sum.units += seen.units;
        sum.again += seen.again;
        sum.marked += seen.marked;
        sum.spoilt += seen.spoilt;
    }
    print("all", &sum);
    assert!(sum.units >= 500, "only {} units", sum.units);
    assert!(sum.marked <= sum.again, "markers changed code");
    assert!(sum.spoilt > 0, "the comparison must be able to fail");
}

fn print(name: &str, seen: &Seen) {
    let Seen {
        units,
        again,
        marked,
        spoilt,
    } = seen;
    println!("{name:28} {units:>6} {again:>9} {marked:>9} {spoilt:>9}");
}

fn compared(kit: &Kit, workload: &Workload) -> Seen {
    let place = tempfile::tempdir().unwrap();
    let classes = place.path().join("own");
    own_types(kit, &classes, &[]);
    let mut settings = lab_settings(place.path().join("log"));
    settings.launch.heap_mb = 512;
    settings.scope = Scope::All;
    settings.launch.events = Some(EventLaunch {
        class_path: vec![classes],
        ..EventLaunch::default()
    });
    let mut jvm = WarmJvm::prepare(kit, workload, settings).unwrap();
    let types = jvm
        .client_mut()
        .event_types()
        .unwrap()
        .into_iter()
        .map(|kind| kind.name);
    let harmless: Vec<String> = types.filter(|name| name != SPOILS).collect();
    let names: BTreeMap<u32, String> = jvm
        .units()
        .map(|(unit, name)| (unit, name.to_string()))
        .collect();
    let units: Vec<u32> = names.keys().copied().collect();
    let table = place.path().join("table");
    let mut compile = |units: &[u32], markers: bool, types: &[String]| {
        let plan = EventPlan {
            strategy: "none".into(),
            types: types.to_vec(),
            per_thread: false,
            check: false,
            markers,
        };
        signatures(&mut jvm, &plan, units, &table)
    };
    let plain = compile(&units, false, &harmless);
    let again = compile(&units, false, &harmless);
    let marked = compile(&units, true, &harmless);
    let spoilt = compile(&units, true, &[SPOILS.to_owned()]);
    for unit in changed(&again, &marked) {
        let by = |kind: &&String| {
            compile(&[unit], true, std::slice::from_ref(*kind))[&unit] != again[&unit]
        };
        let guilty: Vec<&String> = harmless.iter().filter(by).collect();
        println!("{} is other code with markers for {guilty:?}", names[&unit]);
    }
    let seen = Seen {
        units: plain.len(),
        again: changed(&plain, &again).len(),
        marked: changed(&again, &marked).len(),
        spoilt: changed(&marked, &spoilt).len(),
    };
    jvm.stop();
    seen
}

/// What two codes must have in common to have the same blocks and operations, by unit.
fn signatures(
    jvm: &mut WarmJvm,
    plan: &EventPlan,
    units: &[u32],
    table: &Path,
) -> BTreeMap<u32, String> {
    let answer = jvm.client_mut().compile_events(plan, units, table).unwrap();
    assert!(answer.failures.is_empty(), "{:?}", answer.failures);
    let ids: Vec<u32> = answer.compiled.iter().map(|code| code.code).collect();
    jvm.client_mut().forget(&ids).unwrap();
    answer
        .compiled
        .into_iter()
        .map(|code| (code.unit, code.signature))
        .collect()
}

/// Units whose code is another.
fn changed(one: &BTreeMap<u32, String>, other: &BTreeMap<u32, String>) -> Vec<u32> {
    assert!(one.keys().eq(other.keys()));
    let differs = |(unit, signature): (&u32, &String)| (other[unit] != *signature).then_some(*unit);
    one.iter().filter_map(differs).collect()
}
