use super::super::tests::usual;
use super::*;

/// The first test of the fourth stranger (docs/studies/strangers), by the times of its files: nine methods were tried, seven had eight sites in
/// five sets, and four of them were measured. How long its JVMs took to start and to open gates was not kept: what is usual.
fn moves() -> (Took, Size) {
    let took = Took {
        choosing_s: 34.3,
        dosing_s: 35.2,
        costs_s: 77.6,
        profilers_s: 323.5,
        tried: 9,
        found: 7,
        looked_at: [8, 5],
        each: vec![2, 1, 1, 1],
        known: FoundSites {
            sites: 5,
            sets: 3,
            iteration_s: 0.037,
            start_s: 5.0,
            gates_s: 1.5,
        },
        spared: 0,
        at_once: 2,
        most_s: Some(600.0),
    };
    let asked = Size {
        methods: 4,
        ..usual()
    };
    (took, asked)
}

fn all_s(took: &Took) -> f64 {
    took.choosing_s + took.dosing_s + took.costs_s + took.profilers_s
}

/// Of the places that were tried and the sites that were looked at, those that were left out for time are not tried again.
#[test]
fn the_same_test_takes_as_long_but_for_what_was_left_out() {
    let (took, asked) = moves();
    let again_s = took.again_s(&asked, &asked);
    assert!(again_s < all_s(&took), "{again_s}");
    let nothing_left_out = Took {
        tried: 4,
        found: 4,
        looked_at: [5, 3],
        ..took.clone()
    };
    let same_s = nothing_left_out.again_s(&asked, &asked);
    assert!((same_s - all_s(&took)).abs() < 1e-6, "{same_s}");
    // Windows that were left out take time then: some 0.6 s each, two at a time.
    let spared = Took { spared: 50, ..took };
    let more_s = spared.again_s(&asked, &asked) - again_s;
    assert!((50.0..80.0).contains(&more_s), "{more_s}");
}

#[test]
fn a_test_of_one_method_takes_what_its_parts_took() {
    let (took, asked) = moves();
    let one = Size {
        methods: 1,
        ..asked.clone()
    };
    let one_s = took.again_s(&asked, &one);
    assert!((one_s - 258.0).abs() < 3.0, "{one_s}");
    // Until methods are chosen it takes as long.
    let slow = Took {
        choosing_s: 134.3,
        ..took.clone()
    };
    assert!((slow.again_s(&asked, &one) - one_s - 100.0).abs() < 1e-6);
    // What was spent on methods that are not tried then is not.
    let many = Took {
        dosing_s: 135.2,
        ..took
    };
    let more_s = many.again_s(&asked, &one) - one_s;
    assert!((20.0..60.0).contains(&more_s), "{more_s}");
}

#[test]
fn more_jvms_and_profilers_make_their_parts_longer_only() {
    let (took, asked) = moves();
    let again_s = |then: &Size| took.again_s(&asked, then);
    let usual_s = again_s(&asked);
    let twice = Size {
        runs: 8,
        budget_s: 30.0,
        ..asked.clone()
    };
    let more_s = again_s(&twice) - usual_s;
    assert!((more_s - took.profilers_s).abs() < 10.0, "{more_s}");
    let mut also = asked.clone();
    also.profilers.push("jfr-cpu".into());
    let more_s = again_s(&also) - usual_s;
    let part_s = took.profilers_s / 3.0;
    assert!((part_s - 5.0..part_s + 20.0).contains(&more_s), "{more_s}");
    let windows = Size {
        rounds: 16,
        budget_s: 30.0,
        ..asked.clone()
    };
    let more_s = again_s(&windows) - usual_s;
    assert!((40.0..250.0).contains(&more_s), "{more_s}");
}
