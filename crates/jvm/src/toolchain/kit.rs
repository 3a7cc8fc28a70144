//! Everything that a laboratory JVM is started from.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::cache::{Cache, Entry};
use super::compile::{Jar, Recipe, unpack};
use super::exports::{self, Export, PLUGIN_MODULE};
use super::jdk::Jdk;
use super::lock::{Artifact, Lock};
use super::sources::Sources;
use super::{Settings, ToolchainError, artifact, find_jdk, hash};

/// JDK, Graal and our own jars, all in place and checked.
#[derive(Clone, Debug)]
pub struct Kit {
    /// The JDK.
    pub jdk: Jdk,
    /// Directory with exactly the locked Graal jars, for `--upgrade-module-path`.
    pub graal_dir: PathBuf,
    /// The plug-in, an automatic module named `proofmark.graal`, for `--module-path`.
    pub plugin_jar: PathBuf,
    /// The harness, for the class path.
    pub harness_jar: PathBuf,
    /// The suite's programs, for the class path.
    pub suite_jar: PathBuf,
    /// Versions, for reports.
    pub versions: Versions,
    /// SHA-256 of every jar, by file name, for reports.
    pub hashes: BTreeMap<String, String>,
    exports: Vec<Export>,
}

/// What a kit is made of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Versions {
    /// `25.0.3+9-LTS`
    pub jdk: String,
    /// `Eclipse Adoptium`
    pub jdk_vendor: String,
    /// `25.0.3`
    pub graal: String,
}

/// async-profiler as the lock file has it.
#[derive(Clone, Debug)]
pub struct AsyncProfiler {
    /// `4.5`
    pub version: String,
    /// The agent library for this processor.
    pub lib: PathBuf,
    /// The jar it came in (Java API).
    pub jar: PathBuf,
    /// SHA-256 of both, by file name.
    pub hashes: BTreeMap<String, String>,
}

impl Kit {
    /// Finds the JDK and puts everything together; what the cache has is only checked.
    ///
    /// # Errors
    /// The first piece that is missing or broken, with its remedy.
    pub fn assemble(settings: &Settings) -> Result<Self, ToolchainError> {
        let cache = Cache::open(settings)?;
        let jdk = find_jdk(settings)?;
        let lock = Lock::committed()?;
        let graal = lock.graal_for(&jdk)?;
        let plugin_sources = Sources::of(settings, "graal-plugin")?;
        let exports = exports::parse(&plugin_sources.text("exports.txt").unwrap_or_default())?;
        let graal_entry = graal_directory(settings, &cache, &lock, &graal)?;
        let parts = Parts {
            settings,
            cache: &cache,
            jdk: &jdk,
            graal: &graal_entry,
            exports: &exports,
        };
        let plugin = parts.plugin(&plugin_sources)?;
        let harness = parts.harness(&plugin)?;
        let suite = parts.suite()?;
        let versions = Versions {
            jdk: jdk.full_version.clone(),
            jdk_vendor: jdk.vendor.clone(),
            graal: graal[0].version.clone(),
        };
        let mut hashes = graal_entry.hashes;
        for jar in [&plugin, &harness, &suite] {
            let name = jar.path.file_name().unwrap_or_default().to_string_lossy();
            hashes.insert(name.into_owned(), jar.sha256.clone());
        }
        Ok(Kit {
            jdk,
            graal_dir: graal_entry.path,
            plugin_jar: plugin.path,
            harness_jar: harness.path,
            suite_jar: suite.path,
            versions,
            hashes,
            exports,
        })
    }

    /// Arguments of `java` that put Graal and the plug-in in place; which compiler is used is not said by them.
    pub fn module_arguments(&self) -> Vec<String> {
        let mut arguments = vec![
            "--upgrade-module-path".to_owned(),
            self.graal_dir.display().to_string(),
            "--module-path".to_owned(),
            self.plugin_jar.display().to_string(),
            "--add-modules".to_owned(),
            PLUGIN_MODULE.to_owned(),
        ];
        arguments.extend(exports::for_java(&self.exports));
        arguments
    }

    /// Arguments of `java` that open what the plug-in sees to classes on the class path too.
    pub(crate) fn open_to_class_path(&self) -> Vec<String> {
        exports::for_class_path(&self.exports)
    }
}

