//! What is wrong with a profiler, in words: the finding with the most of the program's time first, the other one in a sentence
//! of its own that says how both can be true.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_assess::Verdict;
use proofmark_stats::{Estimate, mean};

use super::{
    Accused, AccusedBy, AdviceAbout, AsItIs, Attribution, AttributionRow, ProfileDifference,
};
use belongs::belongs;
use charge::{calls, charge, put_into};
use own::is_own;
use shown::{Otherwise, by_profiles, witnessed};

mod against;
mod belongs;
mod boxed;
mod charge;
mod everybody;
mod own;
mod shown;

pub use against::Against;
pub(super) use against::against;
pub(super) use boxed::boxed;
pub(super) use everybody::{Everybody, everybody};
pub(super) use shown::{apart, contradicted};

/// Smaller differences of a profile are not said, points.
pub(super) const LEAST_SAID_PT: f64 = 2.0;
/// A wrong row of a helper of the JDK is said in the place of one of the user's own code only where it stands for more than so many times
/// its points.
const HELPER_LARGER: f64 = 4.0;
/// A site of a method is said in the place of its largest one if it has at least one in so many of its points, and more JVMs show it.
const MUCH_LESS: f64 = 2.0;

/// What is known where it is said what is wrong with a profiler.
#[derive(Clone, Copy)]
pub(super) struct Known<'a> {
    /// Margin of the test, points of share.
    pub(super) margin_pt: f64,
    /// A method about which all profilers are wrong, as was said before.
    pub(super) said: Option<&'a str>,
    /// What profilers show of the program as it is.
    pub(super) as_it_is: &'a AsItIs,
}

/// What speaks against a profiler.
enum Finding<'a> {
    /// A share of the program as it is that witnesses contradict.
    Shown(Otherwise, &'a [String]),
    /// A method with a wrong row.
    Added(&'a AttributionRow),
}

/// The wrong profiler that misplaces most.
pub(super) fn worst(
    attribution: &BTreeMap<String, Attribution>,
) -> Option<(&String, &Attribution)> {
    let wrong = attribution
        .iter()
        .filter(|(_, one)| one.verdict == Verdict::Wrong);
    wrong.max_by(|a, b| a.1.misplaced_pt[0].total_cmp(&b.1.misplaced_pt[0]))
}

/// `jfr is wrong about Queens.placeQueen: it shows 79 % of the Java time there, where async shows 15 %`: of two findings the one
/// with more of the program's time for certain. Of a method that is shown too large in all looks it says whose time that is, and of one that
/// is not shown so in all of them, in how many JVMs it is.
pub(super) fn first(
    (name, wrong): (&str, &Attribution),
    all: &BTreeMap<String, Attribution>,
    known: Known<'_>,
) -> String {
    match ranked((name, wrong), all, known).0 {
        Some(Finding::Shown(shown, witnesses)) => {
            let method = &shown.method;
            let whose = match shown.in_some {
                // Who lacks it there is not known.
                Some(_) => String::new(),
                None => belongs(method, wrong),
            };
            format!(
                "{name} is wrong about {}: it shows {:.0} % of the Java time there, where {}{}{}{whose}",
                method.method,
                method.reported_pct.value,
                witnessed(method, witnesses),
                shown.in_jvms(),
                by_profiles(method, all),
            )
        }
        Some(Finding::Added(row)) => {
            let about = match calls(row) {
                true => format!("what {} calls", row.method),
                false => row.method.clone(),
            };
            let said = charge(wrong, row, ("there", "it"));
            format!("{name} is wrong about {about}: of {said}{}", more(wrong))
        }
        None => format!(
            "{name} is wrong: it misplaces at least {:.0} points of the program's time",
            wrong.misplaced_pt[0]
        ),
    }
}

/// What [`first`] says is wrong, and with whom.
pub(super) fn accused(
    (name, wrong): (&str, &Attribution),
    all: &BTreeMap<String, Attribution>,
    known: Known<'_>,
) -> Accused {
    let (by, method) = match ranked((name, wrong), all, known).0 {
        Some(Finding::Shown(shown, _)) => (AccusedBy::Share, Some(shown.method.method)),
        Some(Finding::Added(row)) => (AccusedBy::AddedTime, Some(row.method.clone())),
        None => (AccusedBy::Total, None),
    };
    Accused {
        profiler: name.to_owned(),
        by,
        method,
    }
}

/// What else is wrong with the profiler that the advice calls wrong, in sentences that say how both can be true; none where there is nothing
/// else, or the advice, which may be an earlier version's, says something else first. `as_it_is`: what profilers show of the program as it
/// is; `margin_pt`: that of the test; `about`: whom and what its advice is about, none where that is not known.
#[must_use]
pub fn besides(
    attribution: &BTreeMap<String, Attribution>,
    as_it_is: &AsItIs,
    margin_pt: f64,
    about: Option<&AdviceAbout>,
) -> Option<String> {
    let about = about?;
    let (name, wrong) = worst(attribution)?;
    let known = Known {
        margin_pt,
        said: about.all_wrong_about.as_deref(),
        as_it_is,
    };
    if about.accused != Some(accused((name, wrong), attribution, known)) {
        return None;
    }
    let (Some(first), Some(second)) = ranked((name, wrong), attribution, known) else {
        return None;
    };
    Some(match (first, second) {
        (Finding::Shown(shown, _), Finding::Added(row)) => {
            let (said, more) = (charge(wrong, row, (&put_into(row), name)), more(wrong));
            let apart = format!(
                "This is about time that Proofmark added; what was said of {name} before is about the program's own time."
            );
            let why = both(&shown.method, row, &apart);
            format!("Also, of {said}{more}. {why}")
        }
        (Finding::Added(row), Finding::Shown(shown, witnesses)) => {
            let method = &shown.method;
            let apart = format!(
                "This is about the program's own time; what was said of {name} before is about time that Proofmark added."
            );
            let why = both(method, row, &apart);
            format!(
                "Also, with no time added {name} shows {:.0} % of the Java time in {}, where {}{}{}. {why}",
                method.reported_pct.value,
                method.method,
                witnessed(method, witnesses),
                shown.in_jvms(),
                by_profiles(method, attribution)
            )
        }
        // There is one of each at most.
        (Finding::Shown(..), Finding::Shown(..)) | (Finding::Added(_), Finding::Added(_)) => {
            return None;
        }
    })
}

/// A wrong row of a profiler, and what is said of it.
pub(super) struct Charged<'a> {
    pub(super) one: &'a Attribution,
    pub(super) method: &'a str,
    /// `Of the time that was added to A.get, jfr reports 98 % in B.place (it is wrong about one more method too)`
    pub(super) says: String,
}

