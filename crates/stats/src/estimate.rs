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
    /// Lower end of the 95 % interval; null in JSON if it is open on that side.
    #[serde(deserialize_with = "open::low")]
    #[schemars(schema_with = "open::end")]
    pub low: f64,
    /// Upper end of the 95 % interval; null in JSON if it is open on that side.
    #[serde(deserialize_with = "open::high")]
    #[schemars(schema_with = "open::end")]
    pub high: f64,
    /// Observations (samples, windows or pairs; the field's text says which).
    pub n: u64,
}

/// JSON has no infinity: an open end is written as null (as `serde_json` does) and read back as what it was.
mod open {
    use serde::{Deserialize, Deserializer};

    /// A number, or null.
    pub(super) fn end(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["number", "null"], "format": "double" })
    }

    pub(super) fn low<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(from)?.unwrap_or(f64::NEG_INFINITY))
    }

    pub(super) fn high<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
        Ok(Option::deserialize(from)?.unwrap_or(f64::INFINITY))
    }
}

impl Estimate {
    /// `value` plus and minus `half_width`.
    #[must_use]
    pub fn around(value: f64, half_width: f64, n: u64) -> Self {
        Self {
            value,
            low: value - half_width,
            high: value + half_width,
            n,
        }
    }

    /// Half of the interval's length, in the unit of the value.
    #[must_use]
    pub fn half_width(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// True if the whole interval lies below `limit`.
    #[must_use]
    pub fn wholly_below(&self, limit: f64) -> bool {
        self.high < limit
    }

    /// True if the whole interval lies above `limit`.
    #[must_use]
    pub fn wholly_above(&self, limit: f64) -> bool {
        self.low > limit
    }

    /// True if `x` lies in the interval, ends included.
    #[must_use]
    pub fn covers(&self, x: f64) -> bool {
        self.low <= x && x <= self.high
    }

    /// Value and both ends times `factor`, for a change of unit (a negative factor swaps the ends).
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let (a, b) = (self.low * factor, self.high * factor);
        Self {
            value: self.value * factor,
            low: a.min(b),
            high: a.max(b),
            n: self.n,
        }
    }

    /// Value and both ends mapped by an increasing function, e.g. `f64::exp`.
    #[must_use]
    pub fn map_increasing(&self, f: impl Fn(f64) -> f64) -> Self {
        Self {
            value: f(self.value),
            low: f(self.low),
            high: f(self.high),
            n: self.n,
        }
    }

    /// Ends cut to `[floor, ceiling]`, for values that cannot leave that range; the value is cut as well.
    #[must_use]
    pub fn clamped(&self, floor: f64, ceiling: f64) -> Self {
        let cut = |x: f64| x.clamp(floor, ceiling);
        Self {
            value: cut(self.value),
            low: cut(self.low),
            high: cut(self.high),
            n: self.n,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_negative_factor_keeps_the_ends_in_order() {
        let e = Estimate::around(2.0, 0.5, 7).scaled(-10.0);
        assert_eq!((e.value, e.low, e.high, e.n), (-20.0, -25.0, -15.0, 7));
    }

    #[test]
    fn open_ends_come_back_from_json() {
        let open = Estimate {
            value: 3.0,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
            n: 2,
        };
        let text = serde_json::to_string(&open).unwrap();
        assert_eq!(text, r#"{"value":3.0,"low":null,"high":null,"n":2}"#);
        assert_eq!(serde_json::from_str::<Estimate>(&text).unwrap(), open);
        assert!(serde_json::from_str::<Estimate>(r#"{"value":3.0,"n":2}"#).is_err());
        assert!(
            serde_json::from_str::<Estimate>(r#"{"value":null,"low":0,"high":1,"n":2}"#).is_err()
        );
    }

    #[test]
    fn wholly_means_the_far_end() {
        let e = Estimate::around(4.0, 1.5, 1);
        assert!(!e.wholly_below(5.0) && e.wholly_below(5.6));
        assert!(!e.wholly_above(3.0) && e.wholly_above(2.4));
        assert!(e.covers(2.5) && !e.covers(5.6));
    }
}
