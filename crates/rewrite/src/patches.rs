//! What shall be inserted into a method's code, instruction by instruction.

use std::ops::Range;

/// Straight-line code around one instruction.
///
/// ```text
/// entry    exception handlers (and the method's start) come here; branches go behind it
/// before   everything that reaches the instruction runs it
/// instead  replaces the instruction, if there is anything
/// after    only what falls out of the instruction runs it
/// ```
#[derive(Clone, Copy, Default)]
struct Patch {
    entry: u32,
    before: u32,
    instead: u32,
    after: u32,
}

/// Patches of all instructions, built in the order of the code.
#[derive(Default)]
pub(crate) struct Patches {
    /// Inserted code. It has no branches.
    pub(crate) bytes: Vec<u8>,
    /// Where the parts of each instruction's patch end in `bytes`.
    ends: Vec<Patch>,
    open: Patch,
}

impl Patches {
    pub(crate) fn end_entry(&mut self) {
        self.open.entry = self.bytes.len() as u32;
    }

    pub(crate) fn end_before(&mut self) {
        self.open.before = self.bytes.len() as u32;
    }

    pub(crate) fn end_instead(&mut self) {
        self.open.instead = self.bytes.len() as u32;
    }

    /// Ends the patch of one instruction; the next one begins.
    pub(crate) fn end(&mut self) {
        let end = self.bytes.len() as u32;
        let mut patch = self.open;
        patch.after = end;
        self.ends.push(patch);
        self.open = Patch {
            entry: end,
            before: end,
            instead: end,
            after: end,
        };
    }

    pub(crate) fn entry(&self, index: usize) -> &[u8] {
        let from = match index.checked_sub(1) {
            Some(previous) => self.ends.get(previous).map_or(0, |patch| patch.after),
            None => 0,
        };
        self.part(index, |patch| from..patch.entry)
    }

    pub(crate) fn before(&self, index: usize) -> &[u8] {
        self.part(index, |patch| patch.entry..patch.before)
    }

    pub(crate) fn instead(&self, index: usize) -> &[u8] {
        self.part(index, |patch| patch.before..patch.instead)
    }

    pub(crate) fn after(&self, index: usize) -> &[u8] {
        self.part(index, |patch| patch.instead..patch.after)
    }

    fn part(&self, index: usize, range: impl Fn(&Patch) -> Range<u32>) -> &[u8] {
        match self.ends.get(index) {
            Some(patch) => {
                let range = range(patch);
                &self.bytes[range.start as usize..range.end as usize]
            }
            None => &[],
        }
    }
}
