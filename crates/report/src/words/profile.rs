//! Words about what a profiler shows of the program as it is, beside what witnesses show, and with sites.

use proofmark_experiment::dose::{
    Attribution, AttributionRow, DoseResult, ProfileCheck, ProfileDifference, listed,
};
use proofmark_stats::Estimate;

use super::introduced::is_witness;
use crate::Names;
use crate::names::clean;
use crate::number::fixed;

/// Methods of a profile that witnesses contradict and that a list names; more are in the JSON document.
pub(crate) const CONTRADICTED: usize = 3;
/// Smaller differences of a profile are not shown, points.
const LEAST_APART_PT: f64 = 1.0;

/// `Queens.placeQueen` and `83.0 % (80.1 to 86.0), witnesses 14.0 % (12.5 to 15.8)`, the largest difference
/// first.
pub(crate) fn contradicted(
    result: &DoseResult,
    one: &Attribution,
    names: &Names,
) -> Vec<(String, String)> {
    let Some(check) = &one.profile else {
        return Vec::new();
    };
    let whose = whose(result, check);
    let methods = check.methods.iter();
    let large = methods.filter(|method| method.apart_pt.abs() >= LEAST_APART_PT);
    let said = large.map(|method| (names.short(&method.method), both_shares(method, whose)));
    said.collect()
}

/// What those are called that a profile is compared with: `witnesses`, if all of them are.
pub(super) fn whose(result: &DoseResult, check: &ProfileCheck) -> &'static str {
    let known = |name: &String| result.attribution.get(name).is_none_or(is_witness);
    match (check.witnesses.iter().all(known), check.witnesses.len()) {
        (true, _) => "witnesses",
        (false, 1) => "the other",
        (false, _) => "the others",
    }
}

/// Whether witnesses contradict the share that a profiler shows of a method, where they contradict the whole profile by more than the
/// margin, points.
pub(crate) fn is_contradicted(one: &Attribution, method: &str, margin_pt: f64) -> bool {
    let check = one.profile.as_ref();
    let check = check.filter(|check| check.misplaced_pt[0] > margin_pt);
    let mut methods = check.into_iter().flat_map(|check| &check.methods);
    methods.any(|one| one.method == method && one.apart_pt.abs() >= LEAST_APART_PT)
}

/// `83.0 % (80.1 to 86.0), witnesses 14.0 % (12.5 to 15.8)`; `whose`: what those are called whose share is the second one.
pub(super) fn both_shares(method: &ProfileDifference, whose: &str) -> String {
    let [reported, known] = [&method.reported_pct, &method.known_pct].map(share);
    format!("{reported}, {whose} {known}")
}

/// `83.0 % (80.1 to 86.0)`
pub(super) fn share(share: &Estimate) -> String {
    let [value, low, high] = [share.value, share.low, share.high].map(|pct| fixed(pct, 1));
    format!("{value} % ({low} to {high})")
}

/// `Bounce.run 18.2 % (15.0 to 21.4) in one look at the program as it is, 66.2 % (62.0 to 70.4) with sites`; none below a point.
pub(crate) fn changed(one: &Attribution, names: &Names) -> Option<(String, String)> {
    let change = one.change.as_ref()?;
    let [as_it_is, with_sites] = [&change.as_it_is_pct, &change.with_sites_pct].map(share);
    let looks = looks(one);
    let shares = format!("{as_it_is} in {looks} at the program as it is, {with_sites} with sites");
    (change.beyond_pt >= LEAST_APART_PT).then(|| (names.short(&change.method), shares))
}

/// `one look`, or `two looks`: in how many JVMs without sites a profiler looked at the program.
pub(super) fn looks(one: &Attribution) -> String {
    match one.looks {
        0 | 1 => "one look".to_owned(),
        2 => "two looks".to_owned(),
        more => format!("{more} looks"),
    }
}

/// `the site alone moves its share from 1.9 % (1.6 to 2.2) to 5.4 % (4.9 to 5.9)`: of a row that is counted, where what the profiler shows of
/// the method at least doubles or halves for certain while the site's code is there, without a turn; none elsewhere.
pub(crate) fn own_share(row: &AttributionRow) -> Option<String> {
    let own = row.own_share.as_ref().filter(|own| own.is_large())?;
    let [without, with] = [&own.without_pct, &own.with_pct].map(share);
    let said = || format!("the site alone moves its share from {without} to {with}");
    (!row.is_void()).then(said)
}

/// `compared with those of async and jfr; shares of a method that differ by more than 4.2 points are told apart`
pub(crate) fn compared(one: &Attribution) -> Option<String> {
    let check = one.profile.as_ref()?;
    let names: Vec<String> = check.witnesses.iter().map(|name| clean(name)).collect();
    let points = (check.resolves_pt > 0.0).then(|| fixed(check.resolves_pt, 1))?;
    let those = match names.len() {
        1 => "that",
        _ => "those",
    };
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let whose = listed(&names);
    Some(format!(
        "compared with {those} of {whose}; shares of a method that differ by more than {points} points are told apart"
    ))
}
