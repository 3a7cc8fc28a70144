//! Stacks, their frames and methods, each read once.

use super::Recorder;
use crate::identity::MethodId;
use crate::import::async_words::is_vm;
use crate::import::jfr::chunk::Chunk;
use crate::import::jfr::value::Value;
use crate::model::{Frame, FrameIdx, FrameKind, MethodIdx, StackIdx};

impl Recorder<'_, '_> {
    pub(super) fn stack(&mut self, event: &Value) -> StackIdx {
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
        let kind = self.kind(frame);
        let number = |name| chunk.int(frame, name).and_then(|n| u32::try_from(n).ok());
        let line = number("lineNumber").filter(|&line| line > 0);
        let bci = number("bytecodeIndex");
        let (method, kind) = self.method(frame, kind);
        self.builder.frame(Frame {
            method,
            kind,
            line,
            bci,
        })
    }

    fn kind(&mut self, frame: &Value) -> FrameKind {
        let chunk = self.chunk;
        let Some(ty) = chunk.raw(frame, "type") else {
            return FrameKind::Unknown;
        };
        let read = || {
            let description = chunk.text(chunk.resolve(ty), "description");
            description.map_or(FrameKind::Unknown, kind)
        };
        match ty {
            Value::Ref { index, .. } => *self.kinds.entry(*index).or_insert_with(read),
            _ => read(),
        }
    }

    /// The method of a frame, read once for all its frames.
    fn method(&mut self, frame: &Value, kind: FrameKind) -> (MethodIdx, FrameKind) {
        let foreign = matches!(kind, FrameKind::Native | FrameKind::Kernel);
        let key = match self.chunk.raw(frame, "method") {
            Some(Value::Ref { index, .. }) => Some((*index, foreign)),
            _ => None,
        };
        let known = key.and_then(|key| self.methods.get(&key)).copied();
        let (method, vm) = known.unwrap_or_else(|| {
            let (id, vm) = self.new_method(frame, foreign);
            let method = (self.builder.method(id), vm);
            self.methods.extend(key.map(|key| (key, method)));
            method
        });
        (method, if vm { FrameKind::Vm } else { kind })
    }

    /// async-profiler makes methods of native symbols too, with the library as their class; some are the JVM's own.
    fn new_method(&mut self, frame: &Value, foreign: bool) -> (MethodId, bool) {
        let unknown = (MethodId::symbol("[unknown]"), false);
        let method = self.chunk.get(frame, "method");
        let Some(method) = method.filter(|_| self.names_fit()) else {
            return unknown;
        };
        let id = read_method(self.chunk, method);
        let descriptor = id.descriptor.as_deref().unwrap_or("").len();
        let len = id.class.len() + id.name.len() + descriptor;
        self.names_left = self.names_left.saturating_sub(len);
        if !self.names_fit() {
            return unknown;
        }
        if foreign && self.builder.head().tool == "async-profiler" {
            return (MethodId::symbol(&id.name), is_vm(&id.name));
        }
        (id, false)
    }
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
