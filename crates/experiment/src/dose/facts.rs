//! What is known of the program under test, besides its methods, and of the machine.

use std::fmt;

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

impl MachineFacts {
    /// The processor's name, or that it has none, as on many ARM machines.
    #[must_use]
    pub fn name(&self) -> &str {
        match self.model_name.as_str() {
            "" => "unknown processor",
            name => name,
        }
    }

    /// What tells processors of one name apart, as far as it is known: `family 25`, `model 1`.
    #[must_use]
    pub fn numbers(&self) -> Vec<String> {
        let numbers = [("family", self.family), ("model", self.model)];
        let words = numbers.map(|(name, number)| Some(format!("{name} {}", number?)));
        words.into_iter().flatten().collect()
    }
}

/// The machine in a line, for results that have no more of it: `AMD EPYC (family 25, model 1), 2 vCPU, Linux 6.1.0`.
impl fmt::Display for MachineFacts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers = self.numbers();
        f.write_str(self.name())?;
        if !numbers.is_empty() {
            write!(f, " ({})", numbers.join(", "))?;
        }
        let (processors, kernel) = (self.logical_processors, &self.kernel);
        write!(f, ", {processors} vCPU, Linux {kernel}")
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(name: &str, family: Option<u32>, model: Option<u32>) -> MachineFacts {
        MachineFacts {
            model_name: name.into(),
            vendor: "any".into(),
            family,
            model,
            logical_processors: 2,
            hardware_counters: false,
            kernel: "6.1.0".into(),
            virtual_machine: true,
        }
    }

    #[test]
    fn a_line_tells_processors_of_one_name_apart_where_their_numbers_are_known() {
        let line = |name: &str, family, model| machine(name, family, model).to_string();
        let zen = |model| line("AMD EPYC", Some(25), Some(model));
        let zen_3 = "AMD EPYC (family 25, model 1), 2 vCPU, Linux 6.1.0";
        assert_eq!(zen(1), zen_3);
        assert_ne!(zen(17), zen_3);
        let half = "AMD EPYC (family 25), 2 vCPU, Linux 6.1.0";
        assert_eq!(line("AMD EPYC", Some(25), None), half);
        let none = "Neoverse-N1, 2 vCPU, Linux 6.1.0";
        assert_eq!(line("Neoverse-N1", None, None), none);
        let nameless = "unknown processor, 2 vCPU, Linux 6.1.0";
        assert_eq!(line("", None, None), nameless);
    }
}
