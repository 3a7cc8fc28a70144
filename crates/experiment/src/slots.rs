//! What the second check of a native program's slots finds, as it is written.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Name and version of the format.
pub const SLOTS_SCHEMA: &str = "proofmark-slots/1";

/// What a disassembler reads of a program whose slots are empty and full, against the program without slots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SlotsReport {
    /// [`SLOTS_SCHEMA`].
    pub schema: String,
    /// The program's file.
    pub program: String,
    /// The instruction that went into the slots.
    pub filler: String,
    /// Functions in which everything holds, with empty slots and with full ones.
    pub functions: u64,
    /// Their own instructions, without the padding of alignments.
    pub instructions: u64,
    /// Instructions that were inserted into them.
    pub inserted: u64,
    /// Addresses at which their blocks begin, with full slots.
    pub borders: u64,
    /// Those of them to which nothing that was seen leads, function by function.
    pub unseen: Vec<UnseenBorders>,
    /// Functions in which something does not hold.
    pub differing: Vec<SlotsLeftOut>,
    /// Functions that were not checked although they were built with slots.
    pub left_out: Vec<SlotsLeftOut>,
    /// Names of the program's other functions, which were not built with slots.
    pub without_slots: Vec<String>,
}

/// Borders of blocks to which nothing leads.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnseenBorders {
    /// The function's name.
    pub function: String,
    /// Their distances from its begin, bytes.
    pub at: Vec<u64>,
}

/// A function, and why it is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SlotsLeftOut {
    /// Its name.
    pub function: String,
    /// Why.
    pub reason: String,
}
