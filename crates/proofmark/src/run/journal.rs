//! What a search has measured, on disk round by round, so that a killed one goes on where it was.
//!
//! Units have other numbers in every JVM, so units are told by name and signature and cells by the
//! names of their blocks. If anything differs, the search starts over: a plan never rests on rounds
//! that were measured on other code.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use proofmark_blocks::{BlockKey, BlockTimes};
use proofmark_divine::{Observation, Round};
use proofmark_jvm::{Bench, Filler, Placement};
use proofmark_store::Run;
use serde::{Deserialize, Serialize};

use super::cells::Cells;
use super::renumber::{Renumbering, UnitName, names};
use crate::progress::Progress;

/// The baseline as the choice of blocks needs it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Look {
    /// Units of the JVM that was looked at.
    units: Vec<UnitName>,
    /// Samples.
    pub times: BlockTimes,
    /// Executions per iteration.
    executions: Vec<(BlockKey, f64)>,
    /// CPU time per iteration, ns.
    pub iteration_ns: f64,
}

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
}

/// What a round is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Part {
    /// The search.
    Search,
    /// The evaluation of its plan.
    Evaluation,
}

/// Blocks of a cell by unit name: the same in every JVM.
type CellName = BTreeSet<(String, u32)>;

#[derive(Debug, Serialize, Deserialize)]
enum Entry {
    /// A search begins; entries before it do not count.
    Begin(Look),
    /// A round was measured.
    Measured { part: Part, cells: Vec<CellName>, round: Round, tally: Tally },
}

/// A search's part of a run; without a run it keeps nothing.
pub struct Journal<'a> {
    run: Option<&'a mut Run>,
    step: String,
    progress: Option<Progress>,
    /// Seconds that a round takes, and that everything after the search takes.
    cost: (f64, f64),
}

impl<'a> Journal<'a> {
    /// Keeps nothing.
    pub fn none() -> Self {
        Journal { run: None, step: String::new(), progress: None, cost: (0.0, 0.0) }
    }

