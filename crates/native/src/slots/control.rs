//! Functions under control: their descriptions, and texts with instructions or counters in them.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use proofmark_asm::{BasicBlock, Content, Function, Listing, Piece, Slots, Where, shown_name};
use proofmark_blocks::{Code, CodeMap, Unit};
use proofmark_experiment::lab::{Insertion, InsertionPoint, LabError, UnitTable};

use super::describe::{described, machine_code};
use super::filler::{instructions, padding};
use super::image::Image;
use super::kept::KeptText;
use super::refused;

/// A function under control.
#[derive(Debug, Clone)]
struct Controlled {
    text: usize,
    /// Its index in the text's listing.
    function: usize,
    name: String,
}

/// Functions under control, by number.
#[derive(Debug, Default)]
pub(super) struct Control {
    listings: BTreeMap<usize, Listing>,
    units: Vec<Controlled>,
}

/// Texts with slowdown instructions.
pub(super) struct Slowed {
    /// By number of the text.
    pub(super) texts: BTreeMap<usize, String>,
    /// How many slowdown instructions went into the blocks of every function under control.
    pub(super) counts: Vec<Vec<u32>>,
    /// Pieces of every function under control.
    pieces: BTreeMap<u32, Vec<Piece>>,
}

/// Texts with counters.
pub(super) struct Counting {
    /// By number of the text.
    pub(super) texts: BTreeMap<usize, String>,
    /// Per function under control its text and the number of its first counter there.
    places: Vec<(usize, usize)>,
}

impl Control {
    /// All functions of these names in these texts, and the names of those that must be left alone.
    pub(super) fn of(texts: &[KeptText], names: &BTreeSet<String>) -> (Self, BTreeSet<String>) {
        let texts = texts.iter().enumerate();
        // Names of units in Rust are not those of labels.
        let texts = texts.filter(|(_, kept)| kept.how.rust || has_any(&kept.text, names));
        Self::wanted(texts, |name| {
            names.contains(name) || names.contains(&*shown_name(name))
        })
    }

    /// All functions in these texts, and the names of those that must be left alone.
    pub(super) fn every(texts: &[KeptText]) -> (Self, BTreeSet<String>) {
        Self::wanted(texts.iter().enumerate(), |_| true)
    }

    fn wanted<'t>(
        texts: impl Iterator<Item = (usize, &'t KeptText)>,
        wanted: impl Fn(&str) -> bool,
    ) -> (Self, BTreeSet<String>) {
        let mut control = Control::default();
        let mut left = BTreeSet::new();
        for (text, kept) in texts {
            let listing = kept.listing();
            let own = listing.left().iter().filter(|name| wanted(name.as_str()));
            left.extend(own.cloned());
            let names = shown_names(&listing);
            let hot = listing.functions().iter().enumerate();
            let hot = hot.filter(|(_, function)| wanted(&function.name));
            control.units.extend(hot.map(|(function, _)| Controlled {
                text,
                function,
                name: names[function].clone(),
            }));
            control.listings.insert(text, listing);
        }
        (control, left)
    }

    /// The same without those that are not in a program: the linker has kept another text's copy, or none.
    pub(super) fn present(mut self, image: &Image, texts: &[KeptText]) -> Self {
        let mut number = 0;
        self.units.retain(|_| {
            number += 1;
            image.marks.contains_key(&(number - 1))
        });
        let names: Vec<String> = self.units.iter().map(|unit| unit.name.clone()).collect();
        for unit in &mut self.units {
            let alike = names.iter().filter(|name| **name == unit.name).count();
            if alike > 1 {
                let source = &texts[unit.text].how.source;
                unit.name = format!("{} ({source}, object {})", unit.name, unit.text);
            }
        }
        self
    }

    /// The same without some of them, whose numbers are told.
    pub(super) fn without(mut self, numbers: &BTreeSet<u32>) -> Self {
        let mut number = 0;
        self.units.retain(|_| {
            number += 1;
            !numbers.contains(&(number - 1))
        });
        self
    }

    /// How many there are.
    pub(super) fn len(&self) -> u32 {
        self.units.len() as u32
    }

