//! From assembly text to functions and their basic blocks.

use std::collections::{BTreeMap, BTreeSet};

use super::flow::loops;
use super::instruction::{Control, Instruction, names, takes_control};
use super::known::{DATA, Known};
use super::section::{Kind, Sections};
use super::{BasicBlock, Function, Operation};
use crate::line::{Line, unquoted, without_comment};
use crate::place::Place;
use crate::rust::Dialect;

/// An assembly text with its functions.
#[derive(Clone, Debug)]
pub struct Listing {
    text: String,
    /// Where its lines begin, and where the last one ends.
    starts: Vec<usize>,
    functions: Vec<Function>,
    left: Vec<String>,
}

impl Listing {
    /// Reads a text.
    #[must_use]
    pub fn of(text: &str) -> Self {
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let known = Known::of(&lines);
        let mut reader = Reader::new(&known);
        let mut starts = vec![0];
        let mut end = 0;
        for (at, line) in lines.iter().copied().enumerate() {
            reader.take(at, line);
            end += line.len();
            starts.push(end);
        }
        let mut functions = Vec::new();
        let mut left = Vec::new();
        for draft in reader.drafts {
            let name = draft.name;
            match draft.function(&known) {
                Some(function) => functions.push(function),
                None => left.push(name.to_owned()),
            }
        }
        Listing {
            text: text.to_owned(),
            starts,
            functions,
            left,
        }
    }

    /// Reads a text that rustc wrote. Functions that are assembly of the programmer (`naked`, `global_asm!`) are left alone: LLVM has
    /// read and printed them, so that nothing else tells them from what it made.
    #[must_use]
    pub fn of_rust(text: &str) -> Self {
        let mut listing = Self::of(text);
        let dialect = Dialect::of(text);
        let functions = std::mem::take(&mut listing.functions);
        for function in functions {
            match dialect.compiled(&function.name) {
                true => listing.functions.push(function),
                false => listing.left.push(function.name),
            }
        }
        listing
    }

    /// Its functions in the order of the text.
    #[must_use]
    pub fn functions(&self) -> &[Function] {
        &self.functions
    }

    /// Names of the functions that are left alone.
    #[must_use]
    pub fn left(&self) -> &[String] {
        &self.left
    }

    /// Its lines, each with its end.
    pub(super) fn lines(&self) -> impl Iterator<Item = &str> {
        let ends = self.starts.iter().skip(1);
        let lines = self.starts.iter().zip(ends);
        lines.map(|(begin, end)| &self.text[*begin..*end])
    }
}

/// How a block ends.
#[derive(Clone, Copy)]
enum End<'t> {
    /// Control goes on to the next one.
    Falls,
    /// It goes there.
    Jumps(&'t str),
    /// It goes there or on.
    Branches(&'t str),
    /// It goes where this table says.
    Chooses(Option<&'t str>),
    /// It leaves the function.
    Leaves,
}

struct DraftBlock<'t> {
    operations: Vec<Operation>,
    end: End<'t>,
}

/// A function while it is read.
struct Draft<'t> {
    name: &'t str,
    begin: usize,
    end: Option<usize>,
    blocks: Vec<DraftBlock<'t>>,
    /// Blocks by the labels at which they begin.
    labels: BTreeMap<&'t str, usize>,
    /// The table that was mentioned last.
    table: Option<&'t str>,
    unfit: bool,
    /// The line to come belongs to the operation before.
    goes_on: bool,
    /// An access to thread-local storage has begun.
    in_access: bool,
}

impl<'t> Draft<'t> {
    fn new(name: &'t str, begin: usize) -> Self {
        let mut draft = Draft {
            name,
            begin,
            end: None,
            blocks: Vec::new(),
            labels: BTreeMap::new(),
            table: None,
            unfit: false,
            goes_on: false,
            in_access: false,
        };
        draft.begin_block();
        draft
    }

    /// A new block, unless the one that is open is empty.
    fn begin_block(&mut self) {
        if self
            .blocks
            .last()
            .is_none_or(|one| !one.operations.is_empty())
        {
            self.blocks.push(DraftBlock {
                operations: Vec::new(),
                end: End::Falls,
            });
        }
    }

    fn label(&mut self, name: &'t str) {
        self.begin_block();
        self.labels.insert(name, self.blocks.len() - 1);
        (self.goes_on, self.in_access) = (false, false);
    }

    /// What is not separated from an operation before becomes part of it.
    fn add(&mut self, operation: Operation) {
        let goes_on = self.goes_on;
        if let Some(block) = self.blocks.last_mut()
            && (!goes_on || block.operations.is_empty())
        {
            block.operations.push(operation);
        }
    }

    fn end_block(&mut self, end: End<'t>) {
        if let Some(block) = self.blocks.last_mut() {
            block.end = end;
        }
        self.begin_block();
    }

    fn instruction(&mut self, at: usize, text: &'t str, known: &Known<'t>, line: u32) {
        let one = Instruction::of(text);
        let first = self
            .blocks
            .last()
            .is_none_or(|one| one.operations.is_empty());
        let fused = matches!(one.control, Control::Branch(_)) && !first;
        self.add(Operation {
            mnemonic: one.mnemonic.to_owned(),
            line,
            at,
            // The landing place of indirect branches stays the first instruction.
            gap: !fused && !one.mnemonic.starts_with("endbr"),
        });
        let mut mentioned = names(without_comment(text)).filter_map(|name| {
            let (name, _) = known.tables.get_key_value(name)?;
            Some(*name)
        });
        self.table = mentioned.next().or(self.table);
        self.in_access |= one.begins_access;
        self.in_access &= one.control != Control::Call;
        self.goes_on = one.prefix_only || self.in_access;
        match one.control {
            Control::Next | Control::Call => {}
            Control::Jump(label) => self.end_block(End::Jumps(label)),
            Control::Branch(label) => self.end_block(End::Branches(label)),
            Control::Indirect => self.end_block(End::Chooses(self.table)),
            Control::Leaves => self.end_block(End::Leaves),
            Control::Unfit => self.unfit = true,
        }
    }

