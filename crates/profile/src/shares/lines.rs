//! From samples to weight per line of the innermost frame.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::filter::Filter;
use crate::identity::MethodId;
use crate::model::Profile;

/// Weight per method and line.
pub type LineWeights = BTreeMap<(MethodId, u32), f64>;

impl Profile {
    /// Weight of each line that innermost Java frames say, over the samples that pass `filter`, for each of several
    /// windows `[begin, end)`, in nanoseconds of the profile's clock. Samples
    /// that failed, that have no time, or whose innermost frame is not Java or says no line, have no line. Empty for sources without lines.
    #[must_use]
    pub fn by_lines(&self, filter: &Filter, windows: &[Range<i64>]) -> Vec<LineWeights> {
        let mask = filter.event_mask(self);
        let unwanted = filter.unwanted(self);
        let mut all = vec![LineWeights::new(); windows.len()];
        for sample in &self.samples {
            let leaf = self.frames_of(sample).next();
            let Some(leaf) = leaf.filter(|leaf| self.is_java(leaf)) else {
                continue;
            };
            let Some(line) = leaf.line else { continue };
            let wanted = sample.failure.is_none()
                && Filter::mask_has(&mask, sample.event)
                && filter.accepts_thread(self, sample.thread)
                && !self
                    .frames_of(sample)
                    .any(|frame| unwanted[frame.method.index()]);
            if !wanted {
                continue;
            }
            let method = &self.methods[leaf.method.index()];
            for (weights, window) in all.iter_mut().zip(windows) {
                if sample.time_ns.is_some_and(|time| window.contains(&time)) {
                    *weights.entry((method.clone(), line)).or_default() += sample.weight;
                }
            }
        }
        all
    }
}
