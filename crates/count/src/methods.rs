//! Weights per method.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_profile::{CountFile, MethodId, Profile};

/// Own bytecodes per method, all threads together.
pub(crate) fn own_bytecodes(file: &CountFile) -> BTreeMap<MethodId, u64> {
    let mut own = BTreeMap::new();
    for context in file.threads.iter().flat_map(|thread| &thread.contexts) {
        if context.bytecodes > 0 {
            *own.entry(file.methods[context.method as usize].clone())
                .or_default() += context.bytecodes;
        }
    }
    own
}

/// The same with overloads put together.
pub(crate) fn without_descriptors(own: &BTreeMap<MethodId, u64>) -> BTreeMap<MethodId, u64> {
    let mut merged = BTreeMap::new();
    for (method, bytecodes) in own {
        *merged.entry(method.without_descriptor()).or_default() += bytecodes;
    }
    merged
}

/// Time of a profile, per method that was counted.
#[derive(Debug, Default)]
pub(crate) struct CountedTime {
    /// Weight whose leaf is this method.
    pub(crate) own: BTreeMap<MethodId, f64>,
    /// Weight in code that was not counted (the JDK's, native code) below this method: nobody counted lies between.
    pub(crate) below: BTreeMap<MethodId, f64>,
    /// Weight of stacks without a counted method.
    pub(crate) elsewhere: f64,
    /// Samples with a counted method. Where the source has added samples of equal stacks up and does not count in
    /// samples, each such row is one: intervals are then too wide, never too narrow.
    pub(crate) samples: u64,
}

/// Attributes each sample to the innermost method of a class in `classes`.
pub(crate) fn counted_time(
    profile: &Profile,
    classes: &BTreeSet<&str>,
    merge_overloads: bool,
) -> CountedTime {
    let counted: Vec<bool> = profile
        .methods
        .iter()
        .map(|method| classes.contains(method.class.as_str()))
        .collect();
    let name = |at: usize| match merge_overloads {
        true => profile.methods[at].without_descriptor(),
        false => profile.methods[at].clone(),
    };
    let mut time = CountedTime::default();
    let mut seen = 0.0;
    let samples = profile
        .samples
        .iter()
        .filter(|s| s.event.0 == 0 && s.failure.is_none());
    for sample in samples {
        let methods = || profile.frames_of(sample).map(|frame| frame.method.index());
        let Some((depth, method)) = methods().enumerate().find(|&(_, at)| counted[at]) else {
            time.elsewhere += sample.weight;
            continue;
        };
        let place = if depth == 0 {
            &mut time.own
        } else {
            &mut time.below
        };
        *place.entry(name(method)).or_default() += sample.weight;
        seen += profile.samples_of(sample.weight).unwrap_or(1.0);
    }
    time.samples = seen as u64;
    time
}
