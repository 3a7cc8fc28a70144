//! A search for a further target, which knows what an earlier one has shown.

use std::sync::OnceLock;

use crate::common::{Score, mean, of_seeds, score, settings};
use proofmark_divine::{Round, Search, Searching as _, Settings, Step};
use proofmark_experiment::sim::{Machine, Program, Protocol};

/// A machine on which `json` was searched, and then again for half of that, as if nothing were known.
struct Searched {
    laboratory: Machine,
    first: Search,
    anew: Score,
}

/// Of some seeds, for two tests.
fn searched_twice() -> &'static [Searched] {
    static ALL: OnceLock<Vec<Searched>> = OnceLock::new();
    ALL.get_or_init(|| {
        let program = Program::json();
        of_seeds(12, |seed| {
            let mut laboratory = Machine::new(program.clone(), seed);
            let first = searched_on(&mut laboratory, settings(&program, 1.0), &[]);
            let anew = further(&mut laboratory, settings(&program, 0.5), &[]);
            Searched {
                laboratory,
                first,
                anew,
            }
        })
    })
}

/// What one target has shown helps with the next: as good, with fewer plans.
#[test]
fn a_second_target_knows_the_first_ones_responses() {
    let program = Program::json();
    let all = searched_twice();
    let anew: Vec<Score> = all.iter().map(|one| one.anew).collect();
    let know = |seed: u64| {
        let one = &all[seed as usize];
        let mut laboratory = one.laboratory.clone();
        further(&mut laboratory, settings(&program, 0.5), one.first.rounds())
    };
    let known = of_seeds(all.len() as u64, know);
    let [first, second] = [&anew, &known].map(|scores| blocks_and_rounds(scores));
    assert!(second.0 < 1.05 * first.0 && second.1 < 0.95 * first.1);
    assert!(mean(&known, |s| s.total_pt.abs()) < 1.3);
}

/// Who knows how blocks respond needs few plans: two for the blocks, and one for the total.
#[test]
fn a_further_target_needs_few_plans() {
    let program = Program::json();
    let few = |target| Settings {
        max_plans: 4,
        max_rounds: 6,
        ..settings(&program, target)
    };
    let all = searched_twice();
    // Without and with what is known, for half and for one and a half.
    let search = |seed: u64| {
        let one = &all[seed as usize];
        let mut laboratory = one.laboratory.clone();
        let half = further(&mut laboratory, few(0.5), one.first.rounds());
        let anew = further(&mut laboratory, settings(&program, 1.5), &[]);
        let more = further(&mut laboratory, few(1.5), one.first.rounds());
        ([one.anew, anew], [half, more])
    };
    let (anew, known): (Vec<_>, Vec<_>) = of_seeds(all.len() as u64, search).into_iter().unzip();
    let (anew, known) = (anew.concat(), known.concat());
    let [(first, _), (second, _)] = [&anew, &known].map(|scores| blocks_and_rounds(scores));
    assert!(known.iter().all(|s| s.plans <= 3.0 && s.rounds <= 6.0));
    assert!(second < 1.4 * first, "{first} {second}");
    assert!(mean(&known, |s| s.total_pt.abs()) < 2.0);
}

/// By how much blocks miss in the mean, points, and rounds; printed with the rest for whoever looks into a failure.
fn blocks_and_rounds(scores: &[Score]) -> (f64, f64) {
    let (blocks, rounds) = (mean(scores, |s| s.block_pt), mean(scores, |s| s.rounds));
    println!(
        "blocks {blocks:.1}, total {:.2}, plans {:.1}, rounds {rounds:.1}",
        mean(scores, |s| s.total_pt.abs()),
        mean(scores, |s| s.plans)
    );
    (blocks, rounds)
}

/// What a search reaches that knows these rounds.
fn further(laboratory: &mut Machine, settings: Settings, before: &[Round]) -> Score {
    let target = settings.target;
    let search = searched_on(laboratory, settings, before);
    let Step::Finished(outcome) = search.step() else {
        panic!("it was finished");
    };
    assert_eq!(
        search.rounds().len() - before.len(),
        search.own_rounds().len()
    );
    Score {
        plans: f64::from(outcome.plans_tried),
        rounds: f64::from(outcome.rounds),
        ..score(laboratory, &outcome.counts, target)
    }
}

/// A search to its end, which knows these rounds.
fn searched_on(laboratory: &mut Machine, settings: Settings, rounds: &[Round]) -> Search {
    let tunables = laboratory.program().tunables();
    let mut search = Search::knowing(tunables, settings, rounds).expect("tunables and rounds");
    while let Step::Measure { counts } = search.step() {
        let round = laboratory.round(&counts, Protocol::default());
        search.observe(round).expect("round");
    }
    search
}
