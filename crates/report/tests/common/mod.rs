//! Simulated runs with a known answer, and golden files.
#![allow(dead_code, reason = "every test file uses its own part")]

pub mod dose;
pub mod evaluation;
pub mod events;
pub mod golden;
pub mod study;

use std::collections::BTreeMap;

use proofmark_assess::{Assessment, ProfilerEvidence, Role, Settings, assess};
use proofmark_divine::{
    Environment, Evaluation, Outcome, PlanBlock, PlanFile, PlanUnit, Search, Searching as _, Step,
    TunableKind, evaluate,
};
use proofmark_experiment::divine::{DivineReport, Excluded, Sampling, WarmUp};
use proofmark_experiment::sim::{Fault, Simulation};
use proofmark_experiment::sim::{Machine, Program, Protocol};
use proofmark_report::PageData;
use proofmark_stats::Estimate;

/// Methods of the simulated program; two classes share a simple name.
pub const METHODS: [&str; 6] = [
    "queens.Queens.getRowColumn(II)Z",
    "queens.Queens.placeQueen(I)Z",
    "queens.Queens.setRowColumn(IIZ)V",
    "queens.util.Board.check(I)Z",
    "queens.gui.Board.check(I)Z",
    "queens.Random.next()I",
];

pub fn estimate(value: f64, half: f64, n: u64) -> Estimate {
    Estimate::around(value, half, n)
}

/// Seconds of windows, a fault, a seed.
fn simulation(budget_s: f64, fault: Fault, seed: u64) -> Simulation {
    let mut s = Simulation {
        fault,
        seed,
        ..Simulation::default()
    };
    s.request.budget_s = budget_s;
    s.request.singles = 3;
    s.request.seed = seed;
    s
}

fn judged(profilers: Vec<ProfilerEvidence>, program: &str) -> Assessment {
    let mut evidence = Simulation::default().evidence_of(profilers);
    evidence.program = program.into();
    evidence.machine = environment().machine;
    evidence.method = "simulation".into();
    evidence.methods = METHODS.map(String::from).to_vec();
    assess(&evidence, &Settings::default()).expect("an assessment")
}

fn without_dns() -> Fault {
    Fault::Moves {
        from: 0,
        to: 1,
        points: 33.0,
    }
}

fn controls(safepoint_ok: bool) -> Vec<ProfilerEvidence> {
    let (budget_s, fault) = if safepoint_ok {
        (200.0, Fault::Hoards { honest: 0.05 })
    } else {
        (400.0, Fault::None)
    };
    let plain = simulation(200.0, Fault::None, 7).profiler("honest", Role::Subject);
    vec![
        simulation(budget_s, fault, 5).profiler("safepoint", Role::SafepointControl),
        ProfilerEvidence::oracle(&plain.truth, plain.totals, plain.targets),
    ]
}

/// One right, one wrong with a cause, one that repeats it, one undecided.
pub fn assessment() -> Assessment {
    let mut all = vec![
        simulation(400.0, Fault::None, 1).profiler("async-cpu", Role::Subject),
        simulation(300.0, without_dns(), 2).profiler("jfr", Role::Subject),
        simulation(300.0, without_dns(), 3).profiler("jfr-cpu", Role::Subject),
        simulation(400.0, Fault::None, 4).profiler("jfr+nonsafepoints", Role::Subject),
        simulation(400.0, Fault::None, 8).profiler("jfr-cpu+nonsafepoints", Role::Subject),
        simulation(
            40.0,
            Fault::Moves {
                from: 3,
                to: 4,
                points: 4.0,
            },
            6,
        )
        .profiler("perf", Role::Subject),
    ];
    all.extend(controls(true));
    judged(all, "suite:Queens")
}

/// A control that does not do what it must.
pub fn broken() -> Assessment {
    let mut all = vec![simulation(300.0, Fault::None, 1).profiler("async-cpu", Role::Subject)];
    all.extend(controls(false));
    judged(all, "suite:Queens")
}

