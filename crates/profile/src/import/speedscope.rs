//! speedscope's JSON: sampled profiles, and evented ones, whose stacks are rebuilt from entries and exits.

use serde_json::Value;

use super::language::{Language, java_method};
use crate::builder::Builder;
use crate::error::ImportError;
use crate::identity::MethodId;
use crate::import::Format;
use crate::model::*;

/// Deepest stack that is kept, from its leaf; a small file can enter many functions and never leave them.
const MAX_DEPTH: usize = 1024;

/// Reads all profiles of a file that have the unit of the first; each is a thread.
pub(super) fn import(json: &Value) -> Result<Profile, ImportError> {
    let tool = json["exporter"].as_str().unwrap_or("unknown tool");
    let builder = Builder::new(Format::Speedscope, tool, "samples");
    let profiles = list(&json["profiles"]);
    let mut importer = Importer {
        scale: 1.0,
        frames: Vec::new(),
        builder,
    };
    importer.frames(list(&json["shared"]["frames"]));
    let unit = profiles.first().map_or("none", unit_of);
    importer.unit(unit);
    for profile in profiles {
        if unit_of(profile) == unit {
            importer.profile(profile);
        } else {
            importer.leave_out(&format!(
                "profiles in another unit than {unit} were left out"
            ));
        }
    }
    importer.finish()
}

/// True for this format's object.
pub(super) fn is_profile(json: &Value) -> bool {
    json["shared"]["frames"].is_array() && json["profiles"].is_array()
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn unit_of(profile: &Value) -> &str {
    profile["unit"].as_str().unwrap_or("none")
}

struct Importer {
    builder: Builder,
    /// Frames by their number in the file.
    frames: Vec<FrameIdx>,
    /// Factor from the file's unit to ours.
    scale: f64,
}

impl Importer {
    fn frames(&mut self, frames: &[Value]) {
        for frame in frames {
            let name = frame["name"].as_str().unwrap_or("[unknown]");
            let language = Language::of(frame["file"].as_str().unwrap_or(""));
            let java = java_method(name, language);
            if language == Language::Unknown {
                self.builder
                    .remark("not every frame has a source file, so names decided which are Java");
            }
            let kind = match java {
                Some(_) => FrameKind::Unknown,
                None => FrameKind::Native,
            };
            let id = java.unwrap_or_else(|| MethodId::symbol(name));
            let method = self.builder.method(id);
            let line = frame["line"].as_u64().and_then(|line| line.try_into().ok());
            let bci = None;
            self.frames.push(self.builder.frame(Frame {
                method,
                kind,
                line,
                bci,
            }));
        }
    }

    fn unit(&mut self, unit: &str) {
        let (unit, scale) = match unit {
            "nanoseconds" => (Unit::Nanoseconds, 1.0),
            "microseconds" => (Unit::Nanoseconds, 1e3),
            "milliseconds" => (Unit::Nanoseconds, 1e6),
            "seconds" => (Unit::Nanoseconds, 1e9),
            "bytes" => (Unit::Bytes, 1.0),
            _ => (Unit::Samples, 1.0),
        };
        self.builder.head().unit = unit;
        self.scale = scale;
    }

    fn profile(&mut self, profile: &Value) {
        let name = profile["name"].as_str().unwrap_or("");
        let thread = (!name.is_empty()).then(|| {
            self.builder.thread(Thread {
                name: Some(name.to_owned()),
                ..Thread::default()
            })
        });
        if profile["type"] == "evented" {
            self.evented(thread, list(&profile["events"]));
            return;
        }
        let weights = list(&profile["weights"]);
        for (at, stack) in list(&profile["samples"]).iter().enumerate() {
            let frames: Option<Vec<FrameIdx>> = list(stack).iter().map(|f| self.frame(f)).collect();
            let weight = match weights.get(at) {
                Some(weight) => weight.as_f64(),
                None if weights.is_empty() => Some(1.0),
                None => None,
            };
            match (frames, weight) {
                (Some(frames), Some(weight)) => self.sample(thread, &frames, weight),
                _ => self.leave_out(
                    "samples without weight, or of frames that are not there, were left out",
                ),
            }
        }
    }

    /// The time between two events belongs to the stack that is open then.
    fn evented(&mut self, thread: Option<ThreadIdx>, events: &[Value]) {
        let (mut open, mut last) = (Vec::new(), None);
        for event in events {
            let (Some(frame), Some(at)) = (self.frame(&event["frame"]), event["at"].as_f64())
            else {
                self.leave_out(
                    "events without time, or of frames that are not there, were left out",
                );
                continue;
            };
            if let Some(last) = last.replace(at)
                && at > last
                && !open.is_empty()
            {
                self.sample(thread, &open, at - last);
            }
            if event["type"] == "O" {
                open.push(frame);
            } else if open.last() == Some(&frame) {
                open.pop();
            } else {
                self.leave_out(
                    "events that leave a function which was not entered last were left out",
                );
            }
        }
    }

    fn frame(&self, number: &Value) -> Option<FrameIdx> {
        let at = usize::try_from(number.as_u64()?).ok()?;
        self.frames.get(at).copied()
    }

    /// Adds a sample of a stack, root first.
    fn sample(&mut self, thread: Option<ThreadIdx>, frames: &[FrameIdx], weight: f64) {
        if frames.len() > MAX_DEPTH {
            self.leave_out(&format!(
                "stacks deeper than {MAX_DEPTH} frames were cut at their root"
            ));
        }
        let leaf_first: Vec<FrameIdx> = frames.iter().rev().take(MAX_DEPTH).copied().collect();
        let failure = leaf_first
            .is_empty()
            .then(|| self.builder.failure("no stack"));
        let stack = self.builder.stack(&leaf_first);
        self.builder.sample(Sample {
            thread,
            time_ns: None,
            weight: weight * self.scale,
            stack,
            event: EventIdx(0),
            failure,
        });
    }

    fn leave_out(&mut self, what: &str) {
        self.builder.head().incomplete = true;
        self.builder.remark(what);
    }

    fn finish(mut self) -> Result<Profile, ImportError> {
        if self.builder.head().samples.is_empty() {
            return Err(ImportError::Empty {
                format: Format::Speedscope,
            });
        }
        Ok(self.builder.finish())
    }
}
