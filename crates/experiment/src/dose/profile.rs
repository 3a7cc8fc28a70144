//! A profiler's profile beside the profiles of witnesses.
//!
//! Added time is new code: a profiler may report it rightly and still misplace the code that the method always had. The
//! profile of a profiler that is right at its sites is a good witness of that code; which ones are, [`super::judge`] says.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_rules::DOSE_NONE_SEEN;
use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::looks::{around_all, in_all};

/// Share of each method, % of a profiler's samples in Java methods. Time in no Java method is left out, because
/// profilers differ in whether they look at it at all.
pub type JavaShares = BTreeMap<String, Estimate>;

/// What a profiler shows of the program other than certified profilers do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileCheck {
    /// Who says it: all witnesses, itself left out, or the one whom the others stand by.
    pub witnesses: Vec<String>,
    /// Points of the program's Java time that it shows in other methods than each of these does, at least and at most;
    /// of methods whose intervals are apart, in every JVM that was looked at. 0 where there are none.
    pub misplaced_pt: [f64; 2],
    /// Points by which the share of any method must differ for that to be seen: the widest intervals of both, together.
    #[serde(default)]
    pub resolves_pt: f64,
    /// These methods, the largest difference first.
    pub methods: Vec<ProfileDifference>,
}

/// A method that a profiler shows with another share than certified profilers do.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileDifference {
    /// The method.
    pub method: String,
    /// Its share as the profiler shows it, % of Java time; n: samples.
    pub reported_pct: Estimate,
    /// Its share as the witnesses show it: the mean, with the least and the greatest end of their intervals.
    pub known_pct: Estimate,
    /// Points by which their intervals are apart in every JVM that was looked at; above 0 where it shows too much.
    pub apart_pt: f64,
}

/// How a profiler's profile of the program as it is differs from its profile of the program with sites.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProfileChange {
    /// Points of the program's Java time that stand in other methods with sites, beyond what the time of the sites
    /// themselves explains; at least.
    pub beyond_pt: f64,
    /// That is more than the margin, or the program is mostly the site: the rows decide nothing.
    pub voids_rows: bool,
    /// With the site there the program certainly takes more than twice as long, before time is added. `method` is the site's then, and
    /// all that it has is in doubt, whatever is shown. False in earlier results.
    #[serde(default)]
    pub drowned: bool,
    /// The method with the largest difference.
    pub method: String,
    /// Its share in the program as it is, % of Java time; n: samples.
    pub as_it_is_pct: Estimate,
    /// Its share with sites at rest.
    pub with_sites_pct: Estimate,
}

impl ProfileChange {
    /// `run has 66 % of the Java time with it and 18 % without`, or what else makes it another program. `with`: the site or sites.
    pub(super) fn said(&self, with: &str) -> String {
        match self.drowned {
            true => format!(
                "with {with} there the program takes more than twice as long, before time is added"
            ),
            false => format!(
                "{} has {:.0} % of the Java time with {with} and {:.0} % without",
                self.method, self.with_sites_pct.value, self.as_it_is_pct.value
            ),
        }
    }
}

/// What sites change for a profiler: its profiles of the program as it is, one for each time that it looked, and with sites at rest. Only
/// what all of them show in the same direction is a change, and as much of it as each shows: so another look makes it smaller, or leaves
/// it. Sites take time themselves, `cost` (a part of the program's time) at most in all; what lies beyond is other machine code, or other
/// debug information of it, and too much of it beyond the margin. None where the profiles do not differ for certain, or one is empty.
#[must_use]
pub fn change(
    as_it_is: &[JavaShares],
    with_sites: &JavaShares,
    cost: f64,
    margin_pt: f64,
) -> Option<ProfileChange> {
    let with = vec![with_sites.clone(); as_it_is.len()];
    let check = compare(as_it_is, &[("", with.as_slice())])?;
    let cost = cost.max(0.0);
    let beyond_pt = (check.misplaced_pt[0] - 100.0 * cost / (1.0 + cost)).max(0.0);
    let first = check.methods.into_iter().next()?;
    Some(ProfileChange {
        beyond_pt,
        voids_rows: beyond_pt > margin_pt,
        drowned: false,
        as_it_is_pct: share(&in_all(as_it_is), &first.method),
        method: first.method,
        with_sites_pct: first.known_pct,
    })
}

