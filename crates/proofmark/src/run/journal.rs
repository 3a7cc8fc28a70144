//! What a search has measured, on disk round by round, so that a killed one goes on where it was.
//!
//! Units have other numbers in every JVM, so units are told by name and signature and cells by the
//! names of their blocks. If anything differs, the search starts over: a plan never rests on rounds
//! that were measured on other code.

use std::collections::BTreeSet;

use proofmark_divine::Round;
use proofmark_jvm::{Bench, Filler, Placement};
use proofmark_store::Run;
use serde::{Deserialize, Serialize};

use super::cells::Cells;
use super::identity::{CellName, cell_names, order, reordered};
pub use super::look::Look;
use crate::progress::Progress;

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
    /// Wall time since the first start, s.
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
    Begin(Look),
    /// A round was measured.
    Measured {
        part: Part,
        cells: Vec<CellName>,
        round: Round,
        tally: Tally,
    },
}

/// A search's part of a run; without a run it keeps nothing.
pub struct Journal<'a> {
    run: Option<&'a mut Run>,
    step: String,
    progress: Option<Progress>,
    /// Seconds that a round takes, and that everything after the search takes.
    cost: (f64, f64),
    /// Wall time of the processes before this one, s.
    earlier_s: f64,
}

impl<'a> Journal<'a> {
    /// Keeps nothing.
    pub fn none() -> Self {
        Journal {
            run: None,
            step: String::new(),
            progress: None,
            cost: (0.0, 0.0),
            earlier_s: 0.0,
        }
    }

    /// Keeps the search for a target (1.0 is +100 %) in a run. Rounds take `round_s`; `after_s` is what comes after the search and its evaluation.
    pub fn new(
        run: &'a mut Run,
        progress: Progress,
        target: f64,
        how: (Filler, Placement),
        cost: (f64, f64),
    ) -> Self {
        Journal {
            run: Some(run),
            step: step(target, how),
            progress: Some(progress),
            cost,
            earlier_s: 0.0,
        }
    }

    /// Wall time that interrupted processes spent on the search, s.
    pub fn earlier_s(&self) -> f64 {
        self.earlier_s
    }

    /// Tells how many rounds are left.
    pub fn rounds_left(&self, rounds: f64) {
        if let Some(progress) = &self.progress {
            progress.expect(rounds.max(1.0) * self.cost.0 + self.cost.1);
        }
    }

    fn note(&self, text: &str) {
        if let Some(progress) = &self.progress {
            progress.note(text);
        }
    }

    fn entries(&self) -> Vec<Entry> {
        let Some(run) = &self.run else {
            return Vec::new();
        };
        let of_search = run.steps().iter().filter(|step| step.name == self.step);
        let mut entries: Vec<Entry> = Vec::new();
        for entry in of_search.filter_map(|step| serde_json::from_value(step.result.clone()).ok()) {
            if matches!(entry, Entry::Begin(_)) {
                entries.clear();
            }
            entries.push(entry);
        }
        entries
    }

    /// The stored look at the baseline in this JVM's numbers; none if there is none or the code differs.
    pub fn look(&self, bench: &Bench) -> Option<Look> {
        let Some(Entry::Begin(look)) = self.entries().into_iter().next() else {
            return None;
        };
        match look.in_jvm(bench) {
            Ok(look) => Some(look),
            Err(difference) => {
                self.note(&format!(
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
    pub fn begin(&mut self, look: &Look) -> anyhow::Result<()> {
        self.append(&Entry::Begin(look.clone()))
    }

    /// Stored rounds of a part in the order of these cells, with the tally after the last one. If they
    /// belong to other cells, the search begins anew with the same look.
    ///
    /// # Errors
    /// When the new beginning cannot be stored.
    pub fn rounds(
        &mut self,
        part: Part,
        bench: &Bench,
        cells: &Cells,
    ) -> anyhow::Result<(Vec<Round>, Tally)> {
        let here = cell_names(bench, cells);
        let (mut rounds, mut last) = (Vec::new(), Tally::default());
        let mut look = None;
        for entry in self.entries() {
            match entry {
                Entry::Begin(stored) => look = Some(stored),
                Entry::Measured {
                    part: of,
                    cells: there,
                    round,
                    tally,
                } if of == part => {
                    let Some(order) = order(&here, &there) else {
                        self.note("the interrupted search judged other blocks than this Proofmark chooses: it starts over");
                        look.map_or(Ok(()), |look| self.begin(&look))?;
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
            self.note(&format!(
                "{} rounds: taken from the search before",
                rounds.len()
            ));
        }
        Ok((rounds, last))
    }

    /// Stores a round.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub fn keep(
        &mut self,
        part: Part,
        bench: &Bench,
        cells: &Cells,
        round: &Round,
        mut tally: Tally,
    ) -> anyhow::Result<()> {
        if self.run.is_none() {
            return Ok(());
        }
        if let Some(progress) = &self.progress {
            tally.wall_s = self.earlier_s + progress.elapsed().as_secs_f64();
        }
        self.append(&Entry::Measured {
            part,
            cells: cell_names(bench, cells),
            round: round.clone(),
            tally,
        })
    }

    fn append(&mut self, entry: &Entry) -> anyhow::Result<()> {
        let step = self.step.clone();
        self.run
            .as_mut()
            .map_or(Ok(()), |run| run.finish_step(&step, entry))?;
        Ok(())
    }
}

/// Units of the interrupted search, so that the next JVM takes them under control too.
pub fn wanted(run: &Run) -> Vec<String> {
    let searches = run
        .steps()
        .iter()
        .filter(|step| step.name.starts_with(SEARCH));
    let looks = searches.filter_map(|step| match serde_json::from_value(step.result.clone()) {
        Ok(Entry::Begin(look)) => Some(look),
        _ => None,
    });
    let units: BTreeSet<String> = looks.flat_map(|look| look.controlled()).collect();
    units.into_iter().collect()
}

const SEARCH: &str = "search ";

fn step(target: f64, how: (Filler, Placement)) -> String {
    format!("{SEARCH}+{:.1} % {:?} {:?}", 100.0 * target, how.0, how.1)
}
