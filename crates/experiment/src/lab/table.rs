//! What goes into a unit when it is compiled.

/// What goes into a unit when it is compiled under a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitTable {
    /// Index of the unit.
    pub unit: u32,
    /// The slowdown instruction and where it goes.
    pub insertion: Insertion,
    /// Blocks start with an 8-byte NOP that carries their id.
    pub markers: bool,
    /// Bytes of padding in front of the code: moves it in its cache line, and the next code further away.
    pub padding: u32,
    /// Block id and number of slowdown instructions.
    pub counts: Vec<(u32, u32)>,
}

/// How instructions go into code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Insertion {
    /// The slowdown instruction.
    pub filler: Filler,
    /// Where in the block.
    pub at: InsertionPoint,
}

impl UnitTable {
    /// A table for a unit at its usual place.
    #[must_use]
    pub fn new(unit: u32, insertion: Insertion, counts: Vec<(u32, u32)>) -> Self {
        UnitTable {
            unit,
            insertion,
            markers: false,
            padding: 0,
            counts,
        }
    }
}

impl Insertion {
    /// As plans and doses do: between a block's own instructions, without debug information.
    #[must_use]
    pub const fn plan(filler: Filler) -> Self {
        Insertion {
            filler,
            at: InsertionPoint::Spread,
        }
    }
}

/// Candidate instructions; all leave registers, flags and the program's memory as they were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Filler {
    /// `mov r,r` over rotated registers.
    Mov,
    /// Two-byte NOP.
    Nop,
    /// Nine-byte NOP.
    Nop9,
    /// `lea r,[r]` over rotated registers.
    Lea,
    /// `push r; pop r`.
    PushPop,
    /// Store fence.
    Sfence,
    /// Spin-loop hint.
    Pause,
    /// Store and reload of a vector register.
    Long,
}

impl Filler {
    const ALL: [(Filler, &'static str); 8] = [
        (Filler::Mov, "mov"),
        (Filler::Nop, "nop"),
        (Filler::Nop9, "nop9"),
        (Filler::Lea, "lea"),
        (Filler::PushPop, "pushpop"),
        (Filler::Sfence, "sfence"),
        (Filler::Pause, "pause"),
        (Filler::Long, "long"),
    ];

    /// Its name, as on the command line and in plan files.
    #[must_use]
    pub fn name(self) -> &'static str {
        let mut known = Filler::ALL.iter();
        known
            .find(|(filler, _)| *filler == self)
            .map_or("mov", |(_, name)| name)
    }

    /// The one of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<Filler> {
        let mut known = Filler::ALL.iter();
        known
            .find(|(_, known)| *known == name)
            .map(|(filler, _)| *filler)
    }
}

/// Where a block's slowdown instructions go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum InsertionPoint {
    /// Evenly between the block's own instructions.
    Spread,
    /// At its start.
    Start,
    /// At its end.
    End,
    /// Together at the first instruction with debug information, carrying it.
    Debug,
}

impl InsertionPoint {
    /// Its name, as on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            InsertionPoint::Spread => "spread",
            InsertionPoint::Start => "start",
            InsertionPoint::End => "end",
            InsertionPoint::Debug => "debug",
        }
    }
}
