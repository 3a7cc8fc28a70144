//! What is kept in a program for its variants: the assembly texts of its objects, and the command that linked it.

use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use object::elf::FileHeader64;
use object::read::elf::ElfFile;
use object::{LittleEndian, Object as _, ObjectSection as _};
use proofmark_asm::Listing;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::compiler::{CompileError, file_error};
use crate::launch::hex;
use crate::words::for_assembler;

/// Section with the texts, one record behind the other. It is not loaded.
const TEXTS_SECTION: &str = "proofmark_texts";
/// Section with the link.
const LINK_SECTION: &str = "proofmark_link";
/// What a record begins with; behind it come the lengths of head and body, 8 bytes each, then both. The head is JSON.
const MAGIC: &[u8; 8] = b"PRMKEPT1";
/// Bytes in front of a record's head.
const FRAME: usize = 24;

/// A program whose blocks can be slowed.
#[derive(Debug, Clone)]
pub struct Slotted {
    /// Its file.
    pub path: PathBuf,
    pub(super) texts: Vec<KeptText>,
    pub(super) link: KeptLink,
}

/// Why a program's blocks cannot be slowed.
#[derive(Debug, thiserror::Error)]
pub enum SlotsError {
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
    /// Nothing was kept in it, or it is damaged.
    #[error(
        "{0} has no slots: build all of it with PROOFMARK_SLOTS=1 and CC=\"proofmark cc\", CXX=\"proofmark c++\" or RUSTC_WRAPPER=proofmark, compiling and linking"
    )]
    NoSlots(PathBuf),
}

/// An assembly text and how it is assembled.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct KeptText {
    pub(crate) how: How,
    pub(crate) text: String,
}

/// How a text is assembled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct How {
    /// The compiler's command.
    pub(crate) compiler: String,
    /// Its options that the assembler needs.
    pub(crate) words: Vec<String>,
    /// Where it was called.
    pub(crate) directory: PathBuf,
    /// The source; of Rust the crate.
    pub(crate) source: String,
    /// Whether rustc wrote it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) rust: bool,
}

/// How a program was linked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct KeptLink {
    pub(crate) compiler: String,
    pub(crate) directory: PathBuf,
    pub(crate) words: Vec<LinkWord>,
    /// The bytes of files that are kept.
    #[serde(skip)]
    pub(crate) files: Vec<u8>,
}

/// A word of a link.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum LinkWord {
    /// As it is.
    Plain(String),
    /// An object with one text.
    Object {
        /// Its file.
        path: PathBuf,
        /// Name of the text.
        text: String,
    },
    /// A file that is gone when the build has ended.
    Kept {
        /// Its name.
        name: String,
        /// Where its bytes begin among those that are kept, and how many there are.
        bytes: [usize; 2],
    },
}

/// What is kept of the files of a link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Keeping {
    /// The texts of objects.
    Texts,
    /// Other objects too, and temporary files: rustc removes them.
    Files,
}

/// Whether the build is to keep what variants are made of.
pub(crate) fn wanted() -> bool {
    std::env::var_os("PROOFMARK_SLOTS").is_some_and(|value| !value.is_empty() && value != "0")
}

impl KeptText {
    /// Of a compilation in this directory.
    pub(crate) fn new(compiler: &str, words: &[String], source: &str, text: String) -> Self {
        Self {
            how: How {
                compiler: compiler.to_owned(),
                words: for_assembler(words),
                directory: std::env::current_dir().unwrap_or_default(),
                source: source.to_owned(),
                rust: false,
            },
            text,
        }
    }

    /// Of a crate that is compiled in this directory; its text as GNU's assembler takes it.
    pub(crate) fn of_rust(compiler: &str, name: &str, text: String) -> Self {
        let mut kept = Self::new(compiler, &[], name, text);
        kept.how.rust = true;
        kept
    }

    /// Its functions.
    pub(super) fn listing(&self) -> Listing {
        match self.how.rust {
            true => Listing::of_rust(&self.text),
            false => Listing::of(&self.text),
        }
    }

    /// What it goes by: the same for the same text and command.
    pub(crate) fn name(&self) -> String {
        let record = record(&self.how, self.text.as_bytes());
        hex(&Sha256::digest(record)[..8])
    }
}

/// The text with a copy of itself in a section that is not loaded. The copy is put into `place`, and read by the assembler.
pub(crate) fn with_text(kept: &KeptText, place: &Path) -> Result<String, CompileError> {
    let copy = place.join("kept-text");
    let bytes = record(&kept.how, kept.text.as_bytes());
    std::fs::write(&copy, bytes).map_err(file_error(&copy))?;
    let mut text = kept.text.clone();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&included(TEXTS_SECTION, &copy));
    Ok(text)
}

/// An assembly text with nothing but the command of a link in a section, written into `place`.
pub(crate) fn link_object(
    compiler: &str,
    words: &[String],
    place: &Path,
    keeping: Keeping,
) -> Result<PathBuf, CompileError> {
    let directory = std::env::current_dir().unwrap_or_default();
    let mut link = KeptLink {
        compiler: compiler.to_owned(),
        words: Vec::new(),
        directory,
        files: Vec::new(),
    };
    link.take(words, keeping);
    let copy = place.join("kept-link");
    std::fs::write(&copy, record(&link, &link.files)).map_err(file_error(&copy))?;
    let path = place.join("link.s");
    let text = included(LINK_SECTION, &copy) + STAYS;
    std::fs::write(&path, text).map_err(file_error(&path))?;
    Ok(path)
}

/// Makes the linker keep an object whatever it collects: it is called at the start, and does nothing. Without the last line the
/// program's stack could be executed.
const STAYS: &str = "\t.text
.Lproofmark_nothing:
\tendbr64
\tret
\t.section\t.init_array,\"aw\",@init_array
\t.balign\t8
\t.quad\t.Lproofmark_nothing
\t.section\t.note.GNU-stack,\"\",@progbits
";

