//! Every event type against code whose events are known, on the real JVM: all strategies, threads,
//! activations that end in the middle, markers that change nothing, event types of the user's own.

mod common;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use common::kit;
use common::own_events::{javac, own_types};
use proofmark_events::{Profile, read_counters, read_table};
use proofmark_jvm::toolchain::Kit;
use proofmark_jvm::{EventCode, EventLaunch, EventPlan, Laboratory, Launch, Workload};

const CALLS: i64 = 1000;
const ITERATIONS: u32 = 3;
/// Runs after which no unit's code should be replaced any more.
const SETTLING: usize = 6;
/// Slow paths of allocations and inflations come when they want: so much may a count of a unit be off.
const CHANCE: i64 = 200;

/// A warm JVM with the units of one class under control.
struct Bench {
    lab: Laboratory,
    units: BTreeMap<String, u32>,
    /// All types but the one that changes code.
    types: Vec<String>,
    place: tempfile::TempDir,
}

/// Events: unit name to type to count.
type Counts = BTreeMap<String, BTreeMap<String, i64>>;

impl Bench {
    fn start(kit: &Kit, class: &str, source: &str) -> Bench {
        Self::start_with(kit, class, source, false)
    }

    fn start_with(kit: &Kit, class: &str, source: &str, compiler_counts: bool) -> Bench {
        let place = tempfile::tempdir().unwrap();
        let classes = place.path().join("classes");
        own_types(kit, &classes);
        javac(kit, &classes, class, source);
        let outside = |method: &str, how: &str| format!("-XX:CompileCommand={how},{method}");
        let launch = Launch {
            heap_mb: 256,
            events: Some(EventLaunch {
                counters_per_thread: 1 << 16,
                class_path: vec![classes.clone()],
                compiler_counts,
            }),
            options: vec![
                format!("-XX:CompileCommand=dontinline,{class}::*"),
                // Else a JVM that is not warm yet has the call that is the event in another unit.
                "-XX:CompileCommand=inline,java.lang.Object::wait".into(),
                // They enter locks of their own, for `waits`; the interpreter's locks are in no counter.
                outside("java.lang.Thread::interrupt", "dontinline"),
                outside("java.lang.Thread::interrupt", "exclude"),
                outside("java.lang.Throwable::fillInStackTrace", "dontinline"),
                outside("java.lang.Throwable::fillInStackTrace", "exclude"),
                format!("-Dleak={}", place.path().join("leak").display()),
            ],
            ..Launch::default()
        };
        let workload = Workload::parse(&format!("method:{class}.run"), vec![classes]).unwrap();
        let log = place.path().join("log");
        let limit = Duration::from_secs(600);
        let mut lab =
            Laboratory::start(kit, &workload, &launch, &log, limit, Default::default()).unwrap();
        lab.warm_up(2.0, 240.0).unwrap();
        let mut bench = Bench {
            lab,
            units: BTreeMap::new(),
            types: Vec::new(),
            place,
        };
        bench.types = bench.types_but("early-node");
        bench.control(class);
        bench
    }

    fn types_but(&mut self, left_out: &str) -> Vec<String> {
        let types = self.lab.event_types().unwrap();
        let names = types.into_iter().map(|kind| kind.name);
        names.filter(|name| name != left_out).collect()
    }

