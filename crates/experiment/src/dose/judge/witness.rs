//! What the profiles of others say against a profiler's.

use std::collections::BTreeSet;

use super::super::advice::WITH_FLAG;
use super::super::profile::{ProfileCheck, compare};
use super::{Around, JavaShares, Subject, kind};

/// What the profiles of others say against a profiler's.
pub(super) fn beside(subject: &Subject, others: &[&Subject]) -> Option<ProfileCheck> {
    let others: Vec<(&str, &[JavaShares])> = (others.iter())
        .map(|one| (one.name.as_str(), one.looks.as_slice()))
        .collect();
    compare(&subject.looks, &others)
}

/// The points that a check finds, less what is not known of the profiles of those who contradict, because sites change them or
/// rows are open: of the one of which most is known. `doubts`: names and points.
pub(super) fn believed(check: Option<&ProfileCheck>, doubts: &[(&str, f64)]) -> [f64; 2] {
    let Some(check) = check else {
        return [0.0; 2];
    };
    let said = (doubts.iter()).filter(|(name, _)| check.witnesses.iter().any(|it| it == name));
    let doubt = said.map(|(_, points)| *points).reduce(f64::min);
    let [least, most] = check.misplaced_pt;
    [(least - doubt.unwrap_or(0.0)).max(0.0), most]
}

/// Certified profilers of another kind than the profiler's, and the one that refutes it. Two profilers of one kind walk
/// stacks and read debug information by the same code: that they agree says nothing. One for which sites change the program
/// is no witness, but what it shows otherwise with sites and without is a doubt.
pub(super) fn of_other_kinds<'a>(subject: &Subject, around: &Around<'a>) -> Vec<&'a Subject> {
    let foreign = around.doubting.iter().copied();
    let foreign = foreign.filter(|one| kind(&one.name) != kind(&subject.name));
    let mut others: Vec<&Subject> = foreign.collect();
    if let (false, Some(one)) = (others.is_empty(), around.refuting) {
        others.push(one);
    }
    others
}

/// What one witness says against a profiler, where the others stand by that witness: none of them contradicts it by more than the
/// margin for certain, or shows a profile that is nearer to the accused's. So a second witness that agrees, and is known
/// less well, does not weaken what the first one says. Of several such witnesses the one that says most; `doubts` as for [`believed`].
pub(super) fn accusing(
    subject: &Subject,
    others: &[&Subject],
    doubts: &[(&str, f64)],
    margin_pt: f64,
) -> Option<ProfileCheck> {
    let said = others.iter().filter_map(|witness| {
        let check = beside(subject, &[witness])?;
        let least = believed(Some(&check), doubts)[0];
        let mut rest = others.iter().filter(|one| one.name != witness.name);
        let stand_by = rest.all(|one| {
            let near = distance(one, witness).zip(distance(one, subject));
            !apart(one, witness, margin_pt) && near.is_none_or(|(to, from)| to < from)
        });
        (least > margin_pt && stand_by).then_some((least, check))
    });
    let most = said.max_by(|(one, _), (other, _)| one.total_cmp(other));
    most.map(|(_, check)| check)
}

/// The same profiler with more debug information, one of `curing`, if it shows the program so differently; unless
/// somebody else who knows contradicts that one.
pub(super) fn refuting<'a>(
    subject: &Subject,
    curing: &[&'a Subject],
    knowing: &[&Subject],
    margin_pt: f64,
) -> Option<&'a Subject> {
    let cured = format!("{}{WITH_FLAG}", subject.name);
    let cured = curing.iter().copied().find(|one| one.name == cured)?;
    let mut others = knowing
        .iter()
        .filter(|one| one.name != subject.name && one.name != cured.name);
    (apart(subject, cured, margin_pt) && !others.any(|one| apart(cured, one, margin_pt)))
        .then_some(cured)
}

/// Whether the profiles of two differ by more than the margin for certain.
fn apart(one: &Subject, other: &Subject, margin_pt: f64) -> bool {
    beside(one, &[other]).is_some_and(|check| check.misplaced_pt[0] > margin_pt)
}

/// Points of share that two show in different methods, as measured, in the mean over looks (total variation distance). None
/// where one of them was not looked at as often.
fn distance(one: &Subject, other: &Subject) -> Option<f64> {
    if one.looks.is_empty() || one.looks.len() != other.looks.len() {
        return None;
    }
    let value = |look: &JavaShares, name: &String| look.get(name).map_or(0.0, |share| share.value);
    let looks = one.looks.iter().zip(&other.looks).map(|(a, b)| {
        let names: BTreeSet<&String> = a.keys().chain(b.keys()).collect();
        let differ = |name: &String| (value(a, name) - value(b, name)).abs();
        names.into_iter().map(differ).sum::<f64>() / 2.0
    });
    Some(looks.sum::<f64>() / one.looks.len() as f64)
}
