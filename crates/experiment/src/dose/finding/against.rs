//! Profiles that are against the bytecodes: hardly any time in a method that executes most of them, and most of it in one that executes
//! few.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_stats::Estimate;

use super::super::advice::{listed, says_nothing};
use super::super::boxing::{ask_again, may_have_fault, what_to_do};
use super::super::conflict::MethodShares;
use super::super::{Again, Attribution, AttributionRow, JvmFacts};

// With these a bytecode of the one method takes at least a hundred times as long as one of the other, if the profiles are true.

/// The one method has so much of the counted bytecodes, %.
const MOST_COUNTED_PCT: f64 = 50.0;
/// All profilers show it at so small a part of that at most.
const LITTLE_SHOWN: f64 = 0.1;
/// The other one has less of the counted bytecodes, %.
const FEW_COUNTED_PCT: f64 = 5.0;
/// One profiler at least shows it at so much of the Java time, %.
const MOST_SHOWN_PCT: f64 = 50.0;
/// The profiler that looks at safepoints only, and is wrong by design.
const CONTROL: &str = "safepoint";

/// A method whose time profilers probably show in another one, by the bytecodes that both execute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Against {
    /// The method with most of the bytecodes.
    pub method: String,
    /// What profilers show of both, and what follows, in sentences.
    pub says: String,
    /// A known fault of C2 where numbers are boxed may be why: the JVM may have it.
    pub may_box: bool,
}

impl Against {
    /// The sentences, with that fault and the command that asks again without it, where it may be why. `said`: a method of which the
    /// fault was said before, and is not said again.
    pub(in crate::dose) fn with_fault(&self, said: Option<&str>, again: &Again) -> String {
        let says = self.says.clone();
        if !self.may_box || said == Some(self.method.as_str()) {
            return says;
        }
        let why = format!(
            "A known fault of the JIT compiler C2 may be why, {}",
            what_to_do()
        );
        let all = [Some(says), Some(why), ask_again(&self.method, again)];
        all.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// `Without sites async shows A.get at 99 % of the Java time and A.mix at 0.5 %, but A.get executes 0.3 % of the counted bytecodes and A.mix
/// 99 %. ...`, and what they show with sites where these make another program of it. A hint, because bytecodes are not time. None where
/// one profiler shows the method that executes most, or is right about it at its sites; by the ends of intervals.
pub(in crate::dose) fn against<'a>(
    methods: impl Iterator<Item = MethodShares<'a>>,
    attribution: &BTreeMap<String, Attribution>,
    jvm: &JvmFacts,
) -> Option<Against> {
    let counted = methods.filter_map(|one| Some((one.bytecode_pct?, one)));
    let counted: Vec<(f64, MethodShares<'a>)> = counted.collect();
    let most = counted.iter().max_by(|a, b| a.0.total_cmp(&b.0));
    let (most_pct, most) = *most?;
    let is_most = most_pct >= MOST_COUNTED_PCT && hardly_shown(most, most_pct);
    if !is_most || is_known(most.method, attribution) {
        return None;
    }
    let few = counted.iter().filter(|(pct, _)| *pct < FEW_COUNTED_PCT);
    let few = few.map(|(pct, one)| (showing(*one), *pct, *one));
    let (names, few_pct, few) = few.max_by_key(|(names, ..)| names.len())?;
    if names.is_empty() {
        return None;
    }
    let shown = |one: MethodShares<'_>| {
        let each = names.iter().filter_map(|name| one.shares.get(*name));
        let each: Vec<f64> = each.map(|share| share.value).collect();
        range(&each)
    };
    let (this, other) = (most.method, few.method);
    let first = format!(
        "Without sites {} {} {other} at {} of the Java time and {this} at {}, but {other} executes {} of the counted bytecodes and {this} \
         {}. Probably much of that is time of {this}. This is a hint and no verdict: bytecodes take more or less time each, and those of \
         the JDK are not counted.",
        listed(&names),
        show(&names),
        shown(few),
        shown(most),
        range(&[few_pct]),
        range(&[most_pct]),
    );
    let all = [Some(first), with_sites(this, attribution)];
    Some(Against {
        method: this.to_owned(),
        says: all.into_iter().flatten().collect::<Vec<_>>().join(" "),
        may_box: may_have_fault(jvm),
    })
}

/// The profilers that were asked, with what they show.
fn asked(shares: &BTreeMap<String, Estimate>) -> impl Iterator<Item = (&str, &Estimate)> {
    let all = shares.iter().map(|(name, share)| (name.as_str(), share));
    all.filter(|(name, _)| *name != CONTROL)
}

/// Whether every profiler shows hardly any time in a method with so much of the bytecodes, %.
fn hardly_shown(one: MethodShares<'_>, counted_pct: f64) -> bool {
    let most = LITTLE_SHOWN * counted_pct;
    let little = asked(one.shares).all(|(_, share)| share.high <= most);
    little && asked(one.shares).next().is_some()
}

/// The profilers that show most of the Java time in a method.
fn showing(one: MethodShares<'_>) -> Vec<&str> {
    let all = asked(one.shares).filter(|(_, share)| share.low >= MOST_SHOWN_PCT);
    all.map(|(name, _)| name).collect()
}

/// Whether all rows of a method that count are right with one profiler: it knows that method when it sees it.
fn is_known(method: &str, attribution: &BTreeMap<String, Attribution>) -> bool {
    let knows = |one: &Attribution| {
        let rows = one.rows.iter();
        let counting = rows.filter(|row| row.method == method && !row.is_void());
        let counting: Vec<&AttributionRow> = counting.collect();
        let is_right = |row: &&AttributionRow| row.verdict == Verdict::Right;
        !counting.is_empty() && counting.iter().all(is_right)
    };
    let mut telling = attribution.values().filter(|one| !says_nothing(one));
    telling.any(knows)
}

/// `With sites, which make the JVM compile otherwise, async shows A.mix at 97 %.`: of profilers for which they make another program;
/// none where these do not show the method then.
fn with_sites(method: &str, attribution: &BTreeMap<String, Attribution>) -> Option<String> {
    let otherwise = |one: &Attribution| {
        let change = one.change.as_ref();
        change.is_some_and(|change| change.voids_rows && !change.drowned)
    };
    let changed = attribution.iter();
    let changed = changed.filter(|(name, one)| name.as_str() != CONTROL && otherwise(one));
    let shown = changed.filter_map(|(name, one)| {
        let share = one.shares_pct.get(method)?;
        (share.low >= MOST_SHOWN_PCT).then_some((name.as_str(), share.value))
    });
    let (names, pct): (Vec<&str>, Vec<f64>) = shown.unzip();
    (!names.is_empty()).then(|| {
        format!(
            "With sites, which make the JVM compile otherwise, {} {} {method} at {}.",
            listed(&names),
            show(&names),
            range(&pct)
        )
    })
}

fn show(names: &[&str]) -> &'static str {
    if names.len() == 1 { "shows" } else { "show" }
}

/// `99 %`, or `0.3 to 2 %`, from the least to the most: what is less than 1 with a digit more, because it says how little there is.
fn range(pct: &[f64]) -> String {
    let text = |value: f64| match (0.05..0.95).contains(&value) {
        true => format!("{value:.1}"),
        false => format!("{value:.0}"),
    };
    let least = pct.iter().copied().fold(f64::INFINITY, f64::min);
    let most = pct.iter().copied().fold(0.0, f64::max);
    let (least, most) = (text(least), text(most));
    match least == most {
        true => format!("{most} %"),
        false => format!("{least} to {most} %"),
    }
}

#[cfg(test)]
mod tests;
