//! One JDK: what its `release` file says, and whether Proofmark can work with it.

use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};

use super::process::{JDK_TOOL_LIMIT, jdk_tool, run};
use super::settings::is_executable;
use crate::crashed::report_of_tool;

/// The feature release that Proofmark is made for.
const FEATURE: u32 = 25;

/// A JDK version, compared element by element: 25.0.3 is `[25, 0, 3]`, trailing zeros do not count.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JdkVersion(Vec<u32>);

impl JdkVersion {
    /// Reads the numbers at the start of `25.0.3`, `25.0.3+9-LTS`, `25-ea` or `1.8.0_412`.
    pub fn parse(text: &str) -> Option<Self> {
        let end = text
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .unwrap_or(text.len());
        let mut numbers = text[..end]
            .split('.')
            .map(|n| n.parse().ok())
            .collect::<Option<Vec<u32>>>()?;
        while numbers.len() > 1 && numbers.last() == Some(&0) {
            numbers.pop();
        }
        Some(JdkVersion(numbers))
    }

    /// 25 of 25.0.3; 8 of 1.8.0.
    pub fn feature(&self) -> u32 {
        match self.0.as_slice() {
            [1, old, ..] => *old,
            [feature, ..] => *feature,
            [] => 0,
        }
    }

    /// 3 of 25.0.3: the patch level that Graal's must not exceed.
    pub fn patch(&self) -> u32 {
        self.0.get(2).copied().unwrap_or(0)
    }
}

impl fmt::Display for JdkVersion {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut numbers = self.0.clone();
        numbers.resize(numbers.len().max(3), 0);
        f.write_str(
            &numbers
                .iter()
                .map(u32::to_string)
                .collect::<Vec<_>>()
                .join("."),
        )
    }
}

/// A JDK that Proofmark can work with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Jdk {
    /// Its root directory, symbolic links resolved.
    pub home: PathBuf,
    /// 25.0.3
    pub version: JdkVersion,
    /// With the build: `25.0.3+9-LTS`.
    pub full_version: String,
    /// Who built it: `Eclipse Adoptium`.
    pub vendor: String,
}

impl Jdk {
    /// A program of this JDK: `tool("jcmd")`.
    pub fn tool(&self, name: &str) -> PathBuf {
        self.home.join("bin").join(name)
    }

    /// `bin/java`.
    pub fn java(&self) -> PathBuf {
        self.tool("java")
    }

    /// Whether a JVM starts with these options at all.
    ///
    /// # Errors
    /// With what the JVM says, or that it hangs.
    pub fn starts_with(&self, options: impl IntoIterator<Item = String>) -> Result<(), String> {
        let mut java = jdk_tool(self.java());
        java.args(options).arg(report_of_tool("java"));
        let asked = run(java.arg("-version"), JDK_TOOL_LIMIT);
        let asked = asked.map_err(|error| error.to_string())?;
        if asked.status.success() {
            return Ok(());
        }
        let lines: Vec<&str> = asked.output.lines().map(str::trim).collect();
        Err(lines.join("; "))
    }
}

/// What is written in a JDK's `release` file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Release(BTreeMap<String, String>);

impl Release {
    /// Reads the file, or asks `bin/java` where a distribution left the file out.
    pub(crate) fn of(home: &Path) -> Option<Self> {
        let file = std::fs::read_to_string(home.join("release")).map(|text| Self::parse(&text));
        file.ok()
            .filter(|release| release.version().is_some())
            .or_else(|| Self::ask(home))
    }

    fn parse(text: &str) -> Self {
        let pairs = text.lines().filter_map(|line| line.split_once('='));
        Release(
            pairs
                .map(|(key, value)| (key.trim().into(), value.trim().trim_matches('"').into()))
                .collect(),
        )
    }

    fn ask(home: &Path) -> Option<Self> {
        let mut java = jdk_tool(home.join("bin/java"));
        let report = report_of_tool("java");
        java.args(["-XshowSettings:properties", &report, "-version"]);
        let answer = run(&mut java, JDK_TOOL_LIMIT).ok()?;
        Some(Self::from_properties(&answer.output))
    }

