//! Sums while samples are counted.

use std::collections::HashSet;

use super::{MethodShare, Shares};
use crate::model::{Loss, MethodIdx, Profile, Sample};

/// Sums by index; names are looked up once at the end.
pub(super) struct Tally<'a> {
    profile: &'a Profile,
    per_method: Vec<MethodShare>,
    not_java: Vec<f64>,
    failed: Vec<f64>,
    seen: HashSet<MethodIdx>,
    shares: Shares,
}

impl<'a> Tally<'a> {
    /// Nothing is counted yet.
    pub(super) fn new(profile: &'a Profile) -> Self {
        Self {
            profile,
            per_method: vec![MethodShare::default(); profile.methods.len()],
            not_java: vec![0.0; profile.methods.len()],
            failed: vec![0.0; profile.failures.len()],
            seen: HashSet::new(),
            shares: Shares::default(),
        }
    }

    /// Counts a sample.
    pub(super) fn add(&mut self, sample: &Sample) {
        self.shares.samples += 1;
        if let Some(failure) = sample.failure {
            self.failed[failure as usize] += sample.weight;
            return;
        }
        self.add_self(sample);
        self.add_total(sample);
    }

    fn add_self(&mut self, sample: &Sample) {
        let Some(leaf) = self.profile.frames_of(sample).next() else {
            *self
                .shares
                .failed
                .entry("no frames".to_owned())
                .or_default() += sample.weight;
            return;
        };
        if self.profile.is_java(leaf) {
            self.per_method[leaf.method.index()].self_weight += sample.weight;
            return;
        }
        self.not_java[leaf.method.index()] += sample.weight;
        let profile = self.profile;
        if let Some(caller) = profile.frames_of(sample).find(|f| profile.is_java(f)) {
            self.per_method[caller.method.index()].native_weight += sample.weight;
        }
    }

    fn add_total(&mut self, sample: &Sample) {
        self.seen.clear();
        for frame in self.profile.frames_of(sample) {
            if self.profile.is_java(frame) && self.seen.insert(frame.method) {
                self.per_method[frame.method.index()].total_weight += sample.weight;
            }
        }
    }

    /// Counts lost samples; `somewhere`: it is not known whether they belong here.
    pub(super) fn add_loss(&mut self, loss: &Loss, somewhere: bool) {
        if somewhere {
            self.shares.lost_somewhere += loss.samples;
        } else {
            *self.shares.lost.entry(loss.reason.clone()).or_default() += loss.samples as f64;
        }
    }

    /// Tables tell totals themselves.
    fn add_totals(&mut self) {
        for &(method, total) in &self.profile.totals {
            self.per_method[method.index()].total_weight = total;
        }
    }

    /// The sums by name.
    pub(super) fn finish(mut self) -> Shares {
        self.add_totals();
        for (at, method) in self.profile.methods.iter().enumerate() {
            let share = self.per_method[at];
            if share != MethodShare::default() && !method.class.is_empty() {
                self.shares.methods.insert(method.clone(), share);
            }
            if self.not_java[at] != 0.0 {
                *self.shares.not_java.entry(method.to_string()).or_default() += self.not_java[at];
            }
        }
        for (reason, weight) in self.profile.failures.iter().zip(&self.failed) {
            if *weight != 0.0 {
                *self.shares.failed.entry(reason.0.clone()).or_default() += weight;
            }
        }
        self.shares
    }
}
