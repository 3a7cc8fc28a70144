//! Virtual speed-up of a program whose functions can really be made faster.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use crate::common::{stderr, succeeds};
use proofmark_blocks::Unit;
use proofmark_divine::{Environment, PLAN_SCHEMA, PlanBlock, PlanFile, PlanUnit, Reason};
use proofmark_experiment::lab::{Filler, Insertion, UnitTable, WindowSpec, abba};
use proofmark_experiment::speedup::Clocked as _;
use proofmark_native::{Slotted, TimedLab, TimedSettings};
use proofmark_stats::Estimate;
use proofmark_test_support::{Need, fits, need, on_path};
use serde_json::Value;

/// Its words: threads, and units of work of `first` and of `second`.
const SPEEDUP: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/../../docs/studies/native/speedup.c"
);

fn proofmark(words: &[&str], here: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_proofmark"));
    command.args(words).current_dir(here).stdin(Stdio::null());
    command.env("PROOFMARK_SLOTS", "1");
    command
}

/// One test after the other: what a process's children took is one sum, compilers of other tests among them.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The program with slots; none where it cannot be built.
fn built(here: &Path, optimized: &str, name: &str) -> Option<PathBuf> {
    let cc = on_path("cc").ok_or("no cc in PATH (apt-get install gcc)");
    need(Need::Perf, cc)?;
    let words = ["cc", optimized, "-g", "-pthread", SPEEDUP, "-o", name];
    succeeds(&mut proofmark(&words, here));
    Some(here.join(name))
}

fn lab(program: &Path, here: &Path) -> TimedLab {
    let settings = TimedSettings {
        arguments: ["1", "20", "20"].map(str::to_owned).to_vec(),
        directory: here.join("by-hand"),
        most_s: 60.0,
        progress: Arc::new(|_: &str| ()),
        interrupted: Arc::default(),
    };
    let units = ["first", "second"].into_iter();
    TimedLab::prepare(&Slotted::read(program).unwrap(), settings, units).unwrap()
}

/// Blocks of a function that are a loop: all of its time.
fn loops(unit: &Unit) -> Vec<u32> {
    let blocks = unit.blocks.iter().filter(|block| block.loop_depth > 0);
    blocks.map(|block| block.id).collect()
}

/// By which part the program is slower with so many instructions in its loops.
fn slowed_by(lab: &mut TimedLab, count: u32) -> f64 {
    let tables = lab.units().into_iter().map(|unit| {
        let blocks = loops(&lab.map().units()[unit as usize]).into_iter();
        let counts = blocks.map(|block| (block, count)).collect();
        UnitTable::new(unit, Insertion::plan(Filler::Pause), counts)
    });
    let tables: Vec<UnitTable> = tables.collect();
    let variants = [lab.baseline(), lab.variant(&tables).unwrap()];
    let spec = WindowSpec {
        label: "count",
        seconds: 0.01,
        iterations: 1,
        rate_hz: None,
    };
    let measured = lab.window(&spec, &variants, &abba(12)).unwrap();
    let time = |variant| {
        let groups: Vec<_> = measured.of_variant(variant).collect();
        let ns: f64 = groups.iter().map(|group| group.cpu_ns()).sum();
        let iterations: usize = groups.iter().map(|group| group.iterations.len()).sum();
        ns / iterations as f64
    };
    time(1) / time(0) - 1.0
}

/// A plan of so many instructions in both loops, which slow them by this part: both do the same, so that both are slowed alike.
fn plan(lab: &TimedLab, count: u32, slowed: f64) -> PlanFile {
    let block = PlanBlock {
        count,
        achieved_overhead_pct: Some(Estimate::around(100.0 * slowed, 5.0, 12)),
        reason: Reason::OnTarget,
    };
    let unit = |unit: &Unit| PlanUnit {
        name: unit.name.clone(),
        signature: unit.signature.clone(),
        blocks: loops(unit).into_iter().map(|id| (id, block)).collect(),
        pooled: BTreeMap::new(),
    };
    PlanFile {
        schema: PLAN_SCHEMA.into(),
        workload: "./speedup 1 20 20".into(),
        target_pct: 100.0 * slowed,
        environment: Environment {
            machine: "this one".into(),
            jdk: String::new(),
            graal: String::new(),
            event: "none".into(),
        },
        instruction: Filler::Pause.name().into(),
        units: lab.map().units().iter().map(unit).collect(),
        coverage_pct: 99.0,
        plans_tried: 1,
        wall_s: 1.0,
        overhead_pct: None,
        judged_sets: None,
        block_error_pt: None,
        block_error_raw_pt: None,
        block_error_noise_pt: None,
        block_error_denoised_pt: None,
        block_error_worst_pt: None,
        short_block_error_pt: None,
        short_block_error_noise_pt: None,
        judged_loops: None,
        cluster_error_pt: None,
        cluster_error_noise_pt: None,
        within_10_pt_pct: None,
    }
}

/// What the command says of both functions, run with these words.
fn sped_up(words: [&str; 3], here: &Path) -> Value {
    let start = [
        "--quiet",
        "--format",
        "json",
        "speedup",
        "--plan",
        "plan.json",
        "--function",
        "first",
        "--function",
        "second",
        "--rounds",
        "6",
        "--window",
        "0.01",
        "--out",
        "out",
        "--",
        "./speedup",
    ];
    let output = proofmark(&[&start[..], &words].concat(), here)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let value = serde_json::from_slice(&output.stdout).unwrap();
    fits("speedup.schema.json", &value);
    value
}

fn function<'v>(result: &'v Value, name: &str) -> &'v Value {
    let mut all = result["functions"].as_array().unwrap().iter();
    let found = all.find(|one| one["function"] == name);
    found.unwrap_or_else(|| panic!("no {name} in {result:#}"))
}

