//! What is said of a test over JVMs: what to do, in how many JVMs that is so, and what would decide what is open.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;

use super::advice::{FEWER_METHODS, MORE_JVMS, MORE_WINDOWS, advice_besides, listed};
use super::blind::blind;
use super::boxing::ask_again;
use super::finding::{Everybody, Known, boxed, everybody, worst};
use super::for_now::for_now;
use super::remedy::Test;
use super::said::{Said, Told, sentences};
use super::why_open::why_open;
use super::{AdviceAbout, Again, Against, AsItIs, Attribution, Conflict, Size, Took};
use in_jvms::in_jvms;
use open::open;

mod in_jvms;
mod open;

/// Rounds of windows of a native program that tell more, at least, and time for wide rows for each of them, s.
const NATIVE_ROUNDS: usize = 12;
const NATIVE_ROUND_S: usize = 5;
/// The most rounds that can be asked for.
const NATIVE_MOST_ROUNDS: usize = 1000;

/// What else is known of a test.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Noted {
    /// Share of methods, % of the bytecodes; empty where they were not counted.
    pub counted_pct: BTreeMap<String, f64>,
    /// What profilers show of methods in the program as it is.
    pub as_it_is: AsItIs,
    /// Hot methods that no profiler has a row of, and why, in sentences.
    pub untested: Option<Said>,
    /// Of which method profilers contradict each other in the program as it is, where nobody knows who is right.
    pub conflict: Option<Conflict>,
    /// Of which method profiles are against the bytecodes.
    pub against: Option<Against>,
    /// How much the time of the same work differed, where that is much, in sentences. They are said where something is undecided.
    pub restless: Option<String>,
}

/// All of it, for a test of this size, with this margin (points of share), whose parts took so long. `again`: how it is asked for
/// again; `noted`: what else is known.
#[must_use]
pub fn told(
    attribution: &BTreeMap<String, Attribution>,
    size: &Size,
    (margin_pt, took): (f64, &Took),
    again: &Again,
    noted: &Noted,
) -> Told {
    let test = Test {
        size,
        margin_pt,
        took,
        again,
    };
    let everybody = everybody(attribution, &noted.counted_pct);
    let boxed = match everybody.as_ref().filter(|one| one.boxes) {
        Some(one) => ask_again(one.method, again).map(|says| (one.method, says)),
        None => boxed(attribution, &noted.counted_pct, again),
    };
    let said = everybody.as_ref().map(|one| one.method);
    let fault_of = boxed.as_ref().map(|(method, _)| *method);
    // What is said of a method for certain needs no hint.
    let against = noted.against.as_ref();
    let against = against.filter(|one| said != Some(one.method.as_str()));
    let against = against.map(|one| one.with_fault(fault_of, again));
    let (first, about) = in_front(attribution, margin_pt, (everybody, noted));
    let first = first.replace(MORE_WINDOWS, "").replace(MORE_JVMS, "");
    let (first, fewer) = fewer_methods(&first, &test);
    let why = why_open(attribution, margin_pt, &first.text);
    let mut verdicts = attribution.values().map(|one| one.verdict);
    let is_open = verdicts.any(|one| one == Verdict::Undecided);
    let behind = failed_jvms(attribution).into_iter();
    let behind = behind
        .chain(why)
        .chain(noted.restless.clone().filter(|_| is_open))
        .chain(open(attribution, &test));
    let all = std::iter::once(first)
        .chain(boxed.map(|(_, says)| Said::from(says)))
        .chain(against.map(Said::from))
        .chain(noted.untested.clone())
        .chain(in_jvms(attribution, &test))
        .chain(blind(attribution).map(Said::from))
        .chain(behind.map(Said::from));
    let mut told = Told::of(all, about);
    let named = |command: &String| told.parts.iter().any(|part| part.contains(command));
    let fewer = fewer.filter(|command| !named(command));
    let fewer = fewer.map(|command| format!("Fewer methods at a time may tell more: {command}."));
    told.parts.extend(fewer);
    told
}

