//! Unpacks gzip, with a limit.

use std::borrow::Cow;
use std::io::Read;

use flate2::read::MultiGzDecoder;

use crate::error::ImportError;

/// The bytes themselves, or what they unpack to if they are gzip. A file that breaks off yields what came before.
pub(super) fn gunzip(bytes: &[u8], limit: u64) -> Result<Cow<'_, [u8]>, ImportError> {
    if !bytes.starts_with(&[0x1f, 0x8b]) {
        return Ok(Cow::Borrowed(bytes));
    }
    let mut unpacked = Vec::new();
    let outcome = MultiGzDecoder::new(bytes)
        .take(limit.saturating_add(1))
        .read_to_end(&mut unpacked);
    if unpacked.len() as u64 > limit {
        return Err(ImportError::TooLarge { limit });
    }
    match outcome {
        Err(_) if unpacked.is_empty() => Err(ImportError::Missing(
            "the gzip data is damaged from its start; take an undamaged copy".to_owned(),
        )),
        _ => Ok(Cow::Owned(unpacked)),
    }
}
