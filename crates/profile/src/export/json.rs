//! The uniform profile as JSON.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::filter::Filter;
use crate::model::{Clock, Profile, Unit};
use crate::shares::MethodShare;

/// Name and version of the JSON of a [`Summary`].
pub const SUMMARY_SCHEMA: &str = "proofmark-profile/1";

/// Weight per method, with where it comes from: the JSON of `proofmark import --format json` (schema:
/// `docs/formats/profile.schema.json`). Weights are in `unit`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Summary {
    /// [`SUMMARY_SCHEMA`].
    pub schema: String,
    /// The format it was read from.
    pub format: String,
    /// The profiler, as far as the file tells.
    pub tool: String,
    /// Its version, where the file tells.
    pub version: Option<String>,
    /// Kinds of events that were counted.
    pub events: Vec<String>,
    /// What weights count: samples, nanoseconds, bytes, count or percent.
    pub unit: String,
    /// Which clock the file's time stamps are of: epoch, boot, start or none.
    pub clock: String,
    /// Nanoseconds between samples, where the file tells.
    pub interval_ns: Option<u64>,
    /// True if the source has no descriptors, or not for every method: overloads are then one method.
    pub overloads_merged: bool,
    /// True if the file broke off or was damaged: what was read up to there is here, `remarks` name the place.
    pub incomplete: bool,
    /// Number of samples that `weight` stands for, failed ones included: where weights are samples, or time with a known
    /// interval; else none.
    pub samples: Option<u64>,
    /// All weight: methods, other code and failures; not what was lost.
    pub weight: f64,
    /// Weight per Java method.
    pub methods: BTreeMap<String, MethodShare>,
    /// Weight per native, kernel or VM symbol, or Java method declared native, at the leaf.
    pub not_java: BTreeMap<String, f64>,
    /// Weight of samples whose stack could not be walked, by the profiler's reason.
    pub failed: BTreeMap<String, f64>,
    /// Number of samples that the profiler says it lost, by reason.
    pub lost: BTreeMap<String, f64>,
    /// What was wrong or guessed while reading, in sentences.
    pub remarks: Vec<String>,
}

impl Profile {
    /// Weight per method over the samples that pass `filter`: the form in which the study published its profiles,
    /// with the doubts kept.
    #[must_use]
    pub fn summary(&self, filter: &Filter) -> Summary {
        let shares = self.by_method(filter);
        let mask = filter.event_mask(self);
        let counted = self.events.iter().zip(mask).filter(|(_, counts)| *counts);
        let methods = shares.methods.iter();
        Summary {
            schema: SUMMARY_SCHEMA.into(),
            format: self.format.to_string(),
            tool: self.tool.clone(),
            version: self.version.clone(),
            events: counted
                .filter(|_| self.format.names_events())
                .map(|(event, _)| event.name.clone())
                .collect(),
            unit: self.unit.name().into(),
            clock: self.clock.name().into(),
            interval_ns: self.interval_ns(),
            overloads_merged: self.overloads_merged,
            incomplete: self.incomplete,
            samples: self
                .samples_of(shares.weight())
                .map(|samples| samples.round() as u64),
            weight: shares.weight(),
            methods: methods
                .map(|(method, share)| (method.to_string(), *share))
                .collect(),
            not_java: shares.not_java,
            failed: shares.failed,
            lost: shares.lost,
            remarks: self.remarks.clone(),
        }
    }
}

impl Unit {
    /// The unit's name in files and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Samples => "samples",
            Self::Nanoseconds => "nanoseconds",
            Self::Bytes => "bytes",
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