/// Compares profiles of one program. `subject` and every witness have one profile for each time that the program was
/// looked at, in the same order: each time in JVMs of their own, so that what differs from JVM to JVM hardly lies in the
/// same direction every time. None without a witness, or where a profile is empty.
///
/// # Accuracy
/// The least points hold what lies between the ends of 95 % intervals only, so that what remains of differences between
/// equal profiles is a small part of a point for each method (test).
#[must_use]
pub fn compare(
    subject: &[JavaShares],
    witnesses: &[(&str, &[JavaShares])],
) -> Option<ProfileCheck> {
    let empty = |looks: &[JavaShares]| looks.is_empty() || looks.iter().any(BTreeMap::is_empty);
    let seeing: Vec<_> = witnesses
        .iter()
        .filter(|(_, looks)| looks.len() == subject.len() && !empty(looks))
        .collect();
    if seeing.is_empty() || empty(subject) {
        return None;
    }
    let looks: Vec<Look<'_>> = subject
        .iter()
        .enumerate()
        .map(|(at, shown)| Look {
            shown,
            known: seeing.iter().map(|(_, looks)| &looks[at]).collect(),
        })
        .collect();
    let names: BTreeSet<&String> = looks.iter().flat_map(Look::names).collect();
    let resolves_pt = (looks.iter())
        .flat_map(|look| names.iter().map(|name| look.apart_from(name)))
        .fold(0.0, f64::max);
    let mut methods: Vec<ProfileDifference> = names
        .into_iter()
        .filter_map(|name| difference(&looks, name))
        .collect();
    methods.sort_by(|a, b| b.apart_pt.abs().total_cmp(&a.apart_pt.abs()));
    Some(ProfileCheck {
        witnesses: seeing.iter().map(|(name, _)| (*name).to_owned()).collect(),
        misplaced_pt: misplaced(&methods),
        resolves_pt,
        methods,
    })
}

/// One time that the program was looked at.
struct Look<'a> {
    shown: &'a JavaShares,
    known: Vec<&'a JavaShares>,
}

impl<'a> Look<'a> {
    fn names(&self) -> impl Iterator<Item = &'a String> {
        let known: Vec<&'a String> = self.known.iter().flat_map(|one| one.keys()).collect();
        self.shown.keys().chain(known)
    }

    /// How far apart values of a method must be for their intervals to be so.
    fn apart_from(&self, name: &str) -> f64 {
        let (shown, known) = self.of(name);
        let above = shown.value - shown.low + known.high - known.value;
        let below = shown.high - shown.value + known.value - known.low;
        above.max(below)
    }

    /// What the subject shows of a method, and what the witnesses do.
    fn of(&self, name: &str) -> (Estimate, Estimate) {
        let known: Vec<Estimate> = self.known.iter().map(|one| share(one, name)).collect();
        (share(self.shown, name), around_all(&known))
    }
}

/// A method that a profile does not hold may have been missed.
pub(super) fn share(profile: &JavaShares, name: &str) -> Estimate {
    profile.get(name).copied().unwrap_or_else(|| {
        let n = profile.values().map(|one| one.n).max().unwrap_or(0);
        Estimate {
            value: 0.0,
            low: 0.0,
            high: (100.0 * DOSE_NONE_SEEN / n.max(1) as f64).min(100.0),
            n,
        }
    })
}

/// Points by which the intervals of two shares are apart, 0 where they overlap; above 0 where the first one is larger.
pub(super) fn intervals_apart(shown: &Estimate, known: &Estimate) -> f64 {
    (shown.low - known.high).max(0.0) + (shown.high - known.low).min(0.0)
}

/// The difference of a method, if it lies in one direction every time.
fn difference(looks: &[Look<'_>], name: &str) -> Option<ProfileDifference> {
    let apart = |look: &Look<'_>| {
        let (shown, known) = look.of(name);
        intervals_apart(&shown, &known)
    };
    let all: Vec<f64> = looks.iter().map(apart).collect();
    let above = all.iter().all(|one| *one > 0.0);
    let below = all.iter().all(|one| *one < 0.0);
    if !above && !below {
        return None;
    }
    let nearest = all.into_iter().min_by(|a, b| a.abs().total_cmp(&b.abs()))?;
    let (reported_pct, known_pct) = looks[0].of(name);
    Some(ProfileDifference {
        method: name.to_owned(),
        reported_pct,
        known_pct,
        apart_pt: nearest,
    })
}

