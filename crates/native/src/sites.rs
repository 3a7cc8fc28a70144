//! The sites of a program, and the names that its functions go by.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::io;
use std::path::{Path, PathBuf};

use proofmark_asm::{ENTRY_BYTES, LEFT_SECTION, NAMES_SECTION, SITES_SECTION, shown_name};

use object::elf::FileHeader64;
use object::read::elf::ElfFile;
use object::{LittleEndian, Object as _, ObjectSection as _, ObjectSymbol as _, SymbolKind};

use crate::words::Passed;

/// A program with sites.
#[derive(Debug, Clone)]
pub struct Program {
    /// Its file.
    pub path: PathBuf,
    /// Its sites, one per function name, in the order of names.
    pub sites: Vec<TableSite>,
    /// Other names of a function with a site, to the one that the site has.
    aliases: BTreeMap<String, String>,
    /// Why functions have no site.
    left: BTreeMap<String, String>,
}

/// A site, as the program's table says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableSite {
    /// The function: as the linker knows it, of Rust as people do.
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
        "{0} has no sites: build it with CC=\"proofmark cc\" and CXX=\"proofmark c++\", compiling and linking, or with RUSTC_WRAPPER=proofmark"
    )]
    NoSites(PathBuf),
}

impl Program {
    #[cfg(test)]
    pub(crate) fn without_sites(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            sites: Vec::new(),
            aliases: BTreeMap::new(),
            left: BTreeMap::new(),
        }
    }

    /// Reads a program's table.
    ///
    /// # Errors
    /// When it is no program with sites.
    pub fn read(path: &Path) -> Result<Self, ProgramError> {
        let bytes = std::fs::read(path).map_err(|source| ProgramError::Read {
            path: path.to_owned(),
            source,
        })?;
        let elf = Elf::parse(bytes.as_slice()).map_err(|_| ProgramError::NoElf(path.to_owned()))?;
        let table = table(&elf).filter(|table| !table.is_empty());
        let table = table.ok_or_else(|| ProgramError::NoSites(path.to_owned()))?;
        let own: BTreeMap<u64, &str> = table
            .iter()
            .map(|(code, site)| (*code, site.function.as_str()))
            .collect();
        let mut aliases = BTreeMap::new();
        for (name, address) in functions(&elf) {
            // The site stands at the entry, behind an endbr64 at most.
            let site = [0, 4].iter().find_map(|skip| own.get(&(address + skip)));
            if let Some(site) = site.filter(|site| **site != name) {
                aliases.insert(name.to_owned(), (*site).to_owned());
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
            left: left(&elf),
        })
    }

    /// The name that a function of the program has in the table, or its own as people know it.
    #[must_use]
    pub fn name_of(&self, symbol: &str) -> String {
        let own = || shown_name(symbol).into_owned();
        self.aliases.get(symbol).cloned().unwrap_or_else(own)
    }

    /// What has to be known of the whole program.
    #[must_use]
    pub fn remark(&self) -> Option<String> {
        let mut functions = self.sites.iter().map(|site| site.function.as_str());
        functions.any(is_rust).then(|| REMARK_ON_RUST.to_owned())
    }

    /// The site of a function.
    #[must_use]
    pub fn site(&self, function: &str) -> Option<&TableSite> {
        let at = self
            .sites
            .binary_search_by(|site| site.function.as_str().cmp(function));
        at.ok().map(|at| &self.sites[at])
    }

    /// Why a function, by the name that profilers get from us, has no site.
    #[must_use]
    pub fn why_no_site(&self, function: &str) -> &str {
        match self.left.get(function) {
            Some(why) => why,
            None if in_other_file(function) => "it is in another file than the program",
            None if is_rust(function) => {
                "not compiled by proofmark rustc: Rust's standard library comes compiled"
            }
            None => "not compiled by proofmark cc or c++",
        }
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
            false => format!("{}:{}", file.to_string_lossy(), shown_name(symbol)),
        })
    }
}

/// What is said of every program in Rust.
const REMARK_ON_RUST: &str = "Rust: what the standard library brings compiled has no sites and cannot be tested; copies of a \
     generic function that go by one name get the dose together";

/// Whether it is Rust's path of a function; C++'s names have no colons as the linker knows them.
fn is_rust(function: &str) -> bool {
    function.contains("::")
}

