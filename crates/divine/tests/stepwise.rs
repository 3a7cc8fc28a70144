//! The published search where the true answer is known.

use crate::common::{score, settings};
use proofmark_divine::{
    Observation, Outcome, Round, SearchError, Searching, Settings, Step, Stepwise, Stop, Tunable,
    TunableKind,
};
use proofmark_experiment::sim::{Machine, Program, Protocol};

/// Two units of one block each, the colder one first: parts of the time, and what an instruction adds to them.
const SHARES: [f64; 2] = [0.3, 0.7];
const EACH: [f64; 2] = [0.15, 0.0033];

fn tunables() -> Vec<Tunable> {
    let tunable = |(block, unit): (u32, &str)| Tunable {
        unit: unit.into(),
        block,
        cluster: block,
        group: None,
        executions_per_iteration: 1e6,
        before: Vec::new(),
        kind: TunableKind::Block,
    };
    [(0, "a.B.cold()V"), (1, "a.B.hot()V")]
        .map(tunable)
        .to_vec()
}

fn new(max_plans: u32) -> Stepwise {
    let settings = Settings {
        max_plans,
        ..Settings::default()
    };
    Stepwise::new(tunables(), settings, vec![1, 1]).expect("tunables")
}

/// A window without any noise.
fn window(counts: &[u32], sampled: bool) -> Observation {
    let time = |c: usize| SHARES[c] * (1.0 + EACH[c] * f64::from(counts[c]));
    let times = [time(0), time(1)];
    Observation {
        counts: counts.to_vec(),
        iterations: 1.0,
        cpu_ns: 1e7 * (times[0] + times[1]),
        samples: match sampled {
            true => times.map(|time| 1e6 * time).to_vec(),
            false => Vec::new(),
        },
        outside_samples: 0.0,
        placements: 4,
        sampled,
    }
}

fn exact(counts: &[u32]) -> Round {
    let both = |counts: &[u32]| vec![window(counts, true), window(counts, false)];
    let slowed = counts.iter().any(|&k| k > 0);
    Round {
        baseline: both(&[0, 0]),
        slowed: if slowed { both(counts) } else { Vec::new() },
    }
}

/// Goes on until it ends, or so many rounds were measured: the plans of the rounds, and what was found.
fn run(
    search: &mut Stepwise,
    mut measure: impl FnMut(&[u32]) -> Round,
    most: usize,
) -> (Vec<Vec<u32>>, Option<Outcome>) {
    let mut plans = Vec::new();
    while plans.len() < most {
        match search.step() {
            Step::Measure { counts } => {
                search.observe(measure(&counts)).expect("a round");
                plans.push(counts);
            }
            Step::Finished(outcome) => return (plans, Some(outcome)),
        }
    }
    (plans, None)
}

/// The hotter unit first, alone; then the colder one, alone; then both.
#[test]
fn units_are_searched_one_after_the_other() {
    let mut search = new(600);
    let (plans, outcome) = run(&mut search, exact, 1000);
    let mut wanted: Vec<Vec<u32>> = vec![vec![0, 0]];
    let tens = (2..=31).map(|tens| 10 * tens);
    let hot = (1..=10).chain(tens).chain([305, 302, 303, 304]);
    wanted.extend(hot.map(|k| vec![0, k]));
    wanted.extend((1..=7).map(|k| vec![k, 0]));
    wanted.push(vec![7, 303]);
    assert_eq!(plans, wanted);
    let outcome = outcome.expect("it ends");
    assert_eq!((outcome.plans_tried, outcome.rounds), (52, 53));
    assert_eq!(
        (outcome.counts, outcome.stop),
        (vec![7, 303], Stop::EveryBlock)
    );
    let total = outcome.overhead_pct.value;
    assert!((total - 101.5).abs() < 3.0, "{total}");
    assert_eq!(search.plans_tried(), 52);
    assert!(!search.may_go_on());
}

