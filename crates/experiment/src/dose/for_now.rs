//! Whose shares to use where no profiler is right.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BTreeSet};

use proofmark_assess::Verdict;
use proofmark_profile::NON_SAFEPOINTS;

use super::advice::{FLAG, listed, says_nothing};
use super::{Attribution, AttributionRow};

/// Methods that are named; more are counted.
const NAMED: usize = 3;
/// A method that gets less of the added time of another one does not get most of it, %.
const MOST_PCT: f64 = 50.0;

/// An undecided profiler, and about which of the methods that were tested its rows that count are right or wrong.
struct Candidate<'a> {
    name: &'a str,
    one: &'a Attribution,
    tested: BTreeSet<&'a str>,
    right: BTreeSet<&'a str>,
    wrong: BTreeSet<&'a str>,
}

impl<'a> Candidate<'a> {
    fn of(name: &'a str, one: &'a Attribution) -> Self {
        let tested: BTreeSet<&str> = one.rows.iter().map(|row| row.method.as_str()).collect();
        let is_right = |method: &&str| {
            let right = |row: &AttributionRow| row.verdict == Verdict::Right;
            let any = counting(one, method).any(right);
            let small = |row: &AttributionRow| row.small_pt.is_some() && !row.is_wrong();
            any && counting(one, method).all(|row| right(row) || small(row))
        };
        let is_wrong = |method: &&str| counting(one, method).any(AttributionRow::is_wrong);
        Self {
            name,
            one,
            right: tested.iter().copied().filter(is_right).collect(),
            wrong: tested.iter().copied().filter(is_wrong).collect(),
            tested,
        }
    }

    /// Whether it is right about more methods; or, about as many, wrong about fewer; or misplaces less at most.
    fn is_better(&self, other: &Self) -> bool {
        let methods = |one: &Self| (one.right.len(), Reverse(one.wrong.len()));
        match methods(self).cmp(&methods(other)) {
            Ordering::Greater => true,
            Ordering::Equal => self.one.misplaced_pt[1] < other.one.misplaced_pt[1],
            Ordering::Less => false,
        }
    }

    /// `async`, or `jfr+nonsafepoints (jfr with -XX:...)`
    fn known_as(&self) -> String {
        match self.name.strip_suffix(NON_SAFEPOINTS) {
            Some(same) => {
                let name = self.name;
                format!("{name} ({same} with {FLAG})")
            }
            None => self.name.to_owned(),
        }
    }

    /// `10 of the 12 methods tested`
    fn how_many(&self) -> String {
        match (self.right.len(), self.tested.len()) {
            (1, 1) => "the one method tested".to_owned(),
            (2, 2) => "both methods tested".to_owned(),
            (right, all) if right == all => format!("all {all} methods tested"),
            (right, all) => format!("{right} of the {all} methods tested"),
        }
    }

    /// `, whose time it shows in A.run,`: of methods about which it is wrong, the ones that get most of their time; nothing where that is
    /// not known of all of them.
    fn shows_in(&self, methods: &[&str]) -> String {
        let receiver = |method: &&str| {
            let mut rows = self.one.rows.iter();
            let wrong = rows.find(|row| row.method == *method && row.is_wrong());
            let to = wrong?.elsewhere.first();
            let to = to.filter(|to| to.pct.value >= MOST_PCT)?;
            Some(to.method.as_str())
        };
        let receivers: Option<BTreeSet<&str>> = methods.iter().map(receiver).collect();
        let receivers: Vec<&str> = receivers.unwrap_or_default().into_iter().collect();
        match receivers.len() {
            0 => String::new(),
            1..=NAMED => format!(", whose time it shows in {},", listed(&receivers)),
            _ => String::new(),
        }
    }
}

/// The rows of a method that count.
fn counting<'r>(one: &'r Attribution, method: &'r str) -> impl Iterator<Item = &'r AttributionRow> {
    let rows = one.rows.iter();
    rows.filter(move |row| row.method == method && !row.is_void())
}

