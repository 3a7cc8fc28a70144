//! Profiles from a stream, without the whole file in memory where the format allows it.

use std::io::{Read, Seek};

use flate2::read::MultiGzDecoder;

use super::{Format, Options, detect, finished, import, jfr, perf, unpack};
use crate::error::ImportError;
use crate::model::Profile;

/// So many bytes tell the format, also of gzip data.
const START: u64 = 64 * 1024;

/// Reads a profile like [`import`]. A JFR file is read chunk by chunk: the memory for its bytes is that of the
/// largest chunk. What it says still grows with the number of samples, unless [`Options::merge`] adds them up.
/// Other formats are read as a whole; [`import_file`] needs less for `perf.data`.
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
        if start.len() as u64 == START && options.format.is_none() && is_nothing(&start) {
            return import(&start, options);
        }
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

/// Reads a profile like [`import_from`], and a `perf.data` file that is not compressed too in the memory that what lies
/// between two of its marks for sorting and its distinct stacks need.
///
/// # Errors
/// Those of [`import_from`].
pub fn import_file(
    mut source: impl Read + Seek,
    options: &Options,
) -> Result<Profile, ImportError> {
    let mut start = Vec::new();
    source.by_ref().take(8).read_to_end(&mut start)?;
    source.rewind()?;
    let is_perf = match options.format {
        Some(format) => format == Format::PerfData && !start.starts_with(&unpack::MAGIC),
        None => detect(&start) == Some(Format::PerfData),
    };
    if !is_perf {
        return import_from(source, options);
    }
    perf::import_data(source, options).map(|profile| finished(profile, options))
}

/// Whether what begins so is no profile, however long it is: its end is not waited for. Formats that only their end tells,
/// such as JSON, are not refused by their start.
fn is_nothing(start: &[u8]) -> bool {
    let same = start.iter().all(|byte| *byte == start[0]);
    let text = || {
        // The last sign may be cut.
        let cut = std::str::from_utf8(start).map_or_else(|error| error.valid_up_to(), str::len);
        let whole = start.len() - cut < 4;
        whole && !start.contains(&0) && !start.trim_ascii_start().starts_with(b"{")
    };
    same || (text() && detect(start).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Never ends; fails when more is read than a start and what a reader takes ahead.
    struct Endless {
        line: &'static [u8],
        read: usize,
    }

    impl Read for Endless {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            assert!(self.read < 4 * START as usize, "it reads on and on");
            for byte in out.iter_mut() {
                *byte = self.line[self.read % self.line.len()];
                self.read += 1;
            }
            Ok(out.len())
        }
    }

    #[test]
    fn what_cannot_be_a_profile_is_not_read_to_its_end() {
        for line in [&b"\0"[..], b"y\n"] {
            let endless = Endless { line, read: 0 };
            let error = import_from(endless, &Options::default());
            assert!(error.is_err(), "{line:?}");
        }
    }

    #[test]
    fn a_long_profile_is_read() {
        let text = "Run.main;Queens.place 3\n".repeat(9000);
        assert!(text.len() as u64 > 2 * START);
        let read = import_from(text.as_bytes(), &Options::default()).expect("a profile");
        let whole = import(text.as_bytes(), &Options::default()).expect("a profile");
        assert_eq!(read.samples.len(), whole.samples.len());
    }
}
