//! Allocations and calls of real programs against the compiler's own counters, method by method. Takes minutes:
//! `PROGRAMS=programs.toml cargo test --release -p proofmark --test events_third -- --ignored --nocapture`, where
//! docs/studies/events/inputs.sh has written the file; without the variable, programs of the suite only.

use std::collections::BTreeMap;

use crate::common::programs::programs;
use crate::common::{kit, lab_settings};
use proofmark::request::Mode;
use proofmark::run::events::count;
use proofmark_events::{Profile, Strategy};
use proofmark_jvm::toolchain::Kit;
use proofmark_jvm::{EventLaunch, Scope, WarmJvm, Workload};
use proofmark_rewrite::of_the_program;

/// Iterations that are counted.
const ITERATIONS: u32 = 2;
/// What a method's count may be off: slow paths, and what the compiler, which shares the JDK's code, calls itself.
const CHANCE: i64 = 20;
const PART: f64 = 1e-3;
const CALLS: [&str; 4] = [
    "invokestatic",
    "invokespecial",
    "invokevirtual",
    "invokeinterface",
];

/// Counts by root method, without parameters, as the compiler names its counters.
type ByMethod = BTreeMap<String, i64>;

#[test]
#[ignore = "real programs: minutes"]
fn the_compilers_own_counters_agree_on_real_programs() {
    let Some(kit) = kit() else { return };
    let mut wrong = Vec::new();
    for program in programs(&["suite:Json", "suite:CD", "suite:DeltaBlue"]) {
        let (profile, graal) = counted(&kit, &program.workload);
        for (what, kinds, group) in [
            (
                "allocations",
                &["allocation"][..],
                "number of allocations: ",
            ),
            ("calls", &CALLS, "~profiled invokes: "),
        ] {
            let (ours, theirs) = (of_ours(&profile, kinds), of_graal(&graal, group));
            let differ = differing(&ours, &theirs);
            println!(
                "{:12} {what:12} {:>4} methods, {:>12} by us, {:>12} by Graal; {} methods differ",
                program.name,
                ours.len(),
                ours.values().sum::<i64>(),
                ours.keys().filter_map(|name| theirs.get(name)).sum::<i64>(),
                differ.len()
            );
            wrong.extend(differ);
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

fn counted(kit: &Kit, workload: &Workload) -> (Profile, BTreeMap<String, i64>) {
    let place = tempfile::tempdir().unwrap();
    let mut settings = lab_settings(place.path().join("log"));
    settings.launch.heap_mb = 512;
    settings.scope = Scope::All;
    settings.launch.events = Some(EventLaunch {
        counters_per_thread: 1 << 18,
        compiler_counts: true,
        ..EventLaunch::default()
    });
    let mut jvm = WarmJvm::prepare(kit, workload, settings).unwrap();
    let mode = Mode {
        name: "edge".into(),
        strategy: Strategy::Edge,
        types: Vec::new(),
        per_thread: true,
        check: false,
    };
    let units: Vec<u32> = count::executed(&jvm)
        .into_iter()
        .map(|(unit, _)| unit)
        .collect();
    let table = place.path().join("table");
    let compiled = count::compile(&mut jvm, Some(&mode), &units, &table).unwrap();
    let seen = count::run(&mut jvm, &compiled, ITERATIONS, &table).unwrap();
    jvm.stop();
    (seen.profile, seen.run.compiler)
}

fn of_ours(profile: &Profile, kinds: &[&str]) -> ByMethod {
    let wanted: Vec<usize> = (0..profile.types.len())
        .filter(|at| kinds.contains(&profile.types[*at].name.as_str()))
        .collect();
    let mut sums = ByMethod::new();
    for (unit, totals) in profile
        .units
        .iter()
        .filter(|(unit, _)| of_the_program(unit))
    {
        let method = unit[..unit.find('(').unwrap()].to_owned();
        *sums.entry(method).or_default() += wanted.iter().map(|at| totals[*at].value).sum::<i64>();
    }
    sums
}

/// `... @ package.Class.method(File.java:12)`.
fn of_graal(counters: &BTreeMap<String, i64>, group: &str) -> ByMethod {
    let mut sums = ByMethod::new();
    for (name, value) in counters.iter().filter(|(name, _)| name.starts_with(group)) {
        let (_, root) = name.rsplit_once(" @ ").expect("a counter with context");
        let root = root.trim_start();
        *sums
            .entry(root[..root.find('(').unwrap()].to_owned())
            .or_default() += value;
    }
    sums
}

fn differing(ours: &ByMethod, theirs: &ByMethod) -> Vec<String> {
    let differs = |(method, own): (&String, &i64)| {
        let other = theirs.get(method).copied().unwrap_or(0);
        let off = (own - other).abs();
        let allowed = CHANCE + (PART * other.max(*own) as f64) as i64;
        (off > allowed).then(|| format!("{method}: {own} by us, {other} by Graal"))
    };
    ours.iter().filter_map(differs).collect()
}
