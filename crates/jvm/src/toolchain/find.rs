//! Finding a JDK 25: what the user names, JAVA_HOME, PATH, then the usual places.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::cache::Cache;
use super::jdk::{Jdk, Release, jvmci_problem};
use super::settings::is_executable;
use super::{Settings, ToolchainError};

/// A JDK that was seen on this machine, fit or not.
#[derive(Clone, Debug)]
pub struct JdkSeen {
    /// Its root directory, symbolic links resolved.
    pub home: PathBuf,
    /// What led to it: `JAVA_HOME`, `PATH`, or the directory it was listed in.
    pub origin: String,
    /// Version with build, as far as it could be read.
    pub version: Option<String>,
    /// Who built it.
    pub vendor: Option<String>,
    /// Why it will not do; nothing when nothing speaks against it (it has not been run yet).
    pub problem: Option<String>,
    release: Release,
}

impl JdkSeen {
    /// One line: version, vendor, where, why not.
    pub fn line(&self) -> String {
        let version = self.version.as_deref().unwrap_or("unknown version");
        let vendor = self
            .vendor
            .as_deref()
            .map(|v| format!(" ({v})"))
            .unwrap_or_default();
        let problem = self
            .problem
            .as_deref()
            .map(|p| format!(": {p}"))
            .unwrap_or_default();
        format!(
            "{version}{vendor} at {}, from {}{problem}",
            self.home.display(),
            self.origin
        )
    }

    /// Its feature release, 17 for instance, as far as it could be read.
    #[must_use]
    pub fn feature(&self) -> Option<u32> {
        let digits = self
            .version
            .as_deref()?
            .split(|c: char| !c.is_ascii_digit())
            .next()?;
        digits.parse().ok()
    }

    fn look(home: &Path, origin: &str) -> Option<Self> {
        let home = home
            .canonicalize()
            .ok()
            .filter(|home| is_executable(&home.join("bin/java")))?;
        let release = Release::of(&home).unwrap_or_default();
        Some(JdkSeen {
            origin: origin.to_owned(),
            version: release.full_version().map(str::to_owned),
            vendor: release.vendor().map(str::to_owned),
            problem: release.problem(&home),
            release,
            home,
        })
    }

    /// The JDK, once it has shown that it starts with JVMCI.
    fn proven(&mut self, settings: &Settings) -> Option<Jdk> {
        let version = self.release.version()?;
        if self.problem.is_none() {
            self.problem = remembered_jvmci_problem(
                settings,
                &self.home,
                self.version.as_deref().unwrap_or_default(),
            );
        }
        self.problem.is_none().then(|| Jdk {
            home: self.home.clone(),
            full_version: self.version.clone().unwrap_or_else(|| version.to_string()),
            vendor: self
                .vendor
                .clone()
                .unwrap_or_else(|| "unknown vendor".into()),
            version,
        })
    }
}

/// The JDK to work with: the one that the user names, else the first fit one in JAVA_HOME, PATH and the usual
/// places, there the newest first.
///
/// # Errors
/// When there is none; the error lists every JDK seen and why it will not do.
pub fn find_jdk(settings: &Settings) -> Result<Jdk, ToolchainError> {
    if let Some(named) = &settings.jdk {
        return named_jdk(settings, named);
    }
    let mut seen = find_any_jdks(settings);
    match seen.iter_mut().find_map(|jdk| jdk.proven(settings)) {
        Some(jdk) => Ok(jdk),
        None => Err(ToolchainError::NoJdk {
            seen: seen.iter().map(JdkSeen::line).collect(),
        }),
    }
}

/// Every JDK that can be seen, in the order in which they are tried.
pub fn find_any_jdks(settings: &Settings) -> Vec<JdkSeen> {
    let named = settings
        .jdk
        .iter()
        .map(|home| (home.clone(), "PROOFMARK_JDK".to_owned()));
    let java_home = settings
        .java_home
        .iter()
        .map(|home| (home.clone(), "JAVA_HOME".to_owned()));
    let on_path = settings
        .all_on_path("java")
        .filter_map(home_of_java)
        .map(|home| (home, "PATH".to_owned()));
    let mut known = HashSet::new();
    let mut look = |(home, origin): (PathBuf, String)| {
        JdkSeen::look(&home, &origin).filter(|jdk| known.insert(jdk.home.clone()))
    };
    let mut seen: Vec<_> = named
        .chain(java_home)
        .chain(on_path)
        .filter_map(&mut look)
        .collect();
    let mut listed: Vec<_> = listed(&settings.jdk_places).filter_map(&mut look).collect();
    listed.sort_by_key(|jdk| std::cmp::Reverse(jdk.release.version()));
    seen.append(&mut listed);
    seen
}

fn named_jdk(settings: &Settings, named: &Path) -> Result<Jdk, ToolchainError> {
    let unusable = |problem: String| ToolchainError::UnusableJdk {
        home: named.to_owned(),
        problem,
    };
    let mut seen = JdkSeen::look(named, "PROOFMARK_JDK")
        .ok_or_else(|| unusable("there is no bin/java in it".into()))?;
    seen.proven(settings)
        .ok_or_else(|| unusable(seen.problem.unwrap_or_default()))
}

/// `/x/bin/java`, symbolic links resolved, is the java of the JDK in `/x`.
pub(crate) fn home_of_java(java: PathBuf) -> Option<PathBuf> {
    let java = java.canonicalize().ok()?;
    let bin = java
        .parent()
        .filter(|bin| bin.file_name() == Some(OsStr::new("bin")))?;
    // /usr/bin/java that is no link is a wrapper, and /usr is no JDK.
    bin.parent()
        .filter(|home| home.join("lib").join("modules").exists() || home.join("release").exists())
        .map(Path::to_owned)
}

fn listed(places: &[PathBuf]) -> impl Iterator<Item = (PathBuf, String)> {
    places.iter().flat_map(|place| {
        let mut homes: Vec<_> = std::fs::read_dir(place)
            .into_iter()
            .flatten()
            .flatten()
            .map(|e| e.path())
            .collect();
        homes.sort();
        homes
            .into_iter()
            .map(move |home| (home, place.display().to_string()))
    })
}

/// Starting a JVM takes a tenth of a second, so a good answer is remembered in the cache, as far as there is one.
fn remembered_jvmci_problem(settings: &Settings, home: &Path, version: &str) -> Option<String> {
    let library = std::fs::metadata(home.join("lib/server/libjvm.so")).ok();
    let stamp = library.map(|data| (data.len(), data.modified().ok()));
    let question = format!("jvmci {} {version} {stamp:?}", home.display());
    let cache = Cache::open(settings).ok();
    if cache
        .as_ref()
        .is_some_and(|cache| cache.remembers(&question))
    {
        return None;
    }
    let problem = jvmci_problem(home);
    if let (None, Some(cache)) = (&problem, cache) {
        cache.remember(&question);
    }
    problem
}
