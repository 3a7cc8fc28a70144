//! What virtual speed-up needs of a laboratory.

use proofmark_blocks::CodeMap;

use crate::lab::{Lab, LabError, Measured, UnitTable, Variant, WindowSpec};

/// Runs variants of a program and takes their time. Every [`Lab`] does, and so does what can neither sample nor count.
pub trait Clocked {
    /// Description of the functions under control.
    fn map(&self) -> &CodeMap;

    /// Functions under control, by index in [`Clocked::map`].
    fn units(&self) -> Vec<u32>;

    /// Number of alignments in the cache line under which every variant is made.
    fn alignments(&self) -> usize;

    /// Whether the program works in several threads or processes, so that its CPU time is not what a user waits for.
    fn concurrent(&self) -> bool;

    /// The program without any insertion.
    fn baseline(&self) -> Variant;

    /// Makes a variant; functions without a table stay as they are.
    ///
    /// # Errors
    /// When it cannot be made.
    fn variant(&mut self, tables: &[UnitTable]) -> Result<Variant, LabError>;

    /// Runs the variants in the given order of indices; begin and end of an iteration are what the user waits for.
    ///
    /// # Errors
    /// When the program fails, or does something else than before.
    fn window(
        &mut self,
        spec: &WindowSpec<'_>,
        variants: &[Variant],
        order: &[usize],
    ) -> Result<Measured, LabError>;
}

impl<L: Lab + ?Sized> Clocked for L {
    fn map(&self) -> &CodeMap {
        Lab::map(self)
    }

    fn units(&self) -> Vec<u32> {
        Lab::units(self)
    }

    fn alignments(&self) -> usize {
        Lab::alignments(self)
    }

    /// Laboratories take programs that work in one thread.
    fn concurrent(&self) -> bool {
        false
    }

    fn baseline(&self) -> Variant {
        Lab::baseline(self)
    }

    fn variant(&mut self, tables: &[UnitTable]) -> Result<Variant, LabError> {
        Lab::variant(self, tables)
    }

    fn window(
        &mut self,
        spec: &WindowSpec<'_>,
        variants: &[Variant],
        order: &[usize],
    ) -> Result<Measured, LabError> {
        Lab::window(self, spec, variants, order)
    }
}
