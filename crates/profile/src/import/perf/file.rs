//! A `perf.data` file of any size, read where something is looked for.

use std::io::{self, BufReader, Read, Seek, SeekFrom};

use crate::error::ImportError;
use crate::import::Format;

const BUFFER: usize = 64 * 1024;

/// A file that is not held in memory.
pub(super) struct File<R> {
    source: BufReader<R>,
    /// Where the next byte comes from.
    at: u64,
    len: u64,
}

/// A part of a file, in bytes from its beginning.
#[derive(Clone, Copy)]
pub(super) struct Part {
    pub(super) start: u64,
    pub(super) len: u64,
}

impl Part {
    /// Where it ends.
    pub(super) fn end(self) -> u64 {
        self.start + self.len
    }

    /// The error that something else was expected at a place in the part.
    pub(super) fn damaged(self, at: u64, what: &str) -> ImportError {
        ImportError::damaged(Format::PerfData, self.start + at.min(self.len), what)
    }

    /// Fails if so many bytes do not fit into the part.
    pub(super) fn fits(self, at: u64, len: u64) -> Result<(), ImportError> {
        match at.checked_add(len) {
            Some(end) if end <= self.len => Ok(()),
            _ => {
                let what = format!("{len} bytes were expected and the file breaks off");
                Err(self.damaged(at, &what))
            }
        }
    }
}

impl<R: Read + Seek> File<R> {
    /// The file that the source holds.
    pub(super) fn new(source: R) -> io::Result<Self> {
        let mut source = BufReader::with_capacity(BUFFER, source);
        let len = source.seek(SeekFrom::End(0))?;
        source.rewind()?;
        Ok(Self { source, at: 0, len })
    }

    /// All of it.
    pub(super) fn whole(&self) -> Part {
        Part {
            start: 0,
            len: self.len,
        }
    }

    /// Reads at a place in the file, as [`Read::read`] does.
    pub(super) fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.go_to(at)?;
        let len = self.source.read(buffer)?;
        self.at += len as u64;
        Ok(len)
    }

    /// The whole file.
    pub(super) fn read_whole(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.go_to(0)?;
        self.at += self.source.read_to_end(&mut bytes)? as u64;
        Ok(bytes)
    }

    /// So many bytes at a place in a part.
    pub(super) fn bytes<const N: usize>(
        &mut self,
        part: Part,
        at: u64,
    ) -> Result<[u8; N], ImportError> {
        part.fits(at, N as u64)?;
        let mut bytes = [0; N];
        self.go_to(part.start + at)?;
        self.source.read_exact(&mut bytes)?;
        self.at += N as u64;
        Ok(bytes)
    }

    /// A number at a place in a part.
    pub(super) fn u32(&mut self, part: Part, at: u64) -> Result<u32, ImportError> {
        self.bytes(part, at).map(u32::from_le_bytes)
    }

    /// A number at a place in a part.
    pub(super) fn u64(&mut self, part: Part, at: u64) -> Result<u64, ImportError> {
        self.bytes(part, at).map(u64::from_le_bytes)
    }

    /// The section whose offset and size stand at a place in the file.
    pub(super) fn section(&mut self, at: u64) -> Result<Part, ImportError> {
        let whole = self.whole();
        let (start, len) = (self.u64(whole, at)?, self.u64(whole, at + 8)?);
        whole.fits(start, len)?;
        Ok(Part { start, len })
    }

    fn go_to(&mut self, at: u64) -> io::Result<()> {
        self.source.seek_relative(at.wrapping_sub(self.at) as i64)?;
        self.at = at;
        Ok(())
    }
}
