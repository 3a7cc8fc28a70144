//! Evaluations of many programs.

use std::collections::BTreeMap;

use proofmark_assess::{Role, Verdict};
use proofmark_experiment::divine::DebugInfo;
use proofmark_experiment::evaluate::{
    Evaluation, Finding, MethodPair, PlanResult, ProfilerResult, ProgramResult, SearchDone,
    SingleResult,
};
use proofmark_stats::Estimate;

use super::dose;

/// A name that must not get out of the page.
pub const HOSTILE: &str = "</title><b>evil\u{1b}[31m";

/// Pseudo-random numbers from -1 to 1 (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

fn around(value: f64, half: f64, n: u64) -> Estimate {
    Estimate::around(value, half, n)
}

/// A plan with a total, this many sets, and blocks off by up to `spread` points.
fn plan(target_pct: f64, total: Estimate, sets: u64, spread: f64) -> PlanResult {
    let numbers = &mut Numbers(target_pct as u64 + sets + total.n);
    let misses = (0..8 * sets + 12).map(|_| {
        (
            1.0 + numbers.next(),
            spread * numbers.next() * numbers.next(),
        )
    });
    let of_sets = |value: f64| (sets > 1).then(|| around(value, 0.4 * value, sets));
    PlanResult {
        target_pct,
        plans_tried: 6 + sets as u32,
        wall_s: 140.0 + 31.0 * sets as f64,
        overhead_pct: Some(total),
        window_pairs: Some(55),
        disturbed_pairs: Some(2),
        disturbed_overhead_pct: None,
        judged_sets: sets,
        set_error_pt: Some(match sets {
            1 => around(
                (total.value - target_pct).abs(),
                total.half_width(),
                total.n,
            )
            .clamped(0.0, f64::INFINITY),
            _ => around(spread / 9.0, spread / 25.0, sets),
        }),
        noise_pt: Some(around(spread / 20.0, 0.3, 200)),
        worst_pt: of_sets(spread / 2.5),
        within_10_pt_pct: of_sets(84.0).map(|e| e.clamped(0.0, 100.0)),
        loop_error_pt: of_sets(spread / 12.0),
        judged_overhead_pct: Some(around(target_pct + spread / 30.0, 0.4, 90_000)),
        loop_apart_pt: of_sets(spread / 15.0),
        outside_pct: Some(1.3),
        outside_share_pct: Some(around(1.3, 0.2, 90_000)),
        block_error_pt: Some(around(spread / 5.0, spread / 15.0, 8 * sets + 12)),
        judged_pct: 97.4,
        misses: misses.collect(),
        search: SearchDone::default(),
        sampler: None,
        static_cost: Vec::new(),
        fresh: None,
    }
}

fn finding(target_pct: u32, pairs: &[(&str, f64, f64)], corrected: u64) -> Finding {
    let methods = pairs.iter().map(|(method, normal, slowed)| MethodPair {
        method: format!("proofmark.suite.{method}(I)V"),
        normal_pct: around(*normal, 1.4, 5000),
        slowed_pct: around(*slowed, 1.6, 9000),
    });
    let off = |(_, normal, slowed): &&(&str, f64, f64)| (slowed - normal).abs() > 5.0;
    Finding {
        target_pct,
        methods: methods.collect(),
        off_by_5_pt: pairs.iter().filter(off).count() as u64,
        off_by_5_pt_corrected: corrected,
    }
}

fn single(method: &str, predicted: f64, error: f64, counts: bool) -> SingleResult {
    let before = around(12.0, 1.0, 5000);
    SingleResult {
        label: format!("26 blocks of proofmark.suite.{method}(I)V"),
        blocks: Some(26),
        method: format!("proofmark.suite.{method}(I)V"),
        added_pct: around(predicted * 1.3, 0.5, 12),
        before_pct: before,
        after_pct: around(12.0 + predicted + error, 1.0, 9000),
        predicted_pt: around(predicted, 0.4, 12),
        error_pt: around(error, 1.7, 9000),
        detected_before: Some(true),
        detected: error > -predicted,
        counts,
    }
}

/// The same of one block, as a document of an earlier version has it.
fn block(number: u32, single: SingleResult) -> SingleResult {
    SingleResult {
        label: format!("block {number} of {}", single.method),
        blocks: None,
        detected_before: None,
        ..single
    }
}

fn profiler(
    name: &str,
    (role, verdict): (Role, Verdict),
    top: Vec<Finding>,
    singles: Vec<SingleResult>,
) -> ProfilerResult {
    ProfilerResult {
        name: name.into(),
        role,
        verdict,
        top,
        singles,
    }
}

fn measured(name: &str, plans: Vec<PlanResult>) -> ProgramResult {
    ProgramResult {
        program: name.into(),
        failed: None,
        environment: Some(super::environment()),
        filler: None,
        wall_s: 600.0,
        plans,
        debug_info: Some(DebugInfo {
            units: 3,
            blocks: 412,
            operations: 6120,
            positioned: 4980,
        }),
        profilers: Vec::new(),
        attribution: BTreeMap::new(),
        block_doses: None,
        not_run: BTreeMap::new(),
    }
}

