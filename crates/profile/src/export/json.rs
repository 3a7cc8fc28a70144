//! The uniform profile as JSON.

use serde_json::{Map, Value, json};

use crate::filter::Filter;
use crate::model::{Clock, Profile, Unit};

impl Profile {
    /// Weight per method under `filter`, with where it comes from: the form in which the study published its
    /// profiles, with the doubts kept.
    #[must_use]
    pub fn to_json(&self, filter: &Filter) -> Value {
        let shares = self.by_method(filter);
        let methods: Map<String, Value> = shares
            .methods
            .iter()
            .map(|(method, share)| {
                let share = json!({
                    "self": share.self_weight,
                    "native": share.native_weight,
                    "total": share.total_weight,
                });
                (method.to_string(), share)
            })
            .collect();
        json!({
            "format": self.format.to_string(),
            "tool": self.tool,
            "version": self.version,
            "unit": self.unit.name(),
            "clock": self.clock.name(),
            "interval_ns": self.interval_ns(),
            "overloads_merged": self.overloads_merged,
            "incomplete": self.incomplete,
            "samples": shares.samples,
            "weight": shares.weight(),
            "methods": methods,
            "not_java": shares.not_java,
            "failed": shares.failed,
            "lost": shares.lost,
            "remarks": self.remarks,
        })
    }
}

impl Unit {
    /// The unit's name in files and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::Nanoseconds => "nanoseconds",
            Self::Count => "count",
            Self::Percent => "percent",
        }
    }
}

impl Clock {
    /// The clock's name in files and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Epoch => "epoch",
            Self::Boot => "boot",
            Self::Start => "start",
            Self::None => "none",
        }
    }
}