/// What is said of a test of a native program, in parts: what is wrong and what to do, then what leaves it open and the command that
/// tells more; and whom and what the first part is about. `rounds`: those that were asked for.
#[must_use]
pub fn told_of_native(
    attribution: &BTreeMap<String, Attribution>,
    margin_pt: f64,
    (again, rounds): (&Again, usize),
) -> (Vec<String>, AdviceAbout) {
    let noted = Noted::default();
    let everybody = everybody(attribution, &noted.counted_pct);
    let (said, about) = in_front(attribution, margin_pt, (everybody, &noted));
    let first = said.replace(MORE_WINDOWS, "");
    let more = (first != said).then(|| {
        let rounds = (2 * rounds).clamp(NATIVE_ROUNDS, NATIVE_MOST_ROUNDS);
        let budget_s = NATIVE_ROUND_S * rounds;
        let command = again.with(&format!("--rounds {rounds} --budget {budget_s}"));
        format!("More windows narrow the intervals: {command}.")
    });
    let why = why_open(attribution, margin_pt, &first);
    let behind = blind(attribution).into_iter().chain(why).chain(more);
    (std::iter::once(first).chain(behind).collect(), about)
}

/// What is said first: about which method nobody is right, what is wrong and what to do, where profilers contradict each other, and whose
/// shares to use where none is right; and whom and what all this is about.
fn in_front(
    attribution: &BTreeMap<String, Attribution>,
    margin_pt: f64,
    (everybody, noted): (Option<Everybody<'_>>, &Noted),
) -> (String, AdviceAbout) {
    let said = everybody.as_ref().map(|one| one.method);
    let known = Known {
        margin_pt,
        said,
        as_it_is: &noted.as_it_is,
    };
    let (advice, about) = advice_besides(attribution, known);
    let before = everybody.as_ref().filter(|_| about.accused.is_some());
    let about = AdviceAbout {
        all_wrong_about: said.map(str::to_owned),
        sentences_before: before.map_or(0, |one| sentences(&one.says)),
        ..about
    };
    let conflict = noted.conflict.as_ref();
    let says = conflict.map(|one| one.says.clone());
    let advice = match worst(attribution) {
        Some(_) => [Some(advice), says],
        None => [says, Some(advice)],
    };
    let doubtful = conflict.map(|one| one.method.as_str());
    let all: Vec<String> = (everybody.into_iter().map(|one| one.says))
        .chain(advice.into_iter().flatten())
        .chain(for_now(attribution, margin_pt, doubtful))
        .collect();
    (all.join(" "), about)
}

/// What is said first, with the whole command where it names fewer methods. Alone it is without that command, which is given too.
fn fewer_methods(first: &str, test: &Test<'_>) -> (Said, Option<String>) {
    if test.size.methods <= 1 || !first.contains(FEWER_METHODS) {
        return (Said::from(first.replace(FEWER_METHODS, "")), None);
    }
    let command = test.again.with("--methods 1");
    let said = Said {
        text: first.replace("--methods 1)", &format!("{command})")),
        part: first.replace(" (--methods 1)", ""),
    };
    (said, Some(command))
}

/// `async failed in run 2 of 3 (the JVM ended ...) and is judged by the others.`
fn failed_jvms(attribution: &BTreeMap<String, Attribution>) -> Option<String> {
    let said = |(name, one): (&String, &Attribution)| {
        let all = one.jvms.total() + one.failed_runs.len();
        let each = one.failed_runs.iter();
        let each =
            each.map(|failed| format!("run {} of {all} ({})", failed.run, failed.why_in_short()));
        let each: Vec<String> = each.collect();
        let each: Vec<&str> = each.iter().map(String::as_str).collect();
        let says = || {
            format!(
                "{name} failed in {} and is judged by the others.",
                listed(&each)
            )
        };
        (!each.is_empty()).then(says)
    };
    let said: Vec<String> = attribution.iter().filter_map(said).collect();
    (!said.is_empty()).then(|| said.join(" "))
}

/// `in 2 of 3 JVMs`, `in all 3 JVMs`
pub(super) fn of(some: usize, jvms: usize) -> String {
    match some == jvms {
        true => format!("in all {jvms} JVMs"),
        false => format!("in {some} of {jvms} JVMs"),
    }
}

#[cfg(test)]
mod tests;