#[test]
fn it_ends_with_what_was_reached() {
    let mut few = new(5);
    let (plans, outcome) = run(&mut few, exact, 1000);
    let outcome = outcome.expect("it ends");
    assert!(few.plans_tried() <= 5, "{plans:?}");
    assert_eq!((outcome.counts, outcome.stop), (vec![0, 4], Stop::Budget));

    // Told to end while the second unit is searched: the whole plan is measured once.
    let mut told = new(600);
    run(&mut told, exact, 48);
    told.end();
    let (plans, outcome) = run(&mut told, exact, 1000);
    assert_eq!(plans, vec![vec![3u32, 303]]);
    let outcome = outcome.expect("it ends");
    assert_eq!((outcome.counts, outcome.stop), (vec![3, 303], Stop::Budget));
}

/// Killed after any step and given its rounds again, it continues identically.
#[test]
fn it_resumes_exactly() {
    let mut search = new(600);
    let mut again = new(600);
    while let Step::Measure { counts } = search.step() {
        search.observe(exact(&counts)).expect("a round");
        let last = search.rounds().last().expect("a round").clone();
        again.observe(last).expect("a round");
        assert_eq!(again, search);
    }
    assert_eq!(again.step(), search.step());
}

#[test]
fn what_it_cannot_use_leaves_no_trace() {
    let short = Stepwise::new(tunables(), Settings::default(), vec![1]);
    assert_eq!(short, Err(SearchError::BadSettings("scales")));
    let mut search = new(600);
    let before = search.clone();
    let mut unseen = exact(&[0, 0]);
    unseen.baseline[0].samples.fill(0.0);
    unseen.baseline[0].outside_samples = 1e6;
    assert!(search.observe(unseen).is_err());
    let mut unlike = exact(&[0, 1]);
    unlike.slowed[0].counts[0] = 3;
    assert!(search.observe(unlike).is_err());
    assert_eq!(search, before);
}

/// A plan without any instruction cannot be told from the baseline: the search still ends.
#[test]
fn where_one_instruction_is_too_much_everywhere_one_is_left() {
    let heavy = |counts: &[u32]| {
        let mut round = exact(counts);
        let slowed = round.slowed.iter_mut();
        slowed.for_each(|window| window.cpu_ns *= 4.0);
        round
    };
    let (plans, outcome) = run(&mut new(600), heavy, 100);
    let outcome = outcome.expect("it ends");
    assert_eq!(outcome.counts, vec![0, 1], "{plans:?}");
}

/// Blocks that leave each other alone, in long rounds: the target is reached, in many times the plans of the other search.
#[test]
fn a_program_is_slowed_in_many_plans() {
    let mut program = Program::mix();
    for block in &mut program.blocks {
        (block.overlap, block.plateau) = (0.0, 0.0);
    }
    let mut laboratory = Machine::new(program.clone(), 3);
    laboratory.jitter = 0.0;
    laboratory.placement_sd = (0.02, 0.02);
    let protocol = Protocol {
        sampled: 4,
        unsampled: 16,
        samples: 100_000.0,
        placements: 3,
    };
    let wanted = Settings {
        max_plans: 600,
        ..settings(&program, 1.0)
    };
    let scales = vec![1; program.blocks.len()];
    let mut search = Stepwise::new(program.tunables(), wanted, scales).expect("tunables");
    let measure = |counts: &[u32]| laboratory.round(counts, protocol);
    let outcome = run(&mut search, measure, 1000).1.expect("it ends");
    let found = score(&laboratory, &outcome.counts, 1.0);
    println!(
        "total {:+.2}, blocks {:.1}, plans {}",
        found.total_pt, found.block_pt, outcome.plans_tried
    );
    assert_eq!(outcome.stop, Stop::EveryBlock);
    assert!(found.total_pt.abs() < 6.0, "{}", found.total_pt);
    assert!(found.block_pt < 8.0, "{}", found.block_pt);
    assert!(outcome.plans_tried > 30, "{}", outcome.plans_tried);
}
