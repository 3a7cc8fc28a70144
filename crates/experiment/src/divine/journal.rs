//! What a search has measured, on disk round by round, so that a killed one goes on where it was.
//!
//! Units have other numbers in every JVM, so units are told by name and signature and tunables by the
//! names of their blocks. If anything differs, the search starts over: a plan never rests on rounds
//! that were measured on other code.

use std::collections::BTreeSet;

use proofmark_divine::{Round, SearchKind};
use serde::{Deserialize, Serialize};

use super::baseline_profile::BaselineProfile;
use super::identity::{TunableName, order, reordered, tunable_names};
use crate::ExperimentError;
use crate::lab::{Insertion, Lab};
use crate::progress::Progress;
use crate::select::Tunables;
use crate::steps::{self, Steps};

/// Counts of samples over all windows so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Tally {
    /// Samples taken.
    pub samples: u64,
    /// Samples lost.
    pub lost: u64,
    /// Times that the kernel throttled an event.
    pub throttled: u64,
    /// Windows that were repeated because the VM replaced code.
    pub repeats: usize,
    /// Wall time of the search so far, s.
    #[serde(default)]
    pub wall_s: f64,
}

/// What a round is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// The search.
    Search,
    /// The evaluation of its plan.
    Evaluation,
}

#[derive(Debug, Serialize, Deserialize)]
enum Entry {
    /// A search begins; entries before it do not count.
    Begin(BaselineProfile),
    /// A round was measured.
    Measured {
        part: Part,
        #[serde(alias = "cells")]
        tunables: Vec<TunableName>,
        round: Round,
        tally: Tally,
    },
}

/// A search's part of the finished steps; without a store it keeps nothing.
pub struct Journal<'a> {
    steps: Option<&'a mut dyn Steps>,
    step: String,
    progress: &'a dyn Progress,
    /// Seconds that a round takes, and that everything after the search takes.
    cost: (f64, f64),
    /// Wall time of the processes before this one, s.
    earlier_s: f64,
    /// When this process began with the search, s.
    began_s: f64,
}

impl<'a> Journal<'a> {
    /// Keeps nothing.
    pub fn none(progress: &'a dyn Progress) -> Self {
        Journal {
            steps: None,
            step: String::new(),
            progress,
            cost: (0.0, 0.0),
            earlier_s: 0.0,
            began_s: progress.elapsed_s(),
        }
    }

    /// Keeps the search for a target (1.0 is +100 %). `cost`: seconds that a round takes, and that everything after the
    /// search and its evaluation takes.
    pub fn new(
        steps: &'a mut dyn Steps,
        progress: &'a dyn Progress,
        target: f64,
        insertion: Insertion,
        cost: (f64, f64),
    ) -> Self {
        Journal {
            steps: Some(steps),
            step: step(target, insertion),
            progress,
            cost,
            earlier_s: 0.0,
            began_s: progress.elapsed_s(),
        }
    }

    /// The same for one of the searches: neither goes on with what the other one has measured.
    #[must_use]
    pub fn by(mut self, kind: SearchKind) -> Self {
        if kind == SearchKind::Stepwise {
            self.step.push_str(" stepwise");
        }
        self
    }

    /// Wall time that the search took so far, also in interrupted processes, s.
    #[must_use]
    pub fn spent_s(&self) -> f64 {
        self.earlier_s + self.progress.elapsed_s() - self.began_s
    }

    /// Tells how many rounds are left.
    pub fn rounds_left(&self, rounds: f64) {
        if self.steps.is_some() {
            let (round_s, after_s) = self.cost;
            self.progress.expect(rounds.max(1.0) * round_s + after_s);
        }
    }

    fn entries(&self) -> Vec<Entry> {
        let Some(steps) = &self.steps else {
            return Vec::new();
        };
        let of_search = steps.results(&self.step).into_iter();
        let mut entries: Vec<Entry> = Vec::new();
        for entry in of_search.filter_map(|result| Entry::deserialize(result).ok()) {
            if matches!(entry, Entry::Begin(_)) {
                entries.clear();
            }
            entries.push(entry);
        }
        entries
    }

