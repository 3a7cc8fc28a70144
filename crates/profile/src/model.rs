//! The uniform profile: interned methods, frames and stacks, and samples that refer to them.

mod index;

use std::ops::Range;

use crate::identity::MethodId;
use crate::import::Format;

pub use index::{EventIdx, FrameIdx, MethodIdx, StackIdx, ThreadIdx};

/// How the code of a frame ran.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum FrameKind {
    /// Java method in the interpreter.
    Interpreted,
    /// Java method as machine code, whichever compiler made it.
    Jit,
    /// Java method inlined into the frame below it.
    Inlined,
    /// Machine code outside the JVM's control, or a Java method declared `native`.
    Native,
    /// Operating-system kernel.
    Kernel,
    /// The JVM itself: garbage collector, compiler, stubs, the interpreter as a whole.
    Vm,
    /// The source does not say.
    Unknown,
}

/// One frame of a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Frame {
    /// Whose code it is; for frames that are not Java, the symbol's name with an empty class.
    pub method: MethodIdx,
    /// How the code ran.
    pub kind: FrameKind,
    /// Source line, where known.
    pub line: Option<u32>,
    /// Bytecode index, where known.
    pub bci: Option<u32>,
}

/// Frames, leaf first.
pub type Stack = Box<[FrameIdx]>;

/// A thread as the profiler names it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Thread {
    /// Its name. async-profiler asks for names when it writes the file: the main thread of a program that has
    /// ended is then called `DestroyJavaVM`, so prefer [`Thread::os_id`].
    pub name: Option<String>,
    /// The operating system's thread id.
    pub os_id: Option<i64>,
    /// `Thread.threadId()`.
    pub java_id: Option<i64>,
}

/// Why a sample has no usable stack.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Failure(pub String);

/// One kind of event in the file, such as `jdk.ExecutionSample` or `cpu-clock`.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Its name in the source.
    pub name: String,
    /// Nanoseconds between two samples of a thread, where known.
    pub interval_ns: Option<u64>,
}

/// One sample, or a row of equal ones that the source has added up.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The thread that was sampled, where the source tells.
    pub thread: Option<ThreadIdx>,
    /// When, in nanoseconds of [`Profile::clock`].
    pub time_ns: Option<i64>,
    /// How much it counts, in [`Profile::unit`].
    pub weight: f64,
    /// The stack; empty if the sample failed and nothing was seen.
    pub stack: StackIdx,
    /// Which event made it.
    pub event: EventIdx,
    /// An index into [`Profile::failures`] if the profiler says that it could not walk this stack.
    pub failure: Option<u32>,
}

/// Samples that the profiler knows it has not kept.
#[derive(Clone, Debug, PartialEq)]
pub struct Loss {
    /// Whose, where known.
    pub thread: Option<ThreadIdx>,
    /// When it was noticed, in nanoseconds of [`Profile::clock`].
    pub time_ns: Option<i64>,
    /// Number of samples lost.
    pub samples: u64,
    /// The source's word for it.
    pub reason: String,
}

/// A window that the program itself marked in the recording (event `proofmark.Window`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mark {
    /// The window's label, such as `A`.
    pub label: String,
    /// The window's number.
    pub index: i64,
    /// First nanosecond, in [`Profile::clock`].
    pub begin_ns: i64,
    /// First nanosecond after it.
    pub end_ns: i64,
}

impl Mark {
    /// The window `[begin, end)`.
    #[must_use]
    pub fn window(&self) -> Range<i64> {
        self.begin_ns..self.end_ns
    }
}

/// What a weight counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unit {
    /// Samples.
    Samples,
    /// Nanoseconds.
    Nanoseconds,
    /// Bytes, such as of allocations.
    Bytes,
    /// Some other event: calls, instructions.
    Count,
    /// Per cent of run time, from tables that give nothing else.
    Percent,
}

/// Which clock the time stamps are of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Clock {
    /// Nanoseconds since 1970 UTC.
    Epoch,
    /// A clock that starts with the machine (`CLOCK_MONOTONIC` or the scheduler's clock).
    Boot,
    /// Nanoseconds since the recording began.
    Start,
    /// No time stamps.
    None,
}

/// What one profiler reported about one run.
#[derive(Clone, Debug)]
pub struct Profile {
    /// The format it was read from.
    pub format: Format,
    /// The profiler, as far as the file tells (`async-profiler`, `JFR`, `perf`).
    pub tool: String,
    /// Its version, where the file tells.
    pub version: Option<String>,
    /// What weights count.
    pub unit: Unit,
    /// Which clock the time stamps are of.
    pub clock: Clock,
    /// True if the source has no descriptors, or not for every method: overloads of a method are then one method.
    pub overloads_merged: bool,
    /// Kinds of events; never empty.
    pub events: Vec<Event>,
    /// Interned methods and symbols.
    pub methods: Vec<MethodId>,
    /// Interned frames.
    pub frames: Vec<Frame>,
    /// Interned stacks, leaf first.
    pub stacks: Vec<Stack>,
    /// Threads.
    pub threads: Vec<Thread>,
    /// Samples in the order of the source.
    pub samples: Vec<Sample>,
    /// Reasons that samples refer to.
    pub failures: Vec<Failure>,
    /// Samples known to be lost.
    pub losses: Vec<Loss>,
    /// Windows marked by the program.
    pub marks: Vec<Mark>,
    /// Total (inclusive) weight per method, for tables that have no stacks.
    pub totals: Vec<(MethodIdx, f64)>,
    /// What was wrong or guessed while reading, in sentences; empty if all is well.
    pub remarks: Vec<String>,
    /// True if the file broke off: what was read up to there is kept.
    pub incomplete: bool,
}

impl Profile {
    /// Nanoseconds between samples of the main event, where known.
    #[must_use]
    pub fn interval_ns(&self) -> Option<u64> {
        self.events.first().and_then(|e| e.interval_ns)
    }

    /// Number of samples that so much weight stands for, as far as the unit and the interval tell; events that are
    /// counted or measured in bytes are no samples.
    #[must_use]
    pub fn samples_of(&self, weight: f64) -> Option<f64> {
        match self.unit {
            Unit::Samples => Some(weight),
            Unit::Nanoseconds => Some(weight / self.interval_ns().filter(|ns| *ns > 0)? as f64),
            Unit::Bytes | Unit::Count | Unit::Percent => None,
        }
    }

    /// The method of a frame.
    #[must_use]
    pub fn method_of(&self, frame: FrameIdx) -> &MethodId {
        &self.methods[self.frames[frame.index()].method.index()]
    }

    /// The frames of a sample, leaf first.
    pub fn frames_of(&self, sample: &Sample) -> impl Iterator<Item = &Frame> {
        self.stacks[sample.stack.index()]
            .iter()
            .map(|f| &self.frames[f.index()])
    }

    /// True if the frame is a method of a class and ran as Java code, not natively.
    #[must_use]
    pub fn is_java(&self, frame: &Frame) -> bool {
        let in_a_class = !self.methods[frame.method.index()].class.is_empty();
        in_a_class
            && !matches!(
                frame.kind,
                FrameKind::Native | FrameKind::Kernel | FrameKind::Vm
            )
    }
}
