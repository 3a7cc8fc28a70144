//! Hot methods that no profiler has a row of.

use std::collections::BTreeMap;

use proofmark_stats::Estimate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A method that takes much of the time and was not tested.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UntestedMethod {
    /// The method.
    pub method: String,
    /// Why no profiler has a row of it.
    pub reason: String,
    /// What each profiler shows of it in the program as it is, % of the Java time; n: samples. 0 where a profiler does not show it.
    pub shares_pct: BTreeMap<String, Estimate>,
}

impl UntestedMethod {
    /// The least and the greatest share that a profiler shows, % of the Java time.
    pub(super) fn ends_pct(&self) -> [f64; 2] {
        let shares = self.shares_pct.values().map(|share| share.value);
        shares.fold([f64::INFINITY, 0.0], |[least, most], share| {
            [least.min(share), most.max(share)]
        })
    }
}
