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
/// all. Where they are ended, what the first looks showed stands.
pub(super) fn look_again<L: SiteLabs>(test: &Test<'_, L>, measured: &mut Measured, of: &[String]) {
    let margin_pt = test.order.margin_pt;
    let mut wanted = changed(measured, of, margin_pt);
    let late = wanted.split_off(fitting(test, measured, wanted.len()));
    if !late.is_empty() {
        let said = no_time(&names(&late));
        test.progress.note(&said);
        measured.late.push(said);
    }
    if wanted.is_empty() {
        return;
    }
    test.labs.adds(measured.looks_take_s(wanted.len()));
    let profilers = names(&wanted);
    match again(test, &profilers, measured.at_once) {
        Ok(seen) => {
            for (first, seen) in wanted.into_iter().zip(seen) {
                let said = taken(measured, &first, seen, margin_pt);
                measured.late.extend(said);
            }
        }
        Err(stopped) => {
            let unfinished = Unfinished {
                profilers,
                each: 1,
                interrupted: stopped.error.is_interrupt(),
                reason: stopped.error.to_string(),
                log: stopped.log,
            };
            test.progress.note(&unfinished.says(test.order.size.runs));
            measured.unfinished = Some(unfinished);
        }
    }
}

/// A profiler, and what sites change for it by its looks so far.
type Changed = (String, ProfileChange);

fn names(of: &[Changed]) -> Vec<String> {
    of.iter().map(|(name, _)| name.clone()).collect()
}

/// Those of these profilers that looked once, and for which sites change too much by that look.
fn changed(measured: &Measured, of: &[String], margin_pt: f64) -> Vec<Changed> {
    let among = |one: &&Profiled| of.contains(&one.name);
    let too_much = |one: &Profiled| {
        let once = (measured.looks.get(&one.name)).filter(|looks| looks.len() == 1)?;
        let much = changes(measured, once, one, margin_pt)?;
        Some((one.name.clone(), much))
    };
    let all = measured.profiled.iter().filter(among);
    all.filter_map(too_much).collect()
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

/// Takes in what a profiler saw in its second look; what is to be said of it. `first`: what its first one says that sites change.
fn taken(
    measured: &mut Measured,
    (name, first): &Changed,
    seen: Seen,
    margin_pt: f64,
) -> Option<String> {
    let seen = seen.map(|look| java_shares(&look.windows));
    let second = match seen {
        Ok(second) if second.is_empty() => return Some(failed(name, "it took no samples")),
        Ok(second) => second,
        Err(reason) => return Some(failed(name, &reason)),
    };
    let shown = share(&second, &first.method);
    let looks = measured.looks.entry(name.clone()).or_default();
    looks.push(second);
    let one = measured.profiled.iter().find(|one| one.name == *name)?;
    let still = changes(measured, &measured.looks[name], one, margin_pt);
    still.is_none().then(|| {
        format!(
            "{name} showed {} at {:.0} % of the Java time in its first look at the program as it is, at {:.0} % in a second one, in another \
             JVM, and at {:.0} % with sites: JVMs differ without sites too, so that sites are not said to change too much of what it shows",
            first.method, first.as_it_is_pct.value, shown.value, first.with_sites_pct.value
        )
    })
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
