//! What can go wrong.

/// The laboratory answered something that the search cannot use.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SearchError {
    /// There is nothing to slow down.
    #[error(
        "nothing to slow down: the program has no block above the detectable share; sample it longer"
    )]
    NoTunables,
    /// A setting is out of its range.
    #[error("setting {0} is out of range")]
    BadSettings(&'static str),
    /// A tunable is never executed or its count is not a number.
    #[error("block {block} of {unit} has no executions; leave it out")]
    NeverExecuted {
        /// Compilation unit.
        unit: String,
        /// Block id.
        block: u32,
    },
    /// A window holds an impossible figure.
    #[error("window refused: {0}")]
    BadObservation(String),
    /// The windows of a round do not fit to what was asked for.
    #[error("round refused: {0}")]
    BadRound(&'static str),
}
