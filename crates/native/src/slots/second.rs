//! The second check: what a disassembler reads of a variant is the program's code and what was inserted, and its blocks begin and
//! end where the block map has them ([`proofmark_asm::machine`]).
//!
//! The program without slots is linked in the same order as its variants are, of the texts as the compiler wrote them. So of
//! functions that go by one name the first one there is the first one here.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use proofmark_asm::machine::{Checked, Stretch, Twins, Ways, checked, disassembled};
use proofmark_blocks::Code;
use proofmark_experiment::lab::{Filler, Insertion, LabError};

use super::build::Build;
use super::control::{Control, Slowed};
use super::image::Image;
use super::loaded::Loaded;
use super::refused;

/// Name of the program in which all slots are filled.
pub const FULL_SLOTS: &str = "full";
/// Instructions per block there.
const FULL: u32 = 2;
/// The padding of functions then: it differs from that of the program.
const SHIFT: usize = 1;
/// Functions that an error names.
const NAMED: usize = 3;

/// A program without slots, against which variants are checked.
pub(super) struct Second {
    program: Loaded,
    image: Image,
}

/// A variant.
pub(super) struct Filled<'v> {
    pub(super) path: &'v Path,
    pub(super) image: &'v Image,
    pub(super) slowed: &'v Slowed,
    /// The code of every function under control, with its address.
    pub(super) codes: &'v [(Code, u64)],
}

/// What was found of a function, if everything holds.
pub(super) type Found = Result<Checked, Fault>;

/// Why a function is not taken for what it should be.
#[derive(Debug)]
pub(super) enum Fault {
    /// Something does not hold.
    Differs(String),
    /// It cannot be looked at.
    Unread(&'static str),
}

impl Fault {
    /// In words.
    pub(super) fn reason(&self) -> &str {
        match self {
            Self::Differs(reason) => reason,
            Self::Unread(reason) => reason,
        }
    }
}

/// A program with its functions, by their names.
struct Side<'s> {
    program: &'s Loaded,
    functions: BTreeMap<&'s str, Vec<(u64, u64)>>,
}

impl<'s> Side<'s> {
    fn new(program: &'s Loaded, image: &'s Image) -> Self {
        let mut functions: BTreeMap<&str, Vec<(u64, u64)>> = BTreeMap::new();
        for (begin, size, name) in &image.functions {
            functions.entry(name).or_default().push((*begin, *size));
        }
        Side { program, functions }
    }

    fn of(&self, name: &str) -> &[(u64, u64)] {
        self.functions.get(name).map_or(&[][..], Vec::as_slice)
    }
}

impl Second {
    /// Links the program of texts as they are.
    pub(super) fn link(build: &mut Build, control: &Control) -> Result<Self, LabError> {
        let texts = control.texts(&build.program().texts);
        let path = build.variant("unslotted", &texts)?;
        Ok(Second {
            program: Loaded::read(&path)?,
            image: Image::read(&path)?,
        })
    }

    /// Looks at every function under control in a variant.
    pub(super) fn look(
        &self,
        control: &Control,
        filled: &Filled<'_>,
    ) -> Result<Vec<Found>, LabError> {
        let variant = Loaded::read(filled.path)?;
        let ways = variant.ways(filled.image);
        let sides = [
            Side::new(&self.program, &self.image),
            Side::new(&variant, filled.image),
        ];
        let functions = control.named().zip(filled.codes).zip(&filled.slowed.counts);
        let found = functions
            .map(|(((_, name), code), counts)| compared(name, &sides, (code, counts), &ways));
        Ok(found.collect())
    }

    /// Refuses a variant in which something does not hold.
    pub(super) fn insist(&self, control: &Control, filled: &Filled<'_>) -> Result<(), LabError> {
        let found = self.look(control, filled)?;
        let wrong = control.named().zip(found).filter_map(|((name, _), found)| {
            let fault = found.err()?;
            Some(format!("{name}: {}", fault.reason()))
        });
        let wrong: Vec<String> = wrong.take(NAMED).collect();
        match wrong.is_empty() {
            true => Ok(()),
            false => Err(refused(format!(
                "the second check of a variant's code fails: {}",
                wrong.join("; ")
            ))),
        }
    }
}

