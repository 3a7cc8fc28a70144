//! What the JVM says about code that counts.

use crate::graph::Graph;
use crate::paths::Numbering;

/// How events are counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Strategy {
    /// Edges outside of a spanning tree are counted; totals are computed afterwards.
    Edge,
    /// The same edges, but each adds its weights to the counters of the types: totals at any time.
    Live,
    /// Paths are counted (Ball-Larus); events are computed afterwards.
    Pc,
    /// Paths are followed; at its end each adds its events to the counters of the types.
    Pd,
    /// Every event has an increment of its own.
    Dec,
}

impl Strategy {
    /// All strategies, the default first.
    pub const ALL: [Strategy; 5] = [Self::Edge, Self::Live, Self::Pc, Self::Pd, Self::Dec];

    /// Its name in tables and on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Edge => "edge",
            Self::Live => "live",
            Self::Pc => "pc",
            Self::Pd => "pd",
            Self::Dec => "dec",
        }
    }

    /// The strategy of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|s| s.name() == name)
    }
}

/// A type of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventType {
    /// Name, such as `allocation`.
    pub name: String,
    /// Category, such as `allocations`.
    pub category: String,
}

/// One inlining level of a source position.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Frame {
    /// Method, `package.Class.name(descriptor)return`.
    pub method: String,
    /// Bytecode index.
    pub bci: i32,
    /// Source line, where the class file has line numbers.
    pub line: Option<u32>,
}

/// A counter that tells events of one type without anything being computed but a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Direct {
    /// Index of the type.
    pub kind: usize,
    /// Source position; none for all positions together.
    pub position: Option<usize>,
    /// Index of the counter.
    pub counter: usize,
    /// Events that one increment of the counter stands for; negative where an edge takes back what others said.
    pub times: i64,
}

/// How the counters of a code are to be read.
#[derive(Debug, Clone, PartialEq)]
pub enum Reading {
    /// From measured edges ([`Strategy::Edge`]).
    Edges,
    /// From executions of paths ([`Strategy::Pc`]).
    Paths(Numbering),
    /// As they are (the other strategies).
    Direct(Vec<Direct>),
}

/// Machine code that counts.
#[derive(Debug, Clone, PartialEq)]
pub struct Code {
    /// Id of the code, unique in its JVM.
    pub id: u32,
    /// How it counts.
    pub strategy: Strategy,
    /// Root method, `package.Class.name(descriptor)return`.
    pub unit: String,
    /// Bytecode index of its entry: -1 for the normal one, else on-stack replacement.
    pub entry_bci: i32,
    /// Bytes of machine code.
    pub size: u64,
    /// Source positions, each innermost frame first.
    pub positions: Vec<Vec<Frame>>,
    /// Blocks with their events, and edges.
    pub graph: Graph,
    /// How its counters are read.
    pub reading: Reading,
}

/// Everything that was told in one file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Table {
    /// Types of events; their indices are those of [`crate::Event::kind`].
    pub types: Vec<EventType>,
    /// Codes in the order in which they were compiled.
    pub codes: Vec<Code>,
}