    /// Their names as the linker knows them.
    pub(super) fn names(&self) -> BTreeSet<String> {
        let name = |unit: &Controlled| self.function(unit).name.clone();
        self.units.iter().map(name).collect()
    }

    /// Their names as units, by number, and as the linker knows them.
    pub(super) fn named(&self) -> impl Iterator<Item = (&str, &str)> {
        let units = self.units.iter();
        units.map(|unit| (unit.name.as_str(), self.function(unit).name.as_str()))
    }

    /// The texts that they are in, as the compiler wrote them.
    pub(super) fn texts(&self, kept: &[KeptText]) -> BTreeMap<usize, String> {
        let numbers = self.listings.keys().copied();
        numbers.map(|at| (at, kept[at].text.clone())).collect()
    }

    /// So many slowdown instructions for every block.
    pub(super) fn everywhere(&self, count: u32) -> BTreeMap<u32, Vec<u32>> {
        let counts = |unit: &Controlled| vec![count; self.function(unit).blocks.len()];
        (0..).zip(self.units.iter().map(counts)).collect()
    }

    /// How many of these go in: some blocks have no slot.
    fn going_in(&self, counts: &BTreeMap<u32, Vec<u32>>) -> Vec<Vec<u32>> {
        let of_unit = |(number, unit): (u32, &Controlled)| {
            let counts = counts.get(&number).map_or(&[][..], Vec::as_slice);
            let blocks = self.function(unit).blocks.iter();
            let fitting = |(block, count): (&BasicBlock, &u32)| match block.has_slot() {
                true => *count,
                false => 0,
            };
            blocks.zip(counts).map(fitting).collect()
        };
        (0..).zip(&self.units).map(of_unit).collect()
    }

    fn function(&self, unit: &Controlled) -> &Function {
        &self.listings[&unit.text].functions()[unit.function]
    }

    /// Their descriptions.
    pub(super) fn described(&self) -> Vec<Unit> {
        let described = |unit: &Controlled| described(&unit.name, self.function(unit));
        self.units.iter().map(described).collect()
    }

    /// Texts with so many slowdown instructions per block of the functions. Each alignment has other paddings.
    pub(super) fn slowed(
        &self,
        counts: &BTreeMap<u32, Vec<u32>>,
        insertion: Insertion,
        alignment: usize,
    ) -> Result<Slowed, LabError> {
        let instructions = instructions(insertion.filler).ok_or_else(|| {
            let name = insertion.filler.name();
            refused(format!(
                "--filler {name}: native code keeps data below its stack pointer"
            ))
        })?;
        let at = match insertion.at {
            InsertionPoint::Spread => Where::Spread,
            InsertionPoint::End => Where::End,
            // All instructions have a line where any has.
            InsertionPoint::Start | InsertionPoint::Debug => Where::Start,
        };
        let slots = |number: u32| Slots {
            unit: number,
            padding: padding(number, alignment),
            content: Content::Slowed {
                counts: counts.get(&number).map_or(&[][..], Vec::as_slice),
                instructions,
                at,
            },
        };
        let mut slowed = Slowed {
            counts: self.going_in(counts),
            texts: BTreeMap::new(),
            pieces: BTreeMap::new(),
        };
        for (text, listing) in &self.listings {
            let own = self.of_text(*text);
            let filled = own
                .clone()
                .map(|(number, unit)| (unit.function, slots(number)));
            let filled: BTreeMap<usize, Slots<'_>> = filled.collect();
            let written = listing.written(&filled, None);
            for (number, unit) in own {
                let pieces = written.pieces.get(&unit.function);
                slowed
                    .pieces
                    .insert(number, pieces.cloned().unwrap_or_default());
            }
            slowed.texts.insert(*text, written.text);
        }
        Ok(slowed)
    }

    /// Functions under control of a text, by number.
    fn of_text(&self, text: usize) -> impl Iterator<Item = (u32, &Controlled)> + Clone {
        let numbered = (0..).zip(&self.units);
        numbered.filter(move |(_, unit)| unit.text == text)
    }

