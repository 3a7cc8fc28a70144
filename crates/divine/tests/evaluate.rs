//! The evaluation against the simulated truth.

use crate::common::{run, score, settings};
use proofmark_divine::{Evaluation, Round, SearchError, Settings, evaluate, evaluate_all};
use proofmark_experiment::sim::{Machine, Program, Protocol};

const FRESH: Protocol = Protocol {
    sampled: 3,
    unsampled: 4,
    samples: 30_000.0,
    placements: 3,
};

fn rounds(laboratory: &mut Machine, counts: &[u32], n: usize) -> Vec<Round> {
    (0..n).map(|_| laboratory.round(counts, FRESH)).collect()
}

/// The counts that make every block of a program twice as long, as far as they are known to a whole.
fn double(program: &Program) -> Vec<u32> {
    let count = |(hinge, tau, slope): (f64, f64, f64)| (hinge + tau / slope).round() as u32;
    let blocks = program.blocks.iter();
    blocks.map(|b| count((b.hinge, b.tau, b.slope))).collect()
}

#[test]
fn finds_the_true_errors_of_a_plan() {
    let (mut bias, mut cluster_bias, mut near_bias, mut covered, mut raw_bias) =
        (0.0, 0.0, 0.0, 0, 0.0);
    let programs = [
        Program::mix(),
        Program::json(),
        Program::mem(),
        Program::tiny(),
    ];
    let cases: Vec<(&Program, u64)> = programs
        .iter()
        .flat_map(|p| (0..8).map(move |seed| (p, seed)))
        .collect();
    for &(program, seed) in &cases {
        let mut laboratory = Machine::new(program.clone(), 100 + seed);
        // Any plan will do: a short search.
        let wanted = Settings {
            max_rounds: 8,
            ..settings(program, 1.0)
        };
        let plan = run(&mut laboratory, wanted, Protocol::default()).counts;
        let truth = score(&laboratory, &plan, 1.0);
        let fresh = rounds(&mut laboratory, &plan, 6);
        let found = evaluate(&program.tunables(), &fresh, 1.0, 1).expect("evaluation");
        let n = cases.len() as f64;
        let denoised = found
            .block_error_denoised_pt
            .expect("20 sets or more")
            .value;
        bias += (denoised - truth.block_pt) / n;
        raw_bias += (found.block_error_pt.value - truth.block_pt) / n;
        cluster_bias += (found.cluster_error_pt.value - truth.cluster_pt) / n;
        near_bias += (found.within_10_pt_pct.value - truth.within_10) / n;
        let total = 100.0 + truth.total_pt;
        covered += i32::from(found.overhead_pct.low <= total && total <= found.overhead_pct.high);
        println!(
            "{} {seed}: blocks {:.1} ({:.1} to {:.1}) denoised {denoised:.1} noise {:.1} true {:.1}; clusters {:.1} true {:.1}; near {:.0} true {:.0}; total {:.1} ({:.1} to {:.1}) true {total:.1}",
            program.name,
            found.block_error_pt.value,
            found.block_error_pt.low,
            found.block_error_pt.high,
            found.block_error_noise_pt.value,
            truth.block_pt,
            found.cluster_error_pt.value,
            truth.cluster_pt,
            found.within_10_pt_pct.value,
            truth.within_10,
            found.overhead_pct.value,
            found.overhead_pct.low,
            found.overhead_pct.high,
        );
    }
    println!(
        "bias: blocks {bias:.2} (raw {raw_bias:.2}) clusters {cluster_bias:.2} near {near_bias:.1}; total covered {covered}"
    );
    assert!(bias.abs() < 1.5 && raw_bias > bias + 0.5);
    assert!(cluster_bias.abs() < 1.5);
    assert!(near_bias.abs() < 6.0);
    assert!(
        covered >= 28,
        "{covered} of 32 intervals hold the true overhead"
    );
}

