//! What a search for one target leaves to that for the next one in the same process: how blocks respond does not depend on
//! the target.

use proofmark_divine::Round;

use super::Request;
use super::baseline_profile::BaselineProfile;
use super::identity::{TunableName, order, reordered};

/// Rounds of a search, with the tunables that they are about.
#[derive(Debug, Clone)]
pub struct Known {
    /// The baseline profile.
    pub(super) profile: BaselineProfile,
    /// Target for which the tunables were chosen, 1.0 is +100 %: all searches have the same tunables.
    pub(super) chosen_for: f64,
    tunables: Vec<TunableName>,
    rounds: Vec<Round>,
}

impl Known {
    /// Of a finished search.
    pub(super) fn new(
        request: &Request,
        profile: BaselineProfile,
        tunables: Vec<TunableName>,
        rounds: &[Round],
    ) -> Self {
        Known {
            profile,
            chosen_for: chosen_for(request),
            tunables,
            rounds: rounds.to_vec(),
        }
    }

    /// The rounds in the order of these tunables; none if they are others.
    pub(super) fn rounds(&self, tunables: &[TunableName]) -> Vec<Round> {
        let order = order(tunables, &self.tunables);
        let rounds = |order: Vec<usize>| self.rounds.iter().map(|r| reordered(r, &order)).collect();
        order.map_or_else(Vec::new, rounds)
    }
}

/// Target for which a search chooses its tunables.
pub(super) fn chosen_for(request: &Request) -> f64 {
    let known = request.known.as_ref();
    known.map_or(request.target, |known| known.chosen_for)
}