    /// The stored baseline profile in this JVM's numbers; none if there is none or the code differs.
    #[must_use]
    pub fn baseline_profile(&self, lab: &dyn Lab) -> Option<BaselineProfile> {
        let Some(Entry::Begin(profile)) = self.entries().into_iter().next() else {
            return None;
        };
        match profile.in_jvm(lab) {
            Ok(profile) => Some(profile),
            Err(difference) => {
                self.progress.note(&format!(
                    "the interrupted search cannot be continued, it starts over: {difference}"
                ));
                None
            }
        }
    }

    /// Begins a search.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub fn begin(&mut self, profile: &BaselineProfile) -> Result<(), ExperimentError> {
        self.append(&Entry::Begin(profile.clone()))
    }

    /// Stored rounds of a part in the order of these tunables, with the tally after the last one. If they
    /// belong to other tunables, the search begins anew with the same baseline profile.
    ///
    /// # Errors
    /// When the new beginning cannot be stored.
    pub fn rounds(
        &mut self,
        part: Part,
        lab: &dyn Lab,
        tunables: &Tunables,
    ) -> Result<(Vec<Round>, Tally), ExperimentError> {
        let here = tunable_names(lab, tunables);
        let (mut rounds, mut last) = (Vec::new(), Tally::default());
        let mut profile = None;
        for entry in self.entries() {
            match entry {
                Entry::Begin(stored) => profile = Some(stored),
                Entry::Measured {
                    part: of,
                    tunables: there,
                    round,
                    tally,
                } if of == part => {
                    let Some(order) = order(&here, &there) else {
                        self.progress.note("the interrupted search judged other sets of blocks (the machine was calibrated otherwise, or by another Proofmark): it starts over, and what it measured stays in the run's directory");
                        profile.map_or(Ok(()), |profile| self.begin(&profile))?;
                        return Ok(Default::default());
                    };
                    rounds.push(reordered(&round, &order));
                    last = tally;
                }
                Entry::Measured { .. } => {}
            }
        }
        if part == Part::Search && !rounds.is_empty() {
            self.earlier_s = last.wall_s;
            let said = match rounds.len() {
                1 => "1 round".to_owned(),
                many => format!("{many} rounds"),
            };
            self.progress
                .note(&format!("{said}: taken from the search before"));
        }
        Ok((rounds, last))
    }

    /// Stores a round of a part, in the order of tunables with these names.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub fn keep(
        &mut self,
        part: Part,
        tunables: Vec<TunableName>,
        round: &Round,
        mut tally: Tally,
    ) -> Result<(), ExperimentError> {
        if self.steps.is_none() {
            return Ok(());
        }
        tally.wall_s = self.spent_s();
        self.append(&Entry::Measured {
            part,
            tunables,
            round: round.clone(),
            tally,
        })
    }

    fn append(&mut self, entry: &Entry) -> Result<(), ExperimentError> {
        if let Some(store) = &mut self.steps {
            steps::finish(*store, &self.step, entry)?;
        }
        Ok(())
    }
}

/// Units of the interrupted search, so that the next JVM takes them under control too.
#[must_use]
pub fn wanted(steps: &dyn Steps) -> Vec<String> {
    let names = steps.names();
    let searches = names.iter().filter(|name| name.starts_with(SEARCH));
    let results = searches.flat_map(|name| steps.results(name));
    let profiles = results.filter_map(|result| match Entry::deserialize(result) {
        Ok(Entry::Begin(profile)) => Some(profile),
        _ => None,
    });
    let units: BTreeSet<String> = profiles.flat_map(|profile| profile.controlled()).collect();
    units.into_iter().collect()
}

const SEARCH: &str = "search ";

fn step(target: f64, insertion: Insertion) -> String {
    let Insertion { filler, at } = insertion;
    format!("{SEARCH}+{:.1} % {filler:?} {at:?}", 100.0 * target)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As it was written when tunables were called cells.
    #[test]
    fn rounds_of_earlier_versions_are_read() {
        let old = serde_json::json!({ "Measured": {
            "part": "Search",
            "cells": [[["a.B.c()V", 0]]],
            "round": { "baseline": [], "slowed": [] },
            "tally": { "samples": 9, "lost": 0, "throttled": 0, "repeats": 0 },
        }});
        match Entry::deserialize(&old).expect("an entry") {
            Entry::Measured {
                tunables, tally, ..
            } => {
                assert_eq!(tunables, [BTreeSet::from([("a.B.c()V".to_owned(), 0_u32)])]);
                assert_eq!(tally.samples, 9);
            }
            Entry::Begin(_) => panic!("no round"),
        }
    }
}
