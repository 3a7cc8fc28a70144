//! Virtual speed-up of a program whose functions can really be made faster.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::Arc;
use std::time::Instant;

use crate::common::{in_a_process_of_its_own, stderr, succeeds};
use proofmark_blocks::Unit;
use proofmark_divine::{Environment, PLAN_SCHEMA, PlanBlock, PlanFile, PlanUnit, Reason};
use proofmark_experiment::lab::{Filler, Insertion, UnitTable, WindowSpec, abba};
use proofmark_experiment::speedup::Clocked as _;
use proofmark_native::{Slotted, TimedLab, TimedSettings};
use proofmark_stats::Estimate;
use proofmark_store::Lock;
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
        most_s: 600.0,
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

/// By which part the program is slower with so many instructions in its loops: by its least times, as a busy machine only ever makes some
/// longer.
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
        let groups = measured.of_variant(variant);
        let times = groups.flat_map(|group| &group.iterations);
        let times = times.map(|(_, _, cpu)| *cpu as f64);
        times.fold(f64::INFINITY, f64::min)
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

/// From where to where something is known to be.
type Range = [f64; 2];

/// The interval of a figure. A busy machine makes it wide.
fn range(figure: &Value) -> Range {
    let end = |name: &str| {
        let end = figure[name].as_f64();
        end.unwrap_or_else(|| panic!("no figure: {figure}"))
    };
    [end("low"), end("high")]
}

/// Whether two ranges may mean the same, up to so much.
fn agree([low, high]: Range, [least, most]: Range, tolerance: f64) -> bool {
    low - tolerance <= most && least <= high + tolerance
}

/// By which part the plan slowed the program while its gains were measured.
fn slowed_then(result: &Value, clock: &str) -> Range {
    range(&result["slowed"][clock]).map(|pct| (pct / 100.0).max(0.01))
}

/// What a part of the program, %, saves if it takes 1 / (1 + slowed) of its time.
fn gains(part: f64, slowed: Range) -> Range {
    slowed.map(|slowed| part * slowed / (1.0 + slowed))
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

/// By which part the plan slows the loops at least: so much that it hardly matters how exactly that is known.
const WANTED: f64 = 2.0;

#[test]
fn gains_are_those_of_functions_that_are_really_made_faster() {
    let own = "speedup::gains_are_those_of_functions_that_are_really_made_faster";
    if !in_a_process_of_its_own(own) {
        return;
    }
    let place = tempfile::tempdir().unwrap();
    let here = place.path();
    let Some(program) = built(here, "-O2", "speedup") else {
        return;
    };
    let mut by_hand = lab(&program, here);
    let one = slowed_by(&mut by_hand, 1);
    let count = (WANTED / one.clamp(0.02, WANTED)).ceil() as u32;
    let slowed = slowed_by(&mut by_hand, count);
    assert!(slowed > 0.5, "{count} instructions: {slowed}, 1: {one}");
    let plan = plan(&by_hand, count, slowed);
    drop(by_hand);
    std::fs::write(here.join("plan.json"), plan.to_json()).unwrap();
    in_one_thread(slowed, &program, here);
    in_two_threads(&program, here);
}

/// The time is the sum of both functions'. `planned`: by which part the plan says that it slows them.
fn in_one_thread(planned: f64, program: &Path, here: &Path) {
    let result = sped_up(["1", "30", "20"], here);
    assert_eq!(
        (&result["concurrent"], &result["clock"]),
        (&Value::from(false), &Value::from("cpu"))
    );
    let slowed = slowed_then(&result, "cpu_pct");
    // What the plan is wrong by is in what it says of a function's time.
    let own = |one: &Value| -> Range {
        let wrong = slowed.map(|slowed| planned / slowed);
        let ends = range(&one["without_it_pct"]);
        let all = ends.map(|end| wrong.map(|wrong| end * wrong)).concat();
        let least = all.iter().copied().fold(f64::INFINITY, f64::min);
        [least, all.into_iter().fold(f64::NEG_INFINITY, f64::max)]
    };
    for (name, share) in [("first", 60.0), ("second", 40.0)] {
        let one = function(&result, name);
        let gain = gains(share, slowed);
        let agrees = agree(range(&one["gain_pct"]), gain, 6.0);
        assert!(agrees, "{gain:?}: {result:#}");
        assert_eq!(one["gain_pct"], one["by_clock"]["cpu_pct"]);
        let agrees = agree(own(one), [share; 2], 10.0);
        assert!(agrees, "{:?} of {share}: {result:#}", own(one));
    }
    // Half of the work is half of what the function taking no time at all would save.
    let [all, half] = timed([["1", "300", "200"], ["1", "150", "200"]], program);
    let saved = |half: f64, all: f64| 100.0 * (1.0 - half / all);
    let saved = [saved(half[RUNS - 1], all[0]), saved(half[0], all[RUNS - 1])];
    let predicted = own(function(&result, "first")).map(|pct| pct / 2.0);
    let agrees = agree(predicted, saved, 10.0);
    assert!(agrees, "{predicted:?} of {saved:?}: {result:#}");
}

/// The program waits for `second`, which has twice as much to do.
fn in_two_threads(program: &Path, here: &Path) {
    let before = both_run(program);
    let result = sped_up(["2", "20", "40"], here);
    assert_eq!(
        (&result["concurrent"], &result["clock"]),
        (&Value::from(true), &Value::from("wall"))
    );
    let [first, second] = ["first", "second"].map(|name| function(&result, name));
    for one in [first, second] {
        assert_eq!(one["gain_pct"], one["by_clock"]["wall_pct"]);
        assert!(one["without_it_pct"].is_null(), "{one:#}");
    }
    let [of_first, of_second] = [first, second].map(|one| range(&one["gain_pct"]));
    // Beside it, `first` takes half as long, however fast `second` is.
    let gain = gains(100.0, slowed_then(&result, "wall_pct")).map(|gain| gain.min(50.0));
    assert!(agree(of_second, gain, 20.0), "{gain:?}: {result:#}");
    assert!(of_second[1] > of_first[0] + 10.0, "{result:#}");
    if of_second[0] > of_first[1] {
        assert_eq!(result["functions"][0]["function"], "second");
    }
    // A profile of CPU time shows a third of it in `first`.
    let by_cpu = range(&first["by_clock"]["cpu_pct"]);
    assert!(by_cpu[1] > 8.0, "{result:#}");
    // Threads for which there is one processor take turns: then something is gained.
    match before && both_run(program) {
        true => assert!(of_first[0] < 20.0, "{result:#}"),
        false => eprintln!("no two processors for two threads here"),
    }
}

/// Whether two threads run at the same time, each time.
fn both_run(program: &Path) -> bool {
    let [both, alone] = timed([["2", "200", "400"], ["1", "0", "400"]], program);
    both[RUNS - 1] < 1.1 * alone[0]
}

#[test]
fn what_cannot_be_sped_up_is_refused() {
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
    // Nor does it share its directory.
    std::fs::create_dir_all(here.join("out")).unwrap();
    let lock = Lock::take(&here.join("out")).unwrap();
    let (code, text) = said(&["--function", "first", "--", "./speedup", "1", "1", "1"]);
    drop(lock);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("another Proofmark"), "{text}");
}
