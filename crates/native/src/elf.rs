//! As much of ELF (64 bits, little-endian) as the table of sites needs. Files may be damaged: nothing is read beyond them.

/// A file in memory.
pub(crate) struct Elf<'b> {
    bytes: &'b [u8],
    sections: Vec<Section<'b>>,
}

/// A section of it.
pub(crate) struct Section<'b> {
    pub(crate) name: &'b str,
    kind: u32,
    pub(crate) address: u64,
    offset: u64,
    size: u64,
    link: u32,
}

/// A symbol of a function.
pub(crate) struct Symbol<'b> {
    pub(crate) name: &'b str,
    pub(crate) address: u64,
}

const NO_BITS: u32 = 8;
const SYMBOLS: u32 = 2;
const DYNAMIC_SYMBOLS: u32 = 11;
const FUNCTION: u8 = 2;

impl<'b> Elf<'b> {
    /// Reads the headers; none if this is no such file.
    pub(crate) fn parse(bytes: &'b [u8]) -> Option<Self> {
        // Class 2: 64 bits; data 1: little-endian.
        if bytes.get(..6)? != b"\x7fELF\x02\x01" {
            return None;
        }
        let table = usize::try_from(number::<8>(bytes, 40)?).ok()?;
        let (size, count, names) = (word(bytes, 58)?, word(bytes, 60)?, word(bytes, 62)?);
        let header = |at: usize| bytes.get(table.checked_add(at * size)?..)?.get(..size);
        let raw = |header: &'b [u8]| -> Option<(u32, Section<'b>)> {
            Some((
                number::<4>(header, 0)? as u32,
                Section {
                    name: "",
                    kind: number::<4>(header, 4)? as u32,
                    address: number::<8>(header, 16)?,
                    offset: number::<8>(header, 24)?,
                    size: number::<8>(header, 32)?,
                    link: number::<4>(header, 40)? as u32,
                },
            ))
        };
        let all: Option<Vec<_>> = (0..count).map(|at| raw(header(at)?)).collect();
        let all = all?;
        let mut elf = Self {
            bytes,
            sections: Vec::new(),
        };
        let names = all.get(names).and_then(|(_, section)| elf.content(section));
        elf.sections = all
            .into_iter()
            .map(|(name, section)| Section {
                name: names
                    .and_then(|names| text(names, name as usize))
                    .unwrap_or_default(),
                ..section
            })
            .collect();
        Some(elf)
    }

    /// The section of a name, with its bytes.
    pub(crate) fn section(&self, name: &str) -> Option<(&Section<'b>, &'b [u8])> {
        let section = self.sections.iter().find(|one| one.name == name)?;
        Some((section, self.content(section)?))
    }

    fn content(&self, section: &Section<'_>) -> Option<&'b [u8]> {
        if section.kind == NO_BITS {
            return None;
        }
        let begin = usize::try_from(section.offset).ok()?;
        let end = begin.checked_add(usize::try_from(section.size).ok()?)?;
        self.bytes.get(begin..end)
    }

    /// Symbols of functions.
    pub(crate) fn functions(&self) -> Vec<Symbol<'b>> {
        let mut found = Vec::new();
        for table in &self.sections {
            if !matches!(table.kind, SYMBOLS | DYNAMIC_SYMBOLS) {
                continue;
            }
            let names = self
                .sections
                .get(table.link as usize)
                .and_then(|one| self.content(one));
            let (Some(names), Some(entries)) = (names, self.content(table)) else {
                continue;
            };
            found.extend(entries.chunks_exact(24).filter_map(|entry| {
                let kind = entry[4] & 15;
                let address = number::<8>(entry, 8)?;
                let name = text(names, number::<4>(entry, 0)? as usize)?;
                (kind == FUNCTION && address != 0).then_some(Symbol { name, address })
            }));
        }
        found
    }
}

fn word(bytes: &[u8], at: usize) -> Option<usize> {
    Some(number::<2>(bytes, at)? as usize)
}

/// A number of so many bytes.
pub(crate) fn number<const BYTES: usize>(bytes: &[u8], at: usize) -> Option<u64> {
    let mut all = [0; 8];
    all[..BYTES].copy_from_slice(bytes.get(at..)?.get(..BYTES)?);
    Some(u64::from_le_bytes(all))
}

/// The text that begins there and ends with a zero.
pub(crate) fn text(bytes: &[u8], at: usize) -> Option<&str> {
    let rest = bytes.get(at..)?;
    let end = rest.iter().position(|byte| *byte == 0)?;
    std::str::from_utf8(&rest[..end]).ok()
}
