//! Events become samples, losses and marks.

use std::collections::HashMap;

use super::chunk::Chunk;
use super::value::Value;
use crate::builder::Builder;
use crate::identity::MethodId;
use crate::import::async_words::{is_failure, is_vm};
use crate::model::*;

const EXECUTION: &str = "jdk.ExecutionSample";
const NATIVE: &str = "jdk.NativeMethodSample";
const CPU_TIME: &str = "jdk.CPUTimeSample";
const CPU_TIME_LOST: &str = "jdk.CPUTimeSamplesLost";
const WINDOW: &str = "proofmark.Window";

/// Adds a chunk's events to a profile, reading every stack and thread once.
pub(super) struct Recorder<'a, 'b> {
    chunk: &'a Chunk<'a>,
    builder: &'b mut Builder,
    stacks: HashMap<i64, StackIdx>,
    threads: HashMap<i64, Option<ThreadIdx>>,
}

impl<'a, 'b> Recorder<'a, 'b> {
    pub(super) fn new(chunk: &'a Chunk<'a>, builder: &'b mut Builder) -> Self {
        Self {
            chunk,
            builder,
            stacks: HashMap::new(),
            threads: HashMap::new(),
        }
    }

    /// True for events that mean something here.
    pub(super) fn wants(name: &str) -> bool {
        matches!(
            name,
            EXECUTION | NATIVE | CPU_TIME | CPU_TIME_LOST | WINDOW | super::settings::EVENT
        )
    }

    /// Adds one event.
    pub(super) fn event(&mut self, name: &str, event: &Value) {
        match name {
            WINDOW => self.window(event),
            CPU_TIME_LOST => self.lost(event),
            _ => self.sample(name, event),
        }
    }

    fn sample(&mut self, name: &str, event: &Value) {
        let failed = self.chunk.int(event, "failed") == Some(1);
        let stack = self.stack(event);
        let unwalked = failed || self.builder.head().stacks[stack.index()].is_empty();
        let failure = unwalked.then(|| {
            self.builder
                .failure(if failed { "failed" } else { "no stack trace" })
        });
        let sample = Sample {
            thread: self.thread(event),
            time_ns: self.time(event),
            weight: 1.0,
            stack,
            event: self.builder.event(name),
            failure: failure.or_else(|| self.leaf_failure(stack)),
        };
        self.builder.sample(sample);
    }

    /// async-profiler puts a word in brackets where it could not walk the stack.
    fn leaf_failure(&mut self, stack: StackIdx) -> Option<u32> {
        let head = self.builder.head();
        let leaf = *head.stacks[stack.index()].first()?;
        let method = head.method_of(leaf);
        let reason =
            (method.class.is_empty() && is_failure(&method.name)).then(|| method.name.clone());
        reason.map(|reason| self.builder.failure(&reason))
    }

    fn lost(&mut self, event: &Value) {
        let samples = self
            .chunk
            .int(event, "lostSamples")
            .and_then(|n| u64::try_from(n).ok())
            .unwrap_or(0);
        let loss = Loss {
            thread: self.thread(event),
            time_ns: self.time(event),
            samples,
            reason: CPU_TIME_LOST.to_owned(),
        };
        self.builder.head().losses.push(loss);
    }

    fn window(&mut self, event: &Value) {
        let begin = self.chunk.int(event, "startTime").unwrap_or(0);
        let duration = self.chunk.int(event, "duration").unwrap_or(0);
        let begin_ns = self.chunk.header.epoch_ns(begin);
        let mark = Mark {
            label: self.chunk.text(event, "label").unwrap_or("").to_owned(),
            index: self.chunk.int(event, "index").unwrap_or(-1),
            begin_ns,
            end_ns: begin_ns.saturating_add(self.chunk.header.duration_ns(duration)),
        };
        self.builder.head().marks.push(mark);
    }

    fn time(&self, event: &Value) -> Option<i64> {
        self.chunk
            .int(event, "startTime")
            .map(|ticks| self.chunk.header.epoch_ns(ticks))
    }

