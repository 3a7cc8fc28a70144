//! From samples to weight per method.

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use crate::filter::{Filter, ThreadFilter};
use crate::identity::MethodId;
use crate::model::{Loss, MethodIdx, Profile, Sample};

/// What one method has, in the profile's unit.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct MethodShare {
    /// Samples whose leaf is this method.
    pub self_weight: f64,
    /// Samples whose leaf is native, kernel or VM code and whose first Java frame is this method.
    pub native_weight: f64,
    /// Samples that have this method anywhere on the stack, counted once each.
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

/// Sums by index; names are looked up once at the end.
struct Tally<'a> {
    profile: &'a Profile,
    per_method: Vec<MethodShare>,
    not_java: Vec<f64>,
    failed: Vec<f64>,
    seen: HashSet<MethodIdx>,
    shares: Shares,
}

impl<'a> Tally<'a> {
    fn new(profile: &'a Profile) -> Self {
        Self {
            profile,
            per_method: vec![MethodShare::default(); profile.methods.len()],
            not_java: vec![0.0; profile.methods.len()],
            failed: vec![0.0; profile.failures.len()],
            seen: HashSet::new(),
            shares: Shares::default(),
        }
    }

    fn add(&mut self, sample: &Sample) {
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

    fn add_loss(&mut self, loss: &Loss, somewhere: bool) {
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

    fn finish(mut self) -> Shares {
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
