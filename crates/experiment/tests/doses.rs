//! Doses in blocks without a JVM: what is planted in simulated profilers is found, a right one is certified, intervals hold
//! the truth, and JSON says by which vehicle.

use std::collections::{BTreeMap, BTreeSet};

use crate::common::{Run, about, assess, judgement, labs, profiler, request, subject, verdict};
use proofmark_assess::{Condition, Role, Verdict};
use proofmark_experiment::Silent;
use proofmark_experiment::assess::doses::{Known, choose, conditions, watched};
use proofmark_experiment::assess::windows::{self, JvmWindows, Order, Planned};
use proofmark_experiment::assess::{Assessed, CONTROL_HZ};
use proofmark_experiment::dose::{Attribution, AttributionRow, rows};
use proofmark_experiment::lab::{Insertion, Lab, Labs, Preparation, WindowSpec};
use proofmark_experiment::sim::{Fault, Program, SimulatedLabs, method_names};
use proofmark_experiment::tables::resolve;
use proofmark_stats::Estimate;

/// Part of a method's time that the wrong profiler charges to another.
const PART: f64 = 0.4;

/// Laboratories with a right profiler and one that charges a part of the hottest method's time to another; the names of
/// both methods.
fn planted(seed: u64) -> (SimulatedLabs, String, String) {
    let mut labs = labs(seed);
    let names = method_names(&labs.program);
    let plain: Vec<String> = names.iter().map(|name| name.replace("()V", "")).collect();
    let share = |at: &usize| {
        let of_method = |block: &&proofmark_experiment::sim::Block| {
            plain[*at].ends_with(&format!("loop{}", block.cluster))
        };
        let blocks = labs.program.blocks.iter().filter(of_method);
        blocks.map(|block| block.share).sum::<f64>()
    };
    let mut order: Vec<usize> = (0..names.len()).collect();
    order.sort_by(|a, b| share(b).total_cmp(&share(a)));
    let (from, to) = (order[0], order[1]);
    let part = PART;
    labs.profilers = vec![
        profiler("right", 2000.0, Fault::None),
        profiler("charges", 2000.0, Fault::Charges { from, to, part }),
        profiler("safepoint", 900.0, Fault::Hoards { honest: 0.2 }),
    ];
    (labs, plain[from].clone(), plain[to].clone())
}

fn assessed(labs: &SimulatedLabs) -> Assessed {
    let mut asked = request(&[subject("right", 2000.0), subject("charges", 2000.0)]);
    asked.safepoint = subject("safepoint", 900.0);
    asked.singles = 2;
    asked.cause = false;
    assess(&mut Run::default(), labs, &asked).expect("verdicts")
}

fn of<'a>(assessed: &'a Assessed, name: &str) -> &'a Attribution {
    let doses = assessed.block_doses.as_ref().expect("doses in blocks");
    &doses.attribution[name]
}

fn row<'a>(attribution: &'a Attribution, method: &str) -> &'a AttributionRow {
    let mut all = attribution.rows.iter();
    all.find(|row| row.method == method).expect("a row")
}

#[test]
fn a_planted_misattribution_is_found_and_a_right_profiler_is_certified() {
    let (labs, from, to) = planted(3);
    let assessed = assessed(&labs);
    let right = of(&assessed, "right");
    assert!(right.certified, "{right:#?}");
    assert_eq!(right.verdict, Verdict::Right);
    let wrong = of(&assessed, "charges");
    assert_eq!(wrong.verdict, Verdict::Wrong, "{wrong:#?}");
    let lost = row(wrong, &from);
    assert_eq!(lost.verdict, Verdict::Wrong);
    assert!(lost.in_place_pct.covers(60.0), "{lost:?}");
    assert_eq!(lost.elsewhere[0].method, to);
    assert!(lost.elsewhere[0].pct.covers(40.0), "{lost:?}");
    for other in wrong.rows.iter().filter(|row| row.method != from) {
        assert_eq!(other.verdict, Verdict::Right, "{other:?}");
    }
    for row in right.rows.iter().chain(&wrong.rows) {
        let [low, high] = row.growth_pct;
        assert!((25.0..=1000.0).contains(&low), "{row:?}");
        let step = (high - low) / low.max(200.0);
        assert!((0.3..=2.0).contains(&step), "{row:?}");
    }
    // The same windows in points of share, in the assessment itself.
    let singles = &judgement(&assessed, "charges").tests.single;
    assert_eq!(singles.len(), wrong.rows.len());
    assert!(
        singles
            .iter()
            .any(|test| test.result.verdict == Verdict::Wrong)
    );
    assert_eq!(verdict(&assessed, "right"), Verdict::Right);
    assert_eq!(verdict(&assessed, "charges"), Verdict::Wrong);
}