    fn thread(&mut self, event: &Value) -> Option<ThreadIdx> {
        let chunk = self.chunk;
        let field = chunk
            .raw(event, "sampledThread")
            .or_else(|| chunk.raw(event, "eventThread"))?;
        let Value::Ref { index, .. } = field else {
            return None;
        };
        let builder = &mut *self.builder;
        *self.threads.entry(*index).or_insert_with(|| {
            let thread = read_thread(chunk, chunk.resolve(field))?;
            Some(builder.thread(thread))
        })
    }

    fn stack(&mut self, event: &Value) -> StackIdx {
        let chunk = self.chunk;
        let key = match chunk.raw(event, "stackTrace") {
            Some(Value::Ref { index, .. }) => *index,
            _ => 0,
        };
        if let Some(known) = self.stacks.get(&key) {
            return *known;
        }
        let frames: Vec<FrameIdx> = match chunk
            .get(event, "stackTrace")
            .and_then(|trace| chunk.get(trace, "frames"))
        {
            Some(Value::Array(frames)) => frames.iter().map(|frame| self.frame(frame)).collect(),
            _ => Vec::new(),
        };
        let stack = self.builder.stack(&frames);
        self.stacks.insert(key, stack);
        stack
    }

    fn frame(&mut self, frame: &Value) -> FrameIdx {
        let chunk = self.chunk;
        let kind = chunk
            .get(frame, "type")
            .and_then(|t| chunk.text(t, "description"))
            .map_or(FrameKind::Unknown, kind);
        let number = |name| chunk.int(frame, name).and_then(|n| u32::try_from(n).ok());
        let line = number("lineNumber").filter(|&line| line > 0);
        let bci = number("bytecodeIndex");
        let (id, kind) = self.method(frame, kind);
        let method = self.builder.method(id);
        self.builder.frame(Frame {
            method,
            kind,
            line,
            bci,
        })
    }

    /// The method of a frame. async-profiler makes methods of native symbols too, with the library as their class.
    fn method(&mut self, frame: &Value, kind: FrameKind) -> (MethodId, FrameKind) {
        let Some(method) = self.chunk.get(frame, "method") else {
            return (MethodId::symbol("[unknown]"), kind);
        };
        let id = read_method(self.chunk, method);
        let foreign = matches!(kind, FrameKind::Native | FrameKind::Kernel);
        if !foreign || self.builder.head().tool != "async-profiler" {
            return (id, kind);
        }
        let kind = if is_vm(&id.name) { FrameKind::Vm } else { kind };
        (MethodId::symbol(&id.name), kind)
    }
}

fn read_thread(chunk: &Chunk<'_>, thread: &Value) -> Option<Thread> {
    let name = |field| {
        chunk
            .text(thread, field)
            .filter(|n| !n.is_empty())
            .map(str::to_owned)
    };
    let id = |field| chunk.int(thread, field).filter(|&id| id > 0);
    matches!(thread, Value::Object(..)).then(|| Thread {
        name: name("javaName").or_else(|| name("osName")),
        os_id: id("osThreadId"),
        java_id: id("javaThreadId"),
    })
}

/// A Java method, or a symbol if it has no class (native frames of async-profiler).
fn read_method(chunk: &Chunk<'_>, method: &Value) -> MethodId {
    let class = chunk
        .get(method, "type")
        .and_then(|class| chunk.text(class, "name"))
        .unwrap_or("");
    let name = chunk.text(method, "name").unwrap_or("[unknown]");
    if class.is_empty() {
        return MethodId::symbol(name);
    }
    MethodId::new(class, name, chunk.text(method, "descriptor"))
}

fn kind(description: &str) -> FrameKind {
    match description {
        "Interpreted" => FrameKind::Interpreted,
        "JIT compiled" | "C1 compiled" => FrameKind::Jit,
        "Inlined" => FrameKind::Inlined,
        "Native" | "C++" => FrameKind::Native,
        "Kernel" => FrameKind::Kernel,
        _ => FrameKind::Unknown,
    }
}

/// CPU-time samples say more than execution samples: if there are any, they are the main event.
pub(super) fn put_main_event_first(profile: &mut Profile) {
    let Some(at) = profile
        .events
        .iter()
        .position(|event| event.name == CPU_TIME)
    else {
        return;
    };
    profile.events.swap(0, at);
    for sample in &mut profile.samples {
        sample.event = match sample.event.index() {
            0 => EventIdx(at as u32),
            index if index == at => EventIdx(0),
            _ => sample.event,
        };
    }
}
