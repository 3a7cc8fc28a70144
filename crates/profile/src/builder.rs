//! Puts a profile together while a file is read, keeping one copy of everything that repeats.

use std::collections::HashMap;
use std::hash::BuildHasher;

use crate::error::ImportError;
use crate::hash::{Numbered, Seeded};
use crate::identity::MethodId;
use crate::import::Format;
use crate::model::*;

/// A profile under construction.
pub(crate) struct Builder {
    profile: Profile,
    methods: HashMap<MethodId, MethodIdx>,
    frames: Numbered<Frame, FrameIdx>,
    /// Stacks by the hash of their frames; of two with one hash, the second lies under the next free number.
    stacks: Numbered<u64, StackIdx>,
    hasher: Seeded,
    threads: HashMap<Thread, ThreadIdx>,
    failures: HashMap<String, u32>,
    /// Where equal samples are added up, if they are.
    merged: Option<Numbered<Kind, usize>>,
    /// Samples that were left out because of their weight.
    senseless: u64,
}

/// Formats count with 64 bits at most; the sum of so many of these as fit a file is a number.
pub(crate) const MOST_WEIGHT: f64 = u64::MAX as f64;

/// What samples that are added up have in common.
type Kind = (Option<ThreadIdx>, StackIdx, EventIdx, Option<u32>);

impl Builder {
    /// An empty profile of `tool`, whose main event is `event`.
    pub(crate) fn new(format: Format, tool: &str, event: &str) -> Self {
        let profile = Profile {
            format,
            tool: tool.to_owned(),
            version: None,
            unit: Unit::Samples,
            clock: Clock::None,
            overloads_merged: false,
            events: vec![Event {
                name: event.to_owned(),
                interval_ns: None,
            }],
            methods: Vec::new(),
            frames: Vec::new(),
            stacks: Vec::new(),
            threads: Vec::new(),
            samples: Vec::new(),
            failures: Vec::new(),
            losses: Vec::new(),
            marks: Vec::new(),
            totals: Vec::new(),
            remarks: Vec::new(),
            incomplete: false,
        };
        Self {
            profile,
            methods: HashMap::new(),
            frames: Numbered::default(),
            stacks: Numbered::default(),
            hasher: Seeded::default(),
            threads: HashMap::new(),
            failures: HashMap::new(),
            merged: None,
            senseless: 0,
        }
    }

    /// From now on, samples that differ only in their time are one; its memory depends on the variety of stacks.
    pub(crate) fn merge_samples(&mut self) {
        self.merged = Some(Numbered::default());
    }

    /// The profile's plain fields, to be set by the importer.
    pub(crate) fn head(&mut self) -> &mut Profile {
        &mut self.profile
    }

    /// Interns a method.
    pub(crate) fn method(&mut self, id: MethodId) -> MethodIdx {
        let next = MethodIdx(table_len(self.profile.methods.len()));
        *self.methods.entry(id).or_insert_with_key(|id| {
            self.profile.methods.push(id.clone());
            next
        })
    }

    /// Interns a frame.
    pub(crate) fn frame(&mut self, frame: Frame) -> FrameIdx {
        let next = FrameIdx(table_len(self.profile.frames.len()));
        *self.frames.entry(frame).or_insert_with_key(|frame| {
            self.profile.frames.push(*frame);
            next
        })
    }

    /// Interns a frame of `id` without line or bytecode index.
    pub(crate) fn plain_frame(&mut self, id: MethodId, kind: FrameKind) -> FrameIdx {
        let method = self.method(id);
        self.frame(Frame {
            method,
            kind,
            line: None,
            bci: None,
        })
    }

    /// Interns a stack; `frames` is leaf first.
    pub(crate) fn stack(&mut self, frames: &[FrameIdx]) -> StackIdx {
        let mut key = self.hasher.hash_one(frames);
        while let Some(known) = self.stacks.get(&key) {
            if *self.profile.stacks[known.index()] == *frames {
                return *known;
            }
            key = key.wrapping_add(1);
        }
        let index = StackIdx(table_len(self.profile.stacks.len()));
        self.profile.stacks.push(frames.into());
        self.stacks.insert(key, index);
        index
    }

    /// Interns a thread.
    pub(crate) fn thread(&mut self, thread: Thread) -> ThreadIdx {
        let next = ThreadIdx(table_len(self.profile.threads.len()));
        *self.threads.entry(thread).or_insert_with_key(|thread| {
            self.profile.threads.push(thread.clone());
            next
        })
    }