#[test]
fn the_oracle_says_that_the_map_is_truth_and_json_says_by_which_vehicle() {
    let (labs, ..) = planted(5);
    let assessed = assessed(&labs);
    let doses = assessed.block_doses.as_ref().expect("doses in blocks");
    assert!(doses.map.called_truth, "{:?}", doses.map);
    let judged_by = assessed.assessment.block_map.as_ref();
    let judged_by = judged_by.expect("the judge knows it");
    assert!(judged_by.called_truth && judged_by.reasons.is_empty());
    let mean = doses.map.mean_in_place_pct.expect("a mean");
    assert!((98.0..=102.0).contains(&mean.value), "{mean:?}");
    let singles = doses.targets.iter().filter(|target| target.blocks == 1);
    assert!(singles.count() >= 2, "{:?}", doses.targets);
    let json = serde_json::to_value(doses).expect("JSON");
    for name in ["oracle", "right", "charges", "safepoint"] {
        assert_eq!(json["attribution"][name]["vehicle"], "blocks", "{name}");
    }
    let rows = json["attribution"]["oracle"]["rows"]
        .as_array()
        .expect("rows");
    assert_eq!(rows.len(), doses.targets.len());
    assert!(rows.iter().any(|row| {
        row["kind"]
            .as_str()
            .is_some_and(|kind| kind.starts_with("block "))
    }));
}

/// Of what is dosed the safepoint control sees blocks of two methods, which is said; it is found wrong all the same.
#[test]
fn the_safepoint_control_sees_doses_of_two_methods() {
    let (labs, ..) = planted(3);
    let assessed = assessed(&labs);
    let dosed = |name: &str| -> BTreeSet<Condition> {
        let windows = judgement(&assessed, name).windows.iter();
        let conditions = windows.map(|window| window.at.condition);
        conditions
            .filter(|condition| matches!(condition, Condition::Single(_)))
            .collect()
    };
    let all = dosed("right").len();
    assert!(all > 2, "{all}");
    assert_eq!(dosed("oracle").len(), all);
    assert_eq!(dosed("safepoint").len(), 2);
    assert!((1..=2).contains(&of(&assessed, "safepoint").rows.len()));
    let control = judgement(&assessed, "safepoint");
    assert_eq!(control.verdict, Verdict::Wrong);
    let told = format!("time was added to 2 of {all} methods and blocks under its eyes");
    let notes = &control.notes;
    assert!(
        notes.iter().any(|note| note.starts_with(&told)),
        "{notes:?}"
    );
    let of_right = &judgement(&assessed, "right").notes;
    let said = of_right.iter().any(|note| note.contains("under its eyes"));
    assert!(!said, "{of_right:?}");
}

/// A method whose code does not respond is told, with the reason, and the others are dosed all the same.
#[test]
fn what_was_tried_and_cannot_be_dosed_is_reported() {
    let (mut labs, from, _) = planted(7);
    let cluster: u32 = from
        .rsplit("loop")
        .next()
        .expect("a number")
        .parse()
        .expect("a number");
    for block in &mut labs.program.blocks {
        if block.cluster == cluster {
            block.slope = 1e-6;
        }
    }
    let mut asked = request(&[subject("right", 2000.0)]);
    asked.safepoint = subject("safepoint", 900.0);
    asked.singles = 1;
    let assessed = assess(&mut Run::default(), &labs, &asked).expect("verdicts");
    let excluded = &assessed.assessment.excluded_blocks;
    let told = excluded.iter().find(|block| block.label.contains(&from));
    let told = told.unwrap_or_else(|| panic!("{from} does not respond: {excluded:#?}"));
    assert!(
        told.reason.contains("no two doses differ enough"),
        "{told:?}"
    );
    assert!(of(&assessed, "right").certified);
}