/// What is said of the profiler whose wrong row stands for most of the program's time, with these points, 0 where they are not known. None
/// without a wrong row.
pub(super) fn added<'a>(
    profilers: impl Iterator<Item = (&'a str, &'a Attribution)>,
    all: &BTreeMap<String, Attribution>,
) -> Option<(f64, Charged<'a>)> {
    largest(profilers.filter_map(|(name, one)| {
        let row = said_row(one, all, None)?;
        let says = charge(one, row, (&put_into(row), name));
        let says = format!("Of {says}{}", more(one));
        let method = row.method.as_str();
        let points = points(row, one, all).unwrap_or(0.0);
        Some((points, Charged { one, method, says }))
    }))
}

/// Of things with points the one with most, the first of several that have as many.
pub(super) fn largest<T>(all: impl Iterator<Item = (f64, T)>) -> Option<(f64, T)> {
    all.reduce(|most, next| if next.0 > most.0 { next } else { most })
}

/// Whether a profiler is undecided because nobody knows how much of the program's time its wrong rows concern: no other profiler is a
/// witness, whose profile its own could be compared with.
pub(super) fn lacks_witness(one: &Attribution) -> bool {
    one.verdict == Verdict::Undecided
        && one.profile.is_none()
        && one.rows.iter().any(AttributionRow::accuses)
}

/// What is said first and what second: what has more of the program's time for certain, but no row first where sites change so much of
/// what the profiler shows that its rows alone decide nothing.
fn ranked<'a>(
    (name, wrong): (&str, &'a Attribution),
    all: &BTreeMap<String, Attribution>,
    known: Known<'_>,
) -> (Option<Finding<'a>>, Option<Finding<'a>>) {
    let shown = shown::said((name, wrong), all, known);
    let void = wrong.change.as_ref().is_some_and(|one| one.voids_rows);
    let less = match (&shown, worst_row(wrong_rows(wrong), wrong, all)) {
        (Some((shown, _)), Some(row)) if !void => {
            points(row, wrong, all).is_some_and(|points| points > shown.points)
        }
        _ => false,
    };
    let shown = shown.map(|(shown, witnesses)| Finding::Shown(shown, witnesses));
    let row = said_row(wrong, all, known.said).map(Finding::Added);
    match row.is_some() && (less || shown.is_none()) {
        true => (row, shown),
        false => (shown, row),
    }
}

/// The wrong rows of a profiler that decide.
fn wrong_rows(one: &Attribution) -> impl Iterator<Item = &AttributionRow> {
    one.rows.iter().filter(|row| row.is_wrong())
}