/// Neither uniform nor single tests, no controls.
pub fn bare() -> Assessment {
    let mut s = simulation(60.0, Fault::Unnamed { part: 0.3 }, 9);
    s.request.uniform_pct.clear();
    s.request.singles = 0;
    judged(
        vec![s.profiler("cmd:./my-profiler --fast", Role::Subject)],
        "com.acme.Main",
    )
}

pub fn environment() -> Environment {
    Environment {
        machine: "2 vCPU Intel Xeon (Emerald Rapids), Linux 6.1".into(),
        jdk: "Temurin 25.0.3".into(),
        graal: "25.0.3".into(),
        event: "cpu-clock".into(),
    }
}

/// A search and its evaluation in the simulated laboratory.
pub struct Divined {
    pub program: Program,
    pub outcome: Outcome,
    pub evaluation: Evaluation,
}

pub fn divined() -> Divined {
    let program = Program::json();
    let mut laboratory = Machine::new(program.clone(), 11);
    let settings = proofmark_divine::Settings {
        clock_ghz: program.clock_ghz,
        ..Default::default()
    };
    let mut search = Search::new(program.tunables(), settings).expect("tunables");
    let outcome = loop {
        match search.step() {
            Step::Measure { counts } => search
                .observe(laboratory.round(&counts, Protocol::default()))
                .expect("round"),
            Step::Finished(outcome) => break outcome,
        }
    };
    let rounds: Vec<_> = (0..5)
        .map(|_| laboratory.round(&outcome.counts, Protocol::default()))
        .collect();
    let evaluation = evaluate(&program.tunables(), &rounds, 1.0, 1).expect("evaluation");
    Divined {
        program,
        outcome,
        evaluation,
    }
}

/// Its plan file.
pub fn plan(found: &Divined) -> PlanFile {
    let mut units: BTreeMap<String, PlanUnit> = BTreeMap::new();
    for (at, tunable) in found.program.tunables().iter().enumerate() {
        let unit = units
            .entry(tunable.unit.clone())
            .or_insert_with(|| PlanUnit {
                name: tunable.unit.clone(),
                signature: "5f0c".into(),
                blocks: BTreeMap::new(),
                pooled: BTreeMap::new(),
            });
        if tunable.kind == TunableKind::Pool {
            unit.pooled
                .extend((0..12).map(|i| (1000 + i, found.outcome.counts[at])));
            continue;
        }
        let block = PlanBlock {
            count: found.outcome.counts[at],
            achieved_overhead_pct: found.evaluation.tunables[at].achieved_overhead_pct,
            reason: found.outcome.tunables[at].reason,
        };
        unit.blocks.insert(tunable.block, block);
    }
    let e = &found.evaluation;
    PlanFile {
        instruction: "mov".into(),
        schema: proofmark_divine::PLAN_SCHEMA.into(),
        workload: "suite:Queens".into(),
        target_pct: 100.0,
        environment: environment(),
        units: units.into_values().collect(),
        coverage_pct: e.coverage_pct,
        plans_tried: found.outcome.plans_tried,
        wall_s: 48.3,
        overhead_pct: Some(e.overhead_pct),
        judged_sets: Some(e.judged_sets),
        block_error_pt: Some(e.block_error_pt),
        block_error_raw_pt: Some(e.block_error_pt),
        block_error_noise_pt: Some(e.block_error_noise_pt),
        block_error_denoised_pt: e.block_error_denoised_pt,
        block_error_worst_pt: Some(e.block_error_worst_pt),
        short_block_error_pt: Some(e.short_block_error_pt),
        short_block_error_noise_pt: Some(e.short_block_error_noise_pt),
        judged_loops: Some(e.judged_loops),
        cluster_error_pt: Some(e.cluster_error_pt),
        cluster_error_noise_pt: Some(e.cluster_error_noise_pt),
        within_10_pt_pct: Some(e.within_10_pt_pct),
    }
}

