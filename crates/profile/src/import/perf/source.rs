//! The bytes of a perf.data file as the crate that reads it shall see them.

use std::cell::Cell;
use std::io::{Error, ErrorKind, Read, Result, Seek, SeekFrom};

use super::file::File;
use super::guard::{HEADER_LEN, Layout};

/// A file up to its last whole record, with a header that fits.
pub(super) struct Source<'a, R> {
    header: Vec<u8>,
    file: File<R>,
    end: u64,
    /// How far it was read; shared, so that errors can tell the place.
    at: &'a Cell<u64>,
}

impl<'a, R: Read + Seek> Source<'a, R> {
    /// The file, or what the layout leaves of it.
    pub(super) fn new(mut file: File<R>, layout: &Layout, at: &'a Cell<u64>) -> Result<Self> {
        let mut header = vec![0; HEADER_LEN as usize];
        let mut len = 0;
        while len < header.len() {
            match file.read_at(len as u64, &mut header[len..])? {
                0 => break,
                more => len += more,
            }
        }
        header.truncate(len);
        if !layout.features && len == HEADER_LEN as usize {
            header[48..56].copy_from_slice(&layout.data_len.to_le_bytes());
            header[72..].fill(0); // features
        }
        let end = match layout.features && layout.damage.is_none() {
            true => file.whole().len,
            false => layout.records_end,
        };
        Ok(Self {
            header,
            file,
            end,
            at,
        })
    }
}

impl<R: Read + Seek> Read for Source<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> Result<usize> {
        let at = self.at.get().min(self.end);
        let head = self.end.min(self.header.len() as u64);
        let rest = if at < head { head - at } else { self.end - at };
        let most = buffer
            .len()
            .min(usize::try_from(rest).unwrap_or(usize::MAX));
        let buffer = &mut buffer[..most];
        let len = if at < head {
            buffer.copy_from_slice(&self.header[at as usize..at as usize + most]);
            most
        } else {
            self.file.read_at(at, buffer)?
        };
        self.at.set(at + len as u64);
        Ok(len)
    }
}

impl<R: Read + Seek> Seek for Source<'_, R> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        let at = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.get().checked_add_signed(by),
            SeekFrom::End(by) => self.end.checked_add_signed(by),
        };
        let at = at.ok_or(Error::from(ErrorKind::InvalidInput))?;
        self.at.set(at);
        Ok(at)
    }
}
