//! Methods that a profiler shows otherwise than those who know the program, and which of them is said.

use std::collections::BTreeMap;

use proofmark_stats::Estimate;

use super::super::advice::listed;
use super::super::looks::around_all;
use super::super::profile::intervals_apart;
use super::super::sites::is_made;
use super::super::{AsItIs, Attribution, ProfileDifference};
use super::own::is_own;
use super::{Known, LEAST_SAID_PT};

/// A method that was tested, or is the user's own, is said rather than another one unless that is more than so many times as far off. What
/// one JVM without sites shows counts so many times less than what is so in every JVM: one JVM may differ from all others by chance. And a
/// method counts as shown so without sites only if it is more than so many times as far off there as in all JVMs.
const MUCH_LARGER: f64 = 2.0;

/// A method that a profiler shows otherwise.
#[derive(Debug, Clone)]
pub(super) struct Otherwise {
    /// With the points by which it is off for certain.
    pub(super) method: ProfileDifference,
    /// In which JVMs it is so, where not in all that were looked at: `in 1 JVM without sites; ...`.
    pub(super) in_some: Option<String>,
    /// Points of the program's time by which it counts: those by which it is off for certain, or half of them where one JVM decides that.
    pub(super) points: f64,
}

impl Otherwise {
    /// ` (in 1 JVM without sites; ...)`; nothing where it is so in all JVMs.
    pub(super) fn in_jvms(&self) -> String {
        let in_some = self.in_some.as_ref();
        in_some.map_or(String::new(), |jvms| format!(" ({jvms})"))
    }
}

/// The method that is said of a profiler of this name, where its whole profile is off by more than the margin, and who says otherwise: the one
/// that is off most for certain, with sites and without, or in all looks without them. One of the user's own that was tested comes first,
/// then another one that was tested, if it is not much less far off.
pub(super) fn said<'a>(
    (name, one): (&str, &'a Attribution),
    all: &BTreeMap<String, Attribution>,
    known: Known<'_>,
) -> Option<(Otherwise, &'a [String])> {
    let (largest, witnesses) = contradicted(one, known.margin_pt)?;
    let always = one.profile.iter().flat_map(|check| &check.methods);
    let always = always.map(|method| Otherwise {
        method: method.clone(),
        in_some: None,
        points: method.apart_pt.abs(),
    });
    let by_one = by_one_jvm(one, witnesses, all);
    let enough = |other: &Otherwise| !by_one || other.points > largest.apart_pt.abs();
    let mut otherwise = without_sites((name, one), (witnesses, by_one), known.as_it_is);
    otherwise.retain(enough);
    otherwise.extend(always);
    otherwise.sort_by(|a, b| b.points.total_cmp(&a.points));
    let most = otherwise.first()?.points;
    let near =
        |other: &&Otherwise| other.points >= LEAST_SAID_PT && MUCH_LARGER * other.points >= most;
    let tested = || {
        let all_of_them = otherwise.iter();
        all_of_them.filter(move |other| was_tested(&other.method.method, all))
    };
    let own = tested().find(|other| is_own(&other.method.method));
    let own = own.filter(near);
    let tested = tested().next().filter(near);
    let said = own.or(tested).or(otherwise.first())?;
    Some((said.clone(), witnesses))
}

/// Whether one JVM decides what a profiler shows otherwise without sites: it looked once, or its only witness did.
fn by_one_jvm(
    one: &Attribution,
    witnesses: &[String],
    all: &BTreeMap<String, Attribution>,
) -> bool {
    let witnesses = witnesses.iter().filter_map(|witness| all.get(witness));
    one.looks < 2 || witnesses.map(|witness| witness.looks).sum::<usize>() < 2
}

/// Methods that it shows otherwise without sites than all of these, by the ends of intervals that hold all looks of each. `by_one`: one JVM
/// decides that.
fn without_sites(
    (name, one): (&str, &Attribution),
    (witnesses, by_one): (&[String], bool),
    as_it_is: &AsItIs,
) -> Vec<Otherwise> {
    let always_pt = |method: &str| {
        let mut methods = one.profile.iter().flat_map(|check| &check.methods);
        let always = methods.find(|other| other.method == method);
        always.map_or(0.0, |other| other.apart_pt.abs())
    };
    let of_method = |(method, shares): (&String, &BTreeMap<String, Estimate>)| {
        let reported_pct = *shares.get(name)?;
        let known = witnesses.iter().map(|witness| shares.get(witness).copied());
        let known: Vec<Estimate> = known.collect::<Option<_>>()?;
        let known_pct = around_all(&known);
        let apart_pt = intervals_apart(&reported_pct, &known_pct);
        let (points, always_pt) = (apart_pt.abs(), always_pt(method));
        let much = points >= LEAST_SAID_PT && points > MUCH_LARGER * always_pt;
        much.then(|| Otherwise {
            in_some: Some(in_jvms(one, always_pt > 0.0)),
            points: points / if by_one { MUCH_LARGER } else { 1.0 },
            method: ProfileDifference {
                method: method.clone(),
                reported_pct,
                known_pct,
                apart_pt,
            },
        })
    };
    as_it_is.iter().filter_map(of_method).collect()
}

/// `in 1 JVM without sites; in 4 JVMs with sites together not for certain`, or `less`: in how many JVMs a method is shown so far off.
fn in_jvms(one: &Attribution, less: bool) -> String {
    let jvms = |number: usize| match number {
        1 => "1 JVM".to_owned(),
        number => format!("{number} JVMs"),
    };
    let how = if less { "less" } else { "not for certain" };
    let without = format!("in {} without sites", jvms(one.looks));
    match one.jvms.total() {
        0 => without,
        1 => format!("{without}; in 1 JVM with sites {how}"),
        with => format!("{without}; in {} with sites together {how}", jvms(with)),
    }
}

/// The method that the profile contradicts most, where the whole profile is off by more than the margin, and who says otherwise.
pub(in crate::dose) fn contradicted(
    one: &Attribution,
    margin_pt: f64,
) -> Option<(&ProfileDifference, &[String])> {
    let check = one.profile.as_ref()?;
    if check.misplaced_pt[0] <= margin_pt {
        return None;
    }
    let first = check.methods.first()?;
    (first.apart_pt.abs() >= LEAST_SAID_PT).then_some((first, check.witnesses.as_slice()))
}

/// Whether a profiler has a row of a method, whose class is in a file and not made while the program runs.
fn was_tested(method: &str, all: &BTreeMap<String, Attribution>) -> bool {
    let mut rows = all.values().flat_map(|one| &one.rows);
    rows.any(|row| row.method == method) && !is_made(&method.replace('.', "/"))
}

/// What is said behind a difference of a method that was not tested.
pub(super) fn by_profiles(
    method: &ProfileDifference,
    all: &BTreeMap<String, Attribution>,
) -> &'static str {
    match was_tested(&method.method, all) {
        true => "",
        false => " (by comparing profiles: it was not tested)",
    }
}

/// Points between the share of a method that is shown and the one that witnesses show.
pub(in crate::dose) fn apart(method: &ProfileDifference) -> f64 {
    (method.reported_pct.value - method.known_pct.value).abs()
}

/// `async and jfr+nonsafepoints show 15 %`
pub(super) fn witnessed(method: &ProfileDifference, witnesses: &[String]) -> String {
    let names: Vec<&str> = witnesses.iter().map(String::as_str).collect();
    let verb = if names.len() == 1 { "shows" } else { "show" };
    format!("{} {verb} {:.0} %", listed(&names), method.known_pct.value)
}