    fn function(mut self, known: &Known<'t>) -> Option<Function> {
        let end = self.end.filter(|_| !self.unfit)?;
        if self
            .blocks
            .last()
            .is_some_and(|one| one.operations.is_empty())
        {
            self.blocks.pop();
        }
        if self.blocks.is_empty() {
            return None;
        }
        let successors: Vec<Vec<usize>> = (0..self.blocks.len())
            .map(|at| self.successors(at, known))
            .collect();
        let loops = loops(&successors);
        let blocks = self.blocks.into_iter().zip(successors).zip(loops);
        let block = |((draft, successors), (loop_header, loop_depth)): (
            (DraftBlock<'_>, Vec<usize>),
            (Option<usize>, u32),
        )| BasicBlock {
            operations: draft.operations,
            successors,
            loop_header,
            loop_depth,
        };
        Some(Function {
            name: self.name.to_owned(),
            blocks: blocks.map(block).collect(),
            lines: [self.begin, end],
        })
    }

    fn successors(&self, at: usize, known: &Known<'t>) -> Vec<usize> {
        let to = |label: &str| self.labels.get(label).copied();
        let next = || Some(at + 1);
        let mut all: Vec<usize> = match self.blocks[at].end {
            End::Falls => next().into_iter().collect(),
            End::Jumps(label) => to(label).into_iter().collect(),
            End::Branches(label) => to(label).into_iter().chain(next()).collect(),
            End::Chooses(Some(table)) => known.tables[table]
                .iter()
                .filter_map(|one| to(one))
                .collect(),
            // Any that tables name.
            End::Chooses(None) => {
                let tables = known.tables.values().flatten();
                tables.filter_map(|one| to(one)).collect()
            }
            End::Leaves => Vec::new(),
        };
        all.retain(|to| *to < self.blocks.len());
        all.sort_unstable();
        all.dedup();
        all
    }
}

struct Reader<'k, 't> {
    known: &'k Known<'t>,
    sections: Sections,
    place: Place,
    /// Names that are said to be functions.
    typed: BTreeSet<&'t str>,
    drafts: Vec<Draft<'t>>,
    /// Whether the last draft goes on.
    open: bool,
    in_app: bool,
}

impl<'k, 't> Reader<'k, 't> {
    fn new(known: &'k Known<'t>) -> Self {
        Reader {
            known,
            sections: Sections::default(),
            place: Place::default(),
            typed: BTreeSet::new(),
            drafts: Vec::new(),
            open: false,
            in_app: false,
        }
    }

    /// The function that is open, if this is code.
    fn draft(&mut self) -> Option<&mut Draft<'t>> {
        let here = self.open && self.sections.kind() == Kind::Code;
        self.drafts.last_mut().filter(|_| here)
    }

    fn take(&mut self, at: usize, text: &'t str) {
        let line = Line::of(text);
        let source = self.place.source().1;
        match line {
            Line::AppBegin => {
                self.in_app = true;
                if let Some(draft) = self.draft() {
                    draft.add(Operation {
                        mnemonic: "asm".into(),
                        line: source,
                        at,
                        gap: true,
                    });
                    draft.goes_on = false;
                }
            }
            Line::AppEnd => self.in_app = false,
            _ if self.in_app => {
                let seen = !matches!(line, Line::Empty) && takes_control(text);
                if let Some(draft) = self.draft() {
                    draft.unfit |= seen;
                }
            }
            Line::Directive(word, rest) => self.directive(at, word, rest, source),
            Line::Label(name) => self.label(at, name),
            Line::Instruction(one) => {
                let known = self.known;
                if let Some(draft) = self.draft() {
                    draft.instruction(at, one, known, source);
                }
            }
            Line::Empty => {}
        }
    }

    fn directive(&mut self, at: usize, word: &'t str, rest: &'t str, line: u32) {
        match word {
            ".type" => {
                // Clang writes a remark behind it.
                let parts = without_comment(rest).split_once(',');
                let function =
                    parts.filter(|(_, kind)| matches!(kind.trim(), "@function" | "%function"));
                self.typed.extend(function.map(|(name, _)| unquoted(name)));
            }
            ".size" => {
                let name = unquoted(rest.split(',').next().unwrap_or_default());
                let found = self.drafts.iter_mut().rev().find(|one| one.name == name);
                if let Some(draft) = found {
                    draft.end = Some(at);
                }
                self.open &= self.drafts.last().is_some_and(|one| one.name != name);
            }
            // Bytes of an instruction that is written by hand.
            _ if DATA.contains(&word) => {
                if let Some(draft) = self.draft() {
                    draft.add(Operation {
                        mnemonic: word.to_owned(),
                        line,
                        at,
                        gap: true,
                    });
                    draft.goes_on = true;
                }
            }
            _ => {
                self.sections.directive(word, rest);
                self.place.directive(word, rest);
            }
        }
    }

    fn label(&mut self, at: usize, name: &'t str) {
        if self.sections.kind() != Kind::Code {
            return;
        }
        if self.typed.contains(name) {
            self.place.begin_function();
            self.drafts.push(Draft::new(name, at));
            self.open = true;
        } else if (self.known.named.contains(name) || !name.starts_with(".L"))
            && let Some(draft) = self.draft()
        {
            draft.label(name);
        }
    }
}