    /// Keeps the search for a target (1.0 is +100 %) in a run. Rounds take `round_s`; `after_s` is what comes after the search and its evaluation.
    pub fn new(run: &'a mut Run, progress: Progress, target: f64, how: (Filler, Placement), cost: (f64, f64)) -> Self {
        Journal { run: Some(run), step: step(target, how), progress: Some(progress), cost }
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
        let Some(run) = &self.run else { return Vec::new() };
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
        let Some(Entry::Begin(look)) = self.entries().into_iter().next() else { return None };
        let executed: BTreeSet<u32> = look.executions.iter().filter(|(_, n)| *n > 0.0).map(|(key, _)| key.unit).collect();
        match Renumbering::new(&look.units, bench, &executed) {
            Ok(renumbering) => Some(look.renumbered(&renumbering, bench)),
            Err(difference) => {
                self.note(&format!("the interrupted search cannot be continued, it starts over: {difference}"));
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
    pub fn rounds(&mut self, part: Part, bench: &Bench, cells: &Cells) -> anyhow::Result<(Vec<Round>, Tally)> {
        let here = cell_names(bench, cells);
        let (mut rounds, mut last) = (Vec::new(), Tally::default());
        let mut look = None;
        for entry in self.entries() {
            match entry {
                Entry::Begin(stored) => look = Some(stored),
                Entry::Measured { part: of, cells: there, round, tally } if of == part => {
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
            self.note(&format!("{} rounds: taken from the interrupted search", rounds.len()));
        }
        Ok((rounds, last))
    }

    /// Stores a round.
    ///
    /// # Errors
    /// When it cannot be stored.
    pub fn keep(&mut self, part: Part, bench: &Bench, cells: &Cells, round: &Round, tally: Tally) -> anyhow::Result<()> {
        if self.run.is_none() {
            return Ok(());
        }
        self.append(&Entry::Measured { part, cells: cell_names(bench, cells), round: round.clone(), tally })
    }

    fn append(&mut self, entry: &Entry) -> anyhow::Result<()> {
        let step = self.step.clone();
        self.run.as_mut().map_or(Ok(()), |run| run.finish_step(&step, entry))?;
        Ok(())
    }
}

/// Units of the interrupted search, so that the next JVM takes them under control too.
pub fn wanted(run: &Run) -> Vec<String> {
    let searches = run.steps().iter().filter(|step| step.name.starts_with(SEARCH));
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

impl Look {
    /// What was just seen.
    pub fn new(bench: &Bench, times: BlockTimes, iteration_ns: f64) -> Self {
        let mut executions: Vec<(BlockKey, f64)> = bench.executions().iter().map(|(key, n)| (*key, *n)).collect();
        executions.sort_by_key(|(key, _)| *key);
        Look { units: names(bench), times, executions, iteration_ns }
    }

    /// Executions per iteration.
    pub fn executions(&self) -> HashMap<BlockKey, f64> {
        self.executions.iter().copied().collect()
    }

    fn controlled(&self) -> BTreeSet<String> {
        self.executions.iter().map(|(key, _)| self.units[key.unit as usize].name.clone()).collect()
    }

    fn renumbered(&self, renumbering: &Renumbering, bench: &Bench) -> Self {
        let executions = self.executions.iter().filter_map(|(key, n)| Some((renumbering.block(*key)?, *n)));
        let executions = executions.collect();
        Look { units: names(bench), times: renumbering.times(&self.times), executions, iteration_ns: self.iteration_ns }
    }
}

fn cell_names(bench: &Bench, cells: &Cells) -> Vec<CellName> {
    let name = |key: &BlockKey| (bench.unit_name(key.unit).to_owned(), key.block);
    (0..cells.cells().len()).map(|cell| cells.blocks(cell).iter().map(name).collect()).collect()
}

/// For each cell here its place there; none if the cells are not the same.
fn order(here: &[CellName], there: &[CellName]) -> Option<Vec<usize>> {
    let places: BTreeMap<&CellName, usize> = there.iter().enumerate().map(|(at, name)| (name, at)).collect();
    let same = here.len() == there.len() && places.len() == there.len();
    let order: Option<Vec<usize>> = here.iter().map(|name| places.get(name).copied()).collect();
    order.filter(|_| same)
}

fn reordered(round: &Round, order: &[usize]) -> Round {
    let one = |seen: &Observation| {
        let samples = if seen.samples.is_empty() { Vec::new() } else { order.iter().map(|at| seen.samples[*at]).collect() };
        Observation { counts: order.iter().map(|at| seen.counts[*at]).collect(), samples, ..seen.clone() }
    };
    Round { baseline: round.baseline.iter().map(one).collect(), slowed: round.slowed.iter().map(one).collect() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(blocks: &[u32]) -> CellName {
        blocks.iter().map(|block| ("a.B.c()V".to_owned(), *block)).collect()
    }

    #[test]
    fn cells_are_found_by_their_blocks() {
        let (here, there) = ([name(&[1, 2]), name(&[3])], [name(&[3]), name(&[2, 1])]);
        assert_eq!(order(&here, &there), Some(vec![1, 0]));
        assert_eq!(order(&here, &[name(&[3]), name(&[1])]), None);
        assert_eq!(order(&here[..1], &there), None);
    }

    #[test]
    fn rounds_follow_their_cells() {
        let seen = Observation { counts: vec![5, 6], iterations: 1.0, cpu_ns: 1.0, samples: vec![0.5, 0.6], outside_samples: 0.0, placements: 1, sampled: true };
        let unsampled = Observation { samples: Vec::new(), sampled: false, ..seen.clone() };
        let round = reordered(&Round { baseline: vec![seen], slowed: vec![unsampled] }, &[1, 0]);
        assert_eq!((round.baseline[0].counts.clone(), round.baseline[0].samples.clone()), (vec![6, 5], vec![0.6, 0.5]));
        assert!(round.slowed[0].samples.is_empty());
    }
}