    /// Interns a reason for failure.
    pub(crate) fn failure(&mut self, reason: &str) -> u32 {
        if let Some(known) = self.failures.get(reason) {
            return *known;
        }
        let index = table_len(self.profile.failures.len());
        self.profile.failures.push(Failure(reason.to_owned()));
        self.failures.insert(reason.to_owned(), index);
        index
    }

    /// The event of that name, added if new.
    pub(crate) fn event(&mut self, name: &str) -> EventIdx {
        let events = &mut self.profile.events;
        let at = events
            .iter()
            .position(|e| e.name == name)
            .unwrap_or_else(|| {
                events.push(Event {
                    name: name.to_owned(),
                    interval_ns: None,
                });
                events.len() - 1
            });
        EventIdx(table_len(at))
    }

    /// Adds a sample. One with a weight that nothing can have is left out, and the profile says so.
    pub(crate) fn sample(&mut self, mut sample: Sample) {
        if !(0.0..=MOST_WEIGHT).contains(&sample.weight) {
            self.senseless += 1;
            return;
        }
        if let Some(merged) = &mut self.merged {
            sample.time_ns = None;
            let kind = (sample.thread, sample.stack, sample.event, sample.failure);
            let next = self.profile.samples.len();
            let at = *merged.entry(kind).or_insert(next);
            if at < next {
                self.profile.samples[at].weight += sample.weight;
                return;
            }
        }
        self.profile.samples.push(sample);
    }

    /// Adds a loss.
    pub(crate) fn loss(&mut self, mut loss: Loss) {
        if self.merged.is_some() {
            loss.time_ns = None;
            let known = self.profile.losses.iter_mut();
            let mut same = known.filter(|l| l.thread == loss.thread && l.reason == loss.reason);
            if let Some(same) = same.next() {
                same.samples = same.samples.saturating_add(loss.samples);
                return;
            }
        }
        self.profile.losses.push(loss);
    }

    /// Keeps what was read before a damage and says so; the damage itself if that is nothing.
    pub(crate) fn stopped(&mut self, error: ImportError) -> Result<(), ImportError> {
        if self.profile.samples.is_empty() && self.profile.marks.is_empty() {
            return Err(error);
        }
        self.profile.incomplete = true;
        let other = error.format().filter(|f| *f != self.profile.format);
        let file = other.map_or("the file".to_owned(), |other| format!("the {other} file"));
        let place = error.place();
        self.remark(format!(
            "{file} is {place}; only what comes before was read"
        ));
        Ok(())
    }

    /// Adds a row of a table without stacks: the method's own weight and, where told, the weight with callees.
    pub(crate) fn table_row(
        &mut self,
        id: MethodId,
        kind: FrameKind,
        own: f64,
        total: Option<f64>,
    ) {
        let frame = self.plain_frame(id, kind);
        let stack = self.stack(&[frame]);
        let event = EventIdx(0);
        self.sample(Sample {
            thread: None,
            time_ns: None,
            weight: own,
            stack,
            event,
            failure: None,
        });
        if let Some(total) = total {
            let method = self.profile.frames[frame.index()].method;
            self.profile.totals.push((method, total));
        }
    }

    /// Adds a remark once.
    pub(crate) fn remark(&mut self, text: impl Into<String>) {
        let text = text.into();
        if !self.profile.remarks.contains(&text) {
            self.profile.remarks.push(text);
        }
    }

    /// The finished profile.
    pub(crate) fn finish(self) -> Profile {
        finished(self.profile, self.senseless)
    }

    /// What the finished profile is if nothing is added any more.
    pub(crate) fn so_far(&self) -> Profile {
        finished(self.profile.clone(), self.senseless)
    }
}

/// A profile of which so many samples were left out. One Java method without descriptor is enough to say that overloads are merged.
fn finished(mut profile: Profile, senseless: u64) -> Profile {
    if senseless > 0 {
        let text = "left out because their weight is negative or larger than 2^64";
        profile
            .remarks
            .push(format!("{senseless} samples were {text}"));
        profile.incomplete = true;
    }
    let mut java = profile.methods.iter().filter(|m| !m.class.is_empty());
    profile.overloads_merged = java.any(|method| method.descriptor.is_none());
    profile
}

/// A table's length as an index. Tables are bounded by the input's size, which a `u32` holds for any file
/// that fits the memory of the process that reads it.
fn table_len(len: usize) -> u32 {
    u32::try_from(len).expect("fewer than 2^32 distinct entries")
}
