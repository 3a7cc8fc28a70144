//! One sentence that says what is wrong and what to do.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;

use super::finding::{LEAST_SAID_PT, added, first, worst};
use super::tested::{methods, tested};
use super::{Attribution, AttributionRow, ProfileDifference, WorkTested};

/// Ending of the names of profilers in JVMs that keep debug information between safepoints.
pub(super) const WITH_FLAG: &str = "+nonsafepoints";
/// Options that are named where nobody knows what a test was like; [`super::told`] names better ones.
pub(super) const MORE_WINDOWS: &str =
    ": more windows (--rounds 12, --budget 60) narrow the intervals";
pub(super) const MORE_JVMS: &str = " (--runs 5)";
pub(super) const FEWER_METHODS: &str = "; fewer methods at a time (--methods 1) tell more";
/// How such a JVM is started.
const FLAG: &str = "-XX:+UnlockDiagnosticVMOptions -XX:+DebugNonSafepoints";

/// What to do, given all profilers and the margin of the test, points.
#[must_use]
pub fn advice(attribution: &BTreeMap<String, Attribution>, margin_pt: f64) -> String {
    let right = |name: &str| {
        let one = attribution.get(name);
        one.filter(|one| one.verdict == Verdict::Right)
    };
    if let Some((name, wrong)) = worst(attribution) {
        let charge = first((name.as_str(), wrong), attribution, margin_pt);
        let cured = format!("{name}{WITH_FLAG}");
        let other = attribution
            .iter()
            .find(|(_, one)| one.verdict == Verdict::Right);
        if let Some(cured) = right(&cured) {
            return format!(
                "{charge}; start the JVM with {FLAG}: with it {name} was right about {}.",
                tested(cured)
            );
        }
        let tried = attribution.get(&cured);
        if let Some(tried) = tried.filter(|one| one.verdict != Verdict::Wrong && other.is_none()) {
            let all = methods(tried, |_| true).len();
            let wrong = methods(tried, |verdict| verdict == Verdict::Wrong).len();
            let open = methods(tried, |verdict| verdict != Verdict::Right).len();
            return format!(
                "{charge}; start the JVM with {FLAG}: with it {name} was right about {} of {all} methods tested (wrong: {wrong}, undecided: {}).",
                all - open,
                open - wrong
            );
        }
        return match other {
            Some((other, one)) => {
                format!("{charge}; use {other}: it was right about {}.", tested(one))
            }
            None if tried.is_some() || !(name == "jfr" || name == "jfr-cpu") => {
                format!("{charge}; no profiler that was tried is right here.")
            }
            None => format!("{charge}; try {cured} as well, the same profiler with {FLAG}."),
        };
    }
    if let Some(why) = changed(attribution).or_else(|| disagreement(attribution)) {
        return why;
    }
    let undecided: Vec<&str> = attribution
        .iter()
        .filter(|(_, one)| one.verdict == Verdict::Undecided)
        .map(|(name, _)| name.as_str())
        .collect();
    match (attribution.is_empty(), undecided.as_slice()) {
        (true, _) => "No profiler could be judged.".into(),
        (false, []) => {
            let names: Vec<&str> = attribution.keys().map(String::as_str).collect();
            let work = WorkTested::of(attribution.values().flat_map(|one| &one.rows));
            let work = work.says().map(|said| format!(", {said}"));
            format!(
                "{} right where we looked: added time was reported, within the accepted range, in the method that spent it{}{}.",
                joined(&names),
                open_besides(attribution),
                work.unwrap_or_default()
            )
        }
        (false, undecided) => undecided_words(attribution, undecided),
    }
}

/// ` (rows that are open are too small to matter)`, where there are such rows.
fn open_besides(attribution: &BTreeMap<String, Attribution>) -> &'static str {
    let mut rows = attribution.values().flat_map(|one| &one.rows);
    match rows.any(|row| row.small_pt.is_some()) {
        true => " (rows that are open are too small to matter)",
        false => "",
    }
}

/// ` that is not too small to matter`, of a profiler with such open rows.
fn but_small(one: &Attribution) -> &'static str {
    match one.rows.iter().any(|row| row.small_pt.is_some()) {
        true => " that is not too small to matter",
        false => "",
    }
}

/// Why nothing is decided about profilers, the worst reason first.
fn undecided_words(attribution: &BTreeMap<String, Attribution>, names: &[&str]) -> String {
    let all = || names.iter().map(|name| (*name, &attribution[*name]));
    if let Some((name, _)) = all().find(|(_, one)| one.rows.is_empty()) {
        return format!("{name} is not judged: no site has a row (see what was not tested).");
    }
    let wrong = all().find_map(|one| added(one, attribution));
    let is = joined(names);
    match wrong {
        Some(charge) => format!(
            "{charge}. How much of the program's time this concerns is not known well enough to call it wrong: {is} undecided."
        ),
        None => format!("{is} undecided{MORE_WINDOWS}."),
    }
}

