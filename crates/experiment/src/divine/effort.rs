//! How much is measured, and by which search.

use proofmark_divine::{SearchKind, Settings};

/// Rounds of a search: the baseline, and as many plans as it mostly takes, some measured twice.
pub const ROUNDS: f64 = 8.0;
/// How many more rounds than plans a search has that may try few: the baseline, and two plans once more, but one plan is kept
/// for the evaluation.
const BEYOND_PLANS: f64 = 2.0;
/// Rounds of a search that knows how blocks respond: two plans or three, most of them measured twice.
const FURTHER_ROUNDS: f64 = 5.0;
/// Plans that such a search may try: two for blocks and one for the total, and one is kept for the evaluation.
pub const FURTHER_PLANS: u32 = 4;
/// Rounds of the published search that are expected: it mostly took 50 to 400.
const STEPWISE_ROUNDS: f64 = 150.0;
/// Plans that it may try: more than any of the published searches took (491).
const STEPWISE_PLANS: u32 = 600;

/// How much is measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effort {
    /// Samples per second while searching.
    pub rate_hz: f64,
    /// Seconds of watched windows per round, both sides together.
    pub watched_s: f64,
    /// Seconds of unwatched windows per round, both sides together; an evaluation takes 2.4 times as many.
    pub unwatched_s: f64,
    /// The same of a search's rounds, as a part of `unwatched_s`. Longer ones cost time and save plans: what is known of the
    /// total need not be found by trying (simulated with 3 watched and 2 unwatched turns, 16 plans allowed: 10.6 plans, blocks
    /// off by 7.9 points, the total by 2.0; with 6 unwatched ones and 10 plans: 8.0, 7.6, 1.2).
    pub search_unwatched: f64,
    /// Shortest stay at one placement, s.
    pub placement_s: f64,
    /// Rounds of the evaluation.
    pub evaluation_rounds: u32,
    /// Whether a plan whose total is off in its evaluation is scaled and evaluated anew. An assessment need not: it
    /// compares with what was achieved.
    pub search_on: bool,
    /// Plans that a search may try as long as it gains; measured twice or more are few of them.
    pub most_plans: u32,
    /// The same of a search that begins with what one for another target has measured, never more than `most_plans`: how
    /// blocks respond is known, and what is left of their error is drawn anew with every plan.
    pub further_plans: u32,
    /// Which search.
    pub kind: SearchKind,
    /// Wall time after which a search ends with what it has reached, s.
    pub most_search_s: f64,
    /// Processes without loaded profiles in which a plan is measured once more, and as many without the plan; 0: none.
    pub fresh_jvms: u32,
}

impl Effort {
    /// For plans that are wanted for themselves.
    #[must_use]
    pub fn thorough() -> Self {
        Effort {
            search_unwatched: 2.0,
            search_on: true,
            most_plans: 10,
            ..Effort::default()
        }
    }

    /// The same by one of the searches, which ends after so many seconds.
    #[must_use]
    pub fn by(kind: SearchKind, most_search_s: f64) -> Self {
        let thorough = Effort {
            kind,
            most_search_s,
            ..Effort::thorough()
        };
        match kind {
            SearchKind::Model => thorough,
            SearchKind::Stepwise => Effort {
                search_on: false,
                most_plans: STEPWISE_PLANS,
                ..thorough
            },
        }
    }

    /// Rounds that a search mostly takes; `further`: it begins with what one for another target has measured, as the
    /// published search never does.
    #[must_use]
    pub fn rounds(&self, further: bool) -> f64 {
        match self.kind {
            SearchKind::Model if further => FURTHER_ROUNDS,
            SearchKind::Model => ROUNDS.min(f64::from(self.most_plans) + BEYOND_PLANS),
            SearchKind::Stepwise => STEPWISE_ROUNDS,
        }
    }

    /// Plans that a search may try; `further` as for [`Effort::rounds`].
    #[must_use]
    pub fn plans(&self, further: bool) -> u32 {
        match self.kind {
            SearchKind::Model if further => self.further_plans.min(self.most_plans),
            SearchKind::Model | SearchKind::Stepwise => self.most_plans,
        }
    }
}

impl Default for Effort {
    fn default() -> Self {
        Effort {
            rate_hz: 8000.0,
            watched_s: 6.0,
            unwatched_s: 3.0,
            search_unwatched: 0.8,
            placement_s: 0.12,
            evaluation_rounds: 5,
            search_on: false,
            most_plans: Settings::default().max_plans,
            further_plans: FURTHER_PLANS,
            kind: SearchKind::default(),
            most_search_s: f64::INFINITY,
            fresh_jvms: 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two rounds more than plans, and never more than usual: six for four, eight for ten.
    #[test]
    fn few_plans_take_few_rounds() {
        let rounds = |most_plans| {
            let effort = Effort {
                most_plans,
                ..Effort::default()
            };
            effort.rounds(false)
        };
        assert_eq!([4, 5, 8, 10].map(rounds), [6.0, 7.0, 8.0, 8.0]);
    }
}
