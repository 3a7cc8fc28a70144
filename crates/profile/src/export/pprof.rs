//! pprof.

use std::collections::HashMap;

use crate::model::{Frame, Profile};

/// Name of the mapping of what is Java. pprof has no field for that; names in brackets are those of no file.
pub(crate) const JAVA: &str = "[Java]";
/// Name of the mapping of what is not.
pub(crate) const OTHER: &str = "[other code]";
/// How the comment begins that names the profiler. pprof has no field for that either.
pub(crate) const TOOL: &str = "profiler: ";

impl Profile {
    /// A pprof profile, not compressed. Weights become whole numbers, the profiler and remarks comments, and mappings say what is
    /// Java; times and losses are not kept.
    #[must_use]
    pub fn to_pprof(&self) -> Vec<u8> {
        let mut strings = Strings::default();
        strings.index("");
        let mut out = Vec::new();
        let (kind, unit) = (
            self.events.first().map_or("samples", |e| &e.name),
            self.unit.name(),
        );
        let unit = if unit == "samples" { "count" } else { unit };
        let kind = if self.unit.name() == "samples" {
            "samples"
        } else {
            kind
        };
        message(&mut out, 1, &two(strings.index(kind), strings.index(unit)));
        for sample in &self.samples {
            self.put_sample(&mut out, &mut strings, sample);
        }
        for (at, frame) in self.frames.iter().enumerate() {
            let mut location = Vec::new();
            number(&mut location, 1, at as u64 + 1);
            number(&mut location, 2, self.mapping(frame));
            message(
                &mut location,
                4,
                &two(
                    u64::from(frame.method.0) + 1,
                    frame.line.unwrap_or(0).into(),
                ),
            );
            message(&mut out, 4, &location);
        }
        for (id, name) in [(1, JAVA), (2, OTHER)] {
            if self.frames.iter().any(|frame| self.mapping(frame) == id) {
                message(&mut out, 3, &mapping(id, strings.index(name)));
            }
        }
        for (at, method) in self.methods.iter().enumerate() {
            let mut function = Vec::new();
            number(&mut function, 1, at as u64 + 1);
            number(&mut function, 2, strings.index(&method.to_string()));
            message(&mut out, 5, &function);
        }
        let tool = format!("{TOOL}{}", self.tool);
        number(&mut out, 13, strings.index(&tool));
        for remark in &self.remarks {
            number(&mut out, 13, strings.index(remark)); // comment
        }
        if let Some(interval) = self.interval_ns() {
            let event = self.events.first().map_or("", |event| &event.name);
            let period_type = two(strings.index(event), strings.index("nanoseconds"));
            message(&mut out, 11, &period_type);
            number(&mut out, 12, interval);
        }
        for text in &strings.list {
            message(&mut out, 6, text.as_bytes());
        }
        out
    }

    /// Number of a frame's mapping.
    fn mapping(&self, frame: &Frame) -> u64 {
        if self.is_java(frame) { 1 } else { 2 }
    }

    fn put_sample(&self, out: &mut Vec<u8>, strings: &mut Strings, sample: &crate::model::Sample) {
        let mut body = Vec::new();
        for frame in &self.stacks[sample.stack.index()] {
            number(&mut body, 1, u64::from(frame.0) + 1);
        }
        number(&mut body, 2, sample.weight.round() as i64 as u64);
        if let Some(thread) = sample.thread.map(|t| &self.threads[t.index()]) {
            if let Some(name) = &thread.name {
                message(
                    &mut body,
                    3,
                    &two(strings.index("thread"), strings.index(name)),
                );
            }
            if let Some(id) = thread.os_id {
                let mut label = Vec::new();
                number(&mut label, 1, strings.index("tid"));
                number(&mut label, 3, id as u64);
                message(&mut body, 3, &label);
            }
        }
        message(out, 2, &body);
    }
}

/// The string table.
#[derive(Default)]
struct Strings {
    list: Vec<String>,
    known: HashMap<String, u64>,
}

impl Strings {
    fn index(&mut self, text: &str) -> u64 {
        if let Some(known) = self.known.get(text) {
            return *known;
        }
        let index = self.list.len() as u64;
        self.list.push(text.to_owned());
        self.known.insert(text.to_owned(), index);
        index
    }
}

/// A mapping all of whose functions, files, lines and inlined frames are known, so that no tool looks for them.
fn mapping(id: u64, name: u64) -> Vec<u8> {
    let mut out = Vec::new();
    number(&mut out, 1, id);
    number(&mut out, 5, name);
    for known in 7..=10 {
        number(&mut out, known, 1);
    }
    out
}

/// A message of the fields 1 and 2.
fn two(first: u64, second: u64) -> Vec<u8> {
    let mut out = Vec::new();
    number(&mut out, 1, first);
    number(&mut out, 2, second);
    out
}

fn number(out: &mut Vec<u8>, field: u64, value: u64) {
    varint(out, field << 3);
    varint(out, value);
}

fn message(out: &mut Vec<u8>, field: u64, body: &[u8]) {
    varint(out, field << 3 | 2);
    varint(out, body.len() as u64);
    out.extend_from_slice(body);
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}
