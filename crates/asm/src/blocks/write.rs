//! The text with instructions in its slots.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{BasicBlock, Function, Listing};

/// Section of a program that holds the counters of its blocks, 8 bytes each. The linker knows its begin and end by name.
pub const COUNTS_SECTION: &str = "proofmark_counts";
/// What the names of marks begin with, and those of the places where a text's counters begin.
const MARK: &str = "proofmark.mark.";
const COUNTS: &str = "proofmark.counts.";

/// Where in a block slowdown instructions go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// Evenly between the block's own instructions.
    Spread,
    /// In front of the first.
    Start,
    /// In front of the last.
    End,
}

/// What goes into a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slots<'s> {
    /// Number of the function in the names of its marks.
    pub unit: u32,
    /// Bytes of padding in front of it.
    pub padding: u32,
    /// What goes into its blocks.
    pub content: Content<'s>,
}

/// What goes into the blocks of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'s> {
    /// Slowdown instructions, and marks.
    Slowed {
        /// How many per block; blocks behind the last one get none.
        counts: &'s [u32],
        /// The instruction; of several they are taken by turns. One at least.
        instructions: &'s [&'s str],
        /// Where they go.
        at: Where,
    },
    /// Counters: block by block from this one on.
    Counted(usize),
}

/// A piece of a function's code: all up to the next one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    /// Index of its block.
    pub block: usize,
    /// Line of the source, 0 where it is not known.
    pub line: u32,
    /// Whether it is what went into a slot.
    pub inserted: bool,
}

/// A text with filled slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The text.
    pub text: String,
    /// Per function that has marks its pieces: the mark of a number is where the piece of that number begins, and the last mark,
    /// one number higher, where the function ends.
    pub pieces: BTreeMap<usize, Vec<Piece>>,
}

/// Number of the function and of the piece, of a symbol that is a mark.
#[must_use]
pub fn mark_of(symbol: &str) -> Option<(u32, u32)> {
    let (unit, number) = symbol.strip_prefix(MARK)?.split_once('.')?;
    Some((unit.parse().ok()?, number.parse().ok()?))
}

/// Number of the text, of a symbol that says where its counters begin.
#[must_use]
pub fn counts_of(symbol: &str) -> Option<u32> {
    symbol.strip_prefix(COUNTS)?.parse().ok()
}

impl Listing {
    /// The text with slots filled, by index of the function. `counters` is the number of this text and how many counters it has;
    /// none without.
    #[must_use]
    pub fn written(
        &self,
        slots: &BTreeMap<usize, Slots<'_>>,
        counters: Option<(u32, usize)>,
    ) -> Written {
        let mut before = Before::default();
        let mut pieces = BTreeMap::new();
        for (at, function) in self.functions().iter().enumerate() {
            let Some(slots) = slots.get(&at) else {
                continue;
            };
            let [begin, end] = function.lines;
            if slots.padding > 0 {
                before.line(begin, format_args!("\t.skip\t{}, 0x90", slots.padding));
            }
            match slots.content {
                Content::Counted(first) => count(function, first, &mut before),
                Content::Slowed { .. } => {
                    let own = slow(function, slots, &mut before);
                    let last = own.len();
                    before.line(end, format_args!("{MARK}{}.{last}:", slots.unit));
                    pieces.insert(at, own);
                }
            }
        }
        let mut text = String::new();
        for (at, line) in self.lines().enumerate() {
            text.push_str(before.0.get(&at).map_or("", String::as_str));
            text.push_str(line);
        }
        if let Some((number, counters)) = counters {
            if !text.ends_with('\n') {
                text.push('\n');
            }
            let bytes = 8 * counters;
            let _ = writeln!(
                text,
                "\t.section\t{COUNTS_SECTION},\"aw\",@progbits\n\t.balign\t8\n{COUNTS}{number}:\n{COUNTER}:\n\t.zero\t{bytes}"
            );
        }
        Written { text, pieces }
    }
}

/// Label of a text's first counter.
const COUNTER: &str = ".Lproofmark_counter";

/// What goes in front of lines, by their numbers.
#[derive(Default)]
struct Before(BTreeMap<usize, String>);

impl Before {
    fn line(&mut self, at: usize, text: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.0.entry(at).or_default(), "{text}");
    }
}

/// Puts a counter into every block. The flags are kept on the stack, below the function's own red zone.
fn count(function: &Function, first: usize, before: &mut Before) {
    for (number, block) in function.blocks.iter().enumerate() {
        let gap = block.operations.iter().find(|one| one.gap);
        let Some(at) = gap.or(block.operations.first()).map(|one| one.at) else {
            continue;
        };
        let place = 8 * (first + number);
        before.line(
            at,
            format_args!(
                "\tleaq\t-128(%rsp), %rsp\n\tpushfq\n\tincq\t{COUNTER}+{place}(%rip)\n\tpopfq\n\tleaq\t128(%rsp), %rsp"
            ),
        );
    }
}

/// Puts slowdown instructions and marks into a function.
fn slow(function: &Function, slots: &Slots<'_>, before: &mut Before) -> Vec<Piece> {
    let Content::Slowed {
        counts,
        instructions,
        at,
    } = slots.content
    else {
        return Vec::new();
    };
    let mut pieces: Vec<Piece> = Vec::new();
    let mut turn = 0;
    for (number, block) in function.blocks.iter().enumerate() {
        let count = counts.get(number).copied().unwrap_or(0);
        for (operation, inserted) in block.operations.iter().zip(shared(block, count, at)) {
            let piece = Piece {
                block: number,
                line: operation.line,
                inserted: false,
            };
            if inserted > 0 {
                before.line(
                    operation.at,
                    format_args!("{MARK}{}.{}:", slots.unit, pieces.len()),
                );
                pieces.push(Piece {
                    inserted: true,
                    ..piece
                });
            }
            for _ in 0..inserted {
                let instruction = instructions[turn % instructions.len()];
                before.line(operation.at, format_args!("\t{instruction}"));
                turn += 1;
            }
            before.line(
                operation.at,
                format_args!("{MARK}{}.{}:", slots.unit, pieces.len()),
            );
            pieces.push(piece);
        }
    }
    pieces
}

/// How many of a block's slowdown instructions go in front of each of its operations.
fn shared(block: &BasicBlock, count: u32, at: Where) -> Vec<u32> {
    let gaps: Vec<usize> = (0..block.operations.len())
        .filter(|one| block.operations[*one].gap)
        .collect();
    let mut all = vec![0; block.operations.len()];
    let (Some(first), Some(last)) = (gaps.first(), gaps.last()) else {
        return all;
    };
    match at {
        Where::Start => all[*first] = count,
        Where::End => all[*last] = count,
        Where::Spread => {
            let places = gaps.len() as u64;
            let until = |place: u64| u64::from(count) * place / places;
            for (place, gap) in (0..).zip(&gaps) {
                all[*gap] = (until(place + 1) - until(place)) as u32;
            }
        }
    }
    all
}
