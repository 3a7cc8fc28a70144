//! A whole experiment without a JVM: divine, assess, verdicts, JSON and page.

use std::collections::BTreeMap;

use crate::common::{Late, Run, about, assess, judgement, labs, request, subject, verdict};
use proofmark_assess::{Condition, Verdict, overall};
use proofmark_experiment::assess::{AssessReport, Assessed};
use proofmark_experiment::divine::{self, DivineReport, DivineRequest};
use proofmark_experiment::lab::{Filler, Insertion};
use proofmark_experiment::sim::{Fault, Program, SimulatedLabs, SimulatedProfiler};
use proofmark_experiment::{Session, Steps as _};
use proofmark_report::{PageData, Style, assessment_table, html, plan_summary};
use proofmark_test_support::fits;
use serde_json::{Value, json};

#[test]
fn right_wrong_and_undecided_profilers_are_told_apart() {
    let (mut run, labs) = (Run::default(), labs(3));
    let mut asked = request(&[
        subject("right", 900.0),
        subject("wrong", 900.0),
        subject("slow", 5.0),
    ]);
    asked.singles = 1;
    asked.time_budget_s = Some(60.0);
    let assessed = assess(&mut run, &labs, &asked).expect("verdicts");
    assert_eq!(verdict(&assessed, "right"), Verdict::Right);
    assert_eq!(verdict(&assessed, "wrong"), Verdict::Wrong);
    assert_eq!(verdict(&assessed, "slow"), Verdict::Undecided);
    assert_eq!(
        overall(&assessed.assessment),
        Verdict::Wrong,
        "wrong beats undecided"
    );
    let absolute = judgement(&assessed, "wrong").tests.absolute.as_ref();
    let error = absolute.expect("an absolute test").result.error_pt;
    assert!(error.low < 12.0 && 12.0 < error.high, "{error:?}");
    let single = |condition: &Condition| matches!(condition, Condition::Single(_));
    let seen = &judgement(&assessed, "right").shares[0].by_condition;
    assert!(
        seen.iter().any(|share| single(&share.condition)),
        "{seen:?}"
    );
    shown(&assessed);
}

/// JSON by its schema, the terminal and the page name every profiler, its verdict, and what doses in blocks showed.
fn shown(assessed: &Assessed) {
    let (assessment, report) = (&assessed.assessment, &assessed.plan.report);
    let names: Vec<String> = ["right", "wrong", "slow"].map(String::from).to_vec();
    let sites = Err("not asked for".to_owned());
    let answer = AssessReport::of(
        &names,
        &sites,
        &Ok(assessment.clone()),
        ("mix", "simulated"),
    );
    let answer = answer.with_block_doses(assessed.block_doses.clone());
    fits("assessment.schema.json", &answer);
    fits("divine.schema.json", report);
    let json = serde_json::to_value(&answer).expect("JSON");
    let oracle = &json["block_doses"]["attribution"]["oracle"];
    assert_eq!(oracle["vehicle"], "blocks");
    let mut page = PageData::new("mix");
    page.divine = Some(report.clone());
    page.assessment = Some(assessment.clone());
    page.block_doses = assessed.block_doses.clone();
    assert!(html(&page).contains("Time added to blocks of one method"));
    let (page, terminal) = (html(&page), assessment_table(assessment, Style::default()));
    for text in [&page, &terminal] {
        for word in ["right", "wrong", "slow", "undecided", "mix.loop0"] {
            assert!(text.contains(word), "no '{word}' in {:.60}", text);
        }
    }
}

#[test]
fn the_verdict_on_all_says_what_was_found() {
    for (name, rate, verdict) in [
        ("right", 900.0, Verdict::Right),
        ("wrong", 900.0, Verdict::Wrong),
        ("slow", 5.0, Verdict::Undecided),
    ] {
        let mut asked = request(&[subject(name, rate)]);
        asked.time_budget_s = Some(60.0);
        let assessed = assess(&mut Run::default(), &labs(5), &asked).expect("verdicts");
        assert_eq!(overall(&assessed.assessment), verdict, "{name}");
    }
}

/// A control that did not do what it must leaves no verdict, and where no sites were tested nothing else either.
#[test]
fn a_control_that_is_not_wrong_withholds_everything() {
    let mut labs = labs(5);
    let honest = |profiler: &&mut SimulatedProfiler| profiler.name == "safepoint";
    let control = labs.profilers.iter_mut().find(honest);
    control.expect("a control").fault = Fault::None;
    let asked = request(&[subject("wrong", 900.0)]);
    let assessed = assess(&mut Run::default(), &labs, &asked).expect("an answer");
    assert_eq!(verdict(&assessed, "wrong"), Verdict::Undecided);
    let names = ["wrong".to_owned()];
    let sites = Err("not asked for".to_owned());
    let place = ("mix", "simulated");
    let report = AssessReport::of(&names, &sites, &Ok(assessed.assessment), place);
    assert!(report.is_withheld());
    assert_eq!(report.verdict, Verdict::Undecided);
}

