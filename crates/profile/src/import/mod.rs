//! From bytes to a profile: which format is it, then the importer of that format.

mod async_words;
mod collapsed;
mod detect;
mod jfr;
mod unpack;

use std::fmt;

use crate::error::ImportError;
use crate::model::{Profile, Unit};

pub use detect::detect;

/// A profile format that can be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Collapsed stacks, `frame;frame;frame weight`, root first.
    Collapsed,
    /// JDK Flight Recorder, also as async-profiler writes it.
    Jfr,
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Collapsed => "collapsed-stack",
            Self::Jfr => "JFR",
        })
    }
}

/// What the bytes alone do not tell.
#[derive(Clone, Debug)]
pub struct Options {
    /// The format, where [`detect`] shall not decide.
    pub format: Option<Format>,
    /// What the weights of a format without units (collapsed) count; samples if not given.
    pub unit: Option<Unit>,
    /// Sampling interval in nanoseconds, for formats that do not tell it.
    pub interval_ns: Option<u64>,
    /// Most bytes that a compressed file may unpack to.
    pub max_unpacked: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            format: None,
            unit: None,
            interval_ns: None,
            max_unpacked: 4 << 30,
        }
    }
}

/// Reads a profile of any known format, gzip-compressed or not.
///
/// # Errors
/// If the format is not known, or the bytes are so damaged that nothing could be read. A file that only breaks off
/// gives a profile with [`Profile::incomplete`] set.
pub fn import(bytes: &[u8], options: &Options) -> Result<Profile, ImportError> {
    let bytes = unpack::gunzip(bytes, options.max_unpacked)?;
    let format = match options.format.or_else(|| detect(&bytes)) {
        Some(format) => format,
        None => return Err(unknown(&bytes)),
    };
    let mut profile = match format {
        Format::Collapsed => collapsed::import(&bytes, options),
        Format::Jfr => jfr::import(&bytes),
    }?;
    if let (Some(event), Some(interval)) = (profile.events.first_mut(), options.interval_ns) {
        event.interval_ns.get_or_insert(interval);
    }
    Ok(profile)
}

fn unknown(bytes: &[u8]) -> ImportError {
    let start = &bytes[..bytes.len().min(24)];
    ImportError::UnknownFormat {
        start: String::from_utf8_lossy(start).into_owned(),
    }
}