    /// The lines of `-XshowSettings:properties`, under the names of the release file.
    fn from_properties(text: &str) -> Self {
        const NAMES: [(&str, &str); 3] = [
            ("java.version", "JAVA_VERSION"),
            ("java.runtime.version", "JAVA_RUNTIME_VERSION"),
            ("java.vendor", "IMPLEMENTOR"),
        ];
        let properties = text
            .lines()
            .filter_map(|line| line.trim().split_once(" = "));
        let named = properties.filter_map(|(property, value)| {
            let (_, name) = NAMES.iter().find(|(known, _)| *known == property)?;
            Some((name.to_string(), value.to_owned()))
        });
        Release(named.collect())
    }

    fn get(&self, key: &str) -> Option<&str> {
        self.0
            .get(key)
            .map(String::as_str)
            .filter(|value| !value.is_empty())
    }

    pub(crate) fn version(&self) -> Option<JdkVersion> {
        JdkVersion::parse(self.get("JAVA_VERSION")?)
    }

    pub(crate) fn full_version(&self) -> Option<&str> {
        self.get("JAVA_RUNTIME_VERSION")
            .or_else(|| self.get("JAVA_VERSION"))
    }

    pub(crate) fn vendor(&self) -> Option<&str> {
        self.get("IMPLEMENTOR")
    }

    /// Why a JDK with this release file will not do, without running it.
    pub(crate) fn problem(&self, home: &Path) -> Option<String> {
        let Some(version) = self.version() else {
            return Some("its version cannot be read".into());
        };
        if version.feature() != FEATURE {
            return Some(format!("it is Java {}, not {FEATURE}", version.feature()));
        }
        if let Some(missing) = ["javac", "jar", "jcmd"]
            .iter()
            .find(|tool| !is_executable(&home.join("bin").join(tool)))
        {
            return Some(format!(
                "it has no bin/{missing}: a run-time environment, not a whole JDK"
            ));
        }
        if self.get("GRAALVM_VERSION").is_some() {
            return Some(
                "it is a GraalVM with a compiler of its own, which is not the locked one".into(),
            );
        }
        let modules = self.get("MODULES")?;
        let has_jvmci = modules
            .split_whitespace()
            .any(|module| module == "jdk.internal.vm.ci");
        (!has_jvmci).then(|| "it lacks the module jdk.internal.vm.ci (JVMCI)".into())
    }
}

/// Runs `java` once to see that it takes the JVMCI switches.
pub(crate) fn jvmci_problem(home: &Path) -> Option<String> {
    let mut java = jdk_tool(home.join("bin/java"));
    java.args([
        "-XX:+UnlockExperimentalVMOptions",
        "-XX:+EnableJVMCI",
        &report_of_tool("java"),
        "-version",
    ]);
    match run(&mut java, JDK_TOOL_LIMIT) {
        Err(error) => Some(format!("it cannot be run: {error}")),
        Ok(done) if done.status.success() => None,
        Ok(done) => {
            let line = done.output.lines().next().unwrap_or("no output").to_owned();
            Some(format!("it does not start with JVMCI: {line}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_read_and_compared() {
        let version = |text| JdkVersion::parse(text).unwrap();
        assert_eq!(version("25.0.3+9-LTS"), version("25.0.3"));
        assert_eq!(version("25"), version("25.0.0"));
        assert!(version("25.0.10") > version("25.0.9.1"));
        assert_eq!(
            (version("1.8.0_412").feature(), version("25-ea").feature()),
            (8, 25)
        );
        assert_eq!((version("25.0.3").patch(), version("25").patch()), (3, 0));
        assert_eq!(version("25").to_string(), "25.0.0");
        assert_eq!(JdkVersion::parse("unknown"), None);
    }

    #[test]
    fn the_release_file_is_read() {
        let release = Release::parse(
            "IMPLEMENTOR=\"Acme\"\nJAVA_VERSION=\"25.0.1\"\nMODULES=\"java.base\"\nnonsense\n",
        );
        assert_eq!(release.vendor(), Some("Acme"));
        assert_eq!(release.full_version(), Some("25.0.1"));
        assert_eq!(release.version(), JdkVersion::parse("25.0.1"));
    }

    #[test]
    fn properties_stand_in_for_a_missing_release_file() {
        let text = "Property settings:\n    java.runtime.version = 25.0.3+9-LTS\n    java.vendor = Acme\n    java.version = 25.0.3\n";
        let release = Release::from_properties(text);
        assert_eq!(
            (release.full_version(), release.vendor()),
            (Some("25.0.3+9-LTS"), Some("Acme"))
        );
        assert_eq!(release.version(), JdkVersion::parse("25.0.3"));
    }
}
