//! What the profiles of others say against a profiler's.

use super::super::profile::{ProfileCheck, compare};
use super::{Around, JavaShares, Subject, profiler_kind, with_all};

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
    let foreign = foreign.filter(|one| profiler_kind(&one.name) != profiler_kind(&subject.name));
    let mut others: Vec<&Subject> = foreign.collect();
    if let (false, Some(one)) = (others.is_empty(), around.refuting) {
        others.push(one);
    }
    others
}

/// Those of other kinds that are certified, and those that are not only because sites change what they show; none where there are none of
/// these. They condemn nobody: what all of them show otherwise is a doubt.
pub(super) fn with_voided<'a>(
    subject: &Subject,
    foreign: &[&'a Subject],
    around: &Around<'a>,
) -> Vec<&'a Subject> {
    let voided = around.voided.iter().copied();
    let voided = voided.filter(|one| profiler_kind(&one.name) != profiler_kind(&subject.name));
    let voided: Vec<&Subject> = voided.collect();
    match voided.is_empty() {
        true => voided,
        false => foreign.iter().copied().chain(voided).collect(),
    }
}

/// What one witness says against a profiler by more than the margin, where all others stand by that witness: `others`, who may say
/// so themselves, and `foreign`, whose profiles are a doubt at least. To stand by is not to contradict the witness by more than the
/// margin for certain, and to lie on the witness's side of the middle. So a second witness that agrees, and is known less well, does
/// not weaken what the first one says. Of several such witnesses the one that says least; `doubts` as for [`believed`].
///
/// Nothing where one of both was looked at in one of several possible JVMs only: no interval of it holds what differs between JVMs.
/// And nothing by the same profiler with less debug information.
pub(super) fn by_one(
    subject: &Subject,
    others: &[&Subject],
    foreign: &[&Subject],
    doubts: &[(&str, f64)],
    margin_pt: f64,
) -> Option<ProfileCheck> {
    let in_one_jvm = |one: &Subject| one.in_jvms.len() == 1;
    let said = others.iter().filter_map(|witness| {
        if in_one_jvm(subject) || in_one_jvm(witness) || with_all(&witness.name) == subject.name {
            return None;
        }
        let check = beside(subject, &[witness])?;
        let least = believed(Some(&check), doubts)[0];
        let mut rest = (others.iter().chain(foreign))
            .filter(|one| one.name != witness.name && one.name != subject.name);
        let stand_by = rest.all(|one| {
            !apart(one, witness, margin_pt) && is_on_the_side_of(one, witness, subject, &check)
        });
        (least > margin_pt && stand_by).then_some((least, check))
    });
    let least = said.min_by(|(one, _), (other, _)| one.total_cmp(other));
    least.map(|(_, check)| check)
}

/// Whether a profile lies nearer to the witness's than to the subject's, in the methods by which these two differ and along that
/// difference: a sum of shares, in which noise of single methods cancels. So too where it was not looked at as often, or saw nothing.
fn is_on_the_side_of(
    one: &Subject,
    witness: &Subject,
    subject: &Subject,
    check: &ProfileCheck,
) -> bool {
    let seen = |of: &Subject| of.looks.iter().all(|look| !look.is_empty());
    if one.looks.len() != subject.looks.len() || !seen(one) {
        return true;
    }
    let at = |of: &Subject, look: usize, name: &str| {
        let share = of.looks[look].get(name);
        share.map_or(0.0, |share| share.value)
    };
    let beyond_middle = |look: usize, name: &str| {
        let [one, witness, subject] = [one, witness, subject].map(|of| at(of, look, name));
        (one - (witness + subject) / 2.0) * (witness - subject).signum()
    };
    let looks = 0..subject.looks.len();
    let sum = |look| (check.methods.iter()).map(move |method| beyond_middle(look, &method.method));
    looks.flat_map(sum).sum::<f64>() > 0.0
}

/// The same profiler with more debug information, one of `curing`, if it shows the program so differently; unless
/// somebody else who knows contradicts that one.
pub(super) fn refuting<'a>(
    subject: &Subject,
    curing: &[&'a Subject],
    knowing: &[&Subject],
    margin_pt: f64,
) -> Option<&'a Subject> {
    let cured = with_all(&subject.name);
    let cured = curing.iter().copied().find(|one| one.name == cured)?;
    let mut others = knowing
        .iter()
        .filter(|one| one.name != subject.name && one.name != cured.name);
    (apart(subject, cured, margin_pt) && !others.any(|one| apart(cured, one, margin_pt)))
        .then_some(cured)
}

/// Whether all of these show another profile than one, by more than the margin; `doubts` as for [`believed`].
pub(super) fn is_contradicted(
    one: &Subject,
    others: &[&Subject],
    doubts: &[(&str, f64)],
    margin_pt: f64,
) -> bool {
    believed(beside(one, others).as_ref(), doubts)[0] > margin_pt
}

/// Whether the profiles of two differ by more than the margin for certain.
fn apart(one: &Subject, other: &Subject, margin_pt: f64) -> bool {
    beside(one, &[other]).is_some_and(|check| check.misplaced_pt[0] > margin_pt)
}