/// The whole report of it.
pub fn report(found: &Divined) -> DivineReport {
    let tunables = found.program.tunables();
    let mut report = DivineReport::of_plan(&plan(found))
        .with_search(&tunables, &found.outcome)
        .with_evaluation(&tunables, &found.evaluation);
    report.plan_path = Some("/home/u/.local/share/proofmark/queens/plan.json".into());
    report.excluded = vec![
        Excluded {
            what: "outside of the code compiled by the laboratory".into(),
            reason: "interpreter, VM, stubs".into(),
            share_pct: estimate(3.1, 0.3, 41_000),
        },
        Excluded {
            what: "java.util.HashMap.resize()[Ljava/util/HashMap$Node;".into(),
            reason: "unit below the smallest share".into(),
            share_pct: estimate(0.7, 0.2, 41_000),
        },
    ];
    report.sampling = Some(Sampling {
        rate_hz: 8000.0,
        samples: 412_004,
        lost: 17,
        throttled: 0,
        repeated_windows: 1,
    });
    report.warm_up = Some(WarmUp {
        iterations: 412,
        steady: true,
        reason: "no compilation for 2 s, times level".into(),
        iteration_ms: 11.42,
        controlled_pct: 95.1,
        foreign_pct: 1.8,
        outside_pct: 3.1,
        refused: vec!["queens.Random.next()I: OSR only".into()],
    });
    report
}

/// A whole page.
pub fn page() -> PageData {
    let found = divined();
    let mut data = PageData::new("suite:Queens");
    data.generated = "2026-10-04 12:00 UTC".into();
    data.version = "0.1.0".into();
    data.command =
        "proofmark assess suite:Queens --profiler async-cpu,jfr,jfr-cpu,perf,safepoint,oracle"
            .into();
    data.divine = Some(report(&found));
    data.plan = Some(plan(&found));
    data.assessment = Some(assessment());
    data.machine = serde_json::json!({
        "cpu_model": "Intel(R) Xeon(R) Processor", "cpu_id": "6-207-2", "cpu_features": ["constant_tsc", "avx512f"],
        "vcpus": 2, "smt": true, "kernel": "6.1.0-18-amd64", "hypervisor": true, "memory_bytes": 25_769_803_776u64
    });
    data.calibration = serde_json::json!({
        "core_clock_ghz": estimate(3.5, 0.01, 12),
        "skid": {"skid": "next-instruction", "samples": 2981, "after_division": estimate(0.81, 0.014, 2981)},
        "shares": {"known_answer_found": true, "samples": 5990}
    });
    data.settings =
        serde_json::json!({"target_pct": 100, "time_budget_s": 300, "heap": "512m", "seed": 1});
    data.method = vec!["Simulated laboratory: every true answer is known.".into()];
    data
}

/// Names that try to get out of wherever they are put.
pub fn hostile() -> PageData {
    let evil = [
        "</script><script>alert(1)</script>",
        "<!--",
        "a.b.C<init>\"' onload=\"x",
        "x.Y.&amp;lambda$0",
        "\u{202e}gnirts.esrever.\u{1b}[31m",
        "\u{6f22}\u{5b57}.\u{30af}\u{30e9}\u{30b9}.\u{30e1}\u{30bd}\u{30c3}\u{30c9}",
    ];
    let name = |i: usize| format!("{}{}", evil[i % evil.len()], "Long".repeat(60 * (i % 2)));
    let mut data = page();
    data.program = name(0);
    data.command = name(1);
    data.method = vec![name(2)];
    data.machine = serde_json::json!({ (evil[0]): evil[1] });
    let a = data.assessment.as_mut().unwrap();
    for (i, p) in a.profilers.iter_mut().enumerate() {
        p.name = name(i);
        p.cause = Some(name(i + 1));
        p.notes.push(name(i));
        for (k, s) in p.shares.iter_mut().enumerate() {
            s.method = name(k);
        }
        for b in &mut p.blames {
            (b.from, b.to) = (name(i), name(i + 1));
        }
        for t in &mut p.tests.single {
            (t.label, t.owner) = (name(1), name(3));
        }
    }
    let d = data.divine.as_mut().unwrap();
    for (i, b) in d.blocks.iter_mut().enumerate() {
        b.unit = name(i);
    }
    data
}
