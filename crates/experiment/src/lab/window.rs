//! Windows: iterations under alternating variants, sampled or not.

use std::collections::BTreeMap;
use std::ops::{AddAssign, RangeInclusive};

use proofmark_blocks::BlockTimes;
use proofmark_profile::MethodId;

/// Begin and end in ns of CLOCK_MONOTONIC, CPU time in ns: of the thread that calls the program, with sites of all its threads.
pub type Iteration = (u64, u64, u64);

/// The workload in one state: codes that are installed together.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// Codes of all hot units, for each of the laboratory's alignments in the cache line.
    pub aligned: Vec<Vec<u32>>,
}

/// A stretch of iterations for which everything is known.
#[derive(Debug, Clone, Copy)]
pub struct WindowSpec<'a> {
    /// Name under which a profiler files it; no two windows under a profiler have the same.
    pub label: &'a str,
    /// Least time per placement, s.
    pub seconds: f64,
    /// Least iterations per placement.
    pub iterations: u32,
    /// Samples per second; none for an unsampled window.
    pub rate_hz: Option<f64>,
}

/// One placement's part of a window.
#[derive(Debug, Clone)]
pub struct GroupData {
    /// Index of its variant.
    pub variant: usize,
    /// Index of the alignment in the cache line that its code has.
    pub alignment: usize,
    /// Iterations used.
    pub iterations: Vec<Iteration>,
    /// Where the samples fell, both streams together; empty when unsampled.
    pub times: BlockTimes,
    /// The same for each of the two streams.
    pub streams: [BlockTimes; 2],
}

impl GroupData {
    /// CPU time of all its iterations, ns.
    #[must_use]
    pub fn cpu_ns(&self) -> f64 {
        self.iterations.iter().map(|(_, _, cpu)| *cpu as f64).sum()
    }

    /// From its first iteration to its last, ns of CLOCK_MONOTONIC.
    #[must_use]
    pub fn span(&self) -> RangeInclusive<u64> {
        let begin = self
            .iterations
            .first()
            .map_or(u64::MAX, |(begin, _, _)| *begin);
        begin..=self.iterations.last().map_or(0, |(_, end, _)| *end)
    }
}

/// Samples that were missed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Loss {
    /// Samples that found the buffer full.
    pub lost: u64,
    /// Times that the kernel throttled an event.
    pub throttled: u64,
}

impl AddAssign for Loss {
    fn add_assign(&mut self, more: Loss) {
        self.lost += more.lost;
        self.throttled += more.throttled;
    }
}

/// A whole window.
#[derive(Debug, Clone)]
pub struct Measured {
    /// Its placements in order.
    pub groups: Vec<GroupData>,
    /// Samples that were lost.
    pub loss: Loss,
    /// ns of CLOCK_MONOTONIC, installations included.
    pub begin_ns: u64,
    /// The same.
    pub end_ns: u64,
    /// How often it had to be repeated because code was replaced.
    pub repeats: usize,
}

impl Measured {
    /// Placements of one variant.
    pub fn of_variant(&self, variant: usize) -> impl Iterator<Item = &GroupData> {
        self.groups
            .iter()
            .filter(move |group| group.variant == variant)
    }

    /// Where all samples of the window fell.
    #[must_use]
    pub fn times(&self) -> BlockTimes {
        let mut times = BlockTimes::default();
        self.groups
            .iter()
            .for_each(|group| times.merge(&group.times));
        times
    }
}

/// What a profiler said about one window. Weights are counts of samples.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProfiledWindow {
    /// Samples per innermost Java method.
    pub methods: BTreeMap<MethodId, f64>,
    /// Samples per innermost Java method and line, where the profile says lines.
    pub lines: BTreeMap<(MethodId, u32), f64>,
    /// Samples whose innermost frame is not Java.
    pub native: f64,
    /// Samples that the profiler could not attribute.
    pub unattributed: f64,
    /// Samples that it lost.
    pub lost: f64,
    /// Samples of other threads.
    pub other_threads: f64,
    /// The source has no descriptors, so that overloads are one method.
    pub overloads_merged: bool,
}
