//! Profiles from a stream, without the whole file in memory where the format allows it.

use std::io::Read;

use flate2::read::MultiGzDecoder;

use super::{Format, Options, finished, import, jfr, unpack};
use crate::error::ImportError;
use crate::model::Profile;

/// So many bytes tell the format, also of gzip data.
const START: u64 = 64 * 1024;

/// Reads a profile like [`import`]. A JFR file is read chunk by chunk: the memory for its bytes is that of the
/// largest chunk. What it says still grows with the number of samples, unless [`Options::merge`] adds them up.
/// Other formats are read as a whole.
///
/// ```
/// use proofmark_profile::{Options, import_from};
///
/// let profile = import_from(&b"Run.main;Queens.placeQueen 3\n"[..], &Options::default())?;
/// assert_eq!(profile.samples.len(), 1);
/// # Ok::<(), proofmark_profile::ImportError>(())
/// ```
///
/// # Errors
/// Those of [`import`], and if the source fails.
pub fn import_from(mut source: impl Read, options: &Options) -> Result<Profile, ImportError> {
    let mut start = Vec::new();
    source.by_ref().take(START).read_to_end(&mut start)?;
    let is_jfr = match options.format {
        Some(format) => format == Format::Jfr,
        None => unpack::start_of(&start, 4) == *b"FLR\0",
    };
    if !is_jfr {
        let limit = options.max_unpacked;
        source
            .take(limit.saturating_add(1))
            .read_to_end(&mut start)?;
        if start.len() as u64 > limit {
            return Err(ImportError::TooLarge { limit });
        }
        return import(&start, options);
    }
    let whole = start.as_slice().chain(source);
    let profile = if start.starts_with(&unpack::MAGIC) {
        jfr::import_from(MultiGzDecoder::new(whole), options)
    } else {
        jfr::import_from(whole, options)
    };
    profile.map(|profile| finished(profile, options))
}
