//! Charges samples to blocks and methods.

use std::collections::{BTreeMap, HashMap};

use crate::layout::Piece;
use crate::skid::{Waiters, Waiting};
use crate::times::{BlockKey, BlockTimes, MethodTime};
use crate::{CodeMap, EdgeCounts, Location, PcRule, Replay, Skid, Weight};

/// One sample of a workload thread.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sample {
    /// Address.
    pub ip: u64,
    /// CLOCK_MONOTONIC, ns.
    pub time_ns: u64,
    /// Time it stands for: the sampling period of its event in ns, or 1 if all have the same.
    pub weight: f64,
}

/// Charges a window's samples to blocks and methods. `counts` holds edge counts by unit index;
/// where a unit has none, its predecessors share equally, and [`BlockTimes::uncounted`] says how
/// much that was.
///
/// With [`Skid::NextInstruction`] a sample at the first address of a block belongs to the blocks
/// that control came from, unless they all end with an unconditional jump or lie outside of the
/// unit; inside a block it belongs to the operation that ends there. With [`Skid::RetirePair`] half of it belongs to the operation
/// before that, across the border too, unless the operation is too long for a single instruction.
///
/// # Accuracy
/// The correction takes block errors of up to 94 points to those of [`BlockTimes`]. Left is the refill
/// after mispredictions: it stays on the target of the branch except for what is seen at its first
/// address. Any other skid than that of the machine would make things worse: measure it first.
#[must_use]
pub fn attribute(
    map: &CodeMap,
    skid: Skid,
    counts: &HashMap<u32, EdgeCounts>,
    samples: impl IntoIterator<Item = Sample>,
) -> BlockTimes {
    let mut attributor = Attributor::new(map, skid, counts);
    for sample in samples {
        attributor.add(&sample);
    }
    attributor.finish()
}

/// Bytes above which an operation is taken for more than one instruction. Most x86 instructions of compiled code have up to 8; longer
/// single ones keep the whole of what they share.
const LONGEST_SINGLE_INSTRUCTION: u32 = 8;

struct Attributor<'a> {
    map: &'a CodeMap,
    skid: Skid,
    counts: &'a HashMap<u32, EdgeCounts>,
    waiting: HashMap<(u32, u32), Waiting>,
    times: BlockTimes,
    methods: HashMap<u32, MethodTime>,
    reported: HashMap<u32, Weight>,
    /// By rule, corrected or not, and method.
    replays: BTreeMap<(PcRule, bool), HashMap<u32, Weight>>,
    blocks: HashMap<BlockKey, Weight>,
}

impl<'a> Attributor<'a> {
    fn new(map: &'a CodeMap, skid: Skid, counts: &'a HashMap<u32, EdgeCounts>) -> Self {
        Self {
            map,
            skid,
            counts,
            waiting: HashMap::new(),
            times: BlockTimes::default(),
            methods: HashMap::new(),
            reported: HashMap::new(),
            replays: BTreeMap::new(),
            blocks: HashMap::new(),
        }
    }

    fn add(&mut self, sample: &Sample) {
        self.times.total.add(sample.weight);
        match self.map.locate(sample.ip, sample.time_ns) {
            None => self.times.outside.add(sample.weight),
            Some(at) => self.add_at(&at, sample.weight),
        }
    }

    fn add_at(&mut self, at: &Location, weight: f64) {
        self.times.units.entry(at.unit).or_default().add(weight);
        let layout = self.map.layout(at.layout);
        if let Some(method) = layout.reported(at.offset, PcRule::AtOrBehind) {
            self.reported.entry(method).or_default().add(weight);
        }
        self.replay(at.layout, at.offset, weight, false);
        let piece = at.piece as usize;
        if self.skid == Skid::None || !at.at_span_start {
            // Inside of an operation the instruction in front ends where the sampled one begins.
            let late = u32::from(self.skid != Skid::None);
            self.replay(at.layout, at.offset - late, weight, true);
            return self.charge(at.unit, layout.piece(piece), weight);
        }
        let pair = self.skid == Skid::RetirePair;
        self.charge_before(at.layout, piece, weight, pair);
    }

    /// Names an address by the VM's debug information, by every rule.
    fn replay(&mut self, layout: u32, offset: u32, weight: f64, corrected: bool) {
        let layout = self.map.layout(layout);
        for rule in PcRule::ALL {
            if let Some(method) = layout.reported(offset, rule) {
                let named = self.replays.entry((rule, corrected)).or_default();
                named.entry(method).or_default().add(weight);
            }
        }
    }

