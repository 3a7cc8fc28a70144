//! What rests on a row of a result.

use proofmark_assess::Verdict;

use super::AttributionRow;

impl AttributionRow {
    /// Whether its site changes the profile too much for it to decide anything.
    #[must_use]
    pub fn is_void(&self) -> bool {
        self.change.as_ref().is_some_and(|change| change.voids_rows)
    }

    /// Whether it is wrong and decides, however small it is.
    pub(super) fn is_wrong(&self) -> bool {
        self.verdict == Verdict::Wrong && !self.is_void()
    }

    /// Whether it is wrong, and so small that it leaves nothing undecided.
    #[must_use]
    pub fn is_wrong_but_small(&self) -> bool {
        self.is_wrong() && self.small_pt.is_some()
    }

    /// Whether it speaks against its profiler: it is wrong and decides, and is not too small to matter.
    pub(super) fn accuses(&self) -> bool {
        self.is_wrong() && self.small_pt.is_none()
    }

    /// Whether it leaves its profiler undecided: it is open, and not too small to matter.
    pub(super) fn leaves_open(&self) -> bool {
        self.verdict == Verdict::Undecided && self.small_pt.is_none()
    }
}
