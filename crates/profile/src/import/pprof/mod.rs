//! pprof: protocol buffers, mostly in gzip.

mod raw;
mod wire;

use self::raw::{Raw, time_unit_ns};
use self::wire::fields;
use crate::builder::Builder;
use crate::error::ImportError;
use crate::export::pprof::{JAVA, OTHER, TOOL};
use crate::identity::MethodId;
use crate::import::Format;
use crate::import::async_words::is_failure;
use crate::import::collapsed::thread_frame;
use crate::import::language::{Language, java_method};
use crate::model::*;

/// Reads one profile. Of several values per sample the last counts, as in Go's tools, unless the file names another.
pub(super) fn import(bytes: &[u8]) -> Result<Profile, ImportError> {
    let reading = Raw::read(bytes);
    let damage = reading.damaged_at.map(|at| {
        let what = "a whole field of a profile was expected";
        ImportError::damaged(Format::Pprof, at as u64, what)
    });
    match damage {
        Some(damage) if !reading.raw.has_names() => return Err(damage),
        None if reading.raw.samples.is_empty() => {
            return Err(ImportError::Empty {
                format: Format::Pprof,
            });
        }
        _ => {}
    }
    let mut importer = Importer::new(&reading.raw, bytes.len());
    importer.samples()?;
    if let Some(damage) = damage {
        importer.builder.stopped(damage)?;
    }
    Ok(importer.profile())
}

/// True if the bytes are a message with the parts of a profile and an empty first string, or begin like one.
pub(super) fn is_pprof(bytes: &[u8]) -> bool {
    // Go begins with the type of the period, others with the types of values; any part of a profile may come first.
    let looks = bytes.first().is_some_and(|tag| {
        matches!(
            tag,
            0x0a | 0x12 | 0x1a | 0x22 | 0x2a | 0x32 | 0x38 | 0x40 | 0x48 | 0x50 | 0x5a | 0x60
        )
    });
    if !looks {
        return false;
    }
    let reading = Raw::read(bytes);
    let first = reading.raw.strings.first().map(String::is_empty);
    match reading.damaged_at {
        None => first == Some(true),
        Some(_) => {
            let parts = !reading.raw.types.is_empty() && !reading.raw.samples.is_empty();
            parts && reading.fields >= 4 && first != Some(false)
        }
    }
}

struct Importer<'r, 'a> {
    raw: &'r Raw<'a>,
    builder: Builder,
    /// Factor from the file's unit to ours.
    scale: f64,
    /// Whether a name alone decided what is Java.
    guessed: bool,
    /// Frames that may still come. A few bytes can stand for many frames, again and again.
    frames_left: usize,
}

impl<'r, 'a> Importer<'r, 'a> {
    fn new(raw: &'r Raw<'a>, file_len: usize) -> Self {
        let (kind, unit) = raw
            .types
            .get(raw.value_index())
            .copied()
            .unwrap_or_default();
        let mut builder = Builder::new(Format::Pprof, "pprof", raw.string(kind));
        let time_ns = time_unit_ns(raw.string(unit));
        let (unit, scale) = match (time_ns, raw.string(unit), raw.string(kind)) {
            (Some(ns), ..) => (Unit::Nanoseconds, ns as f64),
            (None, "count", "samples" | "cpu" | "sample") => (Unit::Samples, 1.0),
            (None, "bytes", _) => (Unit::Bytes, 1.0),
            (None, "kilobytes" | "kb", _) => (Unit::Bytes, 1024.0),
            _ => (Unit::Count, 1.0),
        };
        if raw.types.len() > 1 {
            let names: Vec<&str> = raw
                .types
                .iter()
                .map(|&(name, _)| raw.string(name))
                .collect();
            builder.remark(format!(
                "of the values of a sample ({}) {} counts",
                names.join(", "),
                raw.string(kind)
            ));
        }
        let head = builder.head();
        head.unit = unit;
        if matches!(unit, Unit::Nanoseconds | Unit::Samples) {
            head.events[0].interval_ns = raw.period_ns(time_ns);
        }
        Self {
            raw,
            builder,
            scale,
            guessed: false,
            frames_left: file_len.saturating_mul(16).saturating_add(65_536),
        }
    }

    fn profile(mut self) -> Profile {
        if self.guessed {
            self.builder
                .remark("pprof does not say which functions are Java, so names decided");
        }
        let mut files = self.raw.functions.values();
        if files.any(|&(_, file)| Language::of(self.raw.string(file)) == Language::Go) {
            self.builder.head().tool = "Go".to_owned();
        }
        for &comment in &self.raw.comments {
            let text = self.raw.string(comment).trim();
            match text.strip_prefix(TOOL) {
                Some(tool) => self.builder.head().tool = tool.to_owned(),
                None if text.is_empty() => {}
                None => self.builder.remark(text),
            }
        }
        self.builder.finish()
    }

    /// Adds the samples up to the first that is damaged.
    fn samples(&mut self) -> Result<(), ImportError> {
        for &(at, bytes) in &self.raw.samples {
            if let Err(what) = self.sample(bytes) {
                let error = ImportError::damaged(Format::Pprof, at as u64, what);
                return self.builder.stopped(error);
            }
        }
        Ok(())
    }

    fn sample(&mut self, bytes: &[u8]) -> Result<(), &'static str> {
        let (mut locations, mut values, mut thread) = (Vec::new(), Vec::new(), Thread::default());
        for field in fields(bytes) {
            match field.map_err(|_| "a whole field of a sample was expected")? {
                (1, value) => locations.extend(value.numbers()),
                (2, value) => values.extend(value.numbers()),
                (3, value) => self.label(value.bytes(), &mut thread),
                _ => {}
            }
        }
        let value = values.get(self.raw.value_index());
        let value = *value.ok_or("as many values as the profile has types were expected")?;
        let mut frames = Vec::new();
        for location in locations {
            self.location(location, &mut frames)?;
        }
        let leaf = frames
            .first()
            .map(|&frame| self.builder.head().method_of(frame).clone());
        let failure = leaf
            .filter(|m| is_failure(&m.name))
            .map(|m| self.builder.failure(&m.name));
        let weight = value as i64 as f64 * self.scale;
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
        Ok(())
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

    fn location(&mut self, id: u64, frames: &mut Vec<FrameIdx>) -> Result<(), &'static str> {
        let raw = self.raw;
        let location = raw.locations.get(&id);
        let lines = location.map_or(&[][..], |location| location.lines.as_slice());
        let told = location.and_then(|location| language_of_mapping(raw.mapping(location)));
        let count = lines.len().max(1);
        let left = self.frames_left.checked_sub(count);
        self.frames_left = left.ok_or("fewer frames than the file can mean were expected")?;
        for (at, &(function, line)) in lines.iter().enumerate() {
            let (name, file) = raw.functions.get(&function).copied().unwrap_or_default();
            let name = Some(raw.string(name)).filter(|name| !name.is_empty());
            let name = name.unwrap_or("[unknown]");
            let language = told.unwrap_or_else(|| Language::of(raw.string(file)));
            self.guessed |= language == Language::Unknown;
            let java = java_method(name, language);
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
        Ok(())
    }
}

/// What a profile that Proofmark wrote says of a frame.
fn language_of_mapping(name: &str) -> Option<Language> {
    match name {
        JAVA => Some(Language::Jvm),
        OTHER => Some(Language::Other),
        _ => None,
    }
}