/// What is too much and what is too little are the same time; the side that says more counts.
fn misplaced(methods: &[ProfileDifference]) -> [f64; 2] {
    let side = |sign: f64| {
        let of_side = methods.iter().filter(|one| one.apart_pt * sign > 0.0);
        of_side.fold([0.0, 0.0], |[least, most], one| {
            let (shown, known) = (&one.reported_pct, &one.known_pct);
            let most_here = match sign > 0.0 {
                true => shown.high - known.low,
                false => known.high - shown.low,
            };
            [
                least + one.apart_pt.abs(),
                most + most_here.max(one.apart_pt.abs()),
            ]
        })
    };
    let (above, below) = (side(1.0), side(-1.0));
    if above[0] >= below[0] { above } else { below }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::dose::Window;
    use crate::dose::shares::java_shares;
    use rand::{RngExt as _, SeedableRng as _};
    use rand_chacha::ChaCha8Rng;

    /// Shares of methods, each with half of its interval's width, %.
    pub fn profile(shares: &[(&str, f64, f64)]) -> JavaShares {
        let one = |(name, value, half): &(&str, f64, f64)| {
            ((*name).to_owned(), Estimate::around(*value, *half, 1000))
        };
        shares.iter().map(one).collect()
    }

    #[test]
    fn what_is_shown_in_another_method_is_found_with_its_points() {
        let shown = [profile(&[("place", 83.0, 2.0), ("get", 17.0, 2.0)])];
        let first = [profile(&[
            ("place", 14.0, 1.0),
            ("get", 60.0, 2.0),
            ("set", 26.0, 1.0),
        ])];
        let second = [profile(&[
            ("place", 16.0, 1.0),
            ("get", 59.0, 2.0),
            ("set", 25.0, 1.0),
        ])];
        let found = compare(&shown, &[("a", &first), ("b", &second)]).unwrap();
        assert_eq!(found.witnesses, ["a", "b"]);
        let names: Vec<&str> = found
            .methods
            .iter()
            .map(|one| one.method.as_str())
            .collect();
        assert_eq!(names, ["place", "get", "set"]);
        assert!((found.methods[0].apart_pt - 64.0).abs() < 1e-9, "81 - 17");
        assert!((found.methods[1].apart_pt + 38.0).abs() < 1e-9, "19 - 57");
        // The subject's 2 points, and from the witnesses' mean of 59.5 to their least end of 57.
        assert!((found.resolves_pt - 4.5).abs() < 1e-9, "{found:?}");
        // Too much: 64 points of place. Too little: 38 of get and some 24 of set.
        assert!((found.misplaced_pt[0] - 64.0).abs() < 1e-9 && found.misplaced_pt[1] > 70.0);
    }

    #[test]
    fn a_difference_must_be_there_every_time() {
        let other = profile(&[("a", 30.0, 1.0), ("b", 70.0, 1.0)]);
        let same = profile(&[("a", 50.0, 1.0), ("b", 50.0, 1.0)]);
        let known = [same.clone(), same.clone()];
        let found = |looks: [&JavaShares; 2]| {
            let looks = looks.map(Clone::clone);
            compare(&looks, &[("w", &known)]).unwrap().misplaced_pt[0]
        };
        assert_eq!(found([&other, &same]), 0.0);
        assert_eq!(found([&other, &other]), 18.0);
        let turned = profile(&[("a", 70.0, 1.0), ("b", 30.0, 1.0)]);
        assert_eq!(found([&other, &turned]), 0.0);
    }

    #[test]
    fn the_time_of_sites_themselves_is_no_change() {
        let without = profile(&[("a", 50.0, 1.0), ("b", 50.0, 1.0)]);
        // A quarter of the time of the program more, all of it in a: 60 % and 40 %.
        let with = profile(&[("a", 60.0, 1.0), ("b", 40.0, 1.0)]);
        let once = std::slice::from_ref(&without);
        let beyond = |cost: f64| change(once, &with, cost, 5.0).unwrap().beyond_pt;
        assert_eq!(beyond(0.25), 0.0);
        assert_eq!(beyond(0.0), 8.0);
        assert_eq!(beyond(-0.1), 8.0, "a cost below nothing is none");
        let found = change(once, &with, 0.0, 5.0).unwrap();
        assert!(found.voids_rows && !change(once, &with, 0.0, 8.0).unwrap().voids_rows);
        assert_eq!(
            (found.as_it_is_pct.value, found.with_sites_pct.value),
            (50.0, if found.method == "a" { 60.0 } else { 40.0 })
        );
        assert_eq!(change(once, &without, 0.0, 5.0), None);
    }

    #[test]
    fn nothing_is_compared_with_nobody_or_with_an_empty_profile() {
        let one = [profile(&[("a", 50.0, 1.0)])];
        let empty = [JavaShares::new()];
        assert_eq!(compare(&one, &[]), None);
        assert_eq!(compare(&one, &[("w", &empty)]), None);
        assert_eq!(compare(&empty, &[("w", &one)]), None);
    }

    /// Eighty methods, two looks of six windows: profilers that draw from the same shares differ by little.
    #[test]
    fn equal_profilers_of_a_flat_program_hardly_differ() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        let mut look = |samples: usize| -> JavaShares {
            let windows: Vec<Window> = (0..6)
                .map(|_| {
                    let mut window = Window::default();
                    for _ in 0..samples {
                        let method = random.random_range(0..80) as f64;
                        let name = format!("m{}", (method * method / 80.0) as u32);
                        *window.methods.entry(name).or_insert(0.0) += 1.0;
                    }
                    window
                })
                .collect();
            java_shares(&windows)
        };
        let mut worst: f64 = 0.0;
        for _ in 0..50 {
            let (few, many) = ([look(25), look(25)], [look(250), look(250)]);
            let found = compare(&few, &[("w", &many)]).unwrap();
            worst = worst.max(found.misplaced_pt[0]);
        }
        assert!(worst < 2.0, "{worst} points");
    }
}