/// The same windows against two targets: what all loops are beyond one is told from how uneven they are.
#[test]
fn what_all_code_is_slowed_by_is_told_from_how_unevenly() {
    let program = Program::mix();
    let mut laboratory = Machine::new(program.clone(), 3);
    let wanted = settings(&program, 1.0);
    let plan = run(&mut laboratory, wanted, Protocol::default()).counts;
    let fresh = rounds(&mut laboratory, &plan, 5);
    let against = |target| evaluate(&program.tunables(), &fresh, target, 1).expect("evaluation");
    let [asked, less] = [1.0, 0.8].map(against);
    let apart = |found: &Evaluation| found.cluster_apart_pt.expect("loops").value;
    assert!((apart(&asked) - apart(&less)).abs() < 1e-6);
    assert_eq!(asked.judged_overhead_pct, less.judged_overhead_pct);
    let beyond = less.judged_overhead_pct.expect("samples").value - 80.0;
    assert!(beyond > 15.0 && less.cluster_error_pt.value > beyond - 1e-6);
    assert!(apart(&less) < 0.6 * less.cluster_error_pt.value);
}

/// Planted fault: the samples of the two blocks are swapped after the search.
#[test]
fn swapped_samples_show_up() {
    let program = Program::mix();
    let mut laboratory = Machine::new(program.clone(), 3);
    let plan = run(
        &mut laboratory,
        settings(&program, 1.0),
        Protocol::default(),
    )
    .counts;
    let before = evaluate(
        &program.tunables(),
        &rounds(&mut laboratory, &plan, 5),
        1.0,
        1,
    )
    .expect("evaluation");
    // Only the slowed side: as if attribution failed in slowed code.
    let mut wrong = rounds(&mut laboratory, &plan, 5);
    wrong
        .iter_mut()
        .flat_map(|r| &mut r.slowed)
        .filter(|o| o.sampled)
        .for_each(|o| o.samples.swap(0, 2));
    let after = evaluate(&program.tunables(), &wrong, 1.0, 1).expect("evaluation");
    assert!(
        after.block_error_pt.low > before.block_error_pt.high + 5.0,
        "{before:?} {after:?}"
    );
}

#[test]
fn too_little_is_refused() {
    let program = Program::tiny();
    let mut laboratory = Machine::new(program.clone(), 1);
    let one = Protocol {
        sampled: 1,
        unsampled: 1,
        ..FRESH
    };
    let round = laboratory.round(&vec![1; program.blocks.len()], one);
    let refused = evaluate(&program.tunables(), std::slice::from_ref(&round), 1.0, 1);
    assert!(matches!(refused, Err(SearchError::BadRound(_))));
    assert!(evaluate(&program.tunables(), &[round.clone(), round], 1.0, 1).is_ok());
}

/// A neighbour slows the added code by another factor: what is so there is part of the result, though it does not count.
#[test]
fn the_total_in_pairs_that_do_not_count_is_told() {
    let program = Program::mix();
    let plan = double(&program);
    let (mut off, mut off_there) = (Vec::new(), Vec::new());
    for seed in 0..40 {
        let mut laboratory = Machine::new(program.clone(), 9100 + seed);
        laboratory.storms = 0.3;
        let truth = score(&laboratory, &plan, 1.0).total_pt + 100.0;
        let found = rounds(&mut laboratory, &plan, 6);
        let all = evaluate_all(&program.tunables(), &found, 1.0, seed).expect("evaluation");
        assert_eq!((all.disturbed_pairs, all.disturbed_overhead_pct), (0, None));
        let found = evaluate(&program.tunables(), &found, 1.0, seed).expect("evaluation");
        let Some(there) = found.disturbed_overhead_pct else {
            continue;
        };
        assert!(there.n >= 2 && there.n <= found.disturbed_pairs);
        assert!(found.overhead_pct.n + there.n <= found.window_pairs);
        off.push((found.overhead_pct.value - truth).abs());
        off_there.push((there.value - truth).abs());
    }
    let mean = |all: &[f64]| all.iter().sum::<f64>() / all.len() as f64;
    println!(
        "{} evaluations: off by {:.2}, there by {:.2}",
        off.len(),
        mean(&off),
        mean(&off_there)
    );
    assert!(off.len() >= 20, "{}", off.len());
    assert!(mean(&off_there) > 2.0 * mean(&off));
}

