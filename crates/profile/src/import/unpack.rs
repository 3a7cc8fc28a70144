//! Unpacks gzip, with a limit.

use std::borrow::Cow;
use std::io::{self, BufRead, BufReader, ErrorKind, Read};

use flate2::bufread::MultiGzDecoder;

use crate::error::ImportError;

/// How gzip data begins.
pub(super) const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Unpacked bytes per compressed one that profiles stay far below (text of `perf script`: 23), and bytes that are
/// unpacked in any case. A small file with malice in it would become 1,032 times as large.
const MOST_RATIO: u64 = 256;
const ALWAYS: u64 = 64 << 20;

/// Most bytes that so many compressed ones may become.
fn most_of(packed: u64) -> u64 {
    ALWAYS.saturating_add(MOST_RATIO.saturating_mul(packed))
}

/// What came out.
pub(super) struct Unpacked<'a> {
    /// The bytes, as far as they could be had.
    pub(super) bytes: Cow<'a, [u8]>,
    /// Where the compressed data breaks off or is damaged, if it is.
    pub(super) cut_at: Option<u64>,
}

/// The bytes themselves, or what they unpack to if they are gzip. A file that breaks off yields what came before.
pub(super) fn gunzip(bytes: &[u8], limit: u64) -> Result<Unpacked<'_>, ImportError> {
    if !bytes.starts_with(&MAGIC) {
        return Ok(Unpacked {
            bytes: Cow::Borrowed(bytes),
            cut_at: None,
        });
    }
    let limit = limit.min(most_of(bytes.len() as u64));
    let mut unpacked = Vec::new();
    let mut decoder = MultiGzDecoder::new(bytes).take(limit.saturating_add(1));
    let outcome = decoder.read_to_end(&mut unpacked);
    let offset = (bytes.len() - decoder.get_ref().get_ref().len()) as u64;
    if unpacked.len() as u64 > limit {
        return Err(ImportError::TooLarge { limit });
    }
    if outcome.is_err() && unpacked.is_empty() {
        return Err(ImportError::Gzip { offset });
    }
    Ok(Unpacked {
        bytes: Cow::Owned(unpacked),
        cut_at: outcome.is_err().then_some(offset),
    })
}

/// The bytes themselves, or what they unpack to if they are gzip, for [`crate::detect`] and the readers of what is no
/// profile.
///
/// # Errors
/// If nothing came out, or more than 4 GiB or than such a file can mean.
pub fn unpacked(bytes: &[u8]) -> Result<Cow<'_, [u8]>, ImportError> {
    let limit = super::Options::default().max_unpacked;
    Ok(gunzip(bytes, limit)?.bytes)
}

/// The first bytes that gzip data unpacks to, at most `len`; what is no gzip counts as it is.
pub(super) fn start_of(bytes: &[u8], len: u64) -> Vec<u8> {
    let mut start = Vec::new();
    if bytes.starts_with(&MAGIC) {
        // What is damaged here is reported when the whole is read.
        let _ = MultiGzDecoder::new(bytes).take(len).read_to_end(&mut start);
    } else {
        start.extend(bytes.iter().take(len as usize));
    }
    start
}

/// What the gzip data of a source unpacks to, as it is read. It ends where the data breaks off or is damaged.
pub(super) struct Gunzip<R> {
    decoder: MultiGzDecoder<Counted<BufReader<R>>>,
    /// Most bytes that may come out in any case.
    limit: u64,
    /// Bytes that came out.
    out: u64,
    /// Where the compressed data breaks off or is damaged, if it is.
    cut_at: Option<u64>,
    /// The limit that it went over, if it did.
    exceeded: Option<u64>,
}

impl<R: Read> Gunzip<R> {
    /// Of `source`; `limit` bytes may come out at most.
    pub(super) fn new(source: R, limit: u64) -> Self {
        let source = Counted {
            source: BufReader::new(source),
            taken: 0,
            failed: false,
        };
        Self {
            decoder: MultiGzDecoder::new(source),
            limit,
            out: 0,
            cut_at: None,
            exceeded: None,
        }
    }

    /// Where the compressed data broke off, if it did, once all was read.
    ///
    /// # Errors
    /// If more came out than may, or nothing at all.
    pub(super) fn end(&self) -> Result<Option<u64>, ImportError> {
        match (self.exceeded, self.cut_at) {
            (Some(limit), _) => Err(ImportError::TooLarge { limit }),
            (None, Some(offset)) if self.out == 0 => Err(ImportError::Gzip { offset }),
            (None, cut_at) => Ok(cut_at),
        }
    }
}

impl<R: Read> Read for Gunzip<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cut_at.is_some() {
            return Ok(0);
        }
        let outcome = self.decoder.read(buffer);
        let source = self.decoder.get_ref();
        let len = match outcome {
            Ok(len) => len,
            Err(error) if source.failed || error.kind() == ErrorKind::Interrupted => {
                return Err(error);
            }
            Err(_) => {
                self.cut_at = Some(source.taken);
                return Ok(0);
            }
        };
        let limit = self.limit.min(most_of(source.taken));
        self.out += len as u64;
        if self.out > limit {
            self.exceeded = Some(limit);
            return Err(io::Error::other("it unpacks to more than it may"));
        }
        Ok(len)
    }
}

/// Counts what is taken from a source, and remembers whether the source itself failed.
struct Counted<R> {
    source: R,
    taken: u64,
    failed: bool,
}

impl<R: BufRead> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.fill_buf()?.read(buffer)?;
        self.consume(len);
        Ok(len)
    }
}

impl<R: BufRead> BufRead for Counted<R> {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        let filled = self.source.fill_buf();
        self.failed |= filled.is_err();
        filled
    }

    fn consume(&mut self, len: usize) {
        self.taken += len as u64;
        self.source.consume(len);
    }
}