impl AsyncProfiler {
    /// The locked version, fetched and unpacked at first use.
    ///
    /// # Errors
    /// When it cannot be had, or has no library for this processor.
    pub fn obtain(settings: &Settings, jdk: &Jdk) -> Result<Self, ToolchainError> {
        let cache = Cache::open(settings)?;
        let lock = Lock::committed()?;
        let locked = lock.async_profiler()?;
        let (name, key) =
            async_profiler_entry(&locked).ok_or_else(|| ToolchainError::NoProfilerLibrary {
                architecture: std::env::consts::ARCH.into(),
            })?;
        let member = format!(
            "{}/libasyncProfiler.so",
            library_directory().unwrap_or_default()
        );
        let entry = cache.get(&name, &key, |entry| {
            let jar = artifact::obtain(settings, &lock, &locked, entry)?;
            unpack(jdk, &jar, &member, entry).map(drop)
        })?;
        Ok(AsyncProfiler {
            lib: entry.path.join(&member),
            jar: entry.path.join(locked.file_name()),
            version: locked.version,
            hashes: entry.hashes,
        })
    }
}

/// Where the jar has the library for this processor.
fn library_directory() -> Option<&'static str> {
    match std::env::consts::ARCH {
        "x86_64" => Some("linux-x64"),
        "aarch64" => Some("linux-arm64"),
        _ => None,
    }
}

fn graal_directory(
    settings: &Settings,
    cache: &Cache,
    lock: &Lock,
    jars: &[Artifact],
) -> Result<Entry, ToolchainError> {
    let (name, key) = graal_entry(jars);
    cache.get(&name, &key, |entry| {
        jars.iter()
            .try_for_each(|jar| artifact::obtain(settings, lock, jar, entry).map(drop))
    })
}

/// Name and key of Graal's directory in the cache.
pub(crate) fn graal_entry(jars: &[Artifact]) -> (String, String) {
    (format!("graal-{}", jars[0].version), key_of(jars, ""))
}

/// Name and key of async-profiler's directory in the cache; nothing where it has no library.
pub(crate) fn async_profiler_entry(jar: &Artifact) -> Option<(String, String)> {
    Some((
        format!("async-profiler-{}", jar.version),
        key_of(std::slice::from_ref(jar), library_directory()?),
    ))
}

fn key_of(artifacts: &[Artifact], detail: &str) -> String {
    let names: Vec<_> = artifacts
        .iter()
        .map(|artifact| artifact.file_name())
        .collect();
    let hashes = artifacts.iter().map(|artifact| artifact.sha256.as_bytes());
    hash::of_parts(
        names
            .iter()
            .map(String::as_bytes)
            .chain(hashes)
            .chain([detail.as_bytes()]),
    )
}

/// What the three jars are compiled with.
struct Parts<'a> {
    settings: &'a Settings,
    cache: &'a Cache,
    jdk: &'a Jdk,
    graal: &'a Entry,
    exports: &'a [Export],
}

impl Parts<'_> {
    fn plugin(&self, sources: &Sources) -> Result<Jar, ToolchainError> {
        let recipe = Recipe {
            jdk: self.jdk,
            sources,
            flags: self.graal_flags(),
            paths: self.graal_path(),
            inputs: self.graal_hashes(),
            manifest: "Automatic-Module-Name: proofmark.graal\n",
        };
        recipe.jar(self.settings, self.cache)
    }

    /// The harness talks to the plug-in directly, so it sees what the plug-in sees.
    fn harness(&self, plugin: &Jar) -> Result<Jar, ToolchainError> {
        let sources = Sources::of(self.settings, "harness")?;
        let mut paths = self.graal_path();
        paths.extend(["--class-path".to_owned(), plugin.path.display().to_string()]);
        let mut inputs = self.graal_hashes();
        inputs.push(plugin.sha256.clone());
        let recipe = Recipe {
            jdk: self.jdk,
            sources: &sources,
            flags: self.graal_flags(),
            paths,
            inputs,
            manifest: "Premain-Class: proofmark.harness.Agent\n",
        };
        recipe.jar(self.settings, self.cache)
    }

    /// The suite also runs on older JDKs.
    fn suite(&self) -> Result<Jar, ToolchainError> {
        let sources = Sources::of(self.settings, "suite")?;
        let flags = vec!["--release".to_owned(), "17".to_owned()];
        let (paths, inputs) = (Vec::new(), Vec::new());
        Recipe {
            jdk: self.jdk,
            sources: &sources,
            flags,
            paths,
            inputs,
            manifest: "",
        }
        .jar(self.settings, self.cache)
    }

    fn graal_flags(&self) -> Vec<String> {
        let mut flags = vec![
            "--add-modules".to_owned(),
            "jdk.graal.compiler,jdk.internal.vm.ci".to_owned(),
        ];
        flags.extend(exports::for_javac(self.exports));
        flags
    }

    fn graal_path(&self) -> Vec<String> {
        vec![
            "--upgrade-module-path".to_owned(),
            self.graal.path.display().to_string(),
        ]
    }

    fn graal_hashes(&self) -> Vec<String> {
        self.graal.hashes.values().cloned().collect()
    }
}