/// A machine of two speeds, whose slower one has 85 or 15 % of the time, and slows the added code by another factor: the total is
/// that of the speed that the machine has most.
#[test]
fn the_total_is_that_of_the_usual_speed() {
    let program = Program::mix();
    let plan = double(&program);
    for (slow_part, most_off) in [(0.85, 1.5), (0.15, 1.5)] {
        let (mut off, mut others, mut counted) = (0.0, 0, 0.0);
        let seeds = 40;
        for seed in 0..seeds {
            let mut laboratory = Machine::new(program.clone(), 9300 + seed);
            laboratory.storms = slow_part;
            laboratory.slower = Some([1.5, 1.6]);
            let fast = score(&laboratory, &plan, 1.0).total_pt + 100.0;
            let slow = (100.0 + fast) * 1.6 / 1.5 - 100.0;
            let found = rounds(&mut laboratory, &plan, 6);
            let found = evaluate(&program.tunables(), &found, 1.0, seed).expect("evaluation");
            // By chance the other speed may have most of these windows: then the total is that one's.
            let total = found.overhead_pct.value;
            let nearer = (total - slow).abs() < (total - fast).abs();
            others += i32::from(nearer != (slow_part > 0.5));
            off += (total - slow).abs().min((total - fast).abs()) / seeds as f64;
            counted += found.overhead_pct.n as f64 / seeds as f64;
        }
        println!(
            "slow {slow_part}: off by {off:.2}, {others} of {seeds} of the other speed, {counted:.0} pairs"
        );
        assert!(off < most_off, "{slow_part}: {off}");
        assert!(others <= 4, "{slow_part}: {others} of {seeds}");
        assert!(counted > 15.0, "{slow_part}: {counted} pairs");
    }
}

/// In calm hours the choice of windows at the usual speed costs nothing and leaves no bias; in storms the total is off by three quarters at
/// most of what it is without the choice.
#[test]
fn the_total_is_known_in_storms_too() {
    let program = Program::mix();
    let plan = double(&program);
    for (storms, most_off, most_bias) in [(0.0, 1.1, 0.3), (0.3, 2.4, 1.3)] {
        let (mut off, mut without, mut bias, mut left_out, mut held) = (0.0, 0.0, 0.0, 0.0, 0);
        let seeds = 100;
        for seed in 0..seeds {
            let mut laboratory = Machine::new(program.clone(), 9000 + seed);
            laboratory.storms = storms;
            let truth = score(&laboratory, &plan, 1.0).total_pt + 100.0;
            let found = rounds(&mut laboratory, &plan, 6);
            let all = evaluate_all(&program.tunables(), &found, 1.0, seed).expect("evaluation");
            without += (all.overhead_pct.value - truth).abs() / seeds as f64;
            let found = evaluate(&program.tunables(), &found, 1.0, seed).expect("evaluation");
            let miss = found.overhead_pct.value - truth;
            off += miss.abs() / seeds as f64;
            bias += miss / seeds as f64;
            held += u64::from(found.overhead_pct.covers(truth));
            left_out += found.disturbed_part() / seeds as f64;
        }
        println!(
            "storms {storms}: off by {off:.2} ({without:.2} without), bias {bias:.2}, held {held} of {seeds}"
        );
        assert!(storms == 0.0 || off < 0.75 * without, "{off}, {without}");
        assert!(storms > 0.0 || left_out < 0.1, "{left_out}");
        assert!(
            off < most_off && bias.abs() < most_bias,
            "{storms}: {off}, {bias}"
        );
        assert!(held * 100 >= seeds * 80, "{held} of {seeds}");
    }
}
