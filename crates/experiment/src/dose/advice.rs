//! One sentence that says what is wrong and what to do.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;

use super::finding::{
    Known, LEAST_SAID_PT, accused, added, apart, contradicted, first, lacks_witness, largest, worst,
};
use super::judge::{ATTACHED, lacked_by, with_all};
use super::tested::tested;
use super::{AdviceAbout, AsItIs, Attribution, AttributionRow, ProfileDifference, WorkTested};

/// Options that are named where nobody knows what a test was like; [`super::told`] names better ones.
pub(super) const MORE_WINDOWS: &str =
    ": more windows (--rounds 12, --budget 60) narrow the intervals";
pub(super) const MORE_JVMS: &str = " (--runs 5)";
pub(super) const FEWER_METHODS: &str = "; fewer methods at a time (--methods 1) may tell more";
/// How a JVM is started that keeps source positions of all code.
pub(super) const FLAG: &str = "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints";

/// What is wrong and what to do, given all profilers and the margin of the test, points.
#[must_use]
pub fn advice(attribution: &BTreeMap<String, Attribution>, margin_pt: f64) -> String {
    alone(attribution, margin_pt).0
}

/// Whom and what [`advice`] is about.
#[must_use]
pub fn advice_about(attribution: &BTreeMap<String, Attribution>, margin_pt: f64) -> AdviceAbout {
    alone(attribution, margin_pt).1
}

/// Both, where nothing else is known.
fn alone(attribution: &BTreeMap<String, Attribution>, margin_pt: f64) -> (String, AdviceAbout) {
    let known = Known {
        margin_pt,
        said: None,
        as_it_is: &AsItIs::new(),
    };
    advice_besides(attribution, known)
}

/// The same where more is known. What is said before it is no part of it.
pub(super) fn advice_besides(
    attribution: &BTreeMap<String, Attribution>,
    known: Known<'_>,
) -> (String, AdviceAbout) {
    if let Some((name, wrong)) = worst(attribution) {
        let one = (name.as_str(), wrong);
        let charge = first(one, attribution, known);
        let about = AdviceAbout {
            accused: Some(accused(one, attribution, known)),
            ..AdviceAbout::default()
        };
        return (format!("{charge}{}.", cure(name, attribution)), about);
    }
    let undecided: Vec<&str> = attribution
        .iter()
        .filter(|(_, one)| one.verdict == Verdict::Undecided)
        .map(|(name, _)| name.as_str())
        .collect();
    if let Some((doubt, changed)) = doubt(attribution, &undecided, known) {
        let about = AdviceAbout {
            changed: changed.map(str::to_owned),
            ..AdviceAbout::default()
        };
        return (doubt, about);
    }
    let says: String = match (attribution.is_empty(), undecided.as_slice()) {
        (true, _) => "No profiler could be judged.".into(),
        (false, []) => {
            let names: Vec<&str> = attribution.keys().map(String::as_str).collect();
            let work = WorkTested::of(attribution.values().flat_map(|one| &one.rows));
            let work = work.says().map(|said| format!(", at sites of {said}"));
            format!(
                "{} right where we looked: added time was reported, within the accepted range, in the method that spent it{}{}.",
                joined(&names),
                small_besides(attribution),
                work.unwrap_or_default()
            )
        }
        (false, undecided) => match not_judged(attribution, undecided) {
            Some(said) => said,
            None => format!("{} undecided{MORE_WINDOWS}.", joined(undecided)),
        },
    };
    (says, AdviceAbout::default())
}

/// What to do about a wrong profiler, behind what is wrong with it, without the full stop: only what is right is recommended.
fn cure(name: &str, attribution: &BTreeMap<String, Attribution>) -> String {
    let is_right = |one: &&Attribution| one.verdict == Verdict::Right;
    let attached = name.ends_with(ATTACHED);
    let cured = with_all(name);
    let tried = attribution.get(&cured);
    if let Some(right) = tried.filter(is_right) {
        let how = match attached {
            true => format!("use {cured}, which is loaded when the JVM starts: it"),
            false => format!("start the JVM with {FLAG}: with it {name}"),
        };
        return format!("; {how} was right about {}", tested(right));
    }
    let mut others = attribution.iter();
    if let Some((other, right)) = others.find(|(_, one)| is_right(one)) {
        return format!("; use {other}: it was right about {}", tested(right));
    }
    match tried {
        Some(tried) if says_nothing(tried) => format!(
            ". Whether {cured} is better is not known: sites change too much of what it shows"
        ),
        None if attached => {
            format!("; try {cured} as well, the same profiler loaded when the JVM starts")
        }
        None if lacked_by(name).is_some() => {
            format!("; try {cured} as well, the same profiler with {FLAG}")
        }
        _ => "; no profiler that was tried is right here".to_owned(),
    }
}

