//! Control-flow graph of one piece of code, and which of its edges are measured.

/// A basic block as the counting phase saw it.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// Id inside the code.
    pub id: u32,
    /// The compiler's guess of executions per entry (rough: never used as a count).
    pub frequency: f64,
    /// Events of one execution.
    pub events: Vec<Event>,
    /// True if control can leave here without going along an edge: an instruction that may trap into
    /// deoptimisation, a call or a safepoint at which the VM may deoptimise the frame.
    pub leaks: bool,
}

/// Events of one type at one source position in one execution of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Event {
    /// Index of the event's type in its table.
    pub kind: usize,
    /// How many.
    pub count: u64,
    /// Index into the code's positions; none where the compiler knew none.
    pub position: Option<usize>,
}

/// What is known about the traversals of an edge.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Measure {
    /// Nothing: it follows from the others.
    Open,
    /// A counter holds traversals times `scale` (an induction variable's stride; 1 otherwise).
    Counter {
        /// Index of the counter.
        counter: usize,
        /// Divisor, not 0; may be negative.
        scale: i64,
        /// True if the count is held in a register and added when the loop is left: it is lost altogether
        /// when control leaves the loop without passing an edge.
        held: bool,
    },
}

/// An edge; vertices are indices of blocks, and [`Graph::root`] for everything outside of the code.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Edge {
    /// Where control came from.
    pub from: usize,
    /// Where control went to.
    pub to: usize,
    /// What measures it.
    pub measure: Measure,
}

/// Blocks and edges. Callers and exits are one vertex, the root: what enters also leaves, so that
/// executions are a circulation.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Graph {
    /// Blocks by index.
    pub blocks: Vec<Block>,
    /// Edges by index.
    pub edges: Vec<Edge>,
}

impl Graph {
    /// The vertex outside of the code: where executions come from and go to.
    #[must_use]
    pub fn root(&self) -> usize {
        self.blocks.len()
    }

    /// Number of vertices, the root included.
    #[must_use]
    pub fn vertices(&self) -> usize {
        self.blocks.len() + 1
    }

    /// Events of a type in one execution of a vertex; none at the root.
    #[must_use]
    pub fn events_of(&self, vertex: usize, kind: usize) -> i64 {
        self.blocks.get(vertex).map_or(0, |block| {
            let of_kind = block.events.iter().filter(|event| event.kind == kind);
            of_kind.map(|event| event.count as i64).sum()
        })
    }
}