    /// Charges what was being waited for at the start of a piece: the piece before it in its block, or the last ones of the blocks
    /// that control came from. Of a pair, half of that goes one piece further back, where the piece before is short enough to be one
    /// instruction.
    fn charge_before(&mut self, layout: u32, piece: usize, weight: f64, pair: bool) {
        let code = self.map.layout(layout);
        let own = code.piece(piece);
        if !own.starts_block {
            let before = piece
                .checked_sub(1)
                .filter(|_| code.previous_in_block(piece).is_some());
            return self.charge_pair(
                layout,
                before.unwrap_or(piece),
                weight,
                pair && before.is_some(),
            );
        }
        let waiting = self
            .waiting(layout, own.span.block.unwrap_or_default())
            .clone();
        if waiting.blocks.is_empty() {
            self.replay(layout, own.span.start, weight, true);
            return self.charge(code.unit, own, weight);
        }
        if waiting.uncounted {
            self.times.uncounted.add(weight);
        }
        for (block, fraction) in waiting.blocks {
            let last = code.last_index_of(block);
            let pair = pair && last.is_some();
            self.charge_pair(layout, last.unwrap_or(piece), weight * fraction, pair);
        }
    }

    /// Charges a piece, or half of it to what comes before that.
    fn charge_pair(&mut self, layout: u32, piece: usize, weight: f64, pair: bool) {
        let code = self.map.layout(layout);
        let half = pair && code.bytes_of(piece) <= LONGEST_SINGLE_INSTRUCTION;
        let own = if half { weight / 2.0 } else { weight };
        // Of a longer operation the last instruction is meant, whose first byte is not known.
        let (start, bytes) = (code.piece(piece).span.start, code.bytes_of(piece));
        let waited = match bytes <= LONGEST_SINGLE_INSTRUCTION {
            true => start,
            false => start + bytes - 1,
        };
        self.replay(layout, waited, own, true);
        self.charge(code.unit, code.piece(piece), own);
        if half {
            self.charge_before(layout, piece, weight / 2.0, false);
        }
    }

    /// Charges `weight` to the block and to the owner of a piece.
    fn charge(&mut self, unit: u32, piece: &Piece, weight: f64) {
        let entry = || {
            self.map.units()[unit as usize]
                .blocks
                .first()
                .map(|block| block.id)
        };
        let block = piece
            .span
            .block
            .or_else(|| if piece.prologue { entry() } else { None });
        match block {
            Some(block) => self
                .blocks
                .entry(BlockKey { unit, block })
                .or_default()
                .add(weight),
            None => self.times.no_block.entry(unit).or_default().add(weight),
        }
        let method = self.methods.entry(piece.owner.method).or_default();
        method.all.add(weight);
        if let Some(others) = &piece.owner.others {
            method.ambiguous.add(weight);
            self.times.ambiguous.add(weight);
            for other in others.iter() {
                let time = self.methods.entry(*other).or_default();
                time.claimable.add(weight);
            }
        }
    }

    fn waiting(&mut self, layout: u32, block: u32) -> &Waiting {
        self.waiting.entry((layout, block)).or_insert_with(|| {
            let layout = self.map.layout(layout);
            Waiters {
                unit: &self.map.units()[layout.unit as usize],
                flow: self.map.flow(layout.unit),
                layout,
                counts: self.counts.get(&layout.unit),
            }
            .of(block)
        })
    }

    fn finish(mut self) -> BlockTimes {
        self.times.blocks = self.blocks.into_iter().collect();
        let reported = self.reported.into_iter();
        self.times.reported = reported
            .map(|(id, weight)| (self.map.method(id).to_string(), weight))
            .collect();
        let replays = self.replays.into_iter();
        self.times.replays = replays
            .map(|((rule, corrected), methods)| Replay {
                rule,
                corrected,
                methods: methods
                    .into_iter()
                    .map(|(id, weight)| (self.map.method(id).to_string(), weight))
                    .collect(),
            })
            .collect();
        for (unit, weight) in &self.times.units {
            let root = self.map.units()[*unit as usize].name.clone();
            self.times.roots.entry(root).or_default().merge(weight);
        }
        let named = |(id, time)| (self.map.method(id).to_string(), time);
        self.times.methods = self
            .methods
            .into_iter()
            .map(named)
            .collect::<BTreeMap<_, _>>();
        self.times
    }
}
