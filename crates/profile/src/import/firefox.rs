//! Profiles of the Firefox Profiler: processed ones, as it saves them and samply writes them, and those of Firefox itself.

use std::collections::HashMap;

use serde_json::Value;

use crate::builder::Builder;
use crate::error::ImportError;
use crate::identity::MethodId;
use crate::import::Format;
use crate::import::async_words::is_vm;
use crate::import::collapsed::looks_java;
use crate::model::*;

/// Deepest stack that is kept; a small file can hold a long chain and many samples of its end.
const MAX_DEPTH: usize = 1024;

/// Reads every thread.
pub(super) fn import(json: &Value) -> Result<Profile, ImportError> {
    let meta = &json["meta"];
    let recorded = super::gecko::threads(json);
    let threads = recorded.as_deref().unwrap_or(rows(&json["threads"]));
    let weights = Weights::of_all(threads);
    let mut builder = Builder::new(
        Format::Firefox,
        meta["product"].as_str().unwrap_or("Firefox Profiler"),
        weights.kind,
    );
    let head = builder.head();
    head.unit = weights.unit;
    head.clock = if meta["startTime"].is_number() {
        Clock::Epoch
    } else {
        Clock::Start
    };
    let interval_ns = meta["interval"].as_f64().map(|ms| (ms * 1e6) as u64);
    // Of times that were traced, or of bytes, it says nothing.
    head.events[0].interval_ns = interval_ns.filter(|_| weights.unit == Unit::Samples);
    head.version = meta["appBuildID"].as_str().map(str::to_owned);
    let start_ns = meta["startTime"].as_f64().unwrap_or(0.0) * 1e6;
    for thread in threads {
        if is_empty(thread) || Weights::of(thread) == weights {
            Importer::new(json, thread, start_ns as i64).thread(&mut builder, weights.scale);
        } else {
            builder.head().incomplete = true;
            builder.remark(format!(
                "threads whose weights are no {} were left out",
                weights.kind
            ));
        }
    }
    let head = builder.head();
    if head.samples.is_empty() {
        return Err(ImportError::Empty {
            format: Format::Firefox,
        });
    }
    builder.remark("the profile does not say which functions are Java, so names decided");
    Ok(builder.finish())
}

/// What the weights of a thread's samples are.
#[derive(Clone, Copy, PartialEq)]
struct Weights<'a> {
    /// As the file calls it.
    kind: &'a str,
    unit: Unit,
    /// Factor from the file's unit to ours.
    scale: f64,
}

impl<'a> Weights<'a> {
    /// Samples, where the file does not say it.
    fn of(thread: &'a Value) -> Self {
        let kind = thread["samples"]["weightType"].as_str();
        let kind = kind.unwrap_or("samples");
        let (unit, scale) = match kind {
            "samples" => (Unit::Samples, 1.0),
            "tracing-ms" => (Unit::Nanoseconds, 1e6),
            "bytes" => (Unit::Bytes, 1.0),
            _ => (Unit::Count, 1.0),
        };
        Self { kind, unit, scale }
    }

    /// Those of the first thread that has samples: a profile has one unit.
    fn of_all(threads: &'a [Value]) -> Self {
        let first = threads.iter().find(|thread| !is_empty(thread));
        Self::of(first.unwrap_or(&Value::Null))
    }
}

fn is_empty(thread: &Value) -> bool {
    rows(&thread["samples"]["stack"]).is_empty()
}

/// True for this format's object.
pub(super) fn is_profile(json: &Value) -> bool {
    json["meta"].is_object() && json["threads"].is_array()
}

pub(super) fn rows(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

pub(super) fn at(column: &Value, row: u64) -> &Value {
    column
        .get(usize::try_from(row).unwrap_or(usize::MAX))
        .unwrap_or(&Value::Null)
}

struct Importer<'a> {
    thread: &'a Value,
    stacks: &'a Value,
    frames: &'a Value,
    functions: &'a Value,
    resources: &'a Value,
    strings: &'a Value,
    start_ns: i64,
    /// Stacks and frames by their row.
    known_stacks: HashMap<Option<u64>, (StackIdx, bool)>,
    known_frames: HashMap<u64, FrameIdx>,
}

impl<'a> Importer<'a> {
    /// Tables belong to the thread, in newer files to all threads together.
    fn new(json: &'a Value, thread: &'a Value, start_ns: i64) -> Self {
        let table = |name: &str| {
            if thread[name].is_null() {
                &json["shared"][name]
            } else {
                &thread[name]
            }
        };
        Self {
            thread,
            stacks: table("stackTable"),
            frames: table("frameTable"),
            functions: table("funcTable"),
            resources: table("resourceTable"),
            strings: table("stringArray"),
            start_ns,
            known_stacks: HashMap::new(),
            known_frames: HashMap::new(),
        }
    }

