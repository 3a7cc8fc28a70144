//! Unpacks gzip, with a limit.

use std::borrow::Cow;
use std::io::Read;

use flate2::bufread::MultiGzDecoder;

use crate::error::ImportError;

/// How gzip data begins.
pub(super) const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Unpacked bytes per compressed one that profiles stay far below (text of `perf script`: 23), and bytes that are
/// unpacked in any case. A small file with malice in it would become 1,032 times as large.
const MOST_RATIO: u64 = 256;
const ALWAYS: u64 = 64 << 20;

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
    let limit = limit.min(ALWAYS + MOST_RATIO * bytes.len() as u64);
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
