//! pprof: protocol buffers, mostly in gzip.

mod raw;
mod wire;

use self::raw::Raw;
use self::wire::fields;
use crate::builder::Builder;
use crate::error::ImportError;
use crate::identity::MethodId;
use crate::import::Format;
use crate::import::async_words::is_failure;
use crate::import::collapsed::{looks_java, thread_frame};
use crate::model::*;

/// Reads one profile. Of several values per sample the last counts, as in Go's tools, unless the file names another.
pub(super) fn import(bytes: &[u8]) -> Result<Profile, ImportError> {
    let raw = Raw::read(bytes).map_err(|left| {
        ImportError::damaged(
            Format::Pprof,
            (bytes.len() - left) as u64,
            "a field runs past the end",
        )
    })?;
    if raw.samples.is_empty() {
        return Err(ImportError::Empty {
            format: Format::Pprof,
        });
    }
    Ok(Importer::new(&raw).profile())
}

/// True if the bytes are a message with the parts of a profile and an empty first string.
pub(super) fn is_pprof(bytes: &[u8]) -> bool {
    let looks = bytes
        .first()
        .is_some_and(|tag| matches!(tag, 0x0a | 0x12 | 0x22 | 0x32));
    looks && Raw::read(bytes).is_ok_and(|raw| raw.strings.first().is_some_and(String::is_empty))
}

struct Importer<'r, 'a> {
    raw: &'r Raw<'a>,
    builder: Builder,
    /// Factor from the file's unit to ours.
    scale: f64,
}

impl<'r, 'a> Importer<'r, 'a> {
    fn new(raw: &'r Raw<'a>) -> Self {
        let (kind, unit) = raw
            .types
            .get(raw.value_index())
            .copied()
            .unwrap_or_default();
        let mut builder = Builder::new(Format::Pprof, "pprof", raw.string(kind));
        let (unit, scale) = match (raw.string(unit), raw.string(kind)) {
            ("nanoseconds" | "ns", _) => (Unit::Nanoseconds, 1.0),
            ("microseconds" | "us", _) => (Unit::Nanoseconds, 1e3),
            ("milliseconds" | "ms", _) => (Unit::Nanoseconds, 1e6),
            ("seconds" | "s", _) => (Unit::Nanoseconds, 1e9),
            ("count", "samples" | "cpu" | "sample") => (Unit::Samples, 1.0),
            _ => (Unit::Count, 1.0),
        };
        let head = builder.head();
        head.unit = unit;
        head.events[0].interval_ns =
            (unit == Unit::Nanoseconds && raw.period > 0).then(|| raw.period * scale as u64);
        Self {
            raw,
            builder,
            scale,
        }
    }

    fn profile(mut self) -> Profile {
        for bytes in &self.raw.samples {
            self.sample(bytes);
        }
        self.builder
            .remark("pprof does not say which functions are Java, so names decided");
        let head = self.builder.head();
        head.overloads_merged = head.methods.iter().all(|m| m.descriptor.is_none());
        self.builder.finish()
    }

    fn sample(&mut self, bytes: &[u8]) {
        let (mut locations, mut values, mut thread) = (Vec::new(), Vec::new(), Thread::default());
        for (number, value) in fields(bytes).map_while(Result::ok) {
            match number {
                1 => locations.extend(value.numbers()),
                2 => values.extend(value.numbers()),
                3 => self.label(value.bytes(), &mut thread),
                _ => {}
            }
        }
        let mut frames = Vec::new();
        for location in locations {
            self.location(location, &mut frames);
        }
        let leaf = frames
            .first()
            .map(|&frame| self.builder.head().method_of(frame).clone());
        let failure = leaf
            .filter(|m| is_failure(&m.name))
            .map(|m| self.builder.failure(&m.name));
        let weight = values
            .get(self.raw.value_index())
            .map_or(0.0, |&v| v as i64 as f64)
            * self.scale;
        let thread = (thread != Thread::default()).then(|| self.builder.thread(thread));
        let stack = self.builder.stack(&frames);
        self.builder.sample(Sample {
            thread,
            time_ns: None,
            weight,
            stack,
            event: EventIdx(0),
            failure,
        });
    }

    /// Labels for threads have no fixed names.
    fn label(&self, bytes: &[u8], thread: &mut Thread) {
        let (mut key, mut text, mut number) = (0, 0, 0);
        for (field, value) in fields(bytes).map_while(Result::ok) {
            match field {
                1 => key = value.number(),
                2 => text = value.number(),
                3 => number = value.number() as i64,
                _ => {}
            }
        }
        let text = self.raw.string(text);
        match self.raw.string(key) {
            "thread" | "thread_name" | "threadname" | "thread name" => match thread_frame(text) {
                Some(known) => *thread = known,
                None => thread.name = Some(text.to_owned()),
            },
            "tid" | "thread_id" | "thread id" => thread.os_id = text.parse().ok().or(Some(number)),
            _ => {}
        }
    }

    fn location(&mut self, id: u64, frames: &mut Vec<FrameIdx>) {
        let raw = self.raw;
        let Some(lines) = raw.locations.get(&id) else {
            return;
        };
        for (at, &(function, line)) in lines.iter().enumerate() {
            let name = raw
                .functions
                .get(&function)
                .map_or("[unknown]", |&name| raw.string(name));
            let java = if looks_java(name) {
                MethodId::parse(name)
            } else {
                None
            };
            let kind = match &java {
                Some(_) if at + 1 < lines.len() => FrameKind::Inlined,
                Some(_) => FrameKind::Unknown,
                None => FrameKind::Native,
            };
            let method = self
                .builder
                .method(java.unwrap_or_else(|| MethodId::symbol(name)));
            let line = u32::try_from(line).ok().filter(|&line| line > 0);
            frames.push(self.builder.frame(Frame {
                method,
                kind,
                line,
                bci: None,
            }));
        }
        if lines.is_empty() {
            frames.push(
                self.builder
                    .plain_frame(MethodId::symbol("[unknown]"), FrameKind::Native),
            );
        }
    }
}
