//! Compilation units, their blocks and their machine code, as the plug-in reports them (JSON).

use serde::{Deserialize, Serialize};

/// A root method with everything that was inlined into it, as the compiler last saw it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Unit {
    /// Root method, `package.Class.name(descriptor)return`, JVM descriptors.
    pub name: String,
    /// Structural signature over block ids, operations and successors before any insertion.
    pub signature: String,
    /// Blocks in emission order.
    pub blocks: Vec<Block>,
    /// Source positions that [`Span::position`] refers to; each innermost frame first.
    pub positions: Vec<Vec<Frame>>,
}

/// A basic block of the compiler's last IR.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Block {
    /// Id inside the unit; stable as long as the unit's signature is.
    pub id: u32,
    /// Ids of the blocks that control can go to.
    pub successors: Vec<u32>,
    /// Id of the header of the innermost loop that holds this block.
    pub loop_header: Option<u32>,
    /// Nesting depth of that loop, 0 outside of loops.
    pub loop_depth: u32,
    /// The compiler's own guess of executions per entry of the unit (rough: never used as a count).
    pub frequency: f64,
    /// The compiler's own estimate of the cycles of an execution: nothing rests on it, it is compared with measured times.
    /// None where it was not told.
    #[serde(default)]
    pub cycles: Option<u32>,
    /// Operations before insertion, for example `MOVE` or `ADD`, label and block end included.
    pub operations: Vec<String>,
}

/// One inlining level of a source position.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Frame {
    /// Method, `package.Class.name(descriptor)return`.
    pub method: String,
    /// Bytecode index.
    pub bci: i32,
    /// Source line, where the class file has line numbers.
    pub line: Option<u32>,
}

/// Machine code compiled for a unit under one table of insertions; may be installed many times.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Code {
    /// Id of this code, unique in its JVM.
    pub id: u32,
    /// Index of its unit in the order in which units were reported.
    pub unit: u32,
    /// Bytes of machine code.
    pub size: u32,
    /// Spans in ascending order of start; a span ends where the next one starts.
    pub spans: Vec<Span>,
    /// What the VM knows about source positions: an address belongs to the first entry (offset, index into
    /// [`Unit::positions`]) at or behind it. Ascending; empty where it was not reported.
    #[serde(default)]
    pub debug: Vec<(u32, u32)>,
}

/// A stretch of machine code that came from one operation (or from the code around the blocks).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Offset of the first byte from the start of the code.
    pub start: u32,
    /// Block id; none for the prologue, slow paths and stubs of the unit.
    pub block: Option<u32>,
    /// Index into [`Unit::positions`]; none where the compiler knew no position.
    pub position: Option<u32>,
    /// True for instructions that Proofmark inserted.
    pub inserted: bool,
}

/// One installation of a [`Code`]: a code version in the words of ARCHITECTURE.md.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Install {
    /// Id of the installed code.
    pub code: u32,
    /// Address of its first byte.
    pub start: u64,
    /// CLOCK_MONOTONIC time at which it became the unit's code, in ns.
    pub time_ns: u64,
}
