//! A JVM whose units count events as a test asks.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

use proofmark_events::{Profile, read_counters, read_table};
use proofmark_jvm::toolchain::Kit;
use proofmark_jvm::{
    EventCode, EventFiles, EventLaunch, EventPlan, HarnessClient, Launch, Start, Workload,
};

use super::own_events::own_types;

/// Iterations that are counted.
pub const ITERATIONS: u32 = 3;
/// Runs after which no unit's code should be replaced any more.
const SETTLING: usize = 6;

/// A warm JVM with the units of one class under control.
pub struct Bench {
    pub lab: HarnessClient,
    units: BTreeMap<String, u32>,
    /// All types but the one that changes code.
    types: Vec<String>,
    place: tempfile::TempDir,
}

impl Bench {
    pub fn start(kit: &Kit, class: &str, source: &str) -> Bench {
        Self::start_with(kit, class, source, false)
    }

    pub fn start_with(kit: &Kit, class: &str, source: &str, compiler_counts: bool) -> Bench {
        let place = tempfile::tempdir().unwrap();
        let classes = place.path().join("classes");
        own_types(kit, &classes, &[(class, source)]);
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
        let start = Start {
            workload: &workload,
            launch: &launch,
            laboratory: true,
            log: &log,
            iteration_limit: Duration::from_secs(600),
            interrupted: Default::default(),
        };
        let mut lab = HarnessClient::start(kit, start).unwrap();
        lab.warm_up((2.0, 240.0), None).unwrap();
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

    pub fn file(&self, name: &str) -> PathBuf {
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
            self.lab.run_events(2, 0, &[], &self.files()).unwrap();
        }
    }

    /// Where a run writes what it counted.
    pub fn files(&self) -> EventFiles {
        EventFiles {
            counters: self.file("counters"),
            late: self.file("late"),
        }
    }

    pub fn compile(&mut self, plan: &EventPlan) -> Vec<EventCode> {
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
    pub fn count(&mut self, plan: &EventPlan) -> Profile {
        self.count_both(plan).0
    }

    /// The same, and what the compiler's own counters say.
    pub fn count_both(&mut self, plan: &EventPlan) -> (Profile, BTreeMap<String, i64>) {
        let files = self.files();
        // Code that was left for good meanwhile ran in the interpreter, which counts nothing, until the JVM had compiled it
        // again; how long that takes is the machine's business.
        for _ in 0..SETTLING {
            let codes: Vec<u32> = self.compile(plan).iter().map(|code| code.code).collect();
            let run = self.lab.run_events(ITERATIONS, 2, &codes, &files).unwrap();
            if run.invalid.is_empty() {
                break;
            }
        }
        let read = |file: &Path| read_table(&std::fs::read_to_string(file).unwrap()).unwrap();
        let mut table = read(&self.file("table"));
        table.codes.extend(read(&files.late).codes);
        // What the JVM compiled for itself meanwhile is also run by its own threads.
        table
            .codes
            .retain(|code| self.units.contains_key(&code.unit));
        let run = read_counters(&std::fs::read_to_string(&files.counters).unwrap()).unwrap();
        let profile = Profile::of(&table, &run, &|_| 0).unwrap();
        (profile, run.compiler)
    }
}
