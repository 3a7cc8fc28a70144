//! Names on the command line of what other crates know.

use clap::ValueEnum;

/// Names of [`proofmark_experiment::lab::Filler`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "lowercase")]
pub enum FillerName {
    /// mov r,r over rotated registers.
    Mov,
    /// Two-byte NOP.
    Nop,
    /// Nine-byte NOP.
    Nop9,
    /// lea r,[r] over rotated registers.
    Lea,
    /// push r; pop r.
    PushPop,
    /// Store fence.
    Sfence,
    /// Spin-loop hint.
    Pause,
    /// Store and reload of a vector register.
    Long,
}

/// Names of [`proofmark_experiment::lab::InsertionPoint`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum PlacementName {
    /// Between the block's own instructions.
    Spread,
    /// At its start.
    Start,
    /// At its end.
    End,
}

impl From<FillerName> for proofmark_experiment::lab::Filler {
    fn from(name: FillerName) -> Self {
        match name {
            FillerName::Mov => Self::Mov,
            FillerName::Nop => Self::Nop,
            FillerName::Nop9 => Self::Nop9,
            FillerName::Lea => Self::Lea,
            FillerName::PushPop => Self::PushPop,
            FillerName::Sfence => Self::Sfence,
            FillerName::Pause => Self::Pause,
            FillerName::Long => Self::Long,
        }
    }
}

impl From<PlacementName> for proofmark_experiment::lab::InsertionPoint {
    fn from(name: PlacementName) -> Self {
        match name {
            PlacementName::Spread => Self::Spread,
            PlacementName::Start => Self::Start,
            PlacementName::End => Self::End,
        }
    }
}
