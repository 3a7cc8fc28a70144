//! The bytes of a perf.data file as the crate that reads it shall see them.

use std::cell::Cell;
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};

use super::guard::Layout;

const HEADER_LEN: usize = 104;

/// A file up to its last whole record, with a header that fits.
pub(super) struct Source<'a> {
    header: Vec<u8>,
    bytes: &'a [u8],
    /// How far it was read; shared, so that errors can tell the place.
    at: &'a Cell<usize>,
}

impl<'a> Source<'a> {
    /// The file, or what the layout leaves of it.
    pub(super) fn new(bytes: &'a [u8], layout: &Layout, at: &'a Cell<usize>) -> Self {
        let mut header = bytes[..HEADER_LEN.min(bytes.len())].to_vec();
        let whole = layout.features;
        if !whole && header.len() == HEADER_LEN {
            header[48..56].copy_from_slice(&layout.data_len.to_le_bytes());
            header[72..].fill(0); // features
        }
        let end = if whole && layout.damage.is_none() {
            bytes.len()
        } else {
            layout.records_end
        };
        Self {
            header,
            bytes: &bytes[..end],
            at,
        }
    }
}

impl Read for Source<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let at = self.at.get().min(self.bytes.len());
        let head = self.header.len().min(self.bytes.len());
        let rest = match at < head {
            true => &self.header[at..head],
            false => &self.bytes[at..],
        };
        let len = rest.len().min(buffer.len());
        buffer[..len].copy_from_slice(&rest[..len]);
        self.at.set(at + len);
        Ok(len)
    }
}

impl Seek for Source<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => usize::try_from(at).ok(),
            SeekFrom::Current(by) => isize::try_from(by)
                .ok()
                .and_then(|by| self.at.get().checked_add_signed(by)),
            SeekFrom::End(by) => isize::try_from(by)
                .ok()
                .and_then(|by| self.bytes.len().checked_add_signed(by)),
        };
        let at = at.ok_or(Error::from(ErrorKind::InvalidInput))?;
        self.at.set(at);
        Ok(at as u64)
    }
}
