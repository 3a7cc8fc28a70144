//! Machine code of a unit, made ready for fast lookups.

use std::collections::HashMap;

use crate::codemap::PositionsKnown;
use crate::owners::{Owner, UnitOwners, owners, prologue_spans};
use crate::{Code, PcRule, Span};

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
        let owners = owners(&code.spans, unit);
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
        for (at, (span, owner)) in code.spans.iter().zip(owners).enumerate() {
            let end = code.spans.get(at + 1).map_or(code.size, |next| next.start);
            if end > span.start {
                layout.push(*span, owner, at < prologue);
            }
        }
        layout
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

    /// Operations in blocks, and those with a source position.
    pub fn positions_known(&self) -> PositionsKnown {
        let own = |piece: &&Piece| piece.span.block.is_some() && !piece.span.inserted;
        let mut known = PositionsKnown::default();
        for piece in self.pieces.iter().filter(own) {
            known.operations += 1;
            known.positioned += u64::from(piece.span.position.is_some());
        }
        known
    }

    /// Index of the piece that holds `offset`.
    pub fn find(&self, offset: u32) -> Option<usize> {
        self.pieces
            .partition_point(|piece| piece.span.start <= offset)
            .checked_sub(1)
    }

    /// Method that the VM's debug information gives for an address by this rule; none where it has no record for it.
    pub fn reported(&self, offset: u32, rule: PcRule) -> Option<u32> {
        rule.find(&self.debug, offset)
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
        self.last_index_of(block).map(|last| &self.pieces[last])
    }

    /// The first piece of a block; none if the block has no bytes.
    pub fn first_of(&self, block: u32) -> Option<&Piece> {
        self.extents
            .get(&block)
            .map(|(first, _)| &self.pieces[*first])
    }

    /// Pieces that follow each other in a block, with the block.
    pub fn neighbours_in_blocks(&self) -> impl Iterator<Item = (u32, &Piece, &Piece)> {
        self.pieces.windows(2).filter_map(|pair| {
            let block = pair[0].span.block?;
            (pair[1].span.block == Some(block)).then_some((block, &pair[0], &pair[1]))
        })
    }

    /// Index of the last piece of a block; none if the block has no bytes.
    pub fn last_index_of(&self, block: u32) -> Option<usize> {
        self.extents.get(&block).map(|(_, last)| *last)
    }

    /// Bytes of a piece.
    pub fn bytes_of(&self, at: usize) -> u32 {
        let end = self
            .pieces
            .get(at + 1)
            .map_or(self.size, |next| next.span.start);
        end - self.pieces[at].span.start
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
