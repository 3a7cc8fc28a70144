//! A second look at the program as it is, in another process, where sites would change too much by the first one.
//!
//! What a profiler shows without sites in one process may be that process's own: JVMs compile the same program differently. So it is no
//! doing of the sites before another process without them shows it too. Whether a profiler looks again is decided by its profiles at rest,
//! without sites and with all gates closed: no row is looked at. And a second look can only make a change smaller
//! ([`change`]): it never takes a row away that the first one left.

use super::Test;
use super::lab::{SiteError, SiteLabs};
use super::look::{Seen, again};
use super::measure::Profiled;
use super::result::Measured;
use crate::dose::advice::listed;
use crate::dose::profile::{change, share};
use crate::dose::{JavaShares, ProfileChange, Unfinished, java_shares};

/// Has those of these profilers look once more by whose only look sites change too much, the first ones of them where there is no time for
/// all. Of those that are ended then, what the first look showed stands.
pub(super) fn look_again<L: SiteLabs>(test: &Test<'_, L>, measured: &mut Measured, of: &[String]) {
    let mut wanted = changed(measured, of, test.order.margin_pt);
    let late = wanted.split_off(fitting(test, measured, wanted.len()));
    if !late.is_empty() {
        let said = no_time(&late);
        test.progress.note(&said);
        measured.late.push(said);
    }
    if wanted.is_empty() {
        return;
    }
    test.labs.adds(measured.looks_take_s(wanted.len()));
    let (mut seen, stopped) = again(test, &wanted, measured.at_once);
    let mut ended = Vec::new();
    for name in wanted {
        match seen.remove(&name) {
            Some(seen) => take(measured, &name, seen),
            None => ended.push(name),
        }
    }
    if let Some(stopped) = stopped {
        let unfinished = Unfinished {
            profilers: ended,
            each: 1,
            without_sites: true,
            interrupted: stopped.error.is_interrupt(),
            reason: stopped.error.to_string(),
            log: stopped.log,
        };
        test.progress.note(&unfinished.says(test.order.size.runs));
        measured.unfinished = Some(unfinished);
    }
}

/// What is said of profilers whose change the second look took back, by all that was measured: JVMs that were added behind it say more of
/// what is shown with sites.
pub(super) fn taken_back(measured: &Measured, margin_pt: f64) -> Vec<String> {
    let said = |one: &Profiled| {
        let looks = measured.looks.get(&one.name)?;
        let [first, second] = looks.as_slice() else {
            return None;
        };
        let once = changes(measured, std::slice::from_ref(first), one, margin_pt)?;
        let both = changes(measured, looks, one, margin_pt);
        both.is_none().then(|| not_beyond(&one.name, &once, second))
    };
    measured.profiled.iter().filter_map(said).collect()
}

/// Those of these profilers that looked once, and for which sites change too much by that look.
fn changed(measured: &Measured, of: &[String], margin_pt: f64) -> Vec<String> {
    let too_much = |one: &&Profiled| {
        let looks = measured.looks.get(&one.name);
        let once = looks.filter(|looks| looks.len() == 1);
        once.is_some_and(|once| changes(measured, once, one, margin_pt).is_some())
    };
    let among = measured.profiled.iter();
    let among = among.filter(|one| of.contains(&one.name));
    among.filter(too_much).map(|one| one.name.clone()).collect()
}

/// What sites change for a profiler by these looks, where that is too much for rows to decide.
fn changes(
    measured: &Measured,
    looks: &[JavaShares],
    one: &Profiled,
    margin_pt: f64,
) -> Option<ProfileChange> {
    let found = change(looks, &one.java_shares, measured.rest_part(), margin_pt);
    found.filter(|change| change.voids_rows)
}

/// For how many looks, of so many that are wanted, there is time.
fn fitting<L: SiteLabs>(test: &Test<'_, L>, measured: &Measured, wanted: usize) -> usize {
    let Some(left_s) = test.left_s() else {
        return wanted;
    };
    let fits = |looks: &usize| measured.looks_take_s(*looks) <= left_s;
    (1..=wanted).rev().find(fits).unwrap_or(0)
}

/// Takes in what a profiler saw in its second look, or says why there is none.
fn take(measured: &mut Measured, name: &str, seen: Seen) {
    let shown = seen.map(|look| java_shares(&look.windows));
    match shown {
        Ok(shown) if shown.is_empty() => measured.late.push(failed(name, "it took no samples")),
        Ok(shown) => measured
            .looks
            .entry(name.to_owned())
            .or_default()
            .push(shown),
        Err(reason) => measured.late.push(failed(name, &reason)),
    }
}

/// `jfr showed A.run at 28 % of the Java time in its first look ..., at 6 % in a second one, ..., and at 6 % with sites: ...`; `once`: what
/// the first look says that sites change.
fn not_beyond(name: &str, once: &ProfileChange, second: &JavaShares) -> String {
    format!(
        "{name} showed {} at {:.0} % of the Java time in its first look at the program as it is, at {:.0} % in a second one, in another \
         JVM, and at {:.0} % with sites: by both looks sites do not certainly change more than the margin, so that its rows count",
        once.method,
        once.as_it_is_pct.value,
        share(second, &once.method).value,
        once.with_sites_pct.value
    )
}

/// That a second look did not work.
fn failed(name: &str, reason: &str) -> String {
    format!(
        "{name} could not look at the program as it is in a second JVM ({reason}): what sites change of what it shows is known by one look"
    )
}

/// That there was no time for second looks of these profilers.
fn no_time(profilers: &[String]) -> String {
    let names: Vec<&str> = profilers.iter().map(String::as_str).collect();
    format!(
        "there was no time for a second look at the program as it is, by {}: that sites change too much of what it shows is known by one \
         JVM without sites, which may differ from others by chance",
        listed(&names)
    )
}
