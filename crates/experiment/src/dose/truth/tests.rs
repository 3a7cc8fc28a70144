use super::*;
use rand::{RngExt as _, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn close([low, high]: [f64; 2], truth: Truth) {
    let [from, to] = truth.pct();
    assert!(
        (from - low).abs() < 0.01 && (to - high).abs() < 0.01,
        "{truth:?}"
    );
}

#[test]
fn no_more_can_be_hidden_than_there_is_and_than_is_looked_ahead() {
    // From 60 to 587 % slower by turns of two steps, as in Towers: up to 1 of 5.27.
    close(
        [100.0, 118.98],
        Truth::of((0.60, 5.87), Some(28.0), None, None),
    );
    // Forty turns of 64 steps: 512 of 7680 cycles.
    close(
        [100.0, 106.67],
        Truth::of((0.5, 9.5), Some(2560.0), None, None),
    );
    close([100.0, 111.11], Truth::of((0.5, 9.5), None, None, None));
    // The program hardly grew: all of it may be hidden, and no more.
    close([100.0, 200.0], Truth::of((0.5, 0.9), None, None, None));
    close([100.0, 200.0], Truth::of((0.5, 0.5), None, None, None));
}

fn others(least: f64, half: f64) -> Option<OtherSites> {
    Some(OtherSites { least, half })
}

#[test]
fn counting_widens_what_is_right_where_it_is_known_and_near() {
    let of = |value: f64, half: f64| {
        let counted = Estimate::around(value, half, 8);
        let others = others(0.93, 0.02);
        Truth::of((0.5, 10.5), Some(5120.0), Some(&counted), others)
    };
    close([94.0, 103.33], of(0.95, 0.01));
    close([99.0, 103.33], of(1.0, 0.01));
    close([100.0, 109.0], of(1.08, 0.01));
    // Not known by itself: what others say. Known and far from the clock: as far as it would be believed, or not at all.
    close([93.0, 103.33], of(0.95, 0.06));
    close([90.0, 103.33], of(0.85, 0.01));
    close([100.0, 103.33], of(1.2, 0.01));
    // Known, but others say it more closely, and are not contradicted.
    close([93.0, 107.0], of(1.03, 0.04));
    close([93.0, 103.33], of(0.93, 0.03));
    close([90.0, 103.33], of(0.91, 0.01));
    // Known less closely, but certainly less than others may have.
    close([88.4, 103.33], of(0.905, 0.021));
    assert!(!of(0.905, 0.021).by_others);
    // Whose word it is.
    assert!(of(0.95, 0.06).by_others && of(0.93, 0.03).by_others);
    assert!(!of(0.95, 0.01).by_others && !of(0.85, 0.01).by_others);
    let none = Truth::of((0.5, 10.5), Some(5120.0), None, None);
    assert!(!none.by_others && none.or(of(0.95, 0.06)).by_others);
    // Of two ranges the one says it that begins lower.
    let (own, by_others) = (of(0.92, 0.01), of(0.95, 0.06));
    assert!(!own.or(by_others).by_others && !by_others.or(own).by_others);
    close(
        [92.0, 111.11],
        Truth::of((0.5, 9.5), None, None, others(0.92, 0.01)),
    );
}

/// Values of 97, 98 and 96 %, each known much better than they differ: mean 97, deviation 1, t = 4.303 with two degrees of freedom,
/// the root of 4/3.
#[test]
fn other_sites_say_how_little_it_may_be() {
    let of = |values: &[f64], half: f64| {
        let counted = values.iter();
        let counted = counted.map(|value| Estimate::around(*value, half, 8));
        OtherSites::of(&counted.collect::<Vec<_>>()).map(|sites| sites.least)
    };
    let three = of(&[0.97, 0.98, 0.96], 0.0).expect("three");
    assert!((three - (0.97 - 0.04969)).abs() < 1e-3, "{three}");
    assert_eq!(of(&[0.97, 0.98], 0.01), None);
    assert_eq!(of(&[0.97, 0.98, 0.96], 0.06), None, "not known");
    assert_eq!(of(&[0.97, 0.98, 0.8], 0.01), None, "one is far away");
    assert_eq!(of(&[0.95, 0.91, 0.93], 0.01), Some(0.9));
    assert_eq!(of(&[0.99, 0.94, 0.91], 0.01), None, "or all of it");
    assert_eq!(of(&[1.04, 1.05, 1.04], 0.01), None);
}

/// How often the range begins too high, of simulated programs whose sites differ by a standard deviation of `between`, and how far it
/// begins below what is right where a site is known badly, in the mean, by all that is known and by the site alone.
fn simulated(between: f64, sites: usize) -> (f64, f64, f64) {
    let mut random = ChaCha8Rng::seed_from_u64(sites as u64);
    let mut normal = || (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0;
    let (mut high, mut all, mut below, mut alone) = (0.0, 0.0, 0.0, 0.0);
    for _ in 0..1000 {
        let site = |at: usize| {
            let truth: f64 = 0.965 + between * normal();
            let error = if at.is_multiple_of(3) { 0.018 } else { 0.004 };
            let seen = Estimate::around(truth + error * normal(), 2.0 * error, 61);
            (truth, seen)
        };
        let program: Vec<(f64, Estimate)> = (0..sites).map(site).collect();
        for (at, (truth, own)) in program.iter().enumerate() {
            let rest = program.iter().enumerate();
            let rest = rest.filter(|(other, _)| *other != at);
            let rest: Vec<Estimate> = rest.map(|(_, (_, seen))| *seen).collect();
            let begins = |others| Truth::of((0.5, 9.5), None, Some(own), others).low;
            let low = begins(OtherSites::of(&rest));
            all += 1.0;
            high += f64::from(u8::from(low > *truth && low < 1.0));
            if at.is_multiple_of(3) {
                below += truth - low;
                alone += truth - begins(None);
            }
        }
    }
    (high / all, below / all, alone / all)
}

#[test]
fn a_range_begins_too_high_no_oftener_and_nearer_than_by_the_site_alone() {
    for (between, sites) in [(0.0, 6), (0.004, 6), (0.004, 13), (0.01, 6), (0.01, 13)] {
        let (high, below, alone) = simulated(between, sites);
        assert!(high < 0.035, "{between} {sites}: {high}");
        assert!(below < alone, "{between} {sites}: {below} {alone}");
    }
}

#[test]
fn what_is_away_is_away_from_all_that_may_be_right() {
    let truth = Truth {
        low: 0.95,
        high: 1.1,
        by_others: false,
    };
    let away = |low: f64, high: f64| {
        let (near, far) = truth.away(&Estimate::around(
            f64::midpoint(low, high),
            (high - low) / 2.0,
            9,
        ));
        [near, far].map(|one| (1e6 * one).round() / 1e6)
    };
    assert_eq!(away(0.96, 1.09), [0.0, 0.0]);
    assert_eq!(away(0.90, 1.20), [0.0, 0.1]);
    assert_eq!(away(0.80, 1.00), [0.0, 0.15]);
    assert_eq!(away(0.0, 0.1), [0.85, 0.95]);
    assert_eq!(away(1.3, 1.4), [0.2, 0.3]);
    let both = truth.or(Truth {
        low: 1.0,
        high: 1.2,
        by_others: false,
    });
    close([95.0, 120.0], both);
}
