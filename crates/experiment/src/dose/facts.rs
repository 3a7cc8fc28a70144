//! What is known of the program under test, besides its methods, and of the machine.

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

/// The machine on which a program was tested.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MachineFacts {
    /// The processor's name for itself, such as `AMD EPYC`. Processors of several kinds have the same.
    pub model_name: String,
    /// Its maker's: `GenuineIntel`, `AuthenticAMD`.
    pub vendor: String,
    /// Its family. Family and model tell processors of one name apart: of AMD, 25 and 1 are Zen 3, 25 and 17 Zen 4. Null if not known.
    pub family: Option<u32>,
    /// Its model in the family; null if not known.
    pub model: Option<u32>,
    /// Logical processors that Proofmark could use.
    pub logical_processors: usize,
    /// Whether the kernel shows hardware counters. Without them samples of profilers come from timers of the kernel.
    pub hardware_counters: bool,
    /// Version of the Linux kernel.
    pub kernel: String,
    /// The processor says that it is virtual.
    pub virtual_machine: bool,
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