#[test]
fn neighbours_that_take_time_change_no_verdict() {
    let mut labs = labs(7);
    labs.disturbed = 0.1;
    let asked = request(&[subject("right", 900.0), subject("wrong", 900.0)]);
    let assessed = assess(&mut Run::default(), &labs, &asked).expect("verdicts");
    assert_eq!(verdict(&assessed, "right"), Verdict::Right);
    assert_eq!(verdict(&assessed, "wrong"), Verdict::Wrong);
}

#[test]
fn what_explains_a_wrong_profiler_is_run_after_it_and_named() {
    let mut labs = labs(9);
    let explained = crate::common::profiler("wrong+dns", 900.0, Fault::None);
    labs.profilers.push(explained);
    let mut wrong = subject("wrong", 900.0);
    wrong.explained = Some(Box::new(subject("wrong+dns", 900.0)));
    let mut right = subject("right", 900.0);
    right.explained = Some(Box::new(subject("right+dns", 900.0)));
    let asked = request(&[wrong, right]);
    let assessed = assess(&mut Run::default(), &labs, &asked).expect("verdicts");
    let names: Vec<&str> = assessed
        .assessment
        .profilers
        .iter()
        .map(|p| &p.name[..])
        .collect();
    assert_eq!(
        names,
        ["wrong", "wrong+dns", "right", "oracle", "safepoint"]
    );
    let cause = judgement(&assessed, "wrong").cause.as_deref();
    assert!(
        cause.is_some_and(|cause| cause.contains("DebugNonSafepoints")),
        "{cause:?}"
    );
    assert_eq!(judgement(&assessed, "right").cause, None);
}

#[test]
fn the_time_of_a_plan_is_that_of_its_search() {
    let (mut run, labs) = (Run::default(), labs(3));
    let about = about(&labs);
    let late = Late(std::sync::Mutex::new(10_000.0));
    let mut session = Session {
        progress: &late,
        ..run.session(&labs, &about)
    };
    let assessed = proofmark_experiment::assess::run(&mut session, &request(&[]));
    let plan = assessed.expect("a plan").plan;
    assert!(
        (1.0..1000.0).contains(&plan.file.wall_s),
        "{}",
        plan.file.wall_s
    );
    assert_eq!(plan.report.wall_s, plan.file.wall_s);
}

/// A plan for +100 %, tried afterwards in so many processes.
fn divined(run: &mut Run, labs: &SimulatedLabs, verify: u32) -> divine::Plan {
    let about = about(labs);
    let mut session = run.session(labs, &about);
    let request = DivineRequest {
        target: 1.0,
        insertion: Insertion::plan(Filler::Mov),
        seed: 1,
        verify,
        fresh: None,
        effort: divine::Effort::thorough(),
    };
    divine::run(&mut session, &request).expect("a plan")
}

/// Where a neighbour takes the machine for much of the time an evaluation has more rounds, and says what was disturbed.
#[test]
fn an_evaluation_in_storms_is_longer_and_says_so() {
    let evaluated = |storms: f64| {
        let (mut run, mut labs) = (Run::default(), labs(9));
        labs.storms = storms;
        let report = divined(&mut run, &labs, 0).report;
        let search = run
            .steps
            .names()
            .into_iter()
            .find(|name| name.starts_with("search"));
        let entries = run.steps.results(&search.expect("a search"));
        let is_evaluation =
            |entry: &&&Value| entry.pointer("/Measured/part") == Some(&json!("Evaluation"));
        // A total that is found off is mended and evaluated anew: what counts is the last evaluation.
        let last = entries.iter().rev().take_while(is_evaluation);
        (report, last.count())
    };
    let part = |report: &DivineReport| {
        let pairs = report.window_pairs.expect("pairs") as f64;
        report.disturbed_pairs.expect("pairs") as f64 / pairs
    };
    let usual = divine::Effort::default().evaluation_rounds as usize;
    // The simulated machine gets slower by three hundredths of a per cent with every placement: that counts, too.
    let (calm, rounds) = evaluated(0.0);
    println!("calm: {rounds} rounds, {:.2} disturbed", part(&calm));
    assert_eq!(rounds, usual);
    let (stormy, rounds) = evaluated(0.7);
    println!("storms: {rounds} rounds, {:.2} disturbed", part(&stormy));
    assert!(rounds > usual && rounds <= usual + 3, "{rounds}");
    assert!(part(&stormy) > 1.3 * part(&calm));
    assert!(stormy.window_pairs > calm.window_pairs);
}