/// What is said of certified profilers whose profiles are too far apart.
fn disagreement(attribution: &BTreeMap<String, Attribution>) -> Option<String> {
    let undecided = |one: &Attribution| one.certified && one.verdict == Verdict::Undecided;
    let (name, one) = attribution.iter().find(|(_, one)| undecided(one))?;
    let check = one.profile.as_ref()?;
    let first = check.methods.first();
    let shown = shown(
        first.filter(|_| check.misplaced_pt[0] >= LEAST_SAID_PT)?,
        &check.witnesses,
    );
    let jvms = match one.jvms.total() {
        // A native program has none.
        0 => String::new(),
        _ => format!(", or their JVMs ran different code, which more JVMs{MORE_JVMS} tell"),
    };
    Some(format!(
        "{name}, right at every site{}, {shown}, which {} right there too: at least one of them is wrong about the program's own \
         code{jvms}.",
        but_small(one),
        if check.witnesses.len() == 1 {
            "is"
        } else {
            "are"
        }
    ))
}

/// What is said where sites, or the site of a row, made another program of it for a profiler that is not decided.
fn changed(attribution: &BTreeMap<String, Attribution>) -> Option<String> {
    let undecided = attribution
        .iter()
        .filter(|(_, one)| one.verdict == Verdict::Undecided);
    let changes = undecided.flat_map(|(name, one)| {
        // Another row that is wrong or open leaves it undecided by itself.
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
    Some(format!(
        "{sites} too much of what {name} shows: {said}, so that {so}."
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
pub(super) fn listed(names: &[&str]) -> String {
    match names {
        [rest @ .., before, last] => [rest, &[&*format!("{before} and {last}")]]
            .concat()
            .join(", "),
        [one] => (*one).to_owned(),
        [] => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dose::tests::attribution;
    use crate::dose::{JvmWords, ProfileChange, ProfileCheck};
    use proofmark_stats::Estimate;

    fn said(profilers: &[(&str, Attribution)]) -> String {
        let map = profilers
            .iter()
            .map(|(name, one)| ((*name).to_owned(), one.clone()));
        advice(&map.collect(), 5.0)
    }

    #[test]
    fn the_sentence_names_the_wrong_the_blamed_and_the_cure() {
        let wrong = || attribution(Verdict::Wrong, 0.0, "B.place");
        let right = || attribution(Verdict::Right, 100.0, "B.place");
        let cured = said(&[("jfr", wrong()), ("jfr+nonsafepoints", right())]);
        assert_eq!(
            cured,
            "jfr is wrong about A.get: of the time that was added there, it reports 100 % in B.place; start the JVM with -XX:+UnlockDiagnosticVMOptions \
             -XX:+DebugNonSafepoints: with it jfr was right about the one method tested."
        );
        let open = attribution(Verdict::Undecided, 97.0, "B.place");
        let better = said(&[("jfr", wrong()), ("jfr+nonsafepoints", open)]);
        assert!(
            better.ends_with(
                "with it jfr was right about 0 of 1 methods tested (wrong: 0, undecided: 1)."
            ),
            "{better}"
        );
        let other = said(&[("jfr", wrong()), ("async", right())]);
        assert!(
            other.ends_with("use async: it was right about the one method tested."),
            "{other}"
        );
        let mut some = right();
        some.rows.push(some.rows[0].clone());
        some.rows[1].method = "A.put".into();
        some.rows[1].change = Some(changed_much());
        let other = said(&[("jfr", wrong()), ("async", some)]);
        assert!(
            other.ends_with(
                "it was right about both methods tested, of which 1 counts (in any other the site itself changes what is shown)."
            ),
            "{other}"
        );
        let alone = said(&[("jfr", wrong())]);
        assert!(alone.contains("try jfr+nonsafepoints as well"), "{alone}");
        let hopeless = said(&[("jfr+nonsafepoints", wrong())]);
        assert!(
            hopeless.ends_with("no profiler that was tried is right here."),
            "{hopeless}"
        );
        let fine = said(&[("async", right()), ("jfr", right())]);
        assert!(
            fine.starts_with("async and jfr are right where we looked"),
            "{fine}"
        );
        assert!(
            fine.contains(", at sites of arithmetic only; copy"),
            "{fine}"
        );
        let open = said(&[("async", attribution(Verdict::Undecided, 92.0, "B.place"))]);
        assert!(open.starts_with("async is undecided"), "{open}");
    }

    fn changed_much() -> ProfileChange {
        ProfileChange {
            beyond_pt: 43.0,
            voids_rows: true,
            drowned: false,
            method: "B.place".into(),
            as_it_is_pct: Estimate::around(18.0, 2.0, 900),
            with_sites_pct: Estimate::around(66.0, 2.0, 900),
        }
    }

    fn check(pct: f64, witnesses: &[&str]) -> Option<ProfileCheck> {
        Some(ProfileCheck {
            resolves_pt: 4.0,
            witnesses: witnesses.iter().map(|name| (*name).to_owned()).collect(),
            misplaced_pt: [pct - 20.0, pct],
            methods: vec![ProfileDifference {
                method: "B.place".into(),
                reported_pct: Estimate::around(pct, 2.0, 900),
                known_pct: Estimate::around(14.0, 2.0, 900),
                apart_pt: pct - 20.0,
            }],
        })
    }

    #[test]
    fn what_a_profile_shows_comes_first_where_it_says_more_than_rows() {
        let mut wrong = attribution(Verdict::Wrong, 0.0, "B.place");
        wrong.profile = check(83.0, &["async", "jfr+nonsafepoints"]);
        let right = || attribution(Verdict::Right, 100.0, "B.place");
        let all = [("async", right()), ("jfr", wrong.clone())];
        assert_eq!(
            said(&all),
            "jfr is wrong about B.place: it shows 83 % of the Java time there, where async and jfr+nonsafepoints show \
             14 %; use async: it was right about the one method tested."
        );
        wrong.rows[0].verdict = Verdict::Right;
        let text = said(&[("jfr", wrong.clone())]);
        let tried = "show 14 %; try jfr+nonsafepoints as well";
        assert!(text.contains(tried), "{text}");
        wrong.misplaced_pt = [200.0, 220.0];
        let text = said(&[("jfr", wrong)]);
        let much = "jfr is wrong: it misplaces 200 points";
        assert!(text.starts_with(much), "{text}");
    }

    #[test]
    fn what_sites_change_is_said_where_it_leaves_a_profiler_undecided() {
        let mut one = attribution(Verdict::Undecided, 0.0, "B.place");
        one.change = Some(changed_much());
        let text = said(&[("async", one.clone())]);
        assert!(
            text.starts_with("Sites change too much of what async shows: B.place has 66 % of the Java time with them and 18 %"),
            "{text}"
        );
        let mut little = one.clone();
        little.change.as_mut().unwrap().voids_rows = false;
        assert!(said(&[("async", little)]).starts_with("async is undecided"));
        let mut of_a_row = one.clone();
        of_a_row.rows[0].change = of_a_row.change.take();
        let text = said(&[("async", of_a_row)]);
        let named = "The site in A.get changes too much of what async shows: B.place has 66 %";
        assert!(text.starts_with(named), "{text}");
        one.verdict = Verdict::Wrong;
        one.rows[0].verdict = Verdict::Wrong;
        assert!(said(&[("async", one)]).starts_with("async is wrong about A.get: of the time"));
    }

    #[test]
    fn certified_profilers_that_disagree_are_named_with_what_would_tell() {
        let mut one = attribution(Verdict::Right, 100.0, "B.place");
        one.verdict = Verdict::Undecided;
        one.profile = check(60.0, &["jfr"]);
        let mut small = one.clone();
        small.rows[0].small_pt = Some(0.4);
        let text = said(&[("samply", small)]);
        let but = "samply, right at every site that is not too small to matter, shows B.place";
        assert!(text.starts_with(but), "{text}");
        let native = said(&[("samply", one.clone())]);
        assert!(
            native.ends_with("wrong about the program's own code."),
            "{native}"
        );
        one.jvms = JvmWords::of([Verdict::Right]);
        let mut other = one.clone();
        other.profile = check(60.0, &["async"]);
        let text = said(&[("async", one), ("jfr", other)]);
        assert!(
            text.starts_with("async, right at every site, shows B.place at 60 %"),
            "{text}"
        );
        assert!(
            text.contains("which is right there too") && text.contains("--runs 5"),
            "{text}"
        );
    }

    #[test]
    fn a_method_with_two_sites_is_one_method() {
        let mut wrong = attribution(Verdict::Wrong, 0.0, "B.place");
        wrong.rows.push(wrong.rows[0].clone());
        let mut open = attribution(Verdict::Right, 100.0, "B.place");
        open.certified = false;
        open.verdict = Verdict::Undecided;
        open.rows.push(
            attribution(Verdict::Undecided, 92.0, "B.place")
                .rows
                .remove(0),
        );
        let text = said(&[("jfr", wrong), ("jfr+nonsafepoints", open)]);
        assert!(
            text.contains("of the time that was added there, it reports 100 % in B.place; "),
            "{text}"
        );
        assert!(
            text.ends_with(
                "with it jfr was right about 0 of 1 methods tested (wrong: 0, undecided: 1)."
            ),
            "{text}"
        );
    }
}