/// `Until more is known, use async: it is undecided, but right about 10 of the 12 methods tested. About A.get, whose time it shows in A.run, use
/// nobody's share.`: of undecided profilers the one that is right about most of the methods that were tested, and who is about the others.
/// `doubtful`: a method of which profilers show shares that contradict each other. None where a profiler is right, or none that may be used
/// is right about any method: sites must not change too much of what it shows, and no witness may contradict it by more than the margin.
pub(super) fn for_now(
    attribution: &BTreeMap<String, Attribution>,
    margin_pt: f64,
    doubtful: Option<&str>,
) -> Option<String> {
    let mut all = attribution.values();
    if all.any(|one| one.verdict == Verdict::Right) {
        return None;
    }
    let usable = attribution.iter();
    let usable = usable.filter(|(_, one)| is_usable(one, margin_pt));
    let usable = usable.map(|(name, one)| Candidate::of(name, one));
    let usable: Vec<Candidate<'_>> = usable.filter(|one| !one.right.is_empty()).collect();
    let mut each = usable.iter();
    let first = each.next()?;
    let best = each.fold(first, |best, next| match next.is_better(best) {
        true => next,
        false => best,
    });
    let doubt = doubtful.filter(|method| best.right.contains(method));
    let doubt = doubt.map_or(String::new(), |method| {
        format!(" (though {method} is in doubt)")
    });
    let first = format!(
        "Until more is known, use {}: it is undecided, but right about {}{doubt}.",
        best.known_as(),
        best.how_many()
    );
    let others: Vec<&Candidate<'_>> = usable.iter().filter(|one| one.name != best.name).collect();
    let said: Vec<String> = std::iter::once(first)
        .chain(rest(best, &others))
        .chain(alike(best, &others))
        .collect();
    Some(said.join(" "))
}

fn is_usable(one: &Attribution, margin_pt: f64) -> bool {
    let check = one.profile.as_ref();
    let contradicted = check.is_some_and(|check| check.misplaced_pt[0] > margin_pt);
    one.verdict == Verdict::Undecided && !says_nothing(one) && !contradicted
}

/// Who is right about the methods about which the best one is not.
fn rest(best: &Candidate<'_>, others: &[&Candidate<'_>]) -> Vec<String> {
    let mut left: Vec<&str> = best.tested.difference(&best.right).copied().collect();
    let mut said = Vec::new();
    for other in others {
        let is_right = |method: &&str| other.right.contains(method);
        let (right, still): (Vec<&str>, Vec<&str>) = left.into_iter().partition(is_right);
        left = still;
        if !right.is_empty() {
            let (named, other) = (some_of(&right), other.known_as());
            said.push(format!(
                "About {named} use {other}, which is undecided as a whole too."
            ));
        }
    }
    if !left.is_empty() {
        let (named, shows_in) = (some_of(&left), best.shows_in(&left));
        said.push(format!("About {named}{shows_in} use nobody's share."));
    }
    said
}

/// `jfr+nonsafepoints is right about the same methods.`; none without such a profiler.
fn alike(best: &Candidate<'_>, others: &[&Candidate<'_>]) -> Option<String> {
    let same = others.iter().filter(|one| one.right == best.right);
    let same: Vec<String> = same.map(|one| one.known_as()).collect();
    let names: Vec<&str> = same.iter().map(String::as_str).collect();
    let are = if names.len() == 1 { "is" } else { "are" };
    let says = || format!("{} {are} right about the same methods.", listed(&names));
    (!names.is_empty()).then(says)
}

/// `A.get, A.put, A.set and 2 more`
pub(super) fn some_of(methods: &[&str]) -> String {
    let more = match methods.len().saturating_sub(NAMED) {
        0 => None,
        1 => Some("one more".to_owned()),
        more => Some(format!("{more} more")),
    };
    let named = methods.iter().copied().take(NAMED);
    let named: Vec<&str> = named.chain(more.as_deref()).collect();
    listed(&named)
}

#[cfg(test)]
mod tests;