    fn thread(mut self, builder: &mut Builder, scale: f64) {
        let id = &self.thread["tid"];
        // samply writes `7243.1` where an id comes again.
        let number = |text: &str| text.split('.').next()?.parse().ok();
        let os_id = id.as_i64().or_else(|| id.as_str().and_then(number));
        let name = self.thread["name"].as_str().map(str::to_owned);
        let thread = Some(builder.thread(Thread {
            name,
            os_id,
            java_id: None,
        }));
        let samples = &self.thread["samples"];
        let mut elapsed_ms = 0.0;
        for (row, stack) in (0..).zip(rows(&samples["stack"])) {
            elapsed_ms = match at(&samples["timeDeltas"], row).as_f64() {
                Some(delta) => elapsed_ms + delta,
                None => at(&samples["time"], row).as_f64().unwrap_or(elapsed_ms),
            };
            let (stack, empty) = self.interned(stack.as_u64(), builder);
            let failure = empty.then(|| builder.failure("no stack"));
            let weight = at(&samples["weight"], row).as_f64().unwrap_or(1.0) * scale;
            let time_ns = Some(self.start_ns.saturating_add((elapsed_ms * 1e6) as i64));
            builder.sample(Sample {
                thread,
                time_ns,
                weight,
                stack,
                event: EventIdx(0),
                failure,
            });
        }
    }

    /// The stack of a row, and whether it is empty.
    fn interned(&mut self, row: Option<u64>, builder: &mut Builder) -> (StackIdx, bool) {
        if let Some(known) = self.known_stacks.get(&row) {
            return *known;
        }
        let frames = self.stack(row, builder);
        let stack = (builder.stack(&frames), frames.is_empty());
        self.known_stacks.insert(row, stack);
        stack
    }

    /// Follows the prefixes to the root, or as deep as is kept. A damaged table could have a circle.
    fn stack(&mut self, leaf: Option<u64>, builder: &mut Builder) -> Vec<FrameIdx> {
        let (mut frames, mut next) = (Vec::new(), leaf);
        let rows_left = rows(&self.stacks["frame"]).len();
        for _ in 0..rows_left.min(MAX_DEPTH) {
            let Some(row) = next else { break };
            let frame = at(&self.stacks["frame"], row).as_u64();
            frames.extend(frame.map(|frame| self.frame(frame, builder)));
            next = at(&self.stacks["prefix"], row).as_u64();
        }
        if next.is_some() && rows_left > 0 {
            builder.head().incomplete = true;
            builder.remark(format!(
                "stacks deeper than {MAX_DEPTH} frames, or in a circle, were cut at their root"
            ));
        }
        frames
    }

    fn frame(&mut self, row: u64, builder: &mut Builder) -> FrameIdx {
        if let Some(known) = self.known_frames.get(&row) {
            return *known;
        }
        let frame = self.new_frame(row, builder);
        self.known_frames.insert(row, frame);
        frame
    }

    fn new_frame(&self, row: u64, builder: &mut Builder) -> FrameIdx {
        let function = at(&self.frames["func"], row).as_u64().unwrap_or(u64::MAX);
        let name = self
            .text(&self.functions["name"], function)
            .unwrap_or("[unknown]");
        if is_address(name) {
            return self.unnamed(function, builder);
        }
        let inlined = at(&self.frames["inlineDepth"], row).as_u64().unwrap_or(0) > 0;
        let typed = MethodId::parse(name).filter(|m| m.descriptor.is_some() && name.contains(' '));
        let java = typed.or_else(|| {
            if looks_java(name) {
                MethodId::parse(name)
            } else {
                None
            }
        });
        let kind = match &java {
            Some(_) if inlined => FrameKind::Inlined,
            Some(_) => FrameKind::Jit,
            None if is_vm(name) => FrameKind::Vm,
            None => FrameKind::Native,
        };
        let method = builder.method(java.unwrap_or_else(|| MethodId::symbol(name)));
        let line = at(&self.frames["line"], row)
            .as_u64()
            .and_then(|line| u32::try_from(line).ok());
        builder.frame(Frame {
            method,
            kind,
            line,
            bci: None,
        })
    }

    /// The text that a column's row names.
    fn text(&self, column: &Value, row: u64) -> Option<&'a str> {
        at(self.strings, at(column, row).as_u64()?).as_str()
    }

    /// Native code without symbols: what is known of it is its library.
    fn unnamed(&self, function: u64, builder: &mut Builder) -> FrameIdx {
        let resource = at(&self.functions["resource"], function).as_u64();
        let library = resource.and_then(|row| self.text(&self.resources["name"], row));
        let name = format!("[{}]", library.unwrap_or("unknown"));
        builder.remark(
            "native functions have addresses for names, so each library counts as one function",
        );
        builder.plain_frame(MethodId::symbol(&name), FrameKind::Native)
    }
}

/// True for `0x1f2e`: samply looks symbols up when it shows a profile, not when it writes one.
pub(super) fn is_address(name: &str) -> bool {
    let digits = name.strip_prefix("0x").unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_hexdigit())
}
