//! The sites of a program, and the names that its functions go by.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use proofmark_asm::{ENTRY_BYTES, NAMES_SECTION, SITES_SECTION};

use crate::elf::{Elf, number, text};

/// A program with sites.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its file.
    pub path: PathBuf,
    /// Its sites, one per function name, in the order of names.
    pub sites: Vec<TableSite>,
    /// Other names of a function with a site, to the one that the site has.
    aliases: BTreeMap<String, String>,
}

/// A site, as the program's table says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSite {
    /// The function, as the linker knows it.
    pub function: String,
    /// Source file.
    pub file: String,
    /// Line; 0 without debug information.
    pub line: u32,
    /// What it is asked for by.
    pub key: u64,
}

/// Why a program cannot be tested.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    /// It cannot be read.
    #[error("{path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
    /// It is no program of this kind of machine.
    #[error("{0} is no 64-bit ELF program")]
    NoElf(PathBuf),
    /// It has no table of sites, or a damaged one.
    #[error(
        "{0} has no sites: build it with CC=\"proofmark cc\" and CXX=\"proofmark c++\", compiling and linking"
    )]
    NoSites(PathBuf),
}

impl Program {
    /// Reads a program's table.
    ///
    /// # Errors
    /// When it is no program with sites.
    pub fn read(path: &Path) -> Result<Self, ProgramError> {
        let bytes = std::fs::read(path).map_err(|source| ProgramError::Read {
            path: path.to_owned(),
            source,
        })?;
        let elf = Elf::parse(&bytes).ok_or_else(|| ProgramError::NoElf(path.to_owned()))?;
        let table = table(&elf).filter(|table| !table.is_empty());
        let table = table.ok_or_else(|| ProgramError::NoSites(path.to_owned()))?;
        let own: BTreeMap<u64, &str> = table
            .iter()
            .map(|(code, site)| (*code, site.function.as_str()))
            .collect();
        let mut aliases = BTreeMap::new();
        for symbol in elf.functions() {
            // The site stands at the entry, behind an endbr64 at most.
            let site = [0, 4]
                .iter()
                .find_map(|skip| own.get(&(symbol.address + skip)));
            if let Some(site) = site.filter(|site| **site != symbol.name) {
                aliases.insert(symbol.name.to_owned(), (*site).to_owned());
            }
        }
        let mut sites: Vec<TableSite> = table.into_iter().map(|(_, site)| site).collect();
        sites.sort_by(|a, b| (&a.function, a.line).cmp(&(&b.function, b.line)));
        sites.dedup_by(|a, b| a.function == b.function);
        aliases.retain(|alias, _| {
            sites
                .binary_search_by(|site| site.function.cmp(alias))
                .is_err()
        });
        Ok(Self {
            path: path.to_owned(),
            sites,
            aliases,
        })
    }

    /// The name that a function of the program has in the table, or its own.
    #[must_use]
    pub fn name_of(&self, symbol: &str) -> String {
        self.aliases
            .get(symbol)
            .map_or(symbol, String::as_str)
            .to_owned()
    }

    /// The site of a function.
    #[must_use]
    pub fn site(&self, function: &str) -> Option<&TableSite> {
        let at = self
            .sites
            .binary_search_by(|site| site.function.as_str().cmp(function));
        at.ok().map(|at| &self.sites[at])
    }

    /// The name of a function as a profiler tells it, which knows the file that it is in. None where either is unknown.
    pub(crate) fn named(&self, symbol: &str, file: &str) -> Option<String> {
        let known = !symbol.is_empty() && !symbol.starts_with('[') && !symbol.starts_with("0x");
        if !known || file.starts_with('[') {
            return None;
        }
        let (file, own) = (Path::new(file).file_name()?, self.path.file_name()?);
        Some(match file == own {
            true => self.name_of(symbol),
            false => format!("{}:{symbol}", file.to_string_lossy()),
        })
    }
}

/// Sites with the addresses of their code.
fn table(elf: &Elf<'_>) -> Option<Vec<(u64, TableSite)>> {
    let (section, entries) = elf.section(SITES_SECTION)?;
    let (names, strings) = elf.section(NAMES_SECTION)?;
    let entry = |(at, entry): (usize, &[u8])| {
        let own = section.address + (at * ENTRY_BYTES) as u64;
        let target = |place: usize| {
            let distance = number::<4>(entry, place)? as u32 as i32;
            (own + place as u64).checked_add_signed(distance.into())
        };
        let name = |place: usize| {
            let at = target(place)?.checked_sub(names.address)?;
            text(strings, usize::try_from(at).ok()?).map(str::to_owned)
        };
        let site = TableSite {
            key: number::<8>(entry, 0)?,
            function: name(16)?,
            file: name(20)?,
            line: number::<4>(entry, 24)? as u32,
        };
        Some((target(12)?, site))
    };
    entries
        .chunks_exact(ENTRY_BYTES)
        .enumerate()
        .map(entry)
        .collect()
}