fn value(figure: &Value) -> f64 {
    let value = figure["value"].as_f64();
    value.unwrap_or_else(|| panic!("no figure: {figure}"))
}

/// Wall times of some runs with the first and with the second words by turns, s, shortest first.
fn timed(words: [[&str; 3]; 2], program: &Path) -> [[f64; RUNS]; 2] {
    let mut seen = [[0.0; RUNS]; 2];
    for run in 0..RUNS {
        for (words, times) in words.iter().zip(&mut seen) {
            let begin = Instant::now();
            succeeds(Command::new(program).args(words));
            times[run] = begin.elapsed().as_secs_f64();
        }
    }
    for times in &mut seen {
        times.sort_by(f64::total_cmp);
    }
    seen
}

/// Runs of a program that are timed.
const RUNS: usize = 7;

#[test]
fn gains_are_those_of_functions_that_are_really_made_faster() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    let Some(program) = built(here, "-O2", "speedup") else {
        return;
    };
    let mut by_hand = lab(&program, here);
    let one = slowed_by(&mut by_hand, 1);
    let count = (1.0 / one.clamp(0.005, 1.0)).ceil() as u32;
    let slowed = slowed_by(&mut by_hand, count);
    assert!(slowed > 0.5, "{count} instructions: {slowed}, 1: {one}");
    let plan = plan(&by_hand, count, slowed);
    drop(by_hand);
    std::fs::write(here.join("plan.json"), plan.to_json()).unwrap();
    in_one_thread(slowed, &program, here);
    in_two_threads(slowed, &program, here);
}

/// The time is the sum of both functions'.
fn in_one_thread(slowed: f64, program: &Path, here: &Path) {
    let result = sped_up(["1", "30", "20"], here);
    assert_eq!(
        (&result["concurrent"], &result["clock"]),
        (&Value::from(false), &Value::from("cpu"))
    );
    for (name, share) in [("first", 60.0), ("second", 40.0)] {
        let one = function(&result, name);
        let gain = share * slowed / (1.0 + slowed);
        assert!(
            (value(&one["gain_pct"]) - gain).abs() < 6.0,
            "{gain}: {one:#}"
        );
        assert_eq!(one["gain_pct"], one["by_clock"]["cpu_pct"]);
        assert!(
            (value(&one["without_it_pct"]) - share).abs() < 10.0,
            "{one:#}"
        );
    }
    // Half of the work is half of what the function taking no time at all would save.
    let [all, half] = timed([["1", "300", "200"], ["1", "150", "200"]], program);
    let saved = 100.0 * (1.0 - half[0] / all[0]);
    let predicted = value(&function(&result, "first")["without_it_pct"]) / 2.0;
    assert!(
        (predicted - saved).abs() < 10.0,
        "{predicted} of {saved}: {result:#}"
    );
}

/// The program waits for `second`, which has twice as much to do.
fn in_two_threads(slowed: f64, program: &Path, here: &Path) {
    let result = sped_up(["2", "20", "40"], here);
    assert_eq!(
        (&result["concurrent"], &result["clock"]),
        (&Value::from(true), &Value::from("wall"))
    );
    let [first, second] = ["first", "second"].map(|name| function(&result, name));
    let gain = 100.0 * (1.0 - f64::max(0.5, 1.0 / (1.0 + slowed)));
    assert!(
        (value(&second["gain_pct"]) - gain).abs() < 20.0,
        "{gain}: {result:#}"
    );
    assert!(
        value(&second["gain_pct"]) > value(&first["gain_pct"]) + 10.0,
        "{result:#}"
    );
    assert_eq!(result["functions"][0]["function"], "second");
    assert!(first["without_it_pct"].is_null() && second["without_it_pct"].is_null());
    // A profile of CPU time shows a third of it in `first`.
    let by_cpu = value(&first["by_clock"]["cpu_pct"]);
    assert!(by_cpu > 8.0, "{result:#}");
    // Threads for which there is one processor take turns: then something is gained.
    let [both, alone] = timed([["2", "200", "400"], ["1", "0", "400"]], program);
    match both[RUNS / 2] < 1.1 * alone[RUNS / 2] {
        true => assert!(
            first["gain_pct"]["low"].as_f64().unwrap() < 8.0,
            "{result:#}"
        ),
        false => eprintln!("no two processors for two threads here: {both:?} {alone:?}"),
    }
}

#[test]
fn plans_of_other_builds_are_refused() {
    let _alone = alone();
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    let Some(program) = built(here, "-O2", "speedup") else {
        return;
    };
    let plan = plan(&lab(&program, here), 1, 1.0);
    std::fs::write(here.join("plan.json"), plan.to_json()).unwrap();
    built(here, "-O0", "other").unwrap();
    let said = |words: &[&str]| {
        let start = ["--quiet", "speedup", "--out", "out", "--plan", "plan.json"];
        let output: Output = proofmark(&[&start[..], words].concat(), here)
            .output()
            .unwrap();
        (output.status.code(), stderr(&output))
    };
    let (code, text) = said(&["--function", "first", "--", "./other", "1", "1", "1"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(
        text.contains("plan.json is a plan for another build of the program"),
        "{text}"
    );
    let (code, text) = said(&["--function", "memcpy", "--", "./speedup", "1", "1", "1"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("it slows first, second"), "{text}");
    // What lies beside a plan says which functions are hot; a copy of the plan alone does not.
    let (code, text) = said(&["--", "./speedup", "1", "1", "1"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(
        text.contains("plan.json.d/report.json, and is not there"),
        "{text}"
    );
    let (code, text) = said(&["--", "/bin/sh"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("has no slots"), "{text}");
}
