//! A recording that is read again and again while it grows.

use std::io::{Read, Seek, SeekFrom};

use super::Importer;
use super::header::HEADER_LEN;
use crate::error::ImportError;
use crate::import::Options;
use crate::model::Profile;

/// Reads a recording of the JDK that grows by whole chunks, such as one that is dumped several times while it goes on. What was
/// read of it once is not read again.
pub struct GrowingJfr {
    importer: Importer,
}

impl Default for GrowingJfr {
    /// Nothing of it was read so far.
    fn default() -> Self {
        Self {
            importer: Importer::new(&Options::default()),
        }
    }
}

impl GrowingJfr {
    /// The whole recording, as [`import`](crate::import) gives it; only what is behind the last chunk that was read is read. Where
    /// that chunk is not there any more, it is another recording, and is read from its beginning.
    ///
    /// # Errors
    /// Those of [`import`](crate::import), and if the source fails.
    pub fn read(&mut self, mut source: impl Read + Seek) -> Result<Profile, ImportError> {
        if !self.goes_on(&mut source)? {
            *self = Self::default();
        }
        source.seek(SeekFrom::Start(self.importer.at as u64))?;
        let read = self.importer.read(source, Options::default().max_unpacked);
        if let Err(error) = read {
            // A part of a chunk may have been taken in.
            *self = Self::default();
            return Err(error);
        }
        self.importer.so_far()
    }

    /// Whether the last chunk that was read is there still, and all of it was read. Its header tells when it began and how long it is.
    fn goes_on(&mut self, source: &mut (impl Read + Seek)) -> Result<bool, ImportError> {
        let whole = !self.importer.builder.head().incomplete;
        let Some((at, header)) = self.importer.last.filter(|_| whole) else {
            return Ok(false);
        };
        source.seek(SeekFrom::Start(at as u64))?;
        let mut here = Vec::with_capacity(HEADER_LEN);
        source.take(HEADER_LEN as u64).read_to_end(&mut here)?;
        Ok(here == header)
    }
}
