//! Where the points come from that a profiler misplaces, at least and at most.

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{
    Attribution, AttributionRow, DoseResult, KnownShare, ProfileCheck, ProfileDifference, listed,
};
use proofmark_stats::Estimate;

use super::profile::{both_shares, share, whose};
use super::sites::of_each_jvm;
use crate::Names;
use crate::names::clean;
use crate::number::{count, fixed};

/// Fewer points are not explained.
const LEAST_PT: f64 = 0.5;
/// Points that are written and read again stay the same.
const SAME_PT: f64 = 1e-6;

/// `17 to 23 points of the Java time`: how many a profiler misplaces, at least and at most; none where hardly any, or nobody knows.
pub(crate) fn misplaced_points(result: &DoseResult, one: &Attribution) -> Option<String> {
    (one.misplaced_pt[1] >= LEAST_PT).then(|| points_of(result, one))
}

/// The same of any profiler. They are of the Java time where the profile alone says so many, and of the program's time with sites where rows
/// do.
fn points_of(result: &DoseResult, one: &Attribution) -> String {
    let [least, most] = one.misplaced_pt.map(|points| fixed(points, 0));
    let of = match by_profile_ends(result, one).1 {
        [true, true] => "the Java time",
        _ => "the program's time",
    };
    format!("{least} to {most} points of {of}")
}

/// The profile of a profiler, if it is off by enough to decide, and whether the least and the most points that are misplaced come from it.
fn by_profile_ends<'a>(
    result: &DoseResult,
    one: &'a Attribution,
) -> (Option<&'a ProfileCheck>, [bool; 2]) {
    let [least, most] = one.misplaced_pt;
    let check = one.profile.as_ref();
    let check = check.filter(|check| check.misplaced_pt[0] > result.margin_pt);
    let ends = check.map_or([false; 2], |check| {
        let [at_least, at_most] = check.misplaced_pt;
        // What is in doubt of the witnesses' own profiles makes the least smaller.
        [
            least <= at_least + SAME_PT,
            (most - at_most).abs() < SAME_PT,
        ]
    });
    (check, ends)
}

/// `the least and the most that the intervals allow: by how much the methods that it shows too large exceed what async shows, above all
/// Queens.placeQueen 81.5 % (79.1 to 84.0), witnesses 10.1 % (7.4 to 12.4) of the Java time`; or by its rows and the shares of their
/// methods, or by both. None of a right profiler, and where hardly anything is misplaced.
pub(crate) fn misplaced(result: &DoseResult, one: &Attribution, names: &Names) -> Option<String> {
    let [least, most] = one.misplaced_pt;
    if one.verdict == Verdict::Right || most < LEAST_PT {
        return None;
    }
    let (check, ends) = by_profile_ends(result, one);
    let rows = || by_rows(result, one, names);
    let said = match (check, ends) {
        (Some(check), [true, true]) => format!(": {}", by_profile(result, (check, least), names)),
        (Some(check), [true, false] | [false, true]) => format!(
            ", whichever says more: {}; or {}",
            rows(),
            by_profile(result, (check, least), names)
        ),
        _ => format!(": {}", rows()),
    };
    Some(format!(
        "the least and the most that the intervals allow{said}"
    ))
}

