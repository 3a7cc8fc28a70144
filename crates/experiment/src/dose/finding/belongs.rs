//! Whose time it is that a profiler shows in a method where it is not.

use super::super::advice::listed;
use super::super::{Attribution, ProfileDifference};
use super::{LEAST_SAID_PT, apart};

/// Methods that are named; more are counted.
const NAMED: usize = 2;
/// From so large a part of what is too much on, what others lack is most of it; and from so large a part on, it is all of it.
const MOST: f64 = 0.5;
const ALL: f64 = 0.9;

/// `; that time belongs to A.get (61 %) and A.set (26 %)`: of a method that a profiler shows too large, the methods that it shows too
/// small for certain, with what witnesses show of them. Nothing of a method that is shown too small, where all of these together
/// lack less than half of what is too much, or where it has less than half of what all methods together have too much: whose time is in
/// which of them nobody knows.
pub(super) fn belongs(too_large: &ProfileDifference, one: &Attribution) -> String {
    let methods = || one.profile.iter().flat_map(|check| &check.methods);
    let lacking: Vec<&ProfileDifference> = methods()
        .filter(|method| method.apart_pt <= -LEAST_SAID_PT)
        .collect();
    let lacks: f64 = lacking.iter().map(|method| apart(method)).sum();
    let too_much = methods().filter(|method| method.apart_pt > 0.0);
    let too_much: f64 = too_much.map(apart).sum();
    let part = (lacks / apart(too_large)).min(apart(too_large) / too_much);
    if too_large.apart_pt <= 0.0 || part.is_nan() || part < MOST {
        return String::new();
    }
    let most = if part < ALL { "most of " } else { "" };
    format!("; {most}that time belongs to {}", named(&lacking))
}

/// `A.get (61 %), A.set (26 %) and one more method`
fn named(lacking: &[&ProfileDifference]) -> String {
    let share = |method: &&ProfileDifference| {
        format!("{} ({:.0} %)", method.method, method.known_pct.value)
    };
    let more = match lacking.len().saturating_sub(NAMED) {
        0 => None,
        1 => Some("one more method".to_owned()),
        more => Some(format!("{more} more methods")),
    };
    let all: Vec<String> = lacking.iter().take(NAMED).map(share).chain(more).collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    listed(&all)
}
