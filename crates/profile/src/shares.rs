//! From samples to weight per method.

mod lines;
mod tally;

use std::collections::BTreeMap;
use std::ops::Range;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::filter::{Filter, ThreadFilter};
use crate::identity::MethodId;
use crate::model::{Profile, Sample};
pub use lines::LineWeights;
use tally::Tally;

/// What one method has, in the profile's unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MethodShare {
    /// Samples whose leaf is this method.
    #[serde(rename = "self")]
    pub self_weight: f64,
    /// Samples whose leaf is native, kernel or VM code and whose first Java frame is this method.
    #[serde(rename = "native")]
    pub native_weight: f64,
    /// Samples that have this method anywhere on the stack, counted once each.
    #[serde(rename = "total")]
    pub total_weight: f64,
}

/// Weight per method over some of a profile's samples.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Shares {
    /// Per Java method.
    pub methods: BTreeMap<MethodId, MethodShare>,
    /// Per leaf that is not Java (native, kernel, VM, a Java method declared native), by name.
    pub not_java: BTreeMap<String, f64>,
    /// Weight of samples whose stack the profiler could not walk, by reason.
    pub failed: BTreeMap<String, f64>,
    /// Number of samples known to be lost, by reason.
    pub lost: BTreeMap<String, f64>,
    /// Number of samples known to be lost of which the source does not tell the thread or the time that the filter asks
    /// for: they may belong here or not.
    pub lost_somewhere: u64,
    /// Number of entries of [`Profile::samples`] that were counted, failed ones included.
    pub samples: u64,
}

impl Shares {
    /// Weight whose leaf is Java.
    #[must_use]
    pub fn java_weight(&self) -> f64 {
        self.methods.values().map(|m| m.self_weight).sum()
    }

    /// Weight whose leaf is not Java.
    #[must_use]
    pub fn not_java_weight(&self) -> f64 {
        self.not_java.values().sum()
    }

    /// Weight that the profiler could not attribute.
    #[must_use]
    pub fn failed_weight(&self) -> f64 {
        self.failed.values().sum()
    }

    /// Number of samples known to be lost.
    #[must_use]
    pub fn lost_samples(&self) -> f64 {
        self.lost.values().sum()
    }

    /// All weight that was counted: Java, not Java and failed; not the lost.
    #[must_use]
    pub fn weight(&self) -> f64 {
        self.java_weight() + self.not_java_weight() + self.failed_weight()
    }

    /// The method's part, 0 to 1, of the weight whose leaf is Java; 0 if there is none.
    #[must_use]
    pub fn self_share(&self, method: &MethodId) -> f64 {
        let own = self.methods.get(method).map_or(0.0, |m| m.self_weight);
        if own == 0.0 {
            0.0
        } else {
            own / self.java_weight()
        }
    }

    /// The same with overloads added up, for comparing with a source that has no descriptors. The total of overloads
    /// that call each other counts such a stack more than once.
    #[must_use]
    pub fn merge_overloads(&self) -> Self {
        let mut merged = Self {
            methods: BTreeMap::new(),
            ..self.clone()
        };
        for (method, share) in &self.methods {
            let sum = merged
                .methods
                .entry(method.without_descriptor())
                .or_default();
            sum.self_weight += share.self_weight;
            sum.native_weight += share.native_weight;
            sum.total_weight += share.total_weight;
        }
        merged
    }
}

impl Profile {
    /// Weight per method over the samples that pass `filter`.
    #[must_use]
    pub fn by_method(&self, filter: &Filter) -> Shares {
        let window = filter.window.clone().unwrap_or(i64::MIN..i64::MAX);
        let shares = self.tally(filter, &[window], filter.window.is_some());
        shares.into_iter().next().unwrap_or_default()
    }

    /// The same for each of several windows `[begin, end)`, in nanoseconds of the profile's clock, in one pass. The
    /// window of the filter does not count.
    #[must_use]
    pub fn by_windows(&self, filter: &Filter, windows: &[Range<i64>]) -> Vec<Shares> {
        self.tally(filter, windows, true)
    }

    /// If `timed`, what has no time lies in no window.
    fn tally(&self, filter: &Filter, windows: &[Range<i64>], timed: bool) -> Vec<Shares> {
        let mask = filter.event_mask(self);
        let unwanted = filter.unwanted(self);
        let wanted = |sample: &Sample| {
            !self
                .frames_of(sample)
                .any(|frame| unwanted[frame.method.index()])
        };
        let inside = |window: &Range<i64>, time: Option<i64>| {
            time.map_or(!timed, |time| !timed || window.contains(&time))
        };
        let mut tallies: Vec<Tally<'_>> = windows.iter().map(|_| Tally::new(self)).collect();
        for sample in &self.samples {
            if Filter::mask_has(&mask, sample.event)
                && filter.accepts_thread(self, sample.thread)
                && wanted(sample)
            {
                for (tally, window) in tallies.iter_mut().zip(windows) {
                    if inside(window, sample.time_ns) {
                        tally.add(sample);
                    }
                }
            }
        }
        for loss in &self.losses {
            let thread_unknown = loss.thread.is_none() && filter.thread != ThreadFilter::All;
            if !thread_unknown && !filter.accepts_thread(self, loss.thread) {
                continue;
            }
            for (tally, window) in tallies.iter_mut().zip(windows) {
                let time_unknown = timed && loss.time_ns.is_none();
                if time_unknown || inside(window, loss.time_ns) {
                    tally.add_loss(loss, thread_unknown || time_unknown);
                }
            }
        }
        tallies.into_iter().map(Tally::finish).collect()
    }
}