/// Whether rows say nothing about a profiler: sites change too much of what it shows.
pub(super) fn says_nothing(one: &Attribution) -> bool {
    one.change.as_ref().is_some_and(|change| change.voids_rows)
}

/// ` (undecided rows are too small to matter)`, where there are such rows, or wrong ones.
fn small_besides(attribution: &BTreeMap<String, Attribution>) -> &'static str {
    let rows = || attribution.values().flat_map(|one| &one.rows);
    let wrong = rows().any(AttributionRow::is_wrong_but_small);
    let open = rows().any(|row| row.small_pt.is_some() && !row.is_wrong());
    match (wrong, open) {
        (true, true) => " (wrong and undecided rows are too small to matter)",
        (true, false) => " (wrong rows are too small to matter)",
        (false, true) => " (undecided rows are too small to matter)",
        (false, false) => "",
    }
}

/// ` that is not too small to matter`, of profilers of which one has undecided or wrong rows that are.
fn but_small<'a>(all: impl Iterator<Item = &'a Attribution>) -> &'static str {
    let mut rows = all.flat_map(|one| &one.rows);
    match rows.any(|row| row.small_pt.is_some()) {
        true => " that is not too small to matter",
        false => "",
    }
}

/// `async and jfr are not judged: no site has a row`, of these profilers those without one.
fn not_judged(attribution: &BTreeMap<String, Attribution>, names: &[&str]) -> Option<String> {
    let names = names.iter().copied();
    let without: Vec<&str> = names
        .filter(|name| attribution[*name].rows.is_empty())
        .collect();
    (!without.is_empty()).then(|| {
        format!(
            "{} not judged: no site has a row (see what was not tested).",
            joined(&without)
        )
    })
}

/// What is said, and how many points of the program's time it is about, as far as they are known.
type Doubt = (f64, String);

/// What speaks against profilers that are not decided, or for nothing being known of them: of several things the one with most of the
/// program's time, with the profiler of which it says that sites change too much. None where nothing does.
fn doubt<'a>(
    attribution: &'a BTreeMap<String, Attribution>,
    names: &[&str],
    known: Known<'_>,
) -> Option<(String, Option<&'a str>)> {
    let other = |(points, said): Doubt| (points, (said, None));
    let all = [
        changed(attribution),
        disagreement(attribution).map(other),
        contradiction(attribution, names, known.margin_pt).map(other),
        charged(attribution, names, known.said).map(other),
    ];
    largest(all.into_iter().flatten()).map(|(_, said)| said)
}

/// What is said of a wrong row, not too small to matter, of profilers that are not decided; the row itself is not said again.
fn charged(
    attribution: &BTreeMap<String, Attribution>,
    names: &[&str],
    said: Option<&str>,
) -> Option<Doubt> {
    let all = names.iter().map(|name| (*name, &attribution[*name]));
    let all = all.filter(|(_, one)| one.rows.iter().any(AttributionRow::accuses));
    let (points, charged) = added(all, attribution)?;
    let (charge, it) = match said == Some(charged.method) {
        true => (String::new(), "any of them wrong as a whole"),
        false => (format!("{}. ", charged.says), "it wrong"),
    };
    let because = match lacks_witness(charged.one) {
        true => {
            ", because no other profiler here is its witness (right at every site that counts, and not wrong otherwise)"
        }
        false => "",
    };
    let is = joined(names);
    let rest = not_judged(attribution, names);
    let rest = rest.map_or(String::new(), |said| format!(" {said}"));
    Some((
        points,
        format!(
            "{charge}How much of the program's time this concerns is not known well enough to call {it}{because}: {is} undecided.{rest}"
        ),
    ))
}

/// What is said of profilers that are neither certified nor decided, and whose profiles witnesses contradict.
fn contradiction(
    attribution: &BTreeMap<String, Attribution>,
    names: &[&str],
    margin_pt: f64,
) -> Option<Doubt> {
    let all = names.iter().map(|name| (*name, &attribution[*name]));
    let all = all.filter(|(_, one)| !one.certified);
    let all = all.filter_map(|(name, one)| {
        let (method, witnesses) = contradicted(one, margin_pt)?;
        Some((apart(method), (name, method, witnesses)))
    });
    let (points, (name, method, witnesses)) = largest(all)?;
    let (shown, is) = (shown(method, witnesses), joined(names));
    Some((
        points,
        format!("{name} {shown}. Which of them is wrong is not known: {is} undecided."),
    ))
}

