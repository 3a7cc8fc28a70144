//! What is seen of a wrong row, and of the rows of the same site beside it.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_rules::{CAUSE_PART, DOSE_TOLERANCE_PER_MARGIN};

use super::evidence::{Around, Known};
use super::profiler::{Positions, positions};
use crate::dose::{Attribution, AttributionRow, ThreadFacts};

/// A wrong row, with everything that may explain it.
pub(super) struct Case<'a> {
    pub(super) name: &'a str,
    /// Place of the row among those of the profiler.
    at: usize,
    pub(super) row: &'a AttributionRow,
    pub(super) all: &'a BTreeMap<String, Attribution>,
    pub(super) around: &'a Around<'a>,
}

impl<'a> Case<'a> {
    /// None of a row that is not wrong.
    pub(super) fn new(
        (name, at): (&'a str, usize),
        all: &'a BTreeMap<String, Attribution>,
        around: &'a Around<'a>,
    ) -> Option<Self> {
        let row = all.get(name)?.rows.get(at)?;
        (row.verdict == Verdict::Wrong).then_some(Self {
            name,
            at,
            row,
            all,
            around,
        })
    }

    /// The other method that explains most of what is not in place; none where missing samples do.
    pub(super) fn moved(&self) -> Option<&'a str> {
        let to = self.row.elsewhere.iter().find(|to| to.pct.value > 0.0)?;
        let lost = self.unseen() && self.missing() >= CAUSE_PART * self.away();
        (!lost && self.enough(to.pct.value)).then_some(to.method.as_str())
    }

    /// Whether time in no Java method explains most of what is not in place.
    pub(super) fn nowhere(&self) -> bool {
        self.enough(self.row.other_pct.value)
    }

    /// Whether so much time, % of what was added, explains most of what is not in place, and more than is accepted; in the mean over
    /// JVMs where some are wrong.
    pub(super) fn enough(&self, pct: f64) -> bool {
        let jvms = self.row.jvms;
        let wrong = match jvms.wrong {
            0 => 1.0,
            wrong => wrong as f64 / jvms.total() as f64,
        };
        pct > wrong * self.tolerance_pct() && pct >= CAUSE_PART * self.away()
    }

    /// % of the added time that is not in place and should be.
    fn away(&self) -> f64 {
        (self.row.truth_pct[0] - self.row.in_place_pct.value).max(0.0)
    }

    pub(super) fn missing(&self) -> f64 {
        let missing = self.row.missing_pct;
        missing.map_or(0.0, |part| part.value.clamp(0.0, 100.0))
    }

    /// Whether so much certainly left no sample that this alone makes the row wrong.
    pub(super) fn unseen(&self) -> bool {
        let missing = self.known().and_then(|known| known.missing.get(self.at));
        missing.copied().unwrap_or(false)
    }

    /// The threads of a program that has several.
    pub(super) fn several(&self) -> Option<&ThreadFacts> {
        self.around.threads.filter(|threads| !threads.alone())
    }

    /// Whether a profiler is wrong about this site too, and charges this method.
    pub(super) fn charges(&self, name: &str, to: &str) -> bool {
        let other = self.all.get_key_value(name).and_then(|(name, one)| {
            let at = one.rows.iter().position(|row| self.is_here(row))?;
            Case::new((name.as_str(), at), self.all, self.around)
        });
        other.is_some_and(|other| other.moved() == Some(to))
    }

    /// The row of this site of another profiler.
    pub(super) fn row_of(&self, name: &str) -> Option<&'a AttributionRow> {
        let mut rows = self.all.get(name)?.rows.iter();
        rows.find(|row| self.is_here(row))
    }

    fn is_here(&self, row: &AttributionRow) -> bool {
        row.method == self.row.method && row.place == self.row.place
    }

    pub(super) fn known(&self) -> Option<&'a Known> {
        self.around.known.get(self.name)
    }

    pub(super) fn positions(&self, name: &str) -> Positions {
        positions(name, &self.around.jvm.options)
    }

    pub(super) fn tolerance_pct(&self) -> f64 {
        DOSE_TOLERANCE_PER_MARGIN * self.around.margin_pt
    }
}
