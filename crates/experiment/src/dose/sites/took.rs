//! How long the parts of a test take: by that it is said how long another one does.

use super::in_time::names;
use super::plain::Plain;
use super::runs::Processes;
use super::together::sets;
use super::tune::Tuned;
use crate::dose::{FoundSites, Took};
use crate::progress::Progress;

/// A watch that tells how long each part took.
pub(super) struct Laps<'p> {
    progress: &'p dyn Progress,
    /// When the part that runs began, s.
    began_s: f64,
}

impl<'p> Laps<'p> {
    /// The first part began at this time, s.
    pub(super) fn since(progress: &'p dyn Progress, began_s: f64) -> Self {
        Self { progress, began_s }
    }

    /// A part ends: how long it took, s.
    pub(super) fn lap_s(&mut self) -> f64 {
        let now_s = self.progress.elapsed_s();
        let took_s = now_s - self.began_s;
        self.began_s = now_s;
        took_s
    }
}

impl Took {
    /// Places were tried in so many methods, and these sites found.
    pub(super) fn found_sites(&mut self, tried: usize, tuned: &[Tuned]) {
        (self.tried, self.found) = (tried, names(tuned).len());
        self.looked_at = [tuned.len(), sets(tuned).len()];
    }

    /// Profilers were measured at these sites, in processes that took so long, s; `plain`: what was known of them before.
    pub(super) fn measured(
        &mut self,
        (tuned, plain): (&[Tuned], &Plain),
        processes: &Processes<'_>,
        took_s: f64,
    ) {
        let of = |name: &String| {
            let same = tuned.iter().filter(|one| one.candidate.name == *name);
            same.count()
        };
        self.each = names(tuned).iter().map(of).collect();
        self.known = FoundSites {
            sites: tuned.len(),
            sets: sets(tuned).len(),
            start_s: plain.start_s,
            gates_s: plain.gates_s,
            ..self.known
        };
        let runs = processes.runs.iter().flat_map(|one| &one.good);
        self.spared = runs.map(|run| run.rounds.spared).sum();
        self.profilers_s = took_s;
    }
}
