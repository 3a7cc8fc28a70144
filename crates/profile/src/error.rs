//! What can go wrong when a profile is read, and what to do then.

use crate::import::Format;

/// Why bytes did not become a profile.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// No known format fits the bytes.
    #[error(
        "this is no profile format that is known here (it starts with {start:?}); say which format it is, \
         or export the profile as collapsed stacks, JFR or pprof"
    )]
    UnknownFormat {
        /// The first bytes, as text.
        start: String,
    },
    /// The bytes are damaged before anything useful could be read.
    #[error(
        "{format} profile is damaged at byte {offset}: {what}; record it again or take an undamaged copy"
    )]
    Damaged {
        /// The format that was expected.
        format: Format,
        /// Where, counted from the start of the (unpacked) bytes.
        offset: u64,
        /// What is wrong there.
        what: String,
    },
    /// A line of a text format cannot be understood.
    #[error(
        "{format} profile, line {line}: {what}; check that the file is the profiler's unedited output"
    )]
    Line {
        /// The format that was expected.
        format: Format,
        /// The line, counted from 1.
        line: usize,
        /// What is wrong there.
        what: String,
    },
    /// The file is well formed but holds nothing that counts.
    #[error(
        "{format} profile holds no samples; check that the profiler was started and that its events were on"
    )]
    Empty {
        /// The format of the file.
        format: Format,
    },
    /// A compressed file would unpack to more than the limit.
    #[error(
        "the compressed profile unpacks to more than {limit} bytes; unpack it yourself or raise `Options::max_unpacked`"
    )]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// The option asks for something that the file does not have.
    #[error("{0}")]
    Missing(String),
}

impl ImportError {
    /// A [`ImportError::Damaged`] for `format` at `offset`.
    pub(crate) fn damaged(format: Format, offset: u64, what: impl Into<String>) -> Self {
        Self::Damaged {
            format,
            offset,
            what: what.into(),
        }
    }

    /// A [`ImportError::Line`] for `format`; `line` counts from 1.
    pub(crate) fn line(format: Format, line: usize, what: impl Into<String>) -> Self {
        Self::Line {
            format,
            line,
            what: what.into(),
        }
    }
}
