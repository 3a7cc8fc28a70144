//! The lock file: which files of which versions are used, and what their SHA-256 must be.

use serde::Deserialize;

use super::ToolchainError;
use super::jdk::{Jdk, JdkVersion};

/// The committed lock file, embedded so that the binary works from anywhere.
const COMMITTED: &str = include_str!("../../../../toolchain.lock");

/// `toolchain.lock`
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Lock {
    format: u32,
    /// Version of the plug-in with which `mvn` fetches.
    pub(crate) maven_dependency_plugin: String,
    artifact: Vec<Artifact>,
}

/// What a locked file is for.
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Use {
    Graal,
    AsyncProfiler,
}

/// One locked jar.
#[derive(Clone, Debug, Deserialize, PartialEq, Eq)]
#[serde(deny_unknown_fields)]
pub(crate) struct Artifact {
    #[serde(rename = "use")]
    pub(crate) used_for: Use,
    pub(crate) group: String,
    pub(crate) artifact: String,
    pub(crate) version: String,
    /// Empty for the main jar.
    pub(crate) classifier: String,
    pub(crate) sha256: String,
    pub(crate) bytes: u64,
}

impl Artifact {
    /// `word-25.0.3.jar`
    pub(crate) fn file_name(&self) -> String {
        let classifier = if self.classifier.is_empty() {
            String::new()
        } else {
            format!("-{}", self.classifier)
        };
        format!("{}-{}{classifier}.jar", self.artifact, self.version)
    }

    /// Where it lies in a repository of Maven's layout.
    pub(crate) fn path(&self) -> String {
        format!(
            "{}/{}/{}/{}",
            self.group.replace('.', "/"),
            self.artifact,
            self.version,
            self.file_name()
        )
    }

    /// `group:artifact:version:jar[:classifier]`, as `mvn` takes it.
    pub(crate) fn coordinates(&self) -> String {
        let classifier = if self.classifier.is_empty() {
            String::new()
        } else {
            format!(":{}", self.classifier)
        };
        format!(
            "{}:{}:{}:jar{classifier}",
            self.group, self.artifact, self.version
        )
    }
}

impl Lock {
    /// The lock file that this binary was built with.
    pub(crate) fn committed() -> Result<Self, ToolchainError> {
        Self::parse(COMMITTED)
    }

    pub(crate) fn parse(text: &str) -> Result<Self, ToolchainError> {
        let bad = |problem: String| ToolchainError::BadLock { problem };
        let lock: Lock = toml::from_str(text).map_err(|error| bad(error.to_string()))?;
        if lock.format != 1 {
            return Err(bad(format!(
                "format {} is not known to this version of proofmark",
                lock.format
            )));
        }
        let hex = |hash: &str| {
            hash.len() == 64 && hash.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
        };
        match lock.artifact.iter().find(|artifact| !hex(&artifact.sha256)) {
            Some(artifact) => Err(bad(format!(
                "{} has no SHA-256 in lower-case hexadecimal",
                artifact.coordinates()
            ))),
            None => Ok(lock),
        }
    }

    /// The jars of the newest locked Graal that is not newer than the JDK: JVMCI's interface may grow with a
    /// patch release, so Graal's patch level must not exceed the JDK's.
    pub(crate) fn graal_for(&self, jdk: &Jdk) -> Result<Vec<Artifact>, ToolchainError> {
        let graals = || {
            self.artifact
                .iter()
                .filter(|artifact| artifact.used_for == Use::Graal)
        };
        let version = |artifact: &&Artifact| JdkVersion::parse(&artifact.version);
        let fits = |v: &JdkVersion| {
            v.feature() == jdk.version.feature() && v.patch() <= jdk.version.patch()
        };
        let newest = graals()
            .filter_map(|artifact| version(&artifact))
            .filter(fits)
            .max();
        let Some(newest) = newest else {
            let mut locked: Vec<_> = graals().map(|artifact| artifact.version.as_str()).collect();
            locked.dedup();
            return Err(ToolchainError::NoMatchingGraal {
                jdk: jdk.version.to_string(),
                locked: locked.join(", "),
            });
        };
        Ok(graals()
            .filter(|artifact| version(artifact).as_ref() == Some(&newest))
            .cloned()
            .collect())
    }

    /// The locked async-profiler.
    pub(crate) fn async_profiler(&self) -> Result<Artifact, ToolchainError> {
        let found = self
            .artifact
            .iter()
            .find(|artifact| artifact.used_for == Use::AsyncProfiler);
        found.cloned().ok_or_else(|| ToolchainError::BadLock {
            problem: "it has no async-profiler".into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn jdk(version: &str) -> Jdk {
        Jdk {
            home: "/jdk".into(),
            version: JdkVersion::parse(version).unwrap(),
            full_version: version.into(),
            vendor: "Acme".into(),
        }
    }

    #[test]
    fn the_committed_lock_has_four_jars_per_graal() {
        let lock = Lock::committed().unwrap();
        for version in ["25.0.0", "25.0.1", "25.0.2", "25.0.3"] {
            let jars = lock.graal_for(&jdk(version)).unwrap();
            let mut names: Vec<_> = jars.iter().map(|jar| jar.artifact.as_str()).collect();
            names.sort_unstable();
            assert_eq!(
                names,
                ["collections", "compiler", "truffle-compiler", "word"]
            );
            assert!(jars.iter().all(|jar| jar.version == version));
        }
        assert_eq!(lock.async_profiler().unwrap().version, "4.5");
    }

    #[test]
    fn graal_is_never_newer_than_the_jdk() {
        let lock = Lock::committed().unwrap();
        assert_eq!(lock.graal_for(&jdk("25.0.9")).unwrap()[0].version, "25.0.3");
        assert_eq!(lock.graal_for(&jdk("25")).unwrap()[0].version, "25.0.0");
        let error = lock.graal_for(&jdk("26")).unwrap_err().to_string();
        assert!(
            error.contains("no Graal for JDK 26.0.0") && error.contains("25.0.3"),
            "{error}"
        );
    }

    #[test]
    fn maven_names() {
        let mut artifact = Lock::committed().unwrap().async_profiler().unwrap();
        assert_eq!(
            artifact.path(),
            "tools/profiler/async-profiler/4.5/async-profiler-4.5.jar"
        );
        artifact.classifier = "linux".into();
        assert_eq!(artifact.file_name(), "async-profiler-4.5-linux.jar");
        assert_eq!(
            artifact.coordinates(),
            "tools.profiler:async-profiler:4.5:jar:linux"
        );
    }

    #[test]
    fn a_lock_without_hashes_is_refused() {
        let text = COMMITTED.replace("sha256 = \"d0184907", "sha256 = \"");
        assert!(
            Lock::parse(&text)
                .unwrap_err()
                .to_string()
                .contains("async-profiler")
        );
        assert!(Lock::parse("format = 9\nmaven_dependency_plugin = \"1\"\nartifact = []").is_err());
    }
}
