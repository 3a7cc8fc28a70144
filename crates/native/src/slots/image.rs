//! Where the code of a program or variant is: functions, marks and counters by its symbols.

use std::collections::BTreeMap;
use std::path::Path;

use object::elf::FileHeader64;
use object::read::elf::ElfFile;
use object::{
    LittleEndian, Object as _, ObjectSection as _, ObjectSegment as _, ObjectSymbol as _,
    SymbolKind,
};
use proofmark_asm::{COUNTS_SECTION, counts_of, mark_of};
use proofmark_experiment::lab::LabError;

use super::{at, refused};

/// Addresses as the file has them.
#[derive(Debug, Default)]
pub(super) struct Image {
    /// Begin, size and name of functions, by their begins.
    pub(super) functions: Vec<(u64, u64, String)>,
    /// Marks by number, of every function that has any.
    pub(super) marks: BTreeMap<u32, BTreeMap<u32, u64>>,
    /// Where the counters of a text begin, in bytes from the first counter of all.
    pub(super) counters: BTreeMap<u32, u64>,
    /// Address of the program headers.
    pub(super) headers: u64,
}

impl Image {
    /// Reads a program.
    pub(super) fn read(path: &Path) -> Result<Self, LabError> {
        let bytes = std::fs::read(path).map_err(at(path))?;
        let wrong = || refused(format!("{} is no 64-bit ELF program", path.display()));
        let elf = ElfFile::<FileHeader64<LittleEndian>>::parse(bytes.as_slice());
        let elf = elf.map_err(|_| wrong())?;
        let counts = elf.section_by_name(COUNTS_SECTION);
        let counts = counts.map_or(0, |section| section.address());
        let mut image = Image {
            headers: headers(&bytes, &elf).ok_or_else(wrong)?,
            ..Image::default()
        };
        for symbol in elf.symbols() {
            let Ok(name) = symbol.name() else {
                continue;
            };
            let address = symbol.address();
            if let Some((function, number)) = mark_of(name) {
                let marks = image.marks.entry(function).or_default();
                marks.insert(number, address);
            } else if let Some(text) = counts_of(name) {
                image.counters.insert(text, address.wrapping_sub(counts));
            } else if symbol.kind() == SymbolKind::Text && symbol.is_definition() {
                let function = (address, symbol.size(), name.to_owned());
                image.functions.push(function);
            }
        }
        image.functions.sort();
        Ok(image)
    }

    /// Where the function at an address begins.
    pub(super) fn function(&self, address: u64) -> Option<u64> {
        let behind = self.functions.partition_point(|one| one.0 <= address);
        let (begin, size, _) = self.functions.get(behind.checked_sub(1)?)?;
        (address - begin < *size).then_some(*begin)
    }

    /// All names of the function that begins there.
    pub(super) fn names(&self, begin: u64) -> impl Iterator<Item = &str> {
        let at = self.functions.partition_point(|one| one.0 < begin);
        let of_it = self.functions[at..].iter();
        let of_it = of_it.take_while(move |one| one.0 == begin);
        of_it.map(|one| one.2.as_str())
    }
}

/// The address of the program headers: where the segment with their place in the file is loaded.
fn headers(bytes: &[u8], elf: &ElfFile<'_, FileHeader64<LittleEndian>>) -> Option<u64> {
    const PLACE: usize = 32;
    let place = u64::from_le_bytes(*bytes.get(PLACE..)?.first_chunk()?);
    elf.segments().find_map(|segment| {
        let (begin, size) = segment.file_range();
        let inside = place.checked_sub(begin).filter(|inside| *inside < size)?;
        Some(segment.address() + inside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_between_functions_belong_to_none() {
        let image = Image {
            functions: vec![(16, 8, "f".into()), (32, 4, "g".into())],
            ..Image::default()
        };
        let at = |address| image.function(address);
        assert_eq!([at(15), at(16), at(23)], [None, Some(16), Some(16)]);
        assert_eq!([at(24), at(32), at(36)], [None, Some(32), None]);
        assert_eq!(image.names(16).collect::<Vec<_>>(), ["f"]);
        assert_eq!(image.names(17).count(), 0);
    }

    #[test]
    fn a_program_is_found_where_it_runs() {
        let own = std::env::current_exe().unwrap();
        let image = Image::read(&own).unwrap();
        assert!(image.headers > 0 && image.marks.is_empty());
        assert!(Image::read(Path::new("/proc/version")).is_err());
    }
}