/// `libc.so.6:qsort`, but not `core::fmt::write`.
fn in_other_file(function: &str) -> bool {
    let behind = function.split_once(':');
    behind.is_some_and(|(_, behind)| !behind.starts_with(':'))
}

type Elf<'b> = ElfFile<'b, FileHeader64<LittleEndian>>;

/// The section that names an object's functions, which were compiled without sites.
pub(crate) fn left_alone(object: &[u8], passed: &Passed) -> Vec<u8> {
    let Ok(elf) = Elf::parse(object) else {
        return Vec::new();
    };
    let name = |(name, _): (&str, u64)| format!("{name}\0compiled with {}\0", passed.option);
    functions(&elf).map(name).collect::<String>().into_bytes()
}

/// Functions that were left alone, with the reasons.
fn left(elf: &Elf<'_>) -> BTreeMap<String, String> {
    let section = elf.section_by_name(LEFT_SECTION);
    let bytes = section.and_then(|one| one.data().ok()).unwrap_or_default();
    let mut texts = bytes.split(|byte| *byte == 0).map(String::from_utf8_lossy);
    let mut all = BTreeMap::new();
    while let (Some(name), Some(why)) = (texts.next(), texts.next()) {
        all.insert(name.into_owned(), why.into_owned());
    }
    all
}

/// Names and addresses of functions, those that other files see included.
fn functions<'b>(elf: &Elf<'b>) -> impl Iterator<Item = (&'b str, u64)> {
    let symbols = elf.symbols().chain(elf.dynamic_symbols());
    symbols.filter_map(|symbol| {
        let known = symbol.kind() == SymbolKind::Text && symbol.is_definition();
        known.then(|| symbol.name().ok().map(|name| (name, symbol.address())))?
    })
}

/// Sites with the addresses of their code.
fn table(elf: &Elf<'_>) -> Option<Vec<(u64, TableSite)>> {
    let section = elf.section_by_name(SITES_SECTION)?;
    let names = elf.section_by_name(NAMES_SECTION)?;
    let strings = names.data().ok()?;
    let entry = |(at, entry): (usize, &[u8])| {
        let own = section.address() + (at * ENTRY_BYTES) as u64;
        let word = |place: usize| Some(u32::from_le_bytes(*entry.get(place..)?.first_chunk()?));
        let target = |place: usize| {
            let distance = word(place)? as i32;
            (own + place as u64).checked_add_signed(distance.into())
        };
        let name = |place: usize| {
            let at = usize::try_from(target(place)?.checked_sub(names.address())?).ok()?;
            let text = CStr::from_bytes_until_nul(strings.get(at..)?).ok()?;
            text.to_str().ok().map(str::to_owned)
        };
        let site = TableSite {
            key: u64::from_le_bytes(*entry.first_chunk()?),
            function: name(16)?,
            file: name(20)?,
            line: word(24)?,
        };
        Some((target(12)?, site))
    };
    let entries = section.data().ok()?.chunks_exact(ENTRY_BYTES);
    entries.enumerate().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_of_rust_is_no_other_file() {
        for (function, other, rust) in [
            ("main", false, false),
            ("libc.so.6:qsort", true, false),
            ("core::fmt::write", false, true),
            ("<a::S as core::fmt::Display>::fmt", false, true),
            ("libstd.so:std::io::_print", true, true),
        ] {
            let seen = (in_other_file(function), is_rust(function));
            assert_eq!(seen, (other, rust), "{function}");
        }
    }

    #[test]
    fn functions_of_rust_go_by_their_paths() {
        let program = Program::without_sites("/tmp/t".as_ref());
        let named = |symbol, file| program.named(symbol, file).unwrap();
        let area = "_ZN6shapes4area17h3cacaabc498a2939E";
        assert_eq!(named(area, "/tmp/t"), "shapes::area");
        assert_eq!(named(area, "/lib/libs.so"), "libs.so:shapes::area");
        assert_eq!(named("_ZN6shapes4areaEv", "/tmp/t"), "_ZN6shapes4areaEv");
        let why = program.why_no_site("core::fmt::write");
        assert!(why.contains("comes compiled"), "{why}");
        assert_eq!(program.remark(), None);
    }
}
