//! Functions under control: their descriptions, and texts with instructions or counters in them.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_asm::{Content, Function, Listing, Piece, Slots, Where};
use proofmark_blocks::{Code, Unit};
use proofmark_experiment::lab::{Insertion, InsertionPoint, LabError};

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
        let mut control = Control::default();
        let mut left = BTreeSet::new();
        for (text, kept) in texts.iter().enumerate() {
            if !has_any(&kept.text, names) {
                continue;
            }
            let listing = Listing::of(&kept.text);
            let own = listing.left().iter().filter(|name| names.contains(*name));
            left.extend(own.cloned());
            let hot = listing.functions().iter().enumerate();
            let hot = hot.filter(|(_, function)| names.contains(&function.name));
            control
                .units
                .extend(hot.map(|(function, found)| Controlled {
                    text,
                    function,
                    name: found.name.clone(),
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

    /// How many there are.
    pub(super) fn len(&self) -> u32 {
        self.units.len() as u32
    }

    /// Their names as the linker knows them.
    pub(super) fn names(&self) -> BTreeSet<String> {
        let name = |unit: &Controlled| self.function(unit).name.clone();
        self.units.iter().map(name).collect()
    }

    fn function(&self, unit: &Controlled) -> &Function {
        &self.listings[&unit.text].functions()[unit.function]
    }

    /// Their descriptions.
    pub(super) fn described(&self) -> Vec<Unit> {
        let described = |unit: &Controlled| described(&unit.name, self.function(unit));
        self.units.iter().map(described).collect()
    }

    /// Texts with so many slowdown instructions per block of the functions. Each shift has other paddings.
    pub(super) fn slowed(
        &self,
        counts: &BTreeMap<u32, Vec<u32>>,
        insertion: Insertion,
        shift: usize,
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
            padding: padding(number, shift),
            content: Content::Slowed {
                counts: counts.get(&number).map_or(&[][..], Vec::as_slice),
                instructions,
                at,
            },
        };
        let mut slowed = Slowed {
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

/// Whether a text has a function of one of these names.
fn has_any(text: &str, names: &BTreeSet<String>) -> bool {
    let labels = text.lines().filter_map(|line| line.split_once(':'));
    let mut labels = labels.map(|(name, _)| name.trim_matches('"'));
    labels.any(|name| names.contains(name))
}

#[cfg(test)]
mod tests {
    use proofmark_experiment::lab::Filler;

    use super::super::kept::How;
    use super::*;

    const TEXT: &str = "\t.text\n\t.file 1 \"a.c\"\n\t.type\tf, @function\nf:\n\t.loc 1 3 1\n.L2:\n\tincl\t%eax\n\t.loc 1 4 1\n\tcmpl\t$9, %eax\n\tjne\t.L2\n\tret\n\t.size\tf, .-f\n\t.type\tg, @function\ng:\n\tret\n\t.size\tg, .-g\n\t.type\th, @function\nh:\n\tjrcxz\t.L9\n.L9:\n\tret\n\t.size\th, .-h\n";

    fn kept(source: &str) -> KeptText {
        KeptText {
            how: How {
                compiler: "cc".into(),
                words: Vec::new(),
                directory: "/".into(),
                source: source.into(),
            },
            text: TEXT.into(),
        }
    }

    fn names(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    /// Marks of a function, a byte apart each.
    fn marks(begin: u64, number: u32) -> BTreeMap<u32, u64> {
        (0..=number).map(|at| (at, begin + u64::from(at))).collect()
    }

    #[test]
    fn functions_that_the_linker_kept_are_under_control() {
        let texts = [kept("a.c"), kept("b.c")];
        let (control, left) = Control::of(&texts, &names(&["f", "h", "main"]));
        assert_eq!((control.len(), left), (2, names(&["h"])));
        let both = Image {
            marks: BTreeMap::from([(0, marks(0, 4)), (1, marks(9, 4))]),
            ..Image::default()
        };
        let second = Image {
            marks: BTreeMap::from([(1, marks(0, 4))]),
            ..Image::default()
        };
        let (again, _) = Control::of(&texts, &names(&["f"]));
        let units = again.present(&both, &texts).described();
        let named: Vec<&str> = units.iter().map(|unit| unit.name.as_str()).collect();
        assert_eq!(named, ["f (a.c, object 0)", "f (b.c, object 1)"]);
        let control = control.present(&second, &texts);
        assert_eq!((control.len(), control.names()), (1, names(&["f"])));
        let unit = &control.described()[0];
        assert_eq!((unit.name.as_str(), unit.positions.len()), ("f", 2));
        assert_eq!(unit.blocks[0].successors, [0, 1]);
        assert_eq!(control.units[0].text, 1);
    }

    #[test]
    fn code_is_told_from_what_was_inserted() {
        let texts = [kept("a.c")];
        let (control, _) = Control::of(&texts, &names(&["f"]));
        let counts = BTreeMap::from([(0, vec![3, 0])]);
        let insertion = Insertion {
            filler: Filler::Nop,
            at: InsertionPoint::Start,
        };
        let slowed = control.slowed(&counts, insertion, 1).unwrap();
        assert_eq!(slowed.texts[&0].matches(".byte\t0x66, 0x90\n").count(), 3);
        assert!(slowed.texts[&0].contains("\t.skip\t16, 0x90\nf:\n"));
        let image = Image {
            marks: BTreeMap::from([(0, marks(64, 5))]),
            ..Image::default()
        };
        let codes = control.codes(&slowed, &image, 7).unwrap();
        let (code, begin) = &codes[0];
        assert_eq!((code.id, code.unit, code.size, *begin), (7, 0, 5, 64));
        let inserted: Vec<bool> = code.spans.iter().map(|span| span.inserted).collect();
        assert_eq!(inserted, [true, false, false, false, false]);
        let at: Vec<_> = code
            .spans
            .iter()
            .map(|span| (span.block, span.position))
            .collect();
        let [first, second] = [(Some(0), Some(0)), (Some(0), Some(1))];
        assert_eq!(at, [first, first, second, second, (Some(1), Some(1))]);
        assert!(control.codes(&slowed, &Image::default(), 0).is_err());
        let push = Insertion::plan(Filler::PushPop);
        assert!(control.slowed(&counts, push, 0).is_err());
    }

    #[test]
    fn counters_are_found_behind_those_of_other_texts() {
        let texts = [kept("a.c"), kept("b.c")];
        let (control, _) = Control::of(&texts, &names(&["f", "g"]));
        let counting = control.counting();
        assert_eq!(counting.texts.len(), 2);
        let image = Image {
            counters: BTreeMap::from([(0, 24), (1, 0)]),
            ..Image::default()
        };
        let written: Vec<u8> = (1..=6_u64).flat_map(u64::to_le_bytes).collect();
        let counts = control.counts(&counting, &image, &written).unwrap();
        assert_eq!(counts, [vec![4, 5], vec![6], vec![1, 2], vec![3]]);
        assert!(control.counts(&counting, &image, &written[..40]).is_none());
    }
}
