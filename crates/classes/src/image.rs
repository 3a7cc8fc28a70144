//! `lib/modules`, the file in which a JDK keeps its classes ("jimage", version 1.0, byte order of the machine).
//!
//! Layout: a header of seven words (magic, version, flags, resources, table length, size of locations, size of
//! strings), the redirect table, the table of location offsets, locations, strings, contents. A location is a row of
//! attributes; one byte holds kind (upper 5 bits) and length less one (lower 3), then the value, big-endian. Read here:
//! extension, base name, parent, offset, sizes. JDKs that compress their image are refused.

use std::collections::HashMap;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::fs::FileExt;
use std::path::Path;

const MAGIC: u32 = 0xCAFE_DADA;
const HEADER: usize = 28;
/// No index is larger than this: 25 MB would be ten times that of a full JDK.
const MAX_INDEX: u64 = 25 << 20;
/// No class file is larger.
const MAX_CLASS: u64 = 16 << 20;

/// Kinds of attributes.
mod kind {
    pub(super) const END: u8 = 0;
    pub(super) const PARENT: u8 = 2;
    pub(super) const BASE: u8 = 3;
    pub(super) const EXTENSION: u8 = 4;
    pub(super) const OFFSET: u8 = 5;
    pub(super) const COMPRESSED: u8 = 6;
    pub(super) const SIZE: u8 = 7;
}

/// Why the classes of a JDK cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImageError {
    /// The file is missing or cannot be read.
    #[error("{path}: {cause}; is this the root of a JDK?")]
    Read {
        /// The file.
        path: String,
        /// What the system says.
        cause: io::Error,
    },
    /// The file is not of the known format.
    #[error("{path} is not an image of classes as JDK 17 to 25 have it ({what})")]
    Format {
        /// The file.
        path: String,
        /// What is wrong.
        what: &'static str,
    },
}

/// Where a class lies in the file.
#[derive(Clone, Copy, Debug)]
struct Place {
    offset: u64,
    size: u64,
}

/// The classes of a JDK.
#[derive(Debug)]
pub struct Image {
    file: File,
    classes: HashMap<String, Place>,
}

impl Image {
    /// Opens the image of the JDK with this root directory and reads its index (some 5 MB).
    ///
    /// # Errors
    /// If there is none, or it is of another format.
    pub fn open(java_home: &Path) -> Result<Self, ImageError> {
        let path = java_home.join("lib/modules");
        let read = |cause| ImageError::Read {
            path: path.display().to_string(),
            cause,
        };
        let mut file = File::open(&path).map_err(read)?;
        let length = file.metadata().map_err(read)?.len();
        let mut header = [0; HEADER];
        file.read_exact(&mut header).map_err(read)?;
        let format = |what| ImageError::Format {
            path: path.display().to_string(),
            what,
        };
        let index = Index::sized(&header).map_err(format)?;
        if index.end() > length.min(MAX_INDEX) {
            return Err(format("the index is longer than it can be"));
        }
        let mut bytes = vec![0; usize::try_from(index.end()).unwrap_or(0) - HEADER];
        file.read_exact(&mut bytes).map_err(read)?;
        let classes = index.classes(&bytes).map_err(format)?;
        Ok(Self { file, classes })
    }

    /// Whether the JDK has a class of this internal name (`java/util/List`).
    #[must_use]
    pub fn has(&self, class: &str) -> bool {
        self.classes.contains_key(class)
    }

    /// The class file; `None` if there is none or it cannot be read.
    #[must_use]
    pub fn read(&self, class: &str) -> Option<Vec<u8>> {
        let place = self.classes.get(class)?;
        let mut bytes = vec![0; usize::try_from(place.size).ok()?];
        self.file.read_exact_at(&mut bytes, place.offset).ok()?;
        Some(bytes)
    }
}

/// Sizes of the index's parts, in bytes.
struct Index {
    table: u64,
    locations: u64,
    strings: u64,
}

impl Index {
    fn sized(header: &[u8; HEADER]) -> Result<Self, &'static str> {
        let word = |at: usize| {
            let bytes = [0, 1, 2, 3].map(|byte| header[4 * at + byte]);
            u32::from_ne_bytes(bytes)
        };
        if word(0) != MAGIC {
            return Err("it begins otherwise");
        }
        if word(1) != 1 << 16 {
            return Err("another version");
        }
        Ok(Self {
            table: 4 * u64::from(word(4)),
            locations: word(5).into(),
            strings: word(6).into(),
        })
    }

    fn end(&self) -> u64 {
        HEADER as u64 + 2 * self.table + self.locations + self.strings
    }

    /// `bytes` is what follows the header.
    fn classes(&self, bytes: &[u8]) -> Result<HashMap<String, Place>, &'static str> {
        let [table, locations] = [self.table, self.locations].map(|size| size as usize);
        let offsets = &bytes[table..2 * table];
        let (locations, strings) = bytes[2 * table..].split_at(locations);
        let mut classes = HashMap::with_capacity(offsets.len() / 4);
        for offset in offsets.chunks_exact(4) {
            let offset = u32::from_ne_bytes([offset[0], offset[1], offset[2], offset[3]]);
            let location = Location::read(locations, offset as usize).ok_or("a broken location")?;
            if text(strings, location.extension) != Some("class") {
                continue;
            }
            if location.compressed != 0 {
                return Err("its classes are compressed");
            }
            let (parent, base) = (text(strings, location.parent), text(strings, location.base));
            let (Some(parent), Some(base)) = (parent, base) else {
                return Err("a broken name");
            };
            if location.size > MAX_CLASS {
                return Err("a class that is too large");
            }
            let name = match parent {
                "" => base.to_owned(),
                package => format!("{package}/{base}"),
            };
            // Each module has one; no code is in it.
            if base != "module-info" {
                classes.insert(
                    name,
                    Place {
                        offset: self.end() + location.offset,
                        size: location.size,
                    },
                );
            }
        }
        Ok(classes)
    }
}

#[derive(Default)]
struct Location {
    parent: usize,
    base: usize,
    extension: usize,
    offset: u64,
    compressed: u64,
    size: u64,
}

impl Location {
    fn read(bytes: &[u8], mut at: usize) -> Option<Self> {
        let mut location = Self::default();
        loop {
            let head = *bytes.get(at)?;
            if head >> 3 == kind::END {
                return Some(location);
            }
            let length = usize::from(head & 7) + 1;
            let value = bytes.get(at + 1..at + 1 + length)?;
            let value = value
                .iter()
                .fold(0, |sum, &byte| sum << 8 | u64::from(byte));
            let small = usize::try_from(value).ok()?;
            match head >> 3 {
                kind::PARENT => location.parent = small,
                kind::BASE => location.base = small,
                kind::EXTENSION => location.extension = small,
                kind::OFFSET => location.offset = value,
                kind::COMPRESSED => location.compressed = value,
                kind::SIZE => location.size = value,
                _ => {}
            }
            at += 1 + length;
        }
    }
}

/// The text at an offset, up to its zero byte.
fn text(strings: &[u8], at: usize) -> Option<&str> {
    let rest = strings.get(at..)?;
    let end = rest.iter().position(|&byte| byte == 0)?;
    std::str::from_utf8(&rest[..end]).ok()
}
