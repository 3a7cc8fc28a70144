//! What every search can do, and which ones there are.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::{Round, SearchError, Step};

/// How plans are searched for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum SearchKind {
    /// All blocks at once, by a model of how they respond to instructions: [`crate::Search`].
    #[default]
    Model,
    /// As published: unit after unit, one instruction more each time, then by halves: [`crate::Stepwise`].
    Stepwise,
}

/// A search: it says what is to be measured, and takes the answers. All decisions follow from the rounds and from
/// whether it was told to end.
pub trait Searching {
    /// What to do next; always the same for the same rounds.
    fn step(&self) -> Step;

    /// Takes the answer to [`Step::Measure`].
    ///
    /// # Errors
    /// If a window is impossible or the windows of a side do not have the same counts; the search is unchanged then and
    /// the round may be measured again.
    fn observe(&mut self, round: Round) -> Result<(), SearchError>;

    /// Takes a round of an evaluation that found the plan's total off; those of one evaluation follow each other.
    ///
    /// # Errors
    /// As [`Searching::observe`].
    fn learn(&mut self, round: Round) -> Result<(), SearchError>;

    /// All rounds that it knows.
    fn rounds(&self) -> &[Round];

    /// Those that it asked for itself.
    fn own_rounds(&self) -> &[Round];

    /// Distinct plans among them.
    fn plans_tried(&self) -> u32;

    /// Whether it goes on with what an evaluation showed.
    fn may_go_on(&self) -> bool;

    /// Ends it before its time: what was reached is the answer, once a plan was measured.
    fn end(&mut self);
}