/// Of these rows the one with most of the program's time; where shares are not known, that with most of the added time.
fn worst_row<'a>(
    rows: impl Iterator<Item = &'a AttributionRow>,
    one: &Attribution,
    all: &BTreeMap<String, Attribution>,
) -> Option<&'a AttributionRow> {
    let size = |row: &AttributionRow| (points(row, one, all).unwrap_or(0.0), away(row));
    rows.max_by(|a, b| {
        let (a, b) = (size(a), size(b));
        a.0.total_cmp(&b.0).then(a.1.total_cmp(&b.1))
    })
}

/// The wrong row that is said: the worst one of the user's own code, unless one of the JDK is much worse. None of the method that was
/// `said` before.
fn said_row<'a>(
    one: &'a Attribution,
    all: &BTreeMap<String, Attribution>,
    said: Option<&str>,
) -> Option<&'a AttributionRow> {
    let rows = || wrong_rows(one).filter(move |row| Some(row.method.as_str()) != said);
    let worst = worst_row(rows(), one, all)?;
    let own = worst_row(rows().filter(|row| is_own(&row.method)), one, all);
    let size = |row: &AttributionRow| points(row, one, all).unwrap_or(0.0);
    let own = own.filter(|own| size(worst) <= HELPER_LARGER * size(own));
    let said = own.unwrap_or(worst);
    // Of the sites of a method what most JVMs show is the plainest, unless it is much less.
    let same = rows().filter(|row| row.method == said.method);
    let large = same.filter(|row| MUCH_LESS * size(row) >= size(said));
    let most = |row: &&AttributionRow| row.jvms.wrong;
    let plainest = large.max_by(|a, b| {
        (most(a).cmp(&most(b)))
            .then(size(a).total_cmp(&size(b)))
            .then(away(a).total_cmp(&away(b)))
    });
    Some(plainest.unwrap_or(said))
}

/// % of the added time that is not where it belongs: missing there, or too much.
fn away(row: &AttributionRow) -> f64 {
    let [low, high] = row.truth_pct;
    let value = row.in_place_pct.value;
    (low - value).max(value - high).max(0.0)
}

/// The same for certain, by the ends of intervals: of all JVMs together, or in the mean over them, each by its own windows, if that is more,
/// so that what is so in some of them counts by their part.
fn certainly_away(row: &AttributionRow) -> f64 {
    let [low, high] = row.truth_pct;
    let of = |part: &Estimate| (low - part.high).max(part.low - high).max(0.0);
    let each: Vec<f64> = row.in_place_per_run_pct.iter().map(of).collect();
    let together = of(&row.in_place_pct);
    match each.is_empty() {
        true => together,
        false => together.max(mean(&each)),
    }
}

/// Points of the program's time that such a row stands for, for certain; each of a method's sites stands for an equal part. None if no
/// profiler tells shares.
fn points(
    row: &AttributionRow,
    one: &Attribution,
    all: &BTreeMap<String, Attribution>,
) -> Option<f64> {
    let sites = one.rows.iter().filter(|other| other.method == row.method);
    let sites = sites.count().max(1) as f64;
    Some(share(&row.method, all)? * certainly_away(row) / 100.0 / sites)
}

/// Share that a method has at least, % of the program's time: by the mean of what right profilers report. Where none of these reports it, the
/// mean over all profilers that tell shares, which says at least which of several methods is large.
fn share(method: &str, all: &BTreeMap<String, Attribution>) -> Option<f64> {
    let least = |one: &Attribution| Some(one.shares_pct.get(method)?.low.max(0.0));
    let right = all.values().filter(|one| one.verdict == Verdict::Right);
    let known: Vec<f64> = right.filter_map(least).collect();
    if !known.is_empty() {
        return Some(mean(&known));
    }
    let telling = all.values().filter(|one| !one.shares_pct.is_empty());
    let shown: Vec<f64> = telling.map(|one| least(one).unwrap_or(0.0)).collect();
    (!shown.is_empty()).then(|| mean(&shown))
}

/// ` (it is wrong about one more method too)`: methods with a wrong row that decides, beside the one that is named.
fn more(wrong: &Attribution) -> String {
    let rows = wrong_rows(wrong);
    let methods: BTreeSet<&str> = rows.map(|row| row.method.as_str()).collect();
    match methods.len() {
        0 | 1 => String::new(),
        2 => " (it is wrong about one more method too)".into(),
        n => format!(" (it is wrong about {} more methods too)", n - 1),
    }
}

/// Why a method can be shown too large although time that was added to it is missing there; else `apart`.
fn both(method: &ProfileDifference, row: &AttributionRow, apart: &str) -> String {
    let too_large = method.apart_pt > 0.0 && row.in_place_pct.value < 100.0;
    match too_large && method.method == row.method {
        true => "Both are true: a profiler names each piece of machine code by itself, so that it can give a method the time \
                 of some pieces and take that of others away."
            .into(),
        false => apart.into(),
    }
}

#[cfg(test)]
mod tests;