/// What is said of certified profilers whose profiles are too far apart.
fn disagreement(attribution: &BTreeMap<String, Attribution>) -> Option<Doubt> {
    let undecided = |one: &Attribution| one.certified && one.verdict == Verdict::Undecided;
    let all = attribution.iter().filter(|(_, one)| undecided(one));
    let all = all.filter_map(|(name, one)| {
        let check = one.profile.as_ref()?;
        let first = check.methods.first();
        let method = first.filter(|_| check.misplaced_pt[0] >= LEAST_SAID_PT)?;
        Some((apart(method), (name, one, method, &check.witnesses)))
    });
    let (points, (name, one, method, witnesses)) = largest(all)?;
    let jvms = match one.jvms.total() {
        // A native program has none.
        0 => String::new(),
        _ => format!(", or their JVMs ran different code, which more JVMs{MORE_JVMS} may tell"),
    };
    let are = if witnesses.len() == 1 { "is" } else { "are" };
    let others = witnesses.iter().filter_map(|name| attribution.get(name));
    let said = format!(
        "{name}, right at every site{}, {}, which {are} right there too: at least one of them is wrong about the program's own \
         code{jvms}.",
        but_small(std::iter::once(one).chain(others)),
        shown(method, witnesses),
    );
    Some((points, said))
}

/// What is said where sites, or the site of a row, made another program of it for a profiler that is not decided; and that profiler, where
/// it is all sites together.
fn changed(attribution: &BTreeMap<String, Attribution>) -> Option<(f64, (String, Option<&str>))> {
    let undecided = attribution
        .iter()
        .filter(|(_, one)| one.verdict == Verdict::Undecided);
    let changes = undecided.flat_map(|(name, one)| {
        // Another row that is wrong or undecided leaves the profiler undecided by itself.
        let open = |row: &AttributionRow| row.verdict != Verdict::Right && row.small_pt.is_none();
        let else_open = one.rows.iter().any(|row| !row.is_void() && open(row));
        let rows = one.rows.iter().filter(move |_| !else_open);
        let rows = rows.map(|row| (row.change.as_ref(), Some(&row.method)));
        let all = std::iter::once((one.change.as_ref(), None)).chain(rows);
        all.filter_map(move |(change, site)| Some((name, change?, site)))
    });
    let (name, change, site) = changes
        .filter(|(_, change, _)| change.voids_rows)
        .max_by(|a, b| a.1.beyond_pt.total_cmp(&b.1.beyond_pt))?;
    let (sites, with, so) = match site {
        None => (
            "Sites change".to_owned(),
            "them",
            format!("its rows say nothing about the program without sites{FEWER_METHODS}"),
        ),
        Some(method) => (
            format!("The site in {method} changes"),
            "it",
            "that row says nothing about the program without the site".to_owned(),
        ),
    };
    let said = change.said(with);
    Some((
        change.beyond_pt,
        (
            format!("{sites} too much of what {name} shows: {said}, so that {so}."),
            site.is_none().then_some(name.as_str()),
        ),
    ))
}

/// `shows Queens.placeQueen at 83 % of the Java time, not at 14 % as async and jfr+nonsafepoints do`
pub(super) fn shown(method: &ProfileDifference, witnesses: &[String]) -> String {
    let names: Vec<&str> = witnesses.iter().map(String::as_str).collect();
    format!(
        "shows {} at {:.0} % of the Java time, not at {:.0} % as {} {}",
        method.method,
        method.reported_pct.value,
        method.known_pct.value,
        listed(&names),
        if names.len() == 1 { "does" } else { "do" },
    )
}

/// `async and jfr are`
fn joined(names: &[&str]) -> String {
    let verb = if names.len() == 1 { "is" } else { "are" };
    format!("{} {verb}", listed(names))
}

/// `async, jfr and jfr-cpu`
#[must_use]
pub fn listed(names: &[&str]) -> String {
    match names {
        [rest @ .., before, last] => [rest, &[&*format!("{before} and {last}")]]
            .concat()
            .join(", "),
        [one] => (*one).to_owned(),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests;
