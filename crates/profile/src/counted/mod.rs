//! Profiles of counted bytecodes: the file that `proofmark count` writes.
//!
//! A calling-context tree per thread, as text: fields are separated by tabs, `\t`, `\n` and `\\` in names are escaped.
//!
//! ```text
//! proofmark-count  2
//! mode             sampled                     or exact
//! granularity      10000                       bytecodes between two samples
//! random           0                           so many bytecodes, less one, may be added to each distance
//! seed             1
//! scope            application                 or jdk
//! method           0  com.acme.Main  main  ([Ljava/lang/String;)V
//! thread           platform  ended  1234567  123  4567  0  main
//! 0                0  0  0
//! 1                7  10000  1
//! end              178
//! ```
//!
//! `thread` is followed by kind, state, bytecodes, samples, rest, lost and name: *rest* are the bytecodes after the last
//! sample, *lost* those whose context was too deep to be kept. The lines with numbers are nodes in preorder: depth, method, own bytecodes, own samples.
//! Own bytecodes of all nodes and the rest add up to the thread's bytecodes, to the unit.
//!
//! `end` is the last line, with the number of bytes in front of it: a file that lacks it, or has more or fewer, was cut or
//! changed and is refused. Version 1 has no such line, and a cut at the end of one of its lines stays unseen.
//!
//! The runtime that counts writes nodes in the order of their creation. [`CountFile::canonical`] makes of all files with
//! the same content the same bytes.

mod canonical;
mod parse;
mod uniform;
mod write;

use crate::identity::MethodId;

pub(crate) use parse::is_head;
pub(crate) use uniform::import;

/// Deepest context that is read.
pub const MAX_DEPTH: usize = 1 << 16;

/// How bytecodes were counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountMode {
    /// A sample each time the counter ran out.
    Sampled,
    /// Every basic block charged to its calling context.
    Exact,
}

/// Which classes were counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountScope {
    /// Application and libraries.
    Application,
    /// Also classes of the JDK.
    Jdk,
}

/// What was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountSettings {
    /// Sampled or exact.
    pub mode: CountMode,
    /// Bytecodes between two samples.
    pub granularity: u64,
    /// Up to this many bytecodes, less one, are added at random to each distance; 0 for none.
    pub random: u64,
    /// Seed of the generators.
    pub seed: u64,
    /// Which classes.
    pub scope: CountScope,
}

/// Kind of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ThreadKind {
    /// One of the operating system's.
    Platform,
    /// All virtual threads of one name.
    Virtual,
    /// No thread: class initialisers and what else the JVM itself calls. Which thread comes first must not matter.
    Initialisers,
}

/// One calling context: a node of the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Context {
    /// Index of the caller in [`CountThread::contexts`]; `None` at the root.
    pub parent: Option<u32>,
    /// Callers above it.
    pub depth: u32,
    /// Index into [`CountFile::methods`].
    pub method: u32,
    /// Bytecodes of samples taken here; in exact mode, bytecodes executed here.
    pub bytecodes: u64,
    /// Samples taken here; 0 in exact mode.
    pub samples: u64,
}

/// What one thread did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountThread {
    /// Kind.
    pub kind: ThreadKind,
    /// False if it was still running when the file was written.
    pub ended: bool,
    /// Bytecodes executed in counted code.
    pub bytecodes: u64,
    /// Samples.
    pub samples: u64,
    /// Bytecodes after the last sample: counted, in no context.
    pub rest: u64,
    /// Bytecodes in contexts deeper than the stack that was kept: their outer part is missing.
    pub lost: u64,
    /// Name.
    pub name: String,
    /// The calling-context tree in preorder; there may be several roots.
    pub contexts: Vec<Context>,
}

/// A profile of counted bytecodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountFile {
    /// What was asked for.
    pub settings: CountSettings,
    /// Methods of the contexts.
    pub methods: Vec<MethodId>,
    /// Threads.
    pub threads: Vec<CountThread>,
    /// What is not as it should be, in sentences.
    pub remarks: Vec<String>,
}

impl CountFile {
    /// Bytecodes of all threads.
    #[must_use]
    pub fn bytecodes(&self) -> u64 {
        self.threads.iter().map(|thread| thread.bytecodes).sum()
    }

    /// Samples of all threads.
    #[must_use]
    pub fn samples(&self) -> u64 {
        self.threads.iter().map(|thread| thread.samples).sum()
    }

    /// Bytecodes after the threads' last samples.
    #[must_use]
    pub fn rest(&self) -> u64 {
        self.threads.iter().map(|thread| thread.rest).sum()
    }
}
