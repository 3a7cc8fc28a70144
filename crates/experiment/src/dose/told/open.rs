//! What would decide profilers that are not decided, or tells more of them.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;

use super::super::Attribution;
use super::super::advice::listed;
use super::super::remedy::{Remedy, Test, Way};
use crate::assess::time_words;

/// Profilers that are not decided and have the same way to know more.
#[derive(Default)]
pub(super) struct Open<'a> {
    pub(super) way: Option<Way>,
    /// Those that it probably decides, and those of which it tells more.
    pub(super) decides: Vec<&'a str>,
    pub(super) tells_more: Vec<&'a str>,
    /// Those that nothing decides in reasonable time, by how long it takes at least.
    pub(super) too_long: Vec<(String, Vec<&'a str>)>,
}

impl<'a> Open<'a> {
    pub(super) fn add(&mut self, name: &'a str, remedy: &Remedy) {
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
    pub(super) fn says(&self, test: &Test<'_>) -> String {
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
pub(super) fn open(attribution: &BTreeMap<String, Attribution>, test: &Test<'_>) -> Vec<String> {
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
pub(super) fn at_least(seconds: f64) -> String {
    match (seconds / 3600.0).floor() {
        hours if hours < 1.0 => "30 minutes".to_owned(),
        hours if hours < 2.0 => "one hour".to_owned(),
        hours => format!("{hours:.0} hours"),
    }
}
