//! From sampled addresses to units, blocks and source positions.

use std::collections::HashMap;
use std::sync::Arc;

use crate::check::{CodeMapError, check_blocks, check_spans};
use crate::layout::Layout;
use crate::owners::{Methods, UnitOwners};
use crate::versions::Versions;
use crate::{Code, Flow, Install, Unit};

/// Everything that a JVM reported about its code. It only grows: reports may arrive while samples
/// are being looked up, installations in any order of time.
#[derive(Debug, Clone, Default)]
pub struct CodeMap {
    units: Vec<Unit>,
    owners: Vec<UnitOwners>,
    methods: Methods,
    layouts: Vec<Layout>,
    by_code: HashMap<u32, u32>,
    versions: Versions,
}

/// Operations of machine code, as the compiler emitted them: without those that made no bytes and without what Proofmark
/// inserted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PositionsKnown {
    /// Operations in blocks.
    pub operations: u64,
    /// Those of which the compiler kept a source position.
    pub positioned: u64,
}

/// Where an address lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// Index of the unit.
    pub unit: u32,
    /// Id of the code that was installed there.
    pub code: u32,
    /// Bytes from the start of the code.
    pub offset: u32,
    /// Id of the block; none in the prologue, slow paths and stubs.
    pub block: Option<u32>,
    /// Index into [`Unit::positions`].
    pub position: Option<u32>,
    /// True inside of instructions that Proofmark inserted.
    pub inserted: bool,
    /// True for the first address of a block.
    pub at_block_start: bool,
    /// True for the first address of a span.
    pub at_span_start: bool,
    /// True in front of the first block.
    pub prologue: bool,
    pub(crate) layout: u32,
    pub(crate) piece: u32,
}

impl CodeMap {
    /// An empty map.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the next unit and returns its index. The frames of its positions become owners and are
    /// let go.
    ///
    /// # Errors
    /// If two blocks share an id or a successor is no block of the unit; nothing is added then.
    pub fn add_unit(&mut self, mut unit: Unit) -> Result<u32, CodeMapError> {
        check_blocks(&unit)?;
        let index = u32::try_from(self.units.len()).expect("fewer than 2^32 units");
        self.owners.push(UnitOwners::of(&unit, &mut self.methods));
        // The frames of large programs are hundreds of megabytes; only their number is needed now.
        unit.positions
            .iter_mut()
            .for_each(|frames| *frames = Vec::new());
        self.units.push(unit);
        Ok(index)
    }

    /// Control flow of a unit.
    pub(crate) fn flow(&self, unit: u32) -> &Flow {
        &self.owners[unit as usize].flow
    }

    /// Adds a code of a unit that is known already.
    ///
    /// # Errors
    /// If the unit is unknown, the id is taken or a span is malformed; nothing is added then.
    pub fn add_code(&mut self, code: &Code) -> Result<(), CodeMapError> {
        let unknown = CodeMapError::UnknownUnit {
            code: code.id,
            unit: code.unit,
        };
        let unit = self.units.get(code.unit as usize).ok_or(unknown)?;
        if self.by_code.contains_key(&code.id) {
            return Err(CodeMapError::SameCode(code.id));
        }
        check_spans(code, unit)?;
        let index = u32::try_from(self.layouts.len()).expect("fewer than 2^32 codes");
        self.layouts
            .push(Layout::of(code, &self.owners[code.unit as usize]));
        self.by_code.insert(code.id, index);
        Ok(())
    }

    /// Adds an installation of a code that is known already.
    ///
    /// # Errors
    /// If the code is unknown.
    pub fn add_install(&mut self, install: &Install) -> Result<(), CodeMapError> {
        let layout = *self
            .by_code
            .get(&install.code)
            .ok_or(CodeMapError::UnknownCode(install.code))?;
        let size = self.layouts[layout as usize].size;
        self.versions
            .add(install.start, size, install.time_ns, layout);
        Ok(())
    }

    /// What was installed at the address `ip` at `time_ns` (CLOCK_MONOTONIC, ns); none if it was
    /// nothing we know of. An installation counts from its own time until another one overlaps
    /// it: replaced code may still be running for a while.
    #[must_use]
    pub fn locate(&self, ip: u64, time_ns: u64) -> Option<Location> {
        let version = self.versions.find(ip, time_ns)?;
        let layout = &self.layouts[version.payload as usize];
        let offset = u32::try_from(ip - version.start).ok()?;
        let at = layout.find(offset)?;
        let piece = layout.piece(at);
        let at_span_start = piece.span.start == offset;
        Some(Location {
            unit: layout.unit,
            code: layout.id,
            offset,
            block: piece.span.block,
            position: piece.span.position,
            inserted: piece.span.inserted,
            at_block_start: at_span_start && piece.starts_block,
            at_span_start,
            prologue: piece.prologue,
            layout: version.payload,
            piece: u32::try_from(at).ok()?,
        })
    }

    /// Lets go of installations that only samples before `time_ns` could have hit.
    pub fn forget_before(&mut self, time_ns: u64) {
        self.versions.forget_before(time_ns);
    }

    /// Units in the order in which they were reported.
    #[must_use]
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Number of installations so far.
    #[must_use]
    pub fn installs(&self) -> usize {
        self.versions.len()
    }

    /// How much of a unit's machine code has a source position, in the first code of it that was reported; none without
    /// code.
    #[must_use]
    pub fn positions_known(&self, unit: u32) -> Option<PositionsKnown> {
        let layout = self.layouts.iter().find(|layout| layout.unit == unit)?;
        Some(layout.positions_known())
    }

    /// Methods that certainly own time of a unit's block in any code seen so far, by name. Empty
    /// where the compiler left no position in the whole block.
    #[must_use]
    pub fn owners_of_block(&self, unit: u32, block: u32) -> Vec<Arc<str>> {
        let of_unit = self.layouts.iter().filter(|layout| layout.unit == unit);
        self.names(of_unit.flat_map(|layout| layout.owners_of(block)).collect())
    }

    /// Methods that own a code's inserted instructions, by name; empty for a code that is not known.
    #[must_use]
    pub fn owners_of_inserted(&self, code: u32) -> Vec<Arc<str>> {
        let layout = self.by_code.get(&code).map(|at| self.layout(*at));
        self.names(
            layout
                .iter()
                .flat_map(|layout| layout.owners_of_inserted())
                .collect(),
        )
    }

    /// Each method's name once, in order.
    fn names(&self, mut methods: Vec<u32>) -> Vec<Arc<str>> {
        methods.sort_unstable();
        methods.dedup();
        let mut names: Vec<_> = methods
            .into_iter()
            .map(|method| Arc::clone(self.method(method)))
            .collect();
        names.sort_unstable();
        names
    }

    /// The first code of a unit, which is the one without insertions.
    pub(crate) fn first_layout_of(&self, unit: u32) -> Option<&Layout> {
        self.layouts.iter().find(|layout| layout.unit == unit)
    }

    pub(crate) fn layout(&self, index: u32) -> &Layout {
        &self.layouts[index as usize]
    }

    pub(crate) fn method(&self, id: u32) -> &Arc<str> {
        self.methods.name(id)
    }
}