    /// Texts with a counter in every block of the functions.
    pub(super) fn counting(&self) -> Counting {
        let mut counting = Counting {
            texts: BTreeMap::new(),
            places: vec![(0, 0); self.units.len()],
        };
        for (text, listing) in &self.listings {
            let mut filled = BTreeMap::new();
            let mut next = 0;
            for (number, unit) in self.of_text(*text) {
                counting.places[number as usize] = (*text, next);
                let slots = Slots {
                    unit: number,
                    padding: 0,
                    content: Content::Counted(next),
                };
                filled.insert(unit.function, slots);
                next += self.function(unit).blocks.len();
            }
            let written = listing.written(&filled, Some((*text as u32, next)));
            counting.texts.insert(*text, written.text);
        }
        counting
    }

    /// Executions per block of every function, of what a variant with counters has written; none if that is not whole.
    pub(super) fn counts(
        &self,
        counting: &Counting,
        image: &Image,
        written: &[u8],
    ) -> Option<Vec<Vec<u64>>> {
        let of_unit = |(unit, place): (&Controlled, &(usize, usize))| -> Option<Vec<u64>> {
            let (text, first) = *place;
            let begin = usize::try_from(*image.counters.get(&(text as u32))?).ok()? + 8 * first;
            let bytes = written.get(begin..begin + 8 * self.function(unit).blocks.len())?;
            let counters = bytes.chunks_exact(8);
            counters
                .map(|bytes| bytes.first_chunk().map(|bytes| u64::from_le_bytes(*bytes)))
                .collect()
        };
        self.units
            .iter()
            .zip(&counting.places)
            .map(of_unit)
            .collect()
    }

    /// The machine code of all functions in a variant, numbered from `first` on, with its addresses in the file.
    pub(super) fn codes(
        &self,
        slowed: &Slowed,
        image: &Image,
        first: u32,
    ) -> Result<Vec<(Code, u64)>, LabError> {
        let code = |((id, number), unit): ((u32, u32), &Controlled)| {
            let known = slowed.pieces.get(&number).zip(image.marks.get(&number));
            let code = known.and_then(|(pieces, marks)| {
                machine_code((id, number), pieces, marks, self.function(unit))
            });
            code.ok_or_else(|| {
                refused(format!("{}: its code is not found in a variant", unit.name))
            })
        };
        let numbered = (first..).zip(0..).zip(&self.units);
        numbered.map(code).collect()
    }
}

/// Instructions per block of the units of some tables, as [`Control::slowed`] takes them.
pub(super) fn counts_by_unit(tables: &[UnitTable], map: &CodeMap) -> BTreeMap<u32, Vec<u32>> {
    let of_unit = |table: &UnitTable| {
        let mut counts = vec![0; map.units()[table.unit as usize].blocks.len()];
        for (block, count) in &table.counts {
            if let Some(slot) = counts.get_mut(*block as usize) {
                *slot = *count;
            }
        }
        (table.unit, counts)
    };
    tables.iter().map(of_unit).collect()
}

/// What the functions of a text are called: those of Rust as people know them, unless several are called so.
fn shown_names(listing: &Listing) -> Vec<String> {
    let functions = listing.functions().iter();
    let linked: Vec<&str> = functions.map(|one| one.name.as_str()).collect();
    let shown: Vec<_> = linked.iter().map(|name| shown_name(name)).collect();
    let mut alike: BTreeMap<&str, usize> = BTreeMap::new();
    for name in &shown {
        *alike.entry(name).or_default() += 1;
    }
    let name = |(linked, shown): (&&str, &Cow<'_, str>)| match alike[&**shown] {
        1 => shown.to_string(),
        _ => (*linked).to_owned(),
    };
    linked.iter().zip(&shown).map(name).collect()
}

/// Whether a text has a function of one of these names.
fn has_any(text: &str, names: &BTreeSet<String>) -> bool {
    let labels = text.lines().filter_map(|line| line.split_once(':'));
    let mut labels = labels.map(|(name, _)| name.trim_matches('"'));
    labels.any(|name| names.contains(name))
}

#[cfg(test)]
mod tests;
