//! Honest Profiler's `.hpl` logs: big-endian records, each with a byte for its kind.

mod input;

use std::collections::HashMap;

use self::input::Input;
use crate::builder::Builder;
use crate::error::ImportError;
use crate::identity::MethodId;
use crate::import::Format;
use crate::model::*;

const TRACE_START: u8 = 1;
const FRAME_BCI_ONLY: u8 = 2;
const NEW_METHOD: u8 = 3;
const THREAD_META: u8 = 4;
const TRACE_WITH_TIME: u8 = 11;
const FRAME_FULL: u8 = 21;
const NEW_METHOD_SIGNATURE: u8 = 31;
/// AsyncGetCallTrace's bytecode index of a native method.
const NATIVE_BCI: i32 = -3;

/// Reads a whole log. Methods are told after the frames that refer to them, so names are put in at the end.
pub(super) fn import(bytes: &[u8]) -> Result<Profile, ImportError> {
    let mut log = Log::default();
    let mut input = Input { bytes, at: 0 };
    let mut broken_at = None;
    while let Some(kind) = input.kind() {
        let at = input.at - 1;
        if log.record(kind, &mut input).is_none() {
            broken_at = Some(at);
            log.drop_unfinished();
            break;
        }
    }
    log.into_profile(broken_at)
}

/// True if the bytes start with a sound record of the kinds that logs start with.
pub(super) fn is_log(bytes: &[u8]) -> bool {
    let mut input = Input { bytes, at: 0 };
    let first = matches!(
        bytes.first(),
        Some(&(TRACE_START | THREAD_META | TRACE_WITH_TIME))
    );
    let mut sound = || {
        input
            .kind()
            .map(|kind| Log::default().record(kind, &mut input).is_some())
    };
    first && sound() == Some(true) && sound() != Some(false)
}

struct Trace {
    /// Negative if AsyncGetCallTrace failed.
    frame_count: i32,
    thread: i64,
    time_ns: Option<i64>,
    /// Bytecode index, line and method, leaf first.
    frames: Vec<(i32, Option<u32>, i64)>,
}

struct Method {
    class: String,
    name: String,
    descriptor: Option<String>,
}

#[derive(Default)]
struct Log {
    traces: Vec<Trace>,
    methods: HashMap<i64, Method>,
    threads: HashMap<i64, String>,
}

impl Log {
    /// Reads the body of a record; `None` if it is damaged or of an unknown kind.
    fn record(&mut self, kind: u8, input: &mut Input<'_>) -> Option<()> {
        match kind {
            TRACE_START | TRACE_WITH_TIME => self.trace(kind, input),
            FRAME_BCI_ONLY | FRAME_FULL => self.frame(kind, input),
            NEW_METHOD | NEW_METHOD_SIGNATURE => self.method(kind, input),
            THREAD_META => {
                let id = input.long()?;
                self.threads.insert(id, input.text()?);
                Some(())
            }
            _ => None,
        }
    }

    fn trace(&mut self, kind: u8, input: &mut Input<'_>) -> Option<()> {
        let (frame_count, thread) = (input.int()?, input.long()?);
        let mut time_ns = None;
        if kind == TRACE_WITH_TIME {
            time_ns = Some(
                input
                    .long()?
                    .checked_mul(1_000_000_000)?
                    .checked_add(input.long()?)?,
            );
        }
        self.traces.push(Trace {
            frame_count,
            thread,
            time_ns,
            frames: Vec::new(),
        });
        Some(())
    }

    fn frame(&mut self, kind: u8, input: &mut Input<'_>) -> Option<()> {
        let bci = input.int()?;
        let line = if kind == FRAME_FULL {
            u32::try_from(input.int()?).ok()
        } else {
            None
        };
        let method = input.long()?;
        if let Some(trace) = self.traces.last_mut() {
            trace.frames.push((bci, line, method));
        }
        Some(())
    }

    fn method(&mut self, kind: u8, input: &mut Input<'_>) -> Option<()> {
        let id = input.long()?;
        input.text()?; // file
        let class = input.text()?;
        let mut descriptor = None;
        if kind == NEW_METHOD_SIGNATURE {
            input.text()?; // generic class
        }
        let name = input.text()?;
        if kind == NEW_METHOD_SIGNATURE {
            descriptor = Some(input.text()?);
            input.text()?; // generic signature
        }
        self.methods.insert(
            id,
            Method {
                class,
                name,
                descriptor,
            },
        );
        Some(())
    }

    /// Takes the last trace away if frames are missing.
    fn drop_unfinished(&mut self) {
        let unfinished =
            |t: &Trace| usize::try_from(t.frame_count).is_ok_and(|count| t.frames.len() < count);
        if self.traces.last().is_some_and(unfinished) {
            self.traces.pop();
        }
    }

    fn into_profile(self, broken_at: Option<usize>) -> Result<Profile, ImportError> {
        let mut builder = Builder::new(Format::Honest, "honest-profiler", "cpu");
        if self.traces.iter().any(|t| t.time_ns.is_some()) {
            builder.head().clock = Clock::Epoch;
        }
        for trace in &self.traces {
            self.add(trace, &mut builder);
        }
        if let Some(at) = broken_at {
            builder.stopped(ImportError::damaged(
                Format::Honest,
                at as u64,
                "a whole record of kind 1, 2, 3, 4, 11, 21 or 31 was expected",
            ))?;
        }
        if self.traces.is_empty() {
            return Err(ImportError::Empty {
                format: Format::Honest,
            });
        }
        Ok(builder.finish())
    }

    fn add(&self, trace: &Trace, builder: &mut Builder) {
        let name = self
            .threads
            .get(&trace.thread)
            .filter(|name| !name.is_empty())
            .cloned();
        let thread = Some(builder.thread(Thread {
            name,
            os_id: Some(trace.thread),
            java_id: None,
        }));
        let frames: Vec<FrameIdx> = trace
            .frames
            .iter()
            .map(|frame| self.intern(frame, builder))
            .collect();
        let failure = self.failure(trace).map(|reason| builder.failure(&reason));
        let (stack, event) = (builder.stack(&frames), builder.event("cpu"));
        builder.sample(Sample {
            thread,
            time_ns: trace.time_ns,
            weight: 1.0,
            stack,
            event,
            failure,
        });
    }

    fn intern(
        &self,
        &(bci, line, method): &(i32, Option<u32>, i64),
        builder: &mut Builder,
    ) -> FrameIdx {
        let id = match self.methods.get(&method) {
            Some(m) => MethodId::new(&m.class, &m.name, m.descriptor.as_deref()),
            None => MethodId::symbol("[unknown method]"),
        };
        let kind = if bci == NATIVE_BCI {
            FrameKind::Native
        } else {
            FrameKind::Unknown
        };
        let method = builder.method(id);
        builder.frame(Frame {
            method,
            kind,
            line,
            bci: u32::try_from(bci).ok(),
        })
    }

    /// A failed walk is a negative number of frames, or one frame of the class `AGCT`.
    fn failure(&self, trace: &Trace) -> Option<String> {
        if trace.frame_count < 0 {
            return Some(format!("AsyncGetCallTrace error {}", trace.frame_count));
        }
        let leaf = trace
            .frames
            .first()
            .and_then(|frame| self.methods.get(&frame.2))?;
        (leaf.class.trim_matches(['L', ';']) == "AGCT").then(|| leaf.name.clone())
    }
}
