//! Machine code of a unit, made ready for fast lookups.

use std::collections::HashMap;

use crate::owners::{Owner, UnitOwners, owners, prologue_spans};
use crate::{Code, Span};

/// A span that has bytes.
#[derive(Debug, Clone)]
pub(crate) struct Piece {
    pub span: Span,
    pub owner: Owner,
    /// True in front of the first block.
    pub prologue: bool,
    /// True for the first piece of its block.
    pub starts_block: bool,
}

/// The pieces of a code in ascending order of start, without the operations that emitted nothing.
#[derive(Debug, Clone)]
pub(crate) struct Layout {
    pub unit: u32,
    pub id: u32,
    pub size: u32,
    pieces: Vec<Piece>,
    /// End offset and method of every position that the VM knows.
    debug: Vec<(u32, u32)>,
    /// First and last piece of each block that has bytes.
    extents: HashMap<u32, (usize, usize)>,
}

impl Layout {
    /// Lays out `code`, whose spans must ascend.
    pub fn of(code: &Code, unit: &UnitOwners) -> Self {
        let mut owners = owners(&code.spans, unit);
        let prologue = prologue_spans(&code.spans);
        let mut layout = Self {
            unit: code.unit,
            id: code.id,
            size: code.size,
            pieces: Vec::new(),
            debug: code
                .debug
                .iter()
                .filter_map(|(end, position)| Some((*end, unit.of_position(*position)?)))
                .collect(),
            extents: HashMap::new(),
        };
        let bare = |span: &Span| span.inserted && unit.of_span(span).is_none();
        let inserted = (0..owners.len()).filter(|at| bare(&code.spans[*at]));
        for at in inserted {
            if let Some(method) = layout.known_by_the_vm(code, at) {
                owners[at] = Owner::certain(method);
            }
        }
        for (at, (span, owner)) in code.spans.iter().zip(owners).enumerate() {
            let end = code.spans.get(at + 1).map_or(code.size, |next| next.start);
            if end > span.start {
                layout.push(*span, owner, at < prologue);
            }
        }
        layout
    }

    /// What the VM knows of the point in front of which instructions were inserted: an operation that may trap has
    /// its frames, often the caller's, recorded at its start, so that they are those of the inserted code too.
    fn known_by_the_vm(&self, code: &Code, inserted: usize) -> Option<u32> {
        let start = code.spans[inserted].start;
        let behind = code.spans[inserted..].iter().find(|span| !span.inserted);
        let end = behind.map_or(code.size, |span| span.start);
        let at = self.debug.partition_point(|(known, _)| *known <= start);
        let (known, method) = *self.debug.get(at)?;
        (known <= end).then_some(method)
    }

    fn push(&mut self, span: Span, owner: Owner, prologue: bool) {
        let at = self.pieces.len();
        let starts_block = span
            .block
            .is_some_and(|block| !self.extents.contains_key(&block));
        if let Some(block) = span.block {
            self.extents.entry(block).or_insert((at, at)).1 = at;
        }
        self.pieces.push(Piece {
            span,
            owner,
            prologue,
            starts_block,
        });
    }

    /// Index of the piece that holds `offset`.
    pub fn find(&self, offset: u32) -> Option<usize> {
        self.pieces
            .partition_point(|piece| piece.span.start <= offset)
            .checked_sub(1)
    }

    /// Method that the VM's debug information gives for an address; none behind its last entry.
    pub fn reported(&self, offset: u32) -> Option<u32> {
        let at = self.debug.partition_point(|(end, _)| *end < offset);
        self.debug.get(at).map(|(_, method)| *method)
    }

    pub fn piece(&self, at: usize) -> &Piece {
        &self.pieces[at]
    }

    /// The piece before `at`, if both lie in the same block (or both outside of blocks).
    pub fn previous_in_block(&self, at: usize) -> Option<&Piece> {
        let previous = self.pieces.get(at.checked_sub(1)?)?;
        (previous.span.block == self.pieces[at].span.block).then_some(previous)
    }

    /// The last piece of a block; none if the block has no bytes.
    pub fn last_of(&self, block: u32) -> Option<&Piece> {
        self.extents
            .get(&block)
            .map(|(_, last)| &self.pieces[*last])
    }

    /// Owners of the inserted instructions.
    pub fn owners_of_inserted(&self) -> impl Iterator<Item = u32> {
        let inserted = self.pieces.iter().filter(|piece| piece.span.inserted);
        inserted.map(|piece| piece.owner.method)
    }

    /// Methods that certainly own pieces of a block, with repetitions; instructions that we
    /// inserted aside.
    pub fn owners_of(&self, block: u32) -> impl Iterator<Item = u32> {
        let extent = self
            .extents
            .get(&block)
            .map_or(0..0, |(first, last)| *first..last + 1);
        self.pieces[extent]
            .iter()
            .filter(move |piece| piece.span.block == Some(block))
            .filter(|piece| !piece.span.inserted && !piece.owner.is_ambiguous())
            .map(|piece| piece.owner.method)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::owners::Methods;
    use crate::test_units::{block, span, unit};

    /// The root's code up to 4, 4 inserted bytes, then an operation of method a.
    fn owner_of_inserted(debug: &[(u32, u32)]) -> String {
        let mut methods = Methods::default();
        let owners = UnitOwners::of(&unit(vec![block(0, &[])]), &mut methods);
        let mut inserted = span(4, 0, -1);
        inserted.inserted = true;
        let code = Code {
            id: 0,
            unit: 0,
            size: 12,
            spans: vec![span(0, 0, 0), inserted, span(8, 0, 1)],
            debug: debug.to_vec(),
        };
        let layout = Layout::of(&code, &owners);
        let owner = layout.owners_of_inserted().next().expect("one");
        methods.name(owner).to_string()
    }

    #[test]
    fn inserted_code_is_of_the_operation_behind() {
        // Ends of both operations, as they are known with DebugNonSafepoints.
        assert_eq!(owner_of_inserted(&[(4, 0), (12, 1)]), "p.C.a()V");
        assert_eq!(owner_of_inserted(&[]), "p.C.a()V");
    }

    #[test]
    fn inserted_code_in_front_of_a_trap_has_its_frames() {
        assert_eq!(owner_of_inserted(&[(4, 0), (8, 0), (12, 1)]), "p.C.root()V");
        assert_eq!(owner_of_inserted(&[(8, 0)]), "p.C.root()V");
    }
}
