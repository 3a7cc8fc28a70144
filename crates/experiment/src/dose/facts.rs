//! What is known of the program under test, besides its methods.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The JVM that runs the program.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JvmFacts {
    /// `java.runtime.version`
    pub version: String,
    /// `java.vendor`
    pub vendor: String,
    /// Options of the user's command.
    pub options: Vec<String>,
}

/// A native program. What this document calls methods are its functions, by the names that the linker knows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct NativeFacts {
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Functions with a site.
    pub functions: usize,
    /// Its iterations are marked inside of a process; else a process is one.
    #[serde(default)]
    pub marked: bool,
    /// Profilers that report instructions: their rows are parts of the instructions that were added, not of time.
    pub of_instructions: Vec<String>,
}
