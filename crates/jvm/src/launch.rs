//! The command line of a laboratory JVM.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::events::EventLaunch;
use crate::toolchain::Kit;
use crate::workload::{Kind, Workload};

/// Which JIT compiles the hot code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Compiler {
    /// Graal with Proofmark's plug-in: the laboratory proper.
    Graal,
    /// HotSpot's C2, as in production: profiles only, nothing can be slowed.
    C2,
}

/// Everything that decides how a laboratory JVM behaves.
#[derive(Debug, Clone)]
pub struct Launch {
    /// The compiler of hot code.
    pub compiler: Compiler,
    /// Debug information between safepoints, for every profiler in this JVM.
    pub debug_non_safepoints: bool,
    /// Heap in MB, all of it touched before the program starts.
    pub heap_mb: u32,
    /// Agent library to load at start, for a profiler that wants that.
    pub agent_path: Option<PathBuf>,
    /// What counting events needs; none where nothing is counted.
    pub events: Option<EventLaunch>,
    /// Further options of the JVM.
    pub options: Vec<String>,
    /// Bytes by which its environment is made larger.
    pub padding_bytes: u64,
}

/// Variable that makes the environment larger.
const PADDING: &str = "PROOFMARK_PADDING";

impl Default for Launch {
    fn default() -> Self {
        Launch {
            compiler: Compiler::Graal,
            debug_non_safepoints: false,
            heap_mb: 1024,
            agent_path: None,
            events: None,
            options: Vec::new(),
            padding_bytes: 0,
        }
    }
}

impl Launch {
    /// Arguments of `java` for running the workload under the harness, which connects to `s` in the directory; the JVM's own temporary files go there too.
    pub(crate) fn arguments(
        &self,
        kit: &Kit,
        workload: &Workload,
        directory: &Path,
    ) -> Vec<String> {
        let mut words = self.memory();
        match self.compiler {
            Compiler::Graal => words.extend(self.graal(kit)),
            Compiler::C2 => words.push("-XX:+UnlockExperimentalVMOptions".into()),
        }
        if self.debug_non_safepoints {
            words.extend([
                "-XX:+UnlockDiagnosticVMOptions".into(),
                "-XX:+DebugNonSafepoints".into(),
            ]);
        }
        if let Some(agent) = &self.agent_path {
            words.push(format!("-agentpath:{}", agent.display()));
        }
        if workload.kind == Kind::Main {
            // Inlined into the JDK's code that calls it, it would be no unit of the program.
            let main = format!("dontinline,{}::main", workload.target);
            words.push(format!("-XX:CompileCommand={main}"));
        }
        words.push(format!("-Djava.io.tmpdir={}", directory.display()));
        words.push(format!("-javaagent:{}", kit.harness_jar.display()));
        words.extend(workload.jvm_options.iter().cloned());
        words.extend(self.options.iter().cloned());
        words.extend(["-cp".into(), self.class_path(kit, workload)]);
        words.extend([
            "proofmark.harness.Main".into(),
            directory.join("s").display().to_string(),
        ]);
        words.extend([workload.kind_word().into(), workload.target.clone()]);
        words.extend(workload.arguments.iter().cloned());
        words
    }

    /// One variable that takes the bytes by which the environment is made larger: name, `=`, value and the zero behind
    /// it. Fewer bytes than the name needs are none.
    pub(crate) fn padding(&self) -> Option<(&'static str, String)> {
        let value = usize::try_from(self.padding_bytes)
            .unwrap_or(usize::MAX)
            .checked_sub(PADDING.len() + 2);
        value.map(|length| (PADDING, "x".repeat(length)))
    }

    /// Whether a JVM starts with these options at all, asked before minutes are spent with others.
    ///
    /// # Errors
    /// With what the JVM says.
    pub fn check_options(&self, kit: &Kit) -> Result<(), String> {
        let graal = self.graal(kit).into_iter();
        kit.jdk.starts_with(graal.chain(self.options.clone()))
    }

    /// A fixed heap that is touched beforehand: first touch of a page made iterations up to ten times slower.
    fn memory(&self) -> Vec<String> {
        let heap = self.heap_mb;
        vec![
            format!("-Xms{heap}m"),
            format!("-Xmx{heap}m"),
            format!("-Xmn{}m", heap * 2 / 3),
            "-XX:+AlwaysPreTouch".into(),
            // Block counters need addresses below 2 GB.
            "-XX:HeapBaseMinAddress=8g".into(),
            "-XX:+UseSerialGC".into(),
            "-XX:ReservedCodeCacheSize=512m".into(),
            "-XX:-UsePerfData".into(),
            // Interpreted frames have the size that the harness shifts the stack by.
            "-XX:CompileCommand=quiet".into(),
            "-XX:CompileCommand=exclude,proofmark.harness.StackShift::*".into(),
            "-Xshare:auto".into(),
        ]
    }

    fn graal(&self, kit: &Kit) -> Vec<String> {
        let mut words: Vec<String> = [
            "-XX:+UnlockExperimentalVMOptions",
            "-XX:+EnableJVMCI",
            "-XX:+UseJVMCICompiler",
            "-XX:+EagerJVMCI",
            "-XX:-UseJVMCINativeLibrary",
            // After 400 installations of a unit HotSpot would call it not compilable, and Graal would
            // no longer inline it into other units: their shape would change under the search.
            "-XX:PerMethodRecompilationCutoff=-1",
            "-Djdk.graal.CompilerConfiguration=proofmark",
            "-Djdk.graal.CompilationFailureAction=Print",
            "-Djdk.graal.TrackNodeSourcePosition=true",
            "-Djdk.graal.LoopHeaderAlignment=0",
            "-Djdk.graal.IsolatedLoopHeaderAlignment=0",
            "--enable-native-access=ALL-UNNAMED,proofmark.graal",
        ]
        .map(str::to_owned)
        .into();
        words.extend(kit.module_arguments());
        if let Some(events) = &self.events {
            words.extend(events.options(kit.open_to_class_path()));
        }
        words
    }

    fn class_path(&self, kit: &Kit, workload: &Workload) -> String {
        let mut entries = vec![kit.harness_jar.clone()];
        if self.compiler == Compiler::C2 {
            entries.push(kit.plugin_jar.clone());
        }
        if workload.class_path.is_empty() {
            entries.push(kit.suite_jar.clone());
        }
        entries.extend(workload.class_path.iter().cloned());
        if let Some(events) = &self.events {
            entries.extend(events.class_path.iter().cloned());
        }
        joined(entries)
    }
}

/// A class path of these entries; empty if a name holds a colon.
pub(crate) fn joined(entries: Vec<PathBuf>) -> String {
    std::env::join_paths(entries).map_or_else(
        |_| String::new(),
        |paths| paths.to_string_lossy().into_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_takes_what_it_says() {
        let size = |padding_bytes| {
            let launch = Launch {
                padding_bytes,
                ..Launch::default()
            };
            let variable = launch.padding();
            variable.map_or(0, |(name, value)| name.len() + value.len() + 2)
        };
        assert_eq!((size(0), size(18)), (0, 0));
        assert_eq!((size(19), size(64), size(4096)), (19, 64, 4096));
    }
}
