//! Stacks as they were read, each name and each stack kept once. What a name means is known at the end only: one mark
//! of async-profiler in the last line says that the names without marks are not Java.

use std::collections::HashMap;

use super::{Walked, failure_of, frame, is_annotated, thread_frame};
use crate::builder::{Builder, MOST_WEIGHT};
use crate::export::collapsed::NO_FRAMES;
use crate::model::{FrameIdx, ThreadIdx};

/// Stacks of names, with their weights.
pub(super) struct NamedStacks {
    /// Names by their numbers, in the order in which they came.
    names: HashMap<Box<str>, u32>,
    /// The same of stacks, root first.
    stacks: HashMap<Box<[u32]>, u32>,
    /// Stack and weight of every sample, in their order.
    samples: Vec<(u32, f64)>,
    /// Per stack its last sample, where equal ones are added up.
    last: Option<Vec<usize>>,
    annotated: bool,
    /// The stack at hand.
    at_hand: Vec<u32>,
}

impl NamedStacks {
    /// None yet. If `merge`, equal stacks become one sample.
    pub(super) fn new(merge: bool) -> Self {
        Self {
            names: HashMap::new(),
            stacks: HashMap::new(),
            samples: Vec::new(),
            last: merge.then(Vec::new),
            annotated: false,
            at_hand: Vec::new(),
        }
    }

    /// Adds a sample of `root;...;leaf`.
    pub(super) fn add(&mut self, stack: &str, weight: f64) {
        self.at_hand.clear();
        for name in stack.split(';') {
            let number = match self.names.get(name) {
                Some(known) => *known,
                None => self.learn(name),
            };
            self.at_hand.push(number);
        }
        let known = self.stacks.get(self.at_hand.as_slice()).copied();
        let number = known.unwrap_or_else(|| {
            let number = next(self.stacks.len());
            self.stacks.insert(self.at_hand.as_slice().into(), number);
            number
        });
        let at = self.samples.len();
        if let Some(last) = &mut self.last {
            if known.is_none() {
                last.push(at);
            }
            let before = &mut last[number as usize];
            if *before < at && self.samples[*before].1 + weight <= MOST_WEIGHT {
                self.samples[*before].1 += weight;
                return;
            }
            *before = at;
        }
        self.samples.push((number, weight));
    }

    fn learn(&mut self, name: &str) -> u32 {
        let number = next(self.names.len());
        self.names.insert(name.into(), number);
        self.annotated |= is_annotated(name.as_bytes());
        number
    }

    /// Whether a frame tells by async-profiler's marks how its code ran.
    pub(super) fn annotated(&self) -> bool {
        self.annotated
    }

    /// Gives all samples to the profile, with what the names mean.
    pub(super) fn give(self, builder: &mut Builder) {
        let mut meant = Meant {
            frames: vec![None; self.names.len()],
            names: in_order(self.names),
            annotated: self.annotated,
        };
        let mut stacks = in_order(self.stacks);
        let mut walked: Vec<Option<(Option<ThreadIdx>, Walked)>> = vec![None; stacks.len()];
        for (number, weight) in self.samples {
            let number = number as usize;
            let (thread, stack) = *walked[number].get_or_insert_with(|| {
                // What was understood is not needed as names any more.
                meant.stack(builder, &std::mem::take(&mut stacks[number]))
            });
            let event = builder.event("cpu");
            stack.add(builder, (thread, event), weight);
        }
    }
}

/// What names mean, found out once each.
struct Meant {
    names: Vec<Box<str>>,
    frames: Vec<Option<FrameIdx>>,
    annotated: bool,
}

impl Meant {
    /// Thread and frames of a stack, root first.
    fn stack(&mut self, builder: &mut Builder, stack: &[u32]) -> (Option<ThreadIdx>, Walked) {
        let name = |number: &u32| &*self.names[*number as usize];
        let thread = stack.first().and_then(|first| thread_frame(name(first)));
        let thread = thread.map(|thread| builder.thread(thread));
        let stack = if thread.is_some() { &stack[1..] } else { stack };
        // Our own exports wrote nothing at all once.
        let stack = match stack {
            [one] if matches!(name(one), "" | NO_FRAMES) => &stack[..0],
            _ => stack,
        };
        let failure = failure_of(builder, stack.last().map(name));
        let mut frames = Vec::with_capacity(stack.len());
        for &number in stack.iter().rev() {
            let number = number as usize;
            let known = &mut self.frames[number];
            let new = || frame(builder, &self.names[number], self.annotated);
            frames.push(*known.get_or_insert_with(new));
        }
        let stack = builder.stack(&frames);
        (thread, Walked { stack, failure })
    }
}

/// The number of what comes next.
fn next(len: usize) -> u32 {
    u32::try_from(len).expect("fewer than 2^32 distinct entries")
}

/// The keys of a table by their numbers.
fn in_order<K>(table: HashMap<K, u32>) -> Vec<K> {
    let mut rows: Vec<(K, u32)> = table.into_iter().collect();
    rows.sort_unstable_by_key(|(_, number)| *number);
    rows.into_iter().map(|(key, _)| key).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import::Format;

    fn weights(merge: bool, samples: &[(&str, f64)]) -> Vec<f64> {
        let mut stacks = NamedStacks::new(merge);
        for (stack, weight) in samples {
            stacks.add(stack, *weight);
        }
        let mut builder = Builder::new(Format::Collapsed, "a tool", "cpu");
        stacks.give(&mut builder);
        let profile = builder.finish();
        profile.samples.iter().map(|s| s.weight).collect()
    }

    #[test]
    fn equal_stacks_are_added_up_where_that_is_asked_for() {
        let samples = [
            ("a;b", 1.0),
            ("a", 2.0),
            ("a;b", 4.0),
            ("b;a", 8.0),
            ("a", 16.0),
        ];
        assert_eq!(weights(true, &samples), [5.0, 18.0, 8.0]);
        assert_eq!(weights(false, &samples), [1.0, 2.0, 4.0, 8.0, 16.0]);
    }

    /// A sum that no counter holds would be left out as senseless; its parts are not.
    #[test]
    fn heavy_samples_stay_apart() {
        let samples = [("a", MOST_WEIGHT), ("a", MOST_WEIGHT), ("a", 1.0)];
        assert_eq!(weights(true, &samples).len(), 2);
    }
}
