//! Where the block map may be called truth.
//!
//! Shares in unslowed code, and their change when everything is slowed, are compared with our own block map. That it is
//! right cannot be seen by comparing it with itself. Time that is added to blocks of one method says it, by the clock: our
//! own sampler must find all of it there. Where it does not, what is compared with the map decides nothing about a profiler
//! under test; time added to single methods, whose truth is the clock, still does. Controls are compared with the map all
//! the same: the oracle is the map, and the safepoint-biased profiler is off by more than any border.

use crate::{Evidence, ProfilerEvidence, Role};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What time that was added to blocks says about the block map on this program and machine.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct BlockMap {
    /// Our own sampler finds the added time where it was put.
    pub called_truth: bool,
    /// Why it is not called truth, in words; empty if it is.
    pub reasons: Vec<String>,
}

/// Whether comparisons of this profiler with the map decide anything.
pub(crate) fn decides(e: &Evidence, p: &ProfilerEvidence) -> bool {
    let truth = e.block_map.as_ref().is_none_or(|map| map.called_truth);
    truth || p.role != Role::Subject
}

/// Why nothing is decided where the map is not called truth and no time was added to a single method.
pub(crate) const NOTHING_ELSE: &str = "the block map is not called truth on this program, and no time that was added to single methods decides instead";

/// What a reader must know of the map; none if it is called truth, and for controls.
pub(crate) fn doubt(e: &Evidence, p: &ProfilerEvidence) -> Option<String> {
    if p.role != Role::Subject {
        return None;
    }
    let Some(map) = &e.block_map else {
        let untested = "whether the block map may be called truth on this program was not tested: no time was added to blocks";
        return Some(untested.to_owned());
    };
    (!decides(e, p)).then(|| {
        format!(
            "the block map is not called truth on this program ({}): what is compared with it, unslowed and with everything slowed, decides nothing",
            map.reasons.join("; ")
        )
    })
}