/// A section with the contents of a file.
fn included(section: &str, file: &Path) -> String {
    let file = file.display().to_string();
    let file = file.replace('\\', "\\\\").replace('"', "\\\"");
    format!("\t.section\t{section},\"\",@progbits\n\t.incbin\t\"{file}\"\n")
}

impl KeptLink {
    /// Takes the words of a link in, in this directory.
    fn take(&mut self, words: &[String], keeping: Keeping) {
        let mut of_option = false;
        for word in words {
            let path = (!of_option && !word.starts_with('-')).then(|| self.directory.join(word));
            of_option = word == "-o";
            let kept = path.and_then(|path| self.file(path, keeping));
            self.words
                .push(kept.unwrap_or_else(|| LinkWord::Plain(word.clone())));
        }
    }

    /// A file that is known by more than its name.
    fn file(&mut self, path: PathBuf, keeping: Keeping) -> Option<LinkWord> {
        let object = path.extension().is_some_and(|end| end == "o") || is_object(&path);
        let goes = keeping == Keeping::Files && (object || of_rustc(&path));
        if !object && !goes {
            return None;
        }
        let bytes = std::fs::read(&path).ok()?;
        if let Some(text) = only_text(&bytes) {
            let text = text.name();
            return Some(LinkWord::Object { path, text });
        }
        let name = path.file_name()?.to_str()?.to_owned();
        let place = [self.files.len(), bytes.len()];
        goes.then(|| {
            self.files.extend(bytes);
            LinkWord::Kept { name, bytes: place }
        })
    }
}

/// Whether a file is an object by what it begins with, however it is called.
fn is_object(path: &Path) -> bool {
    const KIND: usize = 16;
    let mut head = [0; KIND + 2];
    // Opening a pipe would wait for its writer.
    let whole =
        path.is_file() && File::open(path).is_ok_and(|mut file| file.read_exact(&mut head).is_ok());
    whole && head.starts_with(b"\x7fELF") && head[KIND..] == [1, 0]
}

/// Whether a file is in a directory that rustc makes for a link and removes.
fn of_rustc(path: &Path) -> bool {
    let inside = path.strip_prefix(std::env::temp_dir()).ok();
    let first = inside.and_then(|inside| inside.components().next());
    first.is_some_and(|first| first.as_os_str().to_string_lossy().starts_with("rustc"))
}

impl Slotted {
    /// Reads what is kept in a program.
    ///
    /// # Errors
    /// When it is no program in which something is kept.
    pub fn read(path: &Path) -> Result<Self, SlotsError> {
        let bytes = std::fs::read(path).map_err(|source| SlotsError::Read {
            path: path.to_owned(),
            source,
        })?;
        if Elf::parse(bytes.as_slice()).is_err() {
            return Err(SlotsError::NoElf(path.to_owned()));
        }
        let link = link(&bytes);
        let texts = texts(&bytes).filter(|texts| !texts.is_empty());
        match (texts, link) {
            (Some(texts), Some(link)) => Ok(Self {
                path: path.to_owned(),
                texts,
                link,
            }),
            _ => Err(SlotsError::NoSlots(path.to_owned())),
        }
    }
}

type Elf<'b> = ElfFile<'b, FileHeader64<LittleEndian>>;

/// The text of an object with one.
pub(super) fn only_text(object: &[u8]) -> Option<KeptText> {
    let mut texts = texts(object)?;
    texts.pop().filter(|_| texts.is_empty())
}

/// The texts that are kept in a file; none if it is damaged or no ELF file.
fn texts(file: &[u8]) -> Option<Vec<KeptText>> {
    let kept = |(how, text): (How, &[u8])| {
        Some(KeptText {
            how,
            text: String::from_utf8(text.to_vec()).ok()?,
        })
    };
    let elf = Elf::parse(file).ok()?;
    let Some(section) = elf.section_by_name(TEXTS_SECTION) else {
        return Some(Vec::new());
    };
    records(section.data().ok()?)?
        .into_iter()
        .map(kept)
        .collect()
}

/// How a program was linked.
fn link(file: &[u8]) -> Option<KeptLink> {
    let elf = Elf::parse(file).ok()?;
    let section = elf.section_by_name(LINK_SECTION)?;
    let all: Vec<(KeptLink, &[u8])> = records(section.data().ok()?)?;
    let (link, files) = all.into_iter().next_back()?;
    Some(KeptLink {
        files: files.to_vec(),
        ..link
    })
}

fn record(head: &impl Serialize, body: &[u8]) -> Vec<u8> {
    let head = serde_json::to_vec(head).unwrap_or_default();
    let mut all = MAGIC.to_vec();
    all.extend((head.len() as u64).to_le_bytes());
    all.extend((body.len() as u64).to_le_bytes());
    all.extend(head);
    all.extend(body);
    all
}

fn records<H: DeserializeOwned>(mut bytes: &[u8]) -> Option<Vec<(H, &[u8])>> {
    let mut all = Vec::new();
    while !bytes.is_empty() {
        let frame = bytes
            .get(..FRAME)
            .filter(|frame| frame.starts_with(MAGIC))?;
        let length = |at: usize| {
            let word = u64::from_le_bytes(*frame[at..].first_chunk()?);
            usize::try_from(word).ok()
        };
        let head = FRAME.checked_add(length(8)?)?;
        let body = head.checked_add(length(16)?)?;
        let known = serde_json::from_slice(bytes.get(FRAME..head)?).ok()?;
        all.push((known, bytes.get(head..body)?));
        bytes = &bytes[body..];
    }
    Some(all)
}

#[cfg(test)]
mod tests;