/// What everybody reports in one method of what was added to another.
fn parts(watcher: &str, seed: u64, labs: &SimulatedLabs) -> Vec<(String, Estimate, f64)> {
    let process = Preparation {
        name: watcher.into(),
        profiler: (watcher != "oracle").then(|| watcher.into()),
        ..Preparation::default()
    };
    let mut lab = labs.prepare(&process).expect("a process");
    let times = looked(&mut *lab);
    let known = Known {
        times: &times,
        clock_ghz: labs.program.clock_ghz,
        slope_cycles: 0.23,
    };
    let targets = choose(&mut *lab, &known, 1, &Silent)
        .expect("targets")
        .targets;
    for target in &targets {
        let low: Vec<u32> = (target.low.iter())
            .flat_map(|table| table.counts.values().copied())
            .collect();
        // As much as a processor looks ahead in each block, so that what overlaps is the same under both doses.
        assert!(low.iter().all(|count| *count >= 512), "{target:?}");
        assert!((1..=4).contains(&low.len()), "{target:?}");
    }
    let seen = watch(&mut *lab, &targets, (watcher, seed));
    let watched = watched(&targets, &seen);
    let rest = watched.rest.iter().map(|window| window.iteration_ns);
    let rest: Vec<f64> = rest.collect();
    let methods: BTreeMap<usize, String> = (0..targets.len())
        .map(|at| (at, targets[at].owner.replace("()V", "").replace("()", "")))
        .collect();
    let found = watched.targets.iter().filter_map(|one| {
        let method = &methods[&one.target];
        let row = rows(method, &one.windows, &rest)?;
        Some((method.clone(), row.in_place, row.growth[1].value))
    });
    found.collect()
}

fn looked(lab: &mut dyn Lab) -> proofmark_blocks::BlockTimes {
    let spec = WindowSpec {
        label: "look",
        seconds: 0.3,
        iterations: 2,
        rate_hz: Some(CONTROL_HZ),
    };
    let baseline = lab.baseline();
    lab.window(&spec, &[baseline], &[0; 8])
        .expect("a look")
        .times()
}

/// The windows of all doses under the eyes of one profiler.
fn watch(
    lab: &mut dyn Lab,
    targets: &[proofmark_experiment::assess::doses::DoseTarget],
    (watcher, seed): (&str, u64),
) -> JvmWindows {
    let units = lab.units();
    let mut variants = vec![(Condition::Baseline, lab.baseline())];
    for (at, target) in (0..).zip(targets) {
        for (condition, tables) in [
            (Condition::SingleLow(at), &target.low),
            (Condition::Single(at), &target.high),
        ] {
            let insertion = Insertion::plan(lab.filler());
            let resolved = resolve((lab.map(), &units), tables, insertion, &[]);
            let variant = lab.variant(&resolved.tables).expect("a variant");
            variants.push((condition, variant));
        }
    }
    let planned: Vec<Planned> = conditions(targets.len(), seed)
        .into_iter()
        .map(|(block, condition)| Planned {
            block,
            condition,
            seconds: 0.3,
            placements: 2,
        })
        .collect();
    let role = match watcher {
        "oracle" => Role::OracleControl,
        _ => Role::Subject,
    };
    let names: Vec<(String, String)> = (targets.iter())
        .map(|target| (target.owner.clone(), target.label.clone()))
        .collect();
    let order = Order {
        name: watcher,
        role,
        windows: &planned,
        variants: &variants,
        targets: &names,
        rate_hz: 2000.0,
        first: (0, 0),
        border_doubt: BTreeMap::new(),
    };
    if role == Role::Subject {
        lab.start_profiler(watcher, "files").expect("a profiler");
    }
    let mut seen = windows::run(lab, &order, &Silent).expect("windows");
    if role == Role::Subject {
        seen.add_profile(lab.stop_profiler().expect("a profile"));
    }
    seen
}

/// Parts in place of a right profiler, of one that charges a part of one method to another, and of our own sampler.
#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    let (mut inside, mut all) = (0, 0);
    for seed in 0..70 {
        let (mut labs, from, _) = planted(seed);
        labs.program = Program::mix();
        for watcher in ["right", "charges", "oracle"] {
            for (method, part, _) in parts(watcher, seed, &labs) {
                let truth = match watcher == "charges" && method == from {
                    true => 1.0 - PART,
                    false => 1.0,
                };
                inside += u32::from(part.covers(truth));
                all += 1;
            }
        }
    }
    let coverage = 100.0 * f64::from(inside) / f64::from(all);
    println!("coverage: {coverage:.1} % of {all}");
    assert!((93.0..=97.0).contains(&coverage), "{coverage} % of {all}");
    assert!(about(&planted(0).0).clock_ghz > 0.0 && all >= 900, "{all}");
}
