//! What can go wrong when a profile is read, and what to do then.

use crate::import::{Format, Line};

/// Why bytes did not become a profile.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// No known format fits the bytes.
    #[error(
        "this is no profile format that is known here (it starts with {start:?}); export \
         the profile as collapsed stacks, JFR or pprof"
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
        "{format} profile, line {line} (byte {offset}): {what}; check that the file is the profiler's unedited output"
    )]
    Line {
        /// The format that was expected.
        format: Format,
        /// The line, counted from 1.
        line: usize,
        /// Where the line begins, counted from the start of the (unpacked) bytes.
        offset: u64,
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
    /// A file is larger than the limit, or would be when unpacked.
    #[error(
        "the profile is larger than {limit} bytes, unpacked; record for a shorter time or with a longer interval, or \
         unpack it yourself if you know who made it"
    )]
    TooLarge {
        /// The limit, in bytes.
        limit: u64,
    },
    /// A compressed file is damaged before anything came out of it.
    #[error(
        "the gzip data is damaged at byte {offset}: a compressed block was expected; take an undamaged copy"
    )]
    Gzip {
        /// Where, counted from the start of the compressed bytes.
        offset: u64,
    },
    /// The source of the bytes failed.
    #[error("the profile cannot be read")]
    Read(#[from] std::io::Error),
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

    /// A [`ImportError::Line`] for `format`.
    pub(crate) fn line(format: Format, at: &Line<'_>, what: impl Into<String>) -> Self {
        Self::Line {
            format,
            line: at.number,
            offset: at.offset,
            what: what.into(),
        }
    }

    /// A [`ImportError::Line`] where the JSON reader stopped.
    pub(crate) fn json(format: Format, bytes: &[u8], error: &serde_json::Error) -> Self {
        let before = bytes
            .split_inclusive(|&b| b == b'\n')
            .take(error.line().saturating_sub(1));
        let line_at: usize = before.map(<[u8]>::len).sum();
        let offset = (line_at + error.column()).min(bytes.len()) as u64;
        Self::Line {
            format,
            line: error.line(),
            offset,
            what: format!("no JSON as expected: {error}"),
        }
    }

    /// The format that was expected, if the error is one of a format.
    pub(crate) fn format(&self) -> Option<Format> {
        match self {
            Self::Damaged { format, .. } | Self::Line { format, .. } | Self::Empty { format } => {
                Some(*format)
            }
            _ => None,
        }
    }

    /// Where it went wrong and how, without advice; for remarks on what was kept.
    pub(crate) fn place(&self) -> String {
        match self {
            Self::Damaged { offset, what, .. } => format!("damaged at byte {offset} ({what})"),
            Self::Line {
                line, offset, what, ..
            } => format!("damaged at byte {offset}, line {line} ({what})"),
            other => other.to_string(),
        }
    }
}
