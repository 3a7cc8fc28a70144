//! What goes into a unit when it is compiled.

/// What goes into a unit when it is compiled under a plan.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnitTable {
    /// Index of the unit.
    pub unit: u32,
    /// The slowdown instruction.
    pub filler: Filler,
    /// Where in the block.
    pub placement: Placement,
    /// Blocks start with an 8-byte NOP that carries their id.
    pub markers: bool,
    /// Bytes of padding in front of the code: moves it in its cache line, and the next code further away.
    pub shift: u32,
    /// Block id and number of slowdown instructions.
    pub counts: Vec<(u32, u32)>,
}

/// Candidate instructions; all leave registers, flags and the program's memory as they were.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Filler {
    /// `mov r,r` over rotated registers.
    Mov,
    /// Two-byte NOP.
    Nop,
    /// `push r; pop r`.
    PushPop,
    /// Store fence.
    Sfence,
    /// Spin-loop hint.
    Pause,
    /// Store and reload of a vector register.
    Long,
}

/// Where a block's slowdown instructions go.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Placement {
    /// Evenly between the block's own instructions.
    Spread,
    /// At its start.
    Start,
    /// At its end.
    End,
    /// Together at the first instruction with debug information, carrying it.
    Debug,
}

impl UnitTable {
    /// Line of the file that the `compile` command reads.
    pub(crate) fn line(&self) -> String {
        let filler = match self.filler {
            Filler::Mov => "MOV",
            Filler::Nop => "NOP",
            Filler::PushPop => "PUSHPOP",
            Filler::Sfence => "SFENCE",
            Filler::Pause => "PAUSE",
            Filler::Long => "LONG",
        };
        let placement = match self.placement {
            Placement::Spread => "SPREAD",
            Placement::Start => "START",
            Placement::End => "END",
            Placement::Debug => "DEBUG",
        };
        let mut line = format!(
            "{} {filler} {placement} {} {}",
            self.unit, self.markers, self.shift
        );
        for (block, count) in self.counts.iter().filter(|(_, count)| *count > 0) {
            line.push_str(&format!(" {block}={count}"));
        }
        line
    }
}