/// Samples that land 20 cycles late tell nothing of blocks of 6: the total is still reached, and blocks join until they are
/// eight borders long or hold all code around them.
#[test]
fn a_machine_whose_samples_are_smeared_judges_only_what_is_long() {
    let judged = |border_cycles: f64| {
        let mut labs = labs(13);
        labs.border_cycles = border_cycles;
        divined(&mut Run::default(), &labs, 0).report
    };
    let (sharp, smeared) = (judged(0.0), judged(20.0));
    for report in [&sharp, &smeared] {
        let overhead = report.overhead_pct.expect("an overhead");
        assert!((overhead.value - 100.0).abs() < 4.0, "{overhead:?}");
    }
    let shortest = |report: &DivineReport| {
        let known = report.resolution.expect("what can be resolved");
        known.shortest_judged_cycles
    };
    assert_eq!((shortest(&sharp), shortest(&smeared)), (8.0, 160.0));
    says_only_what_it_can_tell(&smeared);
    let (sharp, smeared) = (sets(&sharp), sets(&smeared));
    // The program has two units, each with a loop and code that nothing flows to: what is short has joined all there is.
    assert!(
        sharp.len() > 15 && smeared.len() <= 4,
        "{sharp:?} {smeared:?}"
    );
}

/// JSON and page call no short block on target, say what the machine can resolve, and count the same blocks everywhere.
fn says_only_what_it_can_tell(report: &DivineReport) {
    fits("divine.schema.json", report);
    let json = serde_json::to_value(report).expect("JSON");
    let rows = json["blocks"].as_array().expect("rows");
    let short = |row: &&serde_json::Value| row["cycles"].as_f64().is_some_and(|c| c < 160.0);
    assert!(rows.iter().filter(short).count() > 5, "{rows:?}");
    for row in rows.iter().filter(short) {
        let reason = row["reason"].as_str().expect("a reason");
        assert!(
            !["on-target", "off-target", "overlaps"].contains(&reason),
            "{row}"
        );
    }
    let blocks: u64 = rows.iter().filter_map(|row| row["blocks"].as_u64()).sum();
    assert_eq!(blocks, report.judged_blocks + report.pooled_blocks);
    let in_sets: u64 = report.sets.iter().map(|set| set.blocks).sum();
    assert_eq!(in_sets, report.judged_blocks);
    assert_eq!(Some(report.sets.len() as u64), report.judged_sets);

    let mut page = PageData::new("mix");
    page.divine = Some(report.clone());
    let page = html(&page);
    let about = &page[page
        .find("<section id=\"about\">")
        .expect("how it was measured")..];
    let about = &about[..about.find("</section>").expect("its end")];
    for said in [
        "to 20.0 cycles per execution",
        "160 cycles and more",
        "all code around",
    ] {
        assert!(about.contains(said), "{said} in {about}");
    }
    let body = &page[..page.find("id=\"data\"").expect("data")];
    let table = &body[body.find("with counts and achieved").expect("a table")..];
    assert!(!table.contains("on target"), "{table}");
    for said in [
        format!("All {blocks} blocks in {} rows", rows.len()),
        format!("with {in_sets} blocks judged in them"),
        format!("n = {} judged set", report.sets.len()),
    ] {
        assert!(body.contains(&said), "{said}");
    }
    let terminal = plan_summary(
        report,
        Style {
            width: 1000,
            ..Style::default()
        },
    );
    assert!(terminal.contains("160 cycles and more"), "{terminal}");
    assert!(
        terminal.contains(&format!("{blocks} blocks ({in_sets} judged in")),
        "{terminal}"
    );
}

/// Blocks that are judged together, by unit and number of the set; one alone is a set of its own.
fn sets(report: &DivineReport) -> BTreeMap<(&str, u32), Vec<u32>> {
    let mut sets: BTreeMap<(&str, u32), Vec<u32>> = BTreeMap::new();
    for block in &report.blocks {
        let alone = 1_000_000 + block.block;
        let set = sets.entry((&block.unit, block.group.unwrap_or(alone)));
        set.or_default().push(block.block);
    }
    sets
}

/// Divined, kept, and tried in processes that number their units the other way round.
#[test]
fn a_plan_does_in_fresh_processes_what_it_did_where_it_was_made() {
    let mut labs = labs(11);
    // So many blocks that the evaluation overturns what the search thought of some.
    labs.program = Program::json();
    let mut run = Run::default();
    let plan = divined(&mut run, &labs, 3);
    let overhead = plan.report.overhead_pct.expect("an overhead");
    assert!((overhead.value - 100.0).abs() < 4.0, "{overhead:?}");
    let tried = plan.report.verification.as_ref().expect("a verification");
    assert_eq!(tried.agrees, Some(true), "{tried:?}");
    assert_eq!(tried.least_same_code_pct(), Some(100.0));
    fits("divine.schema.json", &plan.report);
    fits("plan.schema.json", &plan.file);
    let kept = run.plans.0.expect("the plan is kept");
    assert_eq!(kept.file, plan.file);
    // Plan file and report say the same of every block.
    for unit in &plan.file.units {
        for (id, block) in &unit.blocks {
            let mut rows = plan.report.blocks.iter();
            let row = rows.find(|row| row.unit == unit.name && row.block == *id);
            let row = row.expect("a row for every judged block");
            assert_eq!(row.reason, block.reason, "block {id} of {}", unit.name);
            assert_eq!(row.achieved_overhead_pct, block.achieved_overhead_pct);
        }
    }
}
