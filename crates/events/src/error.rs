//! What can go wrong.

/// A table or counters that cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EventsError {
    /// A line is not what the format says.
    #[error("line {line}: expected {expected}, found '{found}'")]
    Line {
        /// Number of the line, from 1.
        line: usize,
        /// What had to stand there.
        expected: String,
        /// What stands there, shortened.
        found: String,
    },
    /// The file ends too early.
    #[error(
        "the file ends after line {line} without the line 'end': it was not written completely"
    )]
    Truncated {
        /// Last line.
        line: usize,
    },
    /// A path number that the numbering does not give.
    #[error("path {number} does not exist in the numbering")]
    NoPath {
        /// The number.
        number: u64,
    },
    /// The counters do not say how often events of a type happened.
    #[error("code {code} of {unit}: its counters do not determine the type {kind}")]
    Undetermined {
        /// Id of the code.
        code: u32,
        /// Unit.
        unit: String,
        /// Event type.
        kind: String,
    },
    /// Two ways of decoding give different totals: a table whose edges are not those of the code.
    #[error("code {code} of {unit}: {kind} is {by_weights} by weights and {by_flow} by flow")]
    Contradiction {
        /// Id of the code.
        code: u32,
        /// Unit.
        unit: String,
        /// Event type.
        kind: String,
        /// By the dot product of counters and weights.
        by_weights: i64,
        /// By executions of blocks.
        by_flow: i64,
    },
}