/// What the profile says; `least`: the points that are believed at least.
fn by_profile(result: &DoseResult, (check, least): (&ProfileCheck, f64), names: &Names) -> String {
    let points = |above: bool| -> f64 {
        let of_side = check.methods.iter().filter(|one| is_above(one) == above);
        of_side.map(|one| one.apart_pt.abs()).sum()
    };
    let above = points(true) >= points(false);
    let (size, than) = match above {
        true => ("large", "exceed"),
        false => ("small", "fall short of"),
    };
    let witnesses: Vec<String> = check.witnesses.iter().map(|name| clean(name)).collect();
    let witnesses: Vec<&str> = witnesses.iter().map(String::as_str).collect();
    let show = if witnesses.len() == 1 {
        "shows"
    } else {
        "show"
    };
    let whose = whose(result, check);
    // The largest difference comes first.
    let first = check.methods.iter().find(|one| is_above(one) == above);
    let first = first.map_or(String::new(), |one| {
        let shares = both_shares(one, whose);
        format!(
            ", above all {} {shares} of the Java time",
            names.short(&one.method)
        )
    });
    let doubt = check.misplaced_pt[0] - least;
    let doubt = match doubt >= LEAST_PT {
        true => format!(
            "; the least is {} less, because so much of their own profiles is in doubt",
            count(doubt.round() as u64, "point")
        ),
        false => String::new(),
    };
    format!(
        "by how much the methods that it shows too {size} {than} what {} {show}{first}{doubt}",
        listed(&witnesses)
    )
}

fn is_above(one: &ProfileDifference) -> bool {
    one.apart_pt > 0.0
}

/// What the rows say, which counts over all JVMs, or in the one that misplaces more for certain.
fn by_rows(result: &DoseResult, one: &Attribution, names: &Names) -> String {
    let jvms = match one.jvms.total() {
        0 | 1 => "",
        _ => ", over all JVMs or in the one where that is more for certain",
    };
    let deciding = one.rows.iter().filter(|row| !row.is_void());
    let points = |row: &AttributionRow| {
        let known = result.known_share(&row.method);
        away(row) * known.map_or(0.0, |known| known.ends().1)
    };
    let largest = deciding.max_by(|a, b| points(a).total_cmp(&points(b)));
    let largest = largest.filter(|row| points(row) > 0.0);
    let largest = largest.map_or(String::new(), |row| {
        let part = of_each_jvm(row).map(|each| format!("{each} %"));
        let part = part.unwrap_or_else(|| share(&row.in_place_pct));
        let takes = share_of(result, &row.method);
        format!(
            ", above all {}: {part} of the added time in place{takes}",
            names.short(&row.method)
        )
    });
    format!("how far its rows are off, times the share of each method{jvms}{largest}")
}

/// % of the added time that is not where it belongs, in the JVM that is farthest off.
fn away(row: &AttributionRow) -> f64 {
    let [low, high] = row.truth_pct;
    let off = |part: &Estimate| (low - part.value).max(part.value - high).max(0.0);
    let each = row.in_place_per_run_pct.iter().chain([&row.in_place_pct]);
    let missing = row.missing_pct.filter(|part| part.low > 0.0);
    let missing = missing.map_or(0.0, |part| part.value);
    each.map(off).fold(missing, f64::max)
}

/// `, and the method takes 39 % (jfr) to 69 % (async) of the program's time`, where profilers disagree and none is a witness; with
/// witnesses what these show.
fn share_of(result: &DoseResult, method: &str) -> String {
    let takes = match result.known_share(method) {
        Some(KnownShare::Certified(known)) => {
            format!("{} of the program's time, as witnesses show", share(&known))
        }
        Some(KnownShare::Between(..)) => between(result, method),
        None => return String::new(),
    };
    format!(", and the method takes {takes}")
}

/// `39 % (jfr) to 69 % (async) of the program's time`
fn between(result: &DoseResult, method: &str) -> String {
    let telling = result.attribution.iter();
    let telling = telling.filter(|(_, one)| !one.shares_pct.is_empty());
    let mut shown: Vec<(f64, String)> = telling
        .map(|(name, one)| {
            let share = one.shares_pct.get(method);
            (share.map_or(0.0, |share| share.value), clean(name))
        })
        .collect();
    shown.sort_by(|a, b| a.0.total_cmp(&b.0));
    let said = |(pct, name): &(f64, String)| format!("{} % ({name})", fixed(*pct, 0));
    match shown.as_slice() {
        [least, .., most] => format!("{} to {} of the program's time", said(least), said(most)),
        one => {
            let one: Vec<String> = one.iter().map(said).collect();
            format!("{} of the program's time", one.concat())
        }
    }
}
