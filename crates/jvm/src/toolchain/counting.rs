//! What `proofmark count` needs: the JDK of the user's own `java`, the counting runtime and the suite compiled by it,
//! and the JVMTI agent. No Graal, no JVMCI.

use std::path::{Path, PathBuf};

use super::cache::{Cache, write_error};
use super::compile::Recipe;
use super::find::home_of_java;
use super::jdk::{Jdk, Release};
use super::settings::is_executable;
use super::sources::Sources;
use super::{Settings, ToolchainError, hash};

include!(concat!(env!("OUT_DIR"), "/embedded_agent.rs"));

/// Oldest JDK whose classes and tools are known to work.
const OLDEST: u32 = 17;

/// Everything for counting on one JDK.
#[derive(Clone, Debug)]
pub struct CountKit {
    /// The JDK that runs the program.
    pub jdk: Jdk,
    /// Classes that rewritten code calls.
    pub runtime_jar: PathBuf,
    /// The suite's programs.
    pub suite_jar: PathBuf,
    /// The agent's shared library.
    pub agent: PathBuf,
}

impl CountKit {
    /// Puts everything together for the `java` that the user names (a path, or a name on PATH).
    ///
    /// # Errors
    /// Where it is not part of a JDK 17 or later with `javac`, or the cache cannot be written.
    pub fn assemble(settings: &Settings, java: &Path) -> Result<Self, ToolchainError> {
        let jdk = jdk_of(settings, java)?;
        let cache = Cache::open(settings)?;
        let jar = |part, flags: &[&str]| {
            let sources = Sources::of(settings, part)?;
            let recipe = Recipe {
                jdk: &jdk,
                sources: &sources,
                flags: flags.iter().map(|flag| (*flag).to_owned()).collect(),
                paths: Vec::new(),
                inputs: Vec::new(),
                manifest: "",
            };
            recipe.jar(settings, &cache)
        };
        // The runtime must not need invokedynamic: it runs while the JVM starts and ends.
        let runtime = jar("count", &["--release", "17", "-XDstringConcat=inline"])?;
        let suite = jar("suite", &["--release", "17"])?;
        let name = "libproofmark_agent.so";
        let agent = cache.get("count-agent", &hash::of_parts([AGENT]), |entry| {
            let file = entry.join(name);
            std::fs::write(&file, AGENT).map_err(|error| write_error(&file, &error))
        })?;
        Ok(Self {
            runtime_jar: runtime.path,
            suite_jar: suite.path,
            agent: agent.path.join(name),
            jdk,
        })
    }
}

/// The JDK that a `java` belongs to, by its name on the `PATH` or its path; nothing is started.
///
/// # Errors
/// Where it is not part of a JDK 17 or later with `javac`.
pub fn jdk_of(settings: &Settings, java: &Path) -> Result<Jdk, ToolchainError> {
    let unfit = |problem: String| ToolchainError::NoCountingJdk {
        java: java.to_owned(),
        problem,
    };
    let found = file_of(settings, java).ok_or_else(|| unfit("it is not on the PATH".into()))?;
    let home = home_of_java(found).ok_or_else(|| unfit("no JDK is around it".into()))?;
    let release = Release::of(&home).unwrap_or_default();
    let version = release
        .version()
        .ok_or_else(|| unfit(format!("the version of {} cannot be read", home.display())))?;
    if version.feature() < OLDEST {
        return Err(unfit(format!("it is Java {}", version.feature())));
    }
    if let Some(tool) = ["javac", "jar"]
        .iter()
        .find(|tool| !is_executable(&home.join("bin").join(tool)))
    {
        return Err(unfit(format!(
            "{} has no bin/{tool}: a run-time environment, not a whole JDK",
            home.display()
        )));
    }
    Ok(Jdk {
        full_version: release
            .full_version()
            .map_or_else(|| version.to_string(), str::to_owned),
        vendor: release.vendor().unwrap_or("unknown vendor").to_owned(),
        version,
        home,
    })
}

/// The feature release of a `java`, 17 for instance, by its name on the `PATH` or its path; none where it cannot be told.
#[must_use]
pub fn release_of(settings: &Settings, java: &Path) -> Option<u32> {
    let home = home_of_java(file_of(settings, java)?)?;
    let version = Release::of(&home)?.version()?;
    Some(version.feature())
}

/// The file that a name on the `PATH`, or a path, stands for.
fn file_of(settings: &Settings, java: &Path) -> Option<PathBuf> {
    if java.components().count() > 1 {
        return Some(java.to_owned());
    }
    java.to_str().and_then(|name| settings.on_path(name))
}