/// Three programs: one in many sets, one in a single set and with parts that were not run, one that failed.
pub fn small() -> Evaluation {
    let controls = [
        profiler(
            "oracle",
            (Role::OracleControl, Verdict::Right),
            Vec::new(),
            Vec::new(),
        ),
        profiler(
            "safepoint",
            (Role::SafepointControl, Verdict::Wrong),
            Vec::new(),
            Vec::new(),
        ),
    ];
    let mut towers = measured(
        "suite:Towers",
        vec![plan(100.0, around(101.4, 1.6, 12), 4, 40.0)],
    );
    let shares = [
        ("Towers.moveDisks", 40.0, 42.0),
        ("Towers.pushDisk", 31.0, 22.5),
        ("Towers.popDiskFrom", 20.0, 26.0),
    ];
    let singles = || {
        vec![
            single("Towers.pushDisk", 8.0, -0.6, true),
            block(7, single("Towers.popDiskFrom", 11.0, -9.5, true)),
            single("Towers.moveDisks", 9.0, 3.0, false),
        ]
    };
    towers.profilers = vec![
        profiler(
            "async",
            (Role::Subject, Verdict::Right),
            vec![finding(100, &shares[..1], 0)],
            singles(),
        ),
        profiler(
            "jfr",
            (Role::Subject, Verdict::Wrong),
            vec![finding(100, &shares, 1)],
            singles(),
        ),
    ];
    towers.profilers.extend(controls);
    towers.attribution = dose::result().attribution;
    towers.block_doses = Some(dose::in_blocks());
    let mut queens = measured(
        "suite:Queens",
        vec![plan(100.0, around(99.2, 8.1, 9), 1, 30.0)],
    );
    queens.plans[0]
        .misses
        .extend([(40.0, 260.0), (6.0, -140.0)]);
    queens
        .not_run
        .insert("laboratory".into(), "JFR left no recording <again>".into());
    let failed = ProgramResult::failed(HOSTILE, "its output differs <between> iterations".into());
    Evaluation::of(&[100.0], vec![towers, queens, failed])
}

/// The published programs.
const NAMES: [&str; 14] = [
    "Bounce",
    "List",
    "Mandelbrot",
    "NBody",
    "Permute",
    "Queens",
    "Sieve",
    "Storage",
    "Towers",
    "CD",
    "DeltaBlue",
    "Havlak",
    "Json",
    "Richards",
];

/// As many programs as were published, three targets, two profilers; everything as a real run would have it.
pub fn large() -> Evaluation {
    let numbers = &mut Numbers(11);
    let mut programs = Vec::new();
    for (at, name) in NAMES.iter().enumerate() {
        let sets = [1, 1, 1, 3, 1, 1, 4, 5, 4, 23, 17, 31, 19, 12][at];
        let plans = [50.0, 100.0, 150.0].map(|target| {
            let total = around(
                target + 2.5 * numbers.next(),
                1.0 + 3.0 * numbers.next().abs(),
                12,
            );
            plan(target, total, sets, if at == 11 { 190.0 } else { 35.0 })
        });
        let mut program = measured(&format!("suite:{name}"), plans.to_vec());
        for (who, jitter) in [("async", 2.2), ("jfr", 4.0)] {
            let method = |i: usize| {
                format!(
                    "{name}.{}",
                    ["benchmark", "step", "findSet", "advanceOne", "put"][i]
                )
            };
            let names: Vec<String> = (0..5).map(method).collect();
            let mut top = Vec::new();
            for target in [50, 100, 150] {
                let mut pair = |i: usize| {
                    let share = [46.0, 24.0, 13.0, 7.0, 3.0][i] + 2.0 * numbers.next();
                    let wild = if (at + i).is_multiple_of(9) { 2.5 } else { 0.8 };
                    (
                        names[i].as_str(),
                        share,
                        (share + jitter * wild * numbers.next()).max(0.1),
                    )
                };
                let pairs: Vec<(&str, f64, f64)> = (0..5).map(&mut pair).collect();
                top.push(finding(target, &pairs, 0));
            }
            let singles = (0..3).map(|i| {
                let predicted = 6.0 + 4.0 * numbers.next();
                let one = single(
                    &names[i],
                    predicted,
                    jitter * numbers.next(),
                    i < 2 || at % 4 != 0,
                );
                if i == 1 { block(138, one) } else { one }
            });
            let verdict = if at % 3 == 0 {
                Verdict::Undecided
            } else {
                Verdict::Right
            };
            let singles = singles.collect();
            program
                .profilers
                .push(profiler(who, (Role::Subject, verdict), top, singles));
        }
        program.attribution = dose::result().attribution;
        program.block_doses = (at % 2 == 0).then(dose::in_blocks);
        programs.push(program);
    }
    let mut failed = ProgramResult::failed(
        "jar:com.acme.a.very.LongNameOfAProgram",
        "System.exit was called in another thread".into(),
    );
    failed.wall_s = 12.0;
    programs.push(failed);
    Evaluation::of(&[50.0, 100.0, 150.0], programs)
}

/// Nothing was measured.
pub fn empty() -> Evaluation {
    Evaluation::of(&[100.0], Vec::new())
}

/// Programs whose lists are all empty, and estimates without ends.
pub fn bare() -> Evaluation {
    let open = Estimate {
        value: 100.5,
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        n: 2,
    };
    let mut bare = measured("suite:Bare", vec![plan(100.0, open, 1, 0.0)]);
    bare.plans[0].misses.clear();
    bare.debug_info = Some(DebugInfo {
        units: 0,
        blocks: 0,
        operations: 0,
        positioned: 0,
    });
    let nothing = profiler(
        "async",
        (Role::Subject, Verdict::Undecided),
        vec![finding(100, &[], 0)],
        Vec::new(),
    );
    bare.profilers = vec![nothing];
    let mut unknown = measured("suite:Unknown", vec![plan(100.0, open, 3, 10.0)]);
    unknown.plans[0].overhead_pct = None;
    unknown.plans[0].misses = vec![(f64::NAN, 3.0), (0.0, 4.0), (5.0, f64::NAN)];
    Evaluation::of(&[100.0], vec![bare, unknown])
}