/// Compares the function of a name in a program without slots with that of a variant.
fn compared(
    name: &str,
    [old, new]: &[Side<'_>; 2],
    ((code, start), counts): (&(Code, u64), &Vec<u32>),
    ways: &Ways,
) -> Found {
    let differs = |what: &str| Fault::Differs(what.to_owned());
    let place = new.of(name).iter().position(|one| one.0 == *start);
    let place = place.ok_or_else(|| differs("its code is not where its symbol is"))?;
    let size = u64::from(code.size);
    if new.of(name)[place].1 != size {
        return Err(differs("its code does not end where its symbol does"));
    }
    let (begin, length) = match old.of(name).get(place) {
        Some(one) if old.of(name).len() == new.of(name).len() => *one,
        _ => return Err(differs("there are more or fewer functions of that name")),
    };
    let read = |side: &Side<'_>, begin: u64, length: u64| {
        let bytes = side.program.at(begin, length)?;
        disassembled(bytes, begin)
    };
    let unread = "it has bytes that the disassembler does not take for instructions";
    let before = read(old, begin, length).ok_or(Fault::Unread(unread))?;
    let now = read(new, *start, size).ok_or(Fault::Unread(unread))?;
    let stretches = code.spans.iter().map(|span| Stretch {
        begin: start + u64::from(span.start),
        block: span.block.unwrap_or(u32::MAX),
        inserted: span.inserted,
    });
    let map: Vec<Stretch> = stretches.collect();
    let twins = Twins {
        old: &before,
        new: &now,
        map: &map,
        counts,
        addresses: &[old.program.fixed.clone(), new.program.fixed.clone()],
        ways,
    };
    checked(&twins).map_err(|difference| Fault::Differs(difference.to_string()))
}

/// What the second check says of a program.
pub(super) struct Vetted {
    /// Functions in which everything holds, whatever is in their slots.
    pub(super) control: Control,
    /// The program without slots.
    pub(super) second: Second,
    /// What was found of them, with full slots, by number.
    pub(super) found: Vec<Checked>,
    /// The others.
    pub(super) apart: Vec<Apart>,
}

/// A function that does not pass.
pub(super) struct Apart {
    /// Its name as a unit.
    pub(super) unit: String,
    /// Its name as the linker knows it.
    pub(super) name: String,
    /// Why.
    pub(super) fault: Fault,
}

impl Apart {
    /// Its name and why.
    pub(super) fn reason(&self) -> String {
        format!("{}: {}", self.unit, self.fault.reason())
    }
}

/// Looks at functions with empty slots and with full ones. Those that do not hold are not under control any more.
pub(super) fn vetted(
    build: &mut Build,
    control: Control,
    filler: Filler,
) -> Result<Vetted, LabError> {
    let second = Second::link(build, &control)?;
    let empty = looked(build, &control, &second, (filler, 0, "empty"))?;
    let full = looked(build, &control, &second, (filler, FULL, FULL_SLOTS))?;
    let (mut found, mut apart, mut without) = (Vec::new(), Vec::new(), BTreeSet::new());
    let both = control.named().zip(empty.into_iter().zip(full));
    for (number, ((unit, name), (empty, full))) in (0..).zip(both) {
        match empty.and(full) {
            Ok(one) => found.push(one),
            Err(fault) => {
                without.insert(number);
                apart.push(Apart {
                    unit: unit.to_owned(),
                    name: name.to_owned(),
                    fault,
                });
            }
        }
    }
    Ok(Vetted {
        control: control.without(&without),
        second,
        found,
        apart,
    })
}

impl Vetted {
    /// A number of all functions together.
    pub(super) fn sum(&self, of: impl Fn(&Checked) -> usize) -> usize {
        self.found.iter().map(of).sum()
    }

    /// What was found, in a sentence.
    pub(super) fn sentence(&self) -> String {
        let unseen = match self.sum(|one| one.unseen.len()) {
            0 => String::new(),
            unseen => format!(" ({unseen} of them where nothing is seen to lead to)"),
        };
        format!(
            "second check of the code: {} functions, {} instructions, {} borders of blocks{unseen} hold; functions left out: {}",
            self.found.len(),
            self.sum(|one| one.instructions),
            self.sum(|one| one.borders),
            self.apart.len()
        )
    }

    /// Refuses a program in which nothing holds.
    pub(super) fn any(self) -> Result<Self, LabError> {
        if !self.found.is_empty() {
            return Ok(self);
        }
        let reasons: Vec<String> = self.apart.iter().take(NAMED).map(Apart::reason).collect();
        Err(refused(format!(
            "no function of the program passes the second check of its code: {}",
            reasons.join("; ")
        )))
    }
}

/// Looks at all functions in a variant with so many instructions per block.
fn looked(
    build: &mut Build,
    control: &Control,
    second: &Second,
    (filler, count, name): (Filler, u32, &str),
) -> Result<Vec<Found>, LabError> {
    let counts = control.everywhere(count);
    let slowed = control.slowed(&counts, Insertion::plan(filler), SHIFT)?;
    let path: PathBuf = build.variant(name, &slowed.texts)?;
    let image = Image::read(&path)?;
    let codes = control.codes(&slowed, &image, 0)?;
    let filled = Filled {
        path: &path,
        image: &image,
        slowed: &slowed,
        codes: &codes,
    };
    second.look(control, &filled)
}
