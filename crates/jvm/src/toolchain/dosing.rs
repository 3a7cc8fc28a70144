//! What `proofmark dose` needs: the JDK of the user's own `java`, the agent, and a harness that any Java from 17 on runs.
//! No Graal, no JVMCI.

use std::path::{Path, PathBuf};

use super::cache::Cache;
use super::compile::Recipe;
use super::sources::Sources;
use super::{CountKit, Settings, ToolchainError};

/// Everything for a JVM with sites.
#[derive(Clone, Debug)]
pub struct DoseKit {
    /// JDK, agent, suite and what counts bytecodes.
    pub count: CountKit,
    /// The harness, for the class path.
    pub harness_jar: PathBuf,
}

/// Files of the harness that neither know Graal nor need a later Java.
const SHARED: [&str; 22] = [
    "src/proofmark/harness/AsyncProfiler.java",
    "src/proofmark/harness/Comparison.java",
    "src/proofmark/harness/Difference.java",
    "src/proofmark/harness/Exit.java",
    "src/proofmark/harness/FlightRecorder.java",
    "src/proofmark/harness/Jmh.java",
    "src/proofmark/harness/JmhParameters.java",
    "src/proofmark/harness/JmhStates.java",
    "src/proofmark/harness/JmhWorkload.java",
    "src/proofmark/harness/JsonReader.java",
    "src/proofmark/harness/Limited.java",
    "src/proofmark/harness/MainWorkload.java",
    "src/proofmark/harness/Printed.java",
    "src/proofmark/harness/Profiler.java",
    "src/proofmark/harness/Rest.java",
    "src/proofmark/harness/Runner.java",
    "src/proofmark/harness/SafepointSampler.java",
    "src/proofmark/harness/StackShift.java",
    "src/proofmark/harness/Threads.java",
    "src/proofmark/harness/Watchdog.java",
    "src/proofmark/harness/Workload.java",
    "src/proofmark/jmh/Loop.java",
];

impl DoseKit {
    /// Puts everything together for the `java` that the user names (a path, or a name on PATH).
    ///
    /// # Errors
    /// Where it is not part of a JDK 17 or later with `javac`, or the cache cannot be written.
    pub fn assemble(settings: &Settings, java: &Path) -> Result<Self, ToolchainError> {
        let count = CountKit::assemble(settings, java)?;
        let sources = Sources::of(settings, "dose")?
            .with(Sources::of(settings, "harness")?, &SHARED)
            .with(
                Sources::of(settings, "graal-plugin")?,
                &["src/proofmark/graal/Json.java"],
            );
        let recipe = Recipe {
            jdk: &count.jdk,
            sources: &sources,
            flags: ["--release", "17"].map(str::to_owned).into(),
            paths: Vec::new(),
            inputs: Vec::new(),
            manifest: "",
        };
        let harness_jar = recipe.jar(settings, &Cache::open(settings)?)?.path;
        Ok(Self { count, harness_jar })
    }
}
