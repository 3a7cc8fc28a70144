//! Names of addresses, by the symbol tables of programs and libraries.

use std::collections::BTreeMap;

use object::elf::FileHeader64;
use object::read::elf::ElfFile;
use object::{LittleEndian, Object as _, ObjectSegment as _, ObjectSymbol as _, SymbolKind};

/// Functions of a file.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Symbols {
    /// Pieces of the file that are loaded: place in the file, length there, address.
    segments: Vec<[u64; 3]>,
    /// By address, one per address.
    functions: Vec<Function>,
    /// It was linked with `-pg`, so that it takes samples of itself.
    pub(crate) samples_itself: bool,
}

#[derive(Debug, PartialEq, Eq)]
struct Function {
    begin: u64,
    /// First address behind it.
    end: u64,
    name: String,
}

/// Functions of the C library that only programs linked with `-pg` ask for.
const OF_GPROF: [&str; 2] = ["__monstartup", "_mcleanup"];

impl Symbols {
    /// Of the bytes of a file; none where they are no 64-bit ELF file.
    pub(crate) fn parse(bytes: &[u8]) -> Option<Self> {
        let elf = ElfFile::<FileHeader64<LittleEndian>>::parse(bytes).ok()?;
        let mut all = Self::default();
        for one in elf.segments() {
            let (place, length) = one.file_range();
            all.segments.push([place, length, one.address()]);
        }
        for symbol in elf.symbols().chain(elf.dynamic_symbols()) {
            let Ok(name) = symbol.name() else { continue };
            // `mcount@GLIBC_2.2.5`
            let plain = name.split('@').next().unwrap_or_default();
            all.samples_itself |= OF_GPROF.contains(&plain);
            if symbol.kind() == SymbolKind::Text && symbol.is_definition() {
                let begin = symbol.address();
                all.functions.push(Function {
                    begin,
                    end: begin.saturating_add(symbol.size()),
                    name: name.to_owned(),
                });
            }
        }
        all.functions
            .sort_by(|a, b| (a.begin, b.end).cmp(&(b.begin, a.end)));
        all.functions.dedup_by_key(|one| one.begin);
        // Assembly may leave out how long a function is.
        let mut next = u64::MAX;
        for one in all.functions.iter_mut().rev() {
            if one.end == one.begin {
                one.end = next;
            }
            next = one.begin;
        }
        Some(all)
    }

    /// The function at an address of the file.
    pub(crate) fn at(&self, address: u64) -> Option<&str> {
        let behind = self.functions.partition_point(|one| one.begin <= address);
        let one = &self.functions[behind.checked_sub(1)?];
        (address < one.end).then_some(one.name.as_str())
    }

    /// The function at a place in the file.
    pub(crate) fn at_offset(&self, offset: u64) -> Option<&str> {
        let inside = |[place, length, _]: &&[u64; 3]| offset >= *place && offset - place < *length;
        let [place, _, address] = self.segments.iter().find(inside)?;
        self.at(address.checked_add(offset - place)?)
    }

    /// The function so many bytes behind where the file begins in memory.
    pub(crate) fn at_distance(&self, distance: u64) -> Option<&str> {
        let first = self
            .segments
            .iter()
            .map(|[place, _, address]| address.saturating_sub(*place));
        self.at(first.min()?.checked_add(distance)?)
    }
}

/// The symbols of files, each read once.
#[derive(Debug, Default)]
pub(crate) struct Files(BTreeMap<String, Option<Symbols>>);

impl Files {
    /// Those of a file; none where it cannot be read, or is no such file.
    pub(crate) fn of(&mut self, path: &str) -> Option<&Symbols> {
        let read = || Symbols::parse(&std::fs::read(path).ok()?);
        self.0.entry(path.to_owned()).or_insert_with(read).as_ref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Loaded at 0x400000 from its begin and at 0x402000 from 0x1000 on; the second function's length is not told.
    fn symbols() -> Symbols {
        let function = |begin, end, name: &str| Function {
            begin,
            end,
            name: name.to_owned(),
        };
        Symbols {
            segments: vec![[0, 0x800, 0x40_0000], [0x1000, 0x100, 0x40_2000]],
            functions: vec![
                function(0x40_2010, 0x40_2020, "f"),
                function(0x40_2030, u64::MAX, "g"),
            ],
            samples_itself: false,
        }
    }

    #[test]
    fn an_address_has_the_name_of_the_function_around_it() {
        let symbols = symbols();
        for (address, name) in [
            (0x40_200f, None),
            (0x40_2010, Some("f")),
            (0x40_201f, Some("f")),
            (0x40_2020, None),
            (0x40_2030, Some("g")),
            (0x50_0000, Some("g")),
        ] {
            assert_eq!(symbols.at(address), name, "{address:#x}");
        }
        // In the file, and counted from its first byte in memory.
        assert_eq!(symbols.at_offset(0x1010), Some("f"));
        assert_eq!(symbols.at_offset(0x900), None);
        assert_eq!(symbols.at_distance(0x2010), Some("f"));
        assert_eq!(symbols.at_distance(0x10), None);
    }

    /// The C library that the test itself has loaded is as good as any.
    #[test]
    fn symbols_of_a_library_are_read_once() {
        let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
        let mut words = maps.split_whitespace();
        let library = words.find(|word| word.ends_with("/libc.so.6"));
        let library = library.expect("the C library");
        let mut files = Files::default();
        let symbols = files.of(library).expect("a library");
        let qsort = symbols.functions.iter().find(|one| one.name == "qsort");
        let qsort = qsort.expect("a function of that name");
        assert_eq!(symbols.at(qsort.begin + 1), Some("qsort"));
        assert!(symbols.functions.len() > 1000 && symbols.segments.len() > 1);
        assert!(files.of(library).is_some());
        assert!(files.of("/none").is_none());
        assert_eq!(files.0.len(), 2);
    }
}
