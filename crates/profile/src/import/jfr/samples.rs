//! Events become samples, losses and marks.

mod stacks;

use super::chunk::Chunk;
use super::value::Value;
use crate::builder::Builder;
use crate::hash::Numbered;
use crate::import::async_words::is_failure;
use crate::model::*;

const EXECUTION: &str = "jdk.ExecutionSample";
const NATIVE: &str = "jdk.NativeMethodSample";
/// The event whose samples are of CPU time.
pub(super) const CPU_TIME: &str = "jdk.CPUTimeSample";
const CPU_TIME_LOST: &str = "jdk.CPUTimeSamplesLost";
const WINDOW: &str = "proofmark.Window";
const JVM: &str = "jdk.JVMInformation";

/// Adds a chunk's events to a profile, reading every stack and thread once.
pub(super) struct Recorder<'a, 'b> {
    chunk: &'a Chunk<'a>,
    builder: &'b mut Builder,
    stacks: Numbered<i64, StackIdx>,
    threads: Numbered<i64, Option<ThreadIdx>>,
    /// Methods by their number and whether the frame is foreign, with what is told of a foreign one.
    methods: Numbered<(i64, bool), (MethodIdx, bool)>,
    /// Kinds of frames by their number.
    kinds: Numbered<i64, FrameKind>,
    /// Bytes of names that may still come. Many methods can share one long name.
    names_left: usize,
}

impl<'a, 'b> Recorder<'a, 'b> {
    pub(super) fn new(chunk: &'a Chunk<'a>, builder: &'b mut Builder) -> Self {
        Self {
            chunk,
            builder,
            stacks: Numbered::default(),
            threads: Numbered::default(),
            methods: Numbered::default(),
            kinds: Numbered::default(),
            names_left: chunk.bytes_len().saturating_mul(16).saturating_add(1 << 20),
        }
    }

    /// False if the chunk has meant more names than it can hold.
    pub(super) fn names_fit(&self) -> bool {
        self.names_left > 0
    }

    /// True for events that mean something here.
    pub(super) fn wants(name: &str) -> bool {
        matches!(
            name,
            EXECUTION | NATIVE | CPU_TIME | CPU_TIME_LOST | WINDOW | JVM | super::settings::EVENT
        )
    }

    /// Adds one event.
    pub(super) fn event(&mut self, name: &str, event: &Value) {
        match name {
            WINDOW => self.window(event),
            CPU_TIME_LOST => self.lost(event),
            JVM => self.version("JFR", event, "jvmVersion"),
            super::settings::EVENT => {
                if self.chunk.text(event, "name") == Some("version") {
                    self.version("async-profiler", event, "value");
                }
            }
            _ => self.sample(name, event),
        }
    }

    /// Takes the version of the tool that wrote the file.
    fn version(&mut self, tool: &str, event: &Value, field: &str) {
        let version = self.chunk.text(event, field);
        let head = self.builder.head();
        if head.tool == tool && head.version.is_none() {
            head.version = version.map(str::to_owned);
        }
    }

    fn sample(&mut self, name: &str, event: &Value) {
        if self.lost_its_stack(event) {
            return;
        }
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

    /// True if the stack was behind the place where the file breaks off.
    fn lost_its_stack(&self, event: &Value) -> bool {
        let missing = |stack: &Value| *self.chunk.resolve(stack) == Value::Null;
        let stack = self.chunk.raw(event, "stackTrace");
        self.chunk.cut.is_some()
            && stack.is_some_and(|s| matches!(s, Value::Ref { .. }) && missing(s))
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
        self.builder.loss(loss);
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
