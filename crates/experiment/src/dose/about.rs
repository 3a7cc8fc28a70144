//! Whom and what the advice is about: rules and scripts must not read it out of words, which are for people.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Whom and what the first of the `advice_parts` is about.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AdviceAbout {
    /// The method about which all profilers are wrong, where that is said first; null where it is not said.
    pub all_wrong_about: Option<String>,
    /// The profiler that a sentence calls wrong, and about what; null where none does.
    pub accused: Option<Accused>,
    /// Sentences that stand before that one. Each ends with a full stop and a space that are not in a command, between backticks. 0 where
    /// no profiler is called wrong.
    pub sentences_before: usize,
    /// The profiler of which it is said that sites change too much of what it shows; null where that is said of none.
    pub changed: Option<String>,
}

/// A profiler that is called wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Accused {
    /// The profiler.
    pub profiler: String,
    /// What is held against it.
    pub by: AccusedBy,
    /// The method that this is about; null with `total`.
    pub method: Option<String>,
}

/// What is held against a profiler.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum AccusedBy {
    /// The share of the program's own time that it shows in the method: those who know the program show another one.
    Share,
    /// Where it reports the time that was added to the method.
    AddedTime,
    /// How much of the program's time it misplaces in all.
    Total,
}
