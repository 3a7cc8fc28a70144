//! A measured value that never travels without its interval.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A measured value with its 95 % interval and the number of observations behind it.
///
/// The unit is that of the field that holds it (`..._pct`, `..._pt`, `..._s`).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Estimate {
    /// Point estimate.
    pub value: f64,
    /// Lower end of the 95 % interval.
    pub low: f64,
    /// Upper end of the 95 % interval.
    pub high: f64,
    /// Observations (samples, windows or pairs; the field's text says which).
    pub n: u64,
}
