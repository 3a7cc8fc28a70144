//! Puts a profile together while a file is read, keeping one copy of everything that repeats.

use std::collections::HashMap;

use crate::identity::MethodId;
use crate::import::Format;
use crate::model::*;

/// A profile under construction.
pub(crate) struct Builder {
    profile: Profile,
    methods: HashMap<MethodId, MethodIdx>,
    frames: HashMap<Frame, FrameIdx>,
    stacks: HashMap<Stack, StackIdx>,
    threads: HashMap<Thread, ThreadIdx>,
    failures: HashMap<String, u32>,
}

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
            frames: HashMap::new(),
            stacks: HashMap::new(),
            threads: HashMap::new(),
            failures: HashMap::new(),
        }
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
        if let Some(known) = self.stacks.get(frames) {
            return *known;
        }
        let index = StackIdx(table_len(self.profile.stacks.len()));
        self.profile.stacks.push(frames.into());
        self.stacks.insert(frames.into(), index);
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

    /// Adds a sample.
    pub(crate) fn sample(&mut self, sample: Sample) {
        self.profile.samples.push(sample);
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
        self.profile
    }
}

/// A table's length as an index. Tables are bounded by the input's size, which a `u32` holds for any file
/// that fits the memory of the process that reads it.
fn table_len(len: usize) -> u32 {
    u32::try_from(len).expect("fewer than 2^32 distinct entries")
}
