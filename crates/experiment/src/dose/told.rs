//! What is said of a test over JVMs: what to do, in how many JVMs that is so, and what would decide what is open.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;

use super::advice::{FEWER_METHODS, MORE_JVMS, MORE_WINDOWS, advice_besides, listed};
use super::blind::blind;
use super::boxing::ask_again;
use super::finding::{Everybody, boxed, everybody, worst};
use super::for_now::for_now;
use super::remedy::{Remedy, Test, Way};
use super::said::{Said, Told};
use super::why_open::why_open;
use super::{Again, Against, Attribution, Conflict, Size};
use crate::assess::time_words;
use in_jvms::in_jvms;

mod in_jvms;

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
    /// Hot methods that no profiler has a row of, and why, in sentences.
    pub untested: Option<Said>,
    /// Of which method profilers contradict each other in the program as it is, where nobody knows who is right.
    pub conflict: Option<Conflict>,
    /// Of which method profiles are against the bytecodes.
    pub against: Option<Against>,
    /// How much the time of the same work differed, where that is much, in sentences. They are said where something is undecided.
    pub restless: Option<String>,
}

/// All of it, for a test of this size, with this margin (points of share), that took so long (s). `again`: how it is asked for
/// again; `noted`: what else is known.
#[must_use]
pub fn told(
    attribution: &BTreeMap<String, Attribution>,
    size: &Size,
    (margin_pt, seconds): (f64, f64),
    again: &Again,
    noted: &Noted,
) -> Told {
    let test = Test {
        size,
        margin_pt,
        seconds,
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
    let first = in_front(attribution, margin_pt, (everybody, noted));
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
    let mut told = Told::of(all);
    let named = |command: &String| told.parts.iter().any(|part| part.contains(command));
    let fewer = fewer.filter(|command| !named(command));
    let fewer = fewer.map(|command| format!("Fewer methods at a time may tell more: {command}."));
    told.parts.extend(fewer);
    told
}

/// What is said of a test of a native program, in parts: what is wrong and what to do, then what leaves it open and the command that
/// tells more. `rounds`: those that were asked for.
#[must_use]
pub fn told_of_native(
    attribution: &BTreeMap<String, Attribution>,
    margin_pt: f64,
    (again, rounds): (&Again, usize),
) -> Vec<String> {
    let noted = Noted::default();
    let everybody = everybody(attribution, &noted.counted_pct);
    let said = in_front(attribution, margin_pt, (everybody, &noted));
    let first = said.replace(MORE_WINDOWS, "");
    let more = (first != said).then(|| {
        let rounds = (2 * rounds).clamp(NATIVE_ROUNDS, NATIVE_MOST_ROUNDS);
        let budget_s = NATIVE_ROUND_S * rounds;
        let command = again.with(&format!("--rounds {rounds} --budget {budget_s}"));
        format!("More windows narrow the intervals: {command}.")
    });
    let why = why_open(attribution, margin_pt, &first);
    let behind = blind(attribution).into_iter().chain(why).chain(more);
    std::iter::once(first).chain(behind).collect()
}

/// What is said first: about which method nobody is right, what is wrong and what to do, where profilers contradict each other, and whose
/// shares to use where none is right.
fn in_front(
    attribution: &BTreeMap<String, Attribution>,
    margin_pt: f64,
    (everybody, noted): (Option<Everybody<'_>>, &Noted),
) -> String {
    let said = everybody.as_ref().map(|one| one.method);
    let advice = advice_besides(attribution, (margin_pt, said));
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
    all.join(" ")
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

/// Profilers that are not decided and have the same way to know more.
#[derive(Default)]
struct Open<'a> {
    way: Option<Way>,
    /// Those that it probably decides, and those of which it tells more.
    decides: Vec<&'a str>,
    tells_more: Vec<&'a str>,
    /// Those that nothing decides in reasonable time, by how long it takes at least.
    too_long: Vec<(String, Vec<&'a str>)>,
}

impl<'a> Open<'a> {
    fn add(&mut self, name: &'a str, remedy: &Remedy) {
        if let Some(way) = &remedy.way {
            match way.decides {
                true => self.decides.push(name),
                false => self.tells_more.push(name),
            }
        }
        let Some(time) = remedy.too_long_s.map(at_least) else {
            return;
        };
        match self.too_long.iter_mut().find(|(one, _)| *one == time) {
            Some((_, names)) => names.push(name),
            None => self.too_long.push((time, vec![name])),
        }
    }

    /// `This would probably decide async and tells more of jfr, in about 4 min: ...`, and the command.
    fn says(&self, test: &Test<'_>) -> String {
        let too_long = self.too_long.iter().map(|(time, names)| {
            let names = listed(names);
            format!("This test cannot decide {names} in reasonable time (more than {time}).")
        });
        let way = self.way.as_ref().map(|way| {
            let does = [
                ("would probably decide", &self.decides),
                ("tells more of", &self.tells_more),
            ];
            let does = does.iter().filter(|(_, names)| !names.is_empty());
            let does = does.map(|(does, names)| format!("{does} {}", listed(names)));
            let does: Vec<String> = does.collect();
            let time = time_words(way.seconds);
            let command = test.again.with(&way.option);
            format!("This {}, in about {time}: {command}.", does.join(" and "))
        });
        let said: Vec<String> = too_long.chain(way).collect();
        said.join(" ")
    }
}

/// What would decide profilers that are not decided, or tells more of them: each command once.
fn open(attribution: &BTreeMap<String, Attribution>, test: &Test<'_>) -> Vec<String> {
    let mut all: Vec<Open<'_>> = Vec::new();
    let undecided = attribution.iter();
    let undecided = undecided
        .filter(|(_, one)| one.verdict == Verdict::Undecided && one.jvms.total() > 0)
        .filter(|(_, one)| !one.rows.is_empty());
    let option = |way: &Option<Way>| way.as_ref().map(|way| way.option.clone());
    for (name, one) in undecided {
        let remedy = test.remedy(name, one);
        let wanted = option(&remedy.way);
        let there = all.iter().position(|open| option(&open.way) == wanted);
        let at = there.unwrap_or_else(|| {
            all.push(Open {
                way: remedy.way.clone(),
                ..Open::default()
            });
            all.len() - 1
        });
        all[at].add(name, &remedy);
    }
    all.iter().map(|open| open.says(test)).collect()
}

/// `30 minutes`, or `3 hours`: whole ones.
fn at_least(seconds: f64) -> String {
    match (seconds / 3600.0).floor() {
        hours if hours < 1.0 => "30 minutes".to_owned(),
        hours if hours < 2.0 => "one hour".to_owned(),
        hours => format!("{hours:.0} hours"),
    }
}

#[cfg(test)]
mod tests;
