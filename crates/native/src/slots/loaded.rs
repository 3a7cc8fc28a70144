//! The machine code of a program as it is loaded, and the ways on which control may come into its functions.

use std::collections::BTreeSet;
use std::ops::Range;
use std::path::Path;

use object::elf::FileHeader64;
use object::read::elf::ElfFile;
use object::{
    LittleEndian, Object as _, ObjectKind, ObjectSection as _, ObjectSegment as _, SectionKind,
};
use proofmark_asm::machine::{Ways, mentioned};
use proofmark_experiment::lab::LabError;

use super::image::Image;
use super::{at, landing, refused};

/// The bytes of a program, by their addresses.
pub(super) struct Loaded {
    bytes: Vec<u8>,
    /// Address, place in the file and length of what is loaded.
    segments: Vec<[u64; 3]>,
    /// Where there is code.
    code: Vec<Range<u64>>,
    /// All its addresses, if they are known before it is loaded; else empty.
    pub(super) fixed: Range<u64>,
    /// Addresses that the loader writes into its data.
    relocated: Vec<u64>,
    /// Section with the frames of its functions.
    pub(super) frames: Range<u64>,
}

impl Loaded {
    /// Reads a program.
    pub(super) fn read(path: &Path) -> Result<Self, LabError> {
        let bytes = std::fs::read(path).map_err(at(path))?;
        let wrong = |_| refused(format!("{} is no 64-bit ELF program", path.display()));
        let elf = ElfFile::<FileHeader64<LittleEndian>>::parse(bytes.as_slice());
        let elf = elf.map_err(wrong)?;
        let mut segments = Vec::new();
        for one in elf.segments() {
            let (file, size) = one.file_range();
            segments.push([one.address(), file, size]);
        }
        let begin = segments.iter().map(|[begin, _, _]| *begin).min();
        let end = elf.segments().map(|one| one.address() + one.size()).max();
        let fixed = match (elf.kind(), begin, end) {
            (ObjectKind::Executable, Some(begin), Some(end)) => begin..end,
            _ => 0..0,
        };
        let mut code = Vec::new();
        let mut frames = 0..0;
        for one in elf.sections() {
            let range = one.address()..one.address().saturating_add(one.size());
            if one.kind() == SectionKind::Text {
                code.push(range);
            } else if one.name() == Ok(".eh_frame") {
                frames = range;
            }
        }
        let relocations = elf.dynamic_relocations().into_iter().flatten();
        let relocated = relocations.map(|(_, one)| one.addend() as u64).collect();
        Ok(Loaded {
            segments,
            code,
            fixed,
            relocated,
            frames,
            bytes,
        })
    }

    /// So many bytes from an address on.
    pub(super) fn at(&self, address: u64, length: u64) -> Option<&[u8]> {
        let place = self.segments.iter().find_map(|[begin, file, size]| {
            let inside = address.checked_sub(*begin)?;
            let end = inside.checked_add(length)?;
            (end <= *size).then(|| file.checked_add(inside))?
        })?;
        let begin = usize::try_from(place).ok()?;
        let end = begin.checked_add(usize::try_from(length).ok()?)?;
        self.bytes.get(begin..end)
    }

    /// The number at an address, in so many bytes.
    pub(super) fn number<const N: usize>(&self, address: u64) -> Option<u64> {
        let bytes = self.at(address, N as u64)?;
        let step = |all: u64, byte: &u8| (all << 8) | u64::from(*byte);
        Some(bytes.iter().rev().fold(0, step))
    }

    fn is_code(&self, address: u64) -> bool {
        self.code.iter().any(|range| range.contains(&address))
    }

    /// How control comes into functions, as far as code and tables show. A table is taken for longer than it is where what
    /// follows looks like a part of it.
    pub(super) fn ways(&self, image: &Image) -> Ways {
        let mut ways = Ways::default();
        let mut tables = BTreeSet::new();
        let mut before = None;
        for (begin, size, _) in &image.functions {
            // Other names of the same function follow it.
            if before.replace(*begin) == Some(*begin) {
                continue;
            }
            let Some(code) = self.at(*begin, *size) else {
                continue;
            };
            let mentioned = mentioned(code, *begin);
            ways.jumped.extend(mentioned.jumped);
            let numbers = mentioned.numbers.into_iter();
            let numbers = numbers.filter(|number| self.fixed.contains(number));
            for place in mentioned.places.into_iter().chain(numbers) {
                match self.is_code(place) {
                    true => ways.named.insert(place),
                    false => tables.insert(place),
                };
            }
        }
        for table in tables {
            ways.named.extend(self.distances(table));
            ways.named.extend(self.addresses(table));
        }
        let relocated = self.relocated.iter().copied();
        let relocated = relocated.filter(|one| self.is_code(*one));
        ways.named.extend(relocated);
        ways.named.extend(landing::places(self));
        ways
    }

    /// What a table of distances from its own begin leads to, as long as that is code.
    fn distances(&self, table: u64) -> impl Iterator<Item = u64> {
        let entries = (table..=u64::MAX - 4).step_by(4);
        let target = move |entry| {
            let distance = self.number::<4>(entry)? as u32 as i32;
            Some(table.wrapping_add_signed(i64::from(distance)))
        };
        entries
            .map_while(target)
            .take_while(|target| self.is_code(*target))
    }

    /// The addresses in a table, as long as they are code.
    fn addresses(&self, table: u64) -> impl Iterator<Item = u64> {
        let entries = (table..=u64::MAX - 8).step_by(8);
        entries
            .map_while(|entry| self.number::<8>(entry))
            .take_while(|target| self.is_code(*target))
    }
}

#[cfg(test)]
impl Loaded {
    /// A program with these bytes at an address, code from another one on.
    pub(super) fn of(begin: u64, bytes: Vec<u8>, code: Range<u64>, frames: Range<u64>) -> Self {
        Loaded {
            segments: vec![[begin, 0, bytes.len() as u64]],
            bytes,
            code: vec![code],
            fixed: 0..0,
            relocated: Vec::new(),
            frames,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_jumps_are_read_to_their_end() {
        // lea rdx, [rip+9] and ret at 0x1000; the table at 0x1010 leads to 0x1007 and 0x1000, and then out of the code.
        let mut bytes = vec![0x48, 0x8d, 0x15, 0x09, 0, 0, 0, 0xc3];
        bytes.resize(16, 0x90);
        for distance in [-9_i32, -16, 4096] {
            bytes.extend(distance.to_le_bytes());
        }
        let program = Loaded::of(0x1000, bytes, 0x1000..0x1008, 0..0);
        let image = Image {
            functions: vec![(0x1000, 8, "f".into()), (0x1000, 8, "g".into())],
            ..Image::default()
        };
        let ways = program.ways(&image);
        assert_eq!(ways.named, BTreeSet::from([0x1000, 0x1007]));
        assert!(ways.jumped.is_empty());
        assert_eq!(program.at(0x1018, 4), Some(&4096_i32.to_le_bytes()[..]));
        assert_eq!(program.at(0x1019, 4), None);
        assert_eq!(program.number::<4>(0xfff), None);
    }

    #[test]
    fn a_program_is_read() {
        let own = std::env::current_exe().unwrap();
        let program = Loaded::read(&own).unwrap();
        let image = Image::read(&own).unwrap();
        assert!(!program.code.is_empty() && !program.frames.is_empty());
        let (begin, size, _) = image.functions.iter().find(|one| one.1 > 0).unwrap();
        assert!(program.is_code(*begin) && program.at(*begin, *size).is_some());
        assert!(Loaded::read(Path::new("/proc/version")).is_err());
    }
}