    fn file(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    /// Twice: callees of what was compiled first turn up.
    fn control(&mut self, class: &str) {
        for _ in 0..2 {
            let mut names: BTreeSet<String> =
                self.lab.slow_tier_methods().unwrap().into_iter().collect();
            names.extend(self.lab.map().units().iter().map(|unit| unit.name.clone()));
            names.retain(|name| {
                name.starts_with(class) && !name.contains('@') && !self.units.contains_key(name)
            });
            let names: Vec<String> = names.into_iter().collect();
            for (unit, _) in self.lab.control(&names, None).unwrap().controlled {
                let name = self.lab.map().units()[unit as usize].name.clone();
                self.units.insert(name, unit);
            }
            self.lab
                .run_events(2, 0, &[], &self.file("counters"), &self.file("late"))
                .unwrap();
        }
    }

    fn compile(&mut self, plan: &EventPlan) -> Vec<EventCode> {
        let units: Vec<u32> = self.units.values().copied().collect();
        let mut plan = plan.clone();
        if plan.types.is_empty() {
            plan.types.clone_from(&self.types);
        }
        let answer = self
            .lab
            .compile_events(&plan, &units, &self.file("table"))
            .unwrap();
        assert!(answer.failures.is_empty(), "{:?}", answer.failures);
        answer.compiled
    }

    /// Compiles and runs; what our codes and those by which the JVM's own compilers replaced them counted.
    fn count(&mut self, plan: &EventPlan) -> Profile {
        self.count_both(plan).0
    }

    /// The same, and what the compiler's own counters say.
    fn count_both(&mut self, plan: &EventPlan) -> (Profile, BTreeMap<String, i64>) {
        let (counters, late) = (self.file("counters"), self.file("late"));
        // Code that was left for good meanwhile ran in the interpreter, which counts nothing, until the JVM had compiled it
        // again; how long that takes is the machine's business.
        for _ in 0..SETTLING {
            let codes: Vec<u32> = self.compile(plan).iter().map(|code| code.code).collect();
            let run = self
                .lab
                .run_events(ITERATIONS, 2, &codes, &counters, &late)
                .unwrap();
            if run.invalid.is_empty() {
                break;
            }
        }
        let read = |file: &Path| read_table(&std::fs::read_to_string(file).unwrap()).unwrap();
        let mut table = read(&self.file("table"));
        table.codes.extend(read(&late).codes);
        // What the JVM compiled for itself meanwhile is also run by its own threads.
        table
            .codes
            .retain(|code| self.units.contains_key(&code.unit));
        let run = read_counters(&std::fs::read_to_string(counters).unwrap()).unwrap();
        let profile = Profile::of(&table, &run, &|_| 0).unwrap();
        (profile, run.compiler)
    }
}

fn plan(strategy: &str, per_thread: bool, check: bool) -> EventPlan {
    EventPlan {
        strategy: strategy.into(),
        types: Vec::new(),
        per_thread,
        check,
        markers: false,
    }
}

/// Per unit, all iterations together.
fn by_unit(profile: &Profile) -> Counts {
    let mut counts = Counts::new();
    for (unit, totals) in &profile.units {
        let own = counts.entry(unit.clone()).or_default();
        for (kind, total) in profile.types.iter().zip(totals) {
            own.insert(kind.name.clone(), total.value);
        }
    }
    counts
}

/// Events of a method; of all units together if it has no name.
fn of(counts: &Counts, method: &str, kind: &str) -> i64 {
    let found = counts
        .iter()
        .filter(|(unit, _)| method.is_empty() || unit.contains(&format!(".{method}(")));
    found
        .filter_map(|(_, own)| own.get(kind))
        .copied()
        .sum::<i64>()
}

/// What the source of EventVictims says: method, type, events per iteration, and how many fewer there may be.
fn known() -> Vec<(&'static str, &'static str, i64, i64)> {
    let steps: i64 = (1..200).map(collatz).sum();
    let inner = 200 * 199 * 198 / 6;
    let outer = 199 * 200 / 2;
    vec![
        ("allocation", "allocation", CALLS, 0),
        ("allocation", "writebarrier", CALLS, 0),
        ("bothAllocate", "allocation", CALLS, 0),
        ("bothAsk", "instanceof", CALLS, 0),
        ("scalarReplaced", "allocation", 0, 0),
        ("scalarReplaced", "arithmetic", CALLS, 0),
        ("sameSides", "if", 0, 0),
        ("arrayDuplication", "array-duplication", CALLS, 0),
        ("arrayDuplication", "arraycopy", CALLS, 0),
        ("arithmetic", "arithmetic", 3 * CALLS, 0),
        ("division", "int-div-rem", CALLS, 0),
        ("floats", "float-arithmetic-32", 2 * CALLS, 0),
        ("floatDivision", "float-div-rem-32", CALLS, 0),
        ("doubles", "float-arithmetic-64", 2 * CALLS, 0),
        ("doubleDivision", "float-div-rem-64", CALLS, 0),
        ("copy", "arraycopy", CALLS, 0),
        ("copy", "array-duplication", 0, 0),
        ("copy", "foreign-call", CALLS, 0),
        ("cas", "cas", CALLS, 0),
        ("loop", "invokestatic", 5 * CALLS, 0),
        ("virtualCall", "invokevirtual", CALLS, 0),
        ("interfaceCall", "invokeinterface", CALLS, 0),
        ("specialCall", "invokespecial", CALLS, 0),
        ("casLock", "cas-lock-entry", CALLS, 0),
        ("casLock", "cas", 0, 0),
        ("recursiveLock", "recursive-lock-entry", CALLS, 0),
        ("stubbedLock", "stubbed-lock-entry", CALLS, 0),
        ("inflatedLock", "inflated-lock-entry", CALLS, CHANCE),
        ("fence", "membar-store-load", CALLS, 0),
        ("fence", "store", CALLS, 0),
        ("typeTest", "instanceof", CALLS, 0),
        ("cast", "guard-class-cast", CALLS, 0),
        ("typeSwitch", "typeswitch", CALLS, 0),
        ("thrower", "unwind", CALLS / 10, 0),
        ("big", "bulk-initialize", CALLS, CHANCE),
        ("notifies", "notify", CALLS, 0),
        ("notifiesAll", "notify-all", CALLS, 0),
        ("waits", "wait", CALLS, 0),
        ("store", "writebarrier", CALLS, 0),
        ("element", "guard-bounds-check", CALLS, 0),
        ("element", "guard-null-check", CALLS, 0),
        ("element", "load", 2 * CALLS, 0),
        ("triangle", "if", 2 * inner + 2 * outer + 199, 0),
        ("triangle", "loop-end", inner + outer, 0),
        ("collatz", "if", 2 * steps + 199, 0),
        ("fib", "invokestatic", 1972, 0),
        ("fib", "if", 1973, 0),
        ("fib", "return", 1973, 0),
    ]
}

fn collatz(n: i64) -> i64 {
    let mut x = n;
    let mut steps = 0;
    while x != 1 {
        x = if x & 1 == 0 { x / 2 } else { 3 * x + 1 };
        steps += 1;
    }
    steps
}

#[test]
fn every_event_is_counted_as_the_source_says() {
    let Some(kit) = kit() else { return };
    let mut bench = Bench::start(&kit, "EventVictims", include_str!("data/EventVictims.java"));
    never_there(&mut bench);
    // Code that counts may be left for the interpreter until profiles know all ways.
    bench.count(&plan("edge", false, false));
    let direct = counted(&mut bench, &plan("dec", false, false));
    for (strategy, per_thread, check) in [
        ("edge", false, false),
        ("edge", false, true),
        ("edge", true, false),
        ("live", false, false),
        ("pc", false, false),
        ("pc", true, false),
        ("pd", false, false),
    ] {
        let counts = counted(&mut bench, &plan(strategy, per_thread, check));
        agree(&direct, &counts, strategy);
    }
    markers_change_nothing(&mut bench);
    bench.lab.stop();
}

fn counted(bench: &mut Bench, plan: &EventPlan) -> Counts {
    let profile = bench.count(plan);
    let counts = by_unit(&profile);
    for (method, kind, times, fewer) in known() {
        let count = of(&counts, method, kind);
        let expected = times * i64::from(ITERATIONS);
        assert!(
            (expected - fewer..=expected).contains(&count),
            "{}: {method} has {count} events {kind}, not {expected}",
            plan.strategy
        );
    }
    counts
}

/// The types that the community compiler has no code for are listed with the reason and never counted.
fn never_there(bench: &mut Bench) {
    let types = bench.lab.event_types().unwrap();
    let never: Vec<&str> = types
        .iter()
        .filter(|kind| kind.cannot.is_some())
        .map(|kind| kind.name.as_str())
        .collect();
    assert_eq!(
        never,
        ["biased-lock-entry", "bulk-map", "bulk-read", "bulk-write"]
    );
    assert_eq!(types.len(), 45, "43 and two of the user's own");
}

fn agree(direct: &Counts, counts: &Counts, strategy: &str) {
    let victims = direct
        .iter()
        .filter(|(unit, _)| unit.starts_with("EventVictims."));
    for (unit, own) in victims {
        for (kind, expected) in own {
            let own = counts.get(unit).and_then(|own| own.get(kind));
            let count = own.copied().unwrap_or(0);
            assert!(
                (count - expected).abs() <= CHANCE,
                "{unit}: {kind} {count} by {strategy}, {expected} by dec"
            );
        }
    }
}

/// Code from which markers were removed again is the code without; one marker at the wrong time changes it.
fn markers_change_nothing(bench: &mut Bench) {
    let mut with = plan("none", false, false);
    let plain = signatures(bench.compile(&with));
    let again = signatures(bench.compile(&with));
    with.markers = true;
    let marked = signatures(bench.compile(&with));
    with.types = vec!["early-node".into()];
    let spoilt = signatures(bench.compile(&with));
    assert!(plain == again, "two compilations without markers differ");
    assert!(plain == marked, "markers changed code");
    assert!(plain != spoilt, "the comparison must be able to fail");
}

fn signatures(codes: Vec<EventCode>) -> BTreeMap<u32, String> {
    codes
        .into_iter()
        .map(|code| (code.unit, code.signature))
        .collect()
}

/// Third source: counters that Graal itself puts into code (ProfileAllocations, ProfileMonitors, ProfileCompiledMethods).
#[test]
fn the_compilers_own_counters_agree() {
    let Some(kit) = kit() else { return };
    let source = include_str!("data/EventVictims.java");
    let mut bench = Bench::start_with(&kit, "EventVictims", source, true);
    bench.count(&plan("edge", false, false));
    let mut more: BTreeMap<&str, i64> = BTreeMap::new();
    for strategy in ["edge", "dec"] {
        let (profile, graal) = bench.count_both(&plan(strategy, false, false));
        let counts = by_unit(&profile);
        let calls = [
            "invokestatic",
            "invokespecial",
            "invokevirtual",
            "invokeinterface",
        ];
        per_method_like_graal(&counts, &["allocation"], &graal, "number of allocations: ");
        per_method_like_graal(&counts, &calls, &graal, "~profiled invokes: ");
        for (kind, endings) in [
            ("cas-lock-entry", &["{lightweight:cas}", "{stack:cas}"][..]),
            ("inflated-lock-entry", &["{heavyweight:cas}"]),
            ("recursive-lock-entry", &[":recursive}"]),
            (
                "stubbed-lock-entry",
                &[":failed-cas}", ":fulllockstack}", ":owned}"],
            ),
        ] {
            let ours = of(&counts, "", kind);
            let enters = graal.iter().filter(|(name, _)| {
                name.starts_with("number of monitor enters: ")
                    && endings.iter().any(|ending| name.ends_with(ending))
            });
            let theirs: i64 = enters.map(|(_, count)| count).sum();
            assert!(ours >= CALLS, "{kind}: {counts:?}");
            assert!(
                theirs >= ours,
                "{kind}: {ours} by {strategy}, {theirs} by Graal"
            );
            let least = more.entry(kind).or_insert(i64::MAX);
            *least = (*least).min(theirs - ours);
        }
    }
    // Graal does not say in which unit, and other code of the JVM may lock meanwhile (108,542 times in one run on a busy
    // machine, nobody knows where): the run counts in which it did so least.
    assert!(more.values().all(|more| *more <= CHANCE), "{more:?}");
    bench.lab.stop();
}

/// Compares sums per root method of the victims; Graal's counters are named after it.
fn per_method_like_graal(
    counts: &Counts,
    kinds: &[&str],
    graal: &BTreeMap<String, i64>,
    group: &str,
) {
    let mut theirs: BTreeMap<&str, i64> = BTreeMap::new();
    for (name, count) in graal.iter().filter(|(name, _)| name.starts_with(group)) {
        let (_, root) = name.rsplit_once(" @ ").expect("a counter with context");
        if let Some(root) = root.trim_start().strip_prefix("EventVictims.") {
            let method = &root[..root.find('(').expect("a file behind the method")];
            *theirs.entry(method).or_default() += count;
        }
    }
    let mut ours: BTreeMap<&str, i64> = BTreeMap::new();
    for (unit, own) in counts {
        if let Some(root) = unit.strip_prefix("EventVictims.") {
            let method = &root[..root.find('(').expect("a descriptor")];
            let sum: i64 = kinds.iter().filter_map(|kind| own.get(*kind)).sum();
            *ours.entry(method).or_default() += sum;
        }
    }
    ours.retain(|_, count| *count != 0);
    theirs.retain(|_, count| *count != 0);
    assert!(ours.len() >= 3, "{group}{ours:?}");
    assert_eq!(ours, theirs, "{group}");
}

#[test]
fn threads_and_sudden_ends_are_accounted_for() {
    let Some(kit) = kit() else { return };
    let mut bench = Bench::start(&kit, "EventLeaks", include_str!("data/EventLeaks.java"));
    let quiet = bench.count(&plan("edge", true, true));
    assert!(quiet.lost.is_empty(), "{:?}", quiet.lost);
    // fib(17) calls itself 5166 times, in three platform and three virtual threads.
    let fib = of(&by_unit(&quiet), "fib", "if");
    assert_eq!(fib, 6 * 5167 * i64::from(ITERATIONS));
    bench
        .lab
        .run_events(0, 2, &[], &bench.file("counters"), &bench.file("late"))
        .unwrap();
    let leaking = leaking(&mut bench);
    let lost: Vec<(&str, u64)> = leaking
        .lost
        .iter()
        .map(|(unit, lost)| (unit.as_str(), *lost))
        .collect();
    assert_eq!(
        lost,
        [("EventLeaks.trapping(LEventLeaks$Holder;)I", 1)],
        "one activation trapped"
    );
    let counts = by_unit(&leaking);
    assert_eq!(of(&counts, "casting", "deoptimization"), 1);
    bench.lab.stop();
}

/// Counts while one activation of two units ends in the middle.
fn leaking(bench: &mut Bench) -> Profile {
    // Counters of their own: threads that share one may lose what they count at the same time.
    let plan = plan("edge", true, true);
    let codes: Vec<u32> = bench.compile(&plan).iter().map(|code| code.code).collect();
    let (counters, late) = (bench.file("counters"), bench.file("late"));
    bench
        .lab
        .run_events(1, 2, &codes, &counters, &late)
        .unwrap();
    std::fs::write(bench.file("leak"), "").unwrap();
    bench.lab.run_events(1, 0, &[], &counters, &late).unwrap();
    let table = read_table(&std::fs::read_to_string(bench.file("table")).unwrap()).unwrap();
    let run = read_counters(&std::fs::read_to_string(counters).unwrap()).unwrap();
    Profile::of(&table, &run, &|_| 0).unwrap()
}
