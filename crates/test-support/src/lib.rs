//! What tests share: what they need of the machine, with what happens where it is not there, and the committed JSON schemas.
//!
//! A test that lacks something says so and ends as if it had passed, unless the need's variable (`REQUIRE_JVM`,
//! `REQUIRE_PERF` ...) is set: then it fails. `.ci/run` sets all of them. For tests only: no crate depends on this one
//! otherwise.
#![forbid(unsafe_code)]

mod classes;
mod disks;
mod jdks;
mod schemas;

use std::ffi::OsString;
use std::fmt::Display;
use std::io::Write;
use std::path::PathBuf;

pub use classes::{Classes, jdk_classes};
pub use disks::mounted;
pub use jdks::{jdks_with, quick_tool};
pub use schemas::{fit_schema, fits};

/// What a test cannot do without.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// A JDK, and the locked files of the Maven repository where the test needs Graal.
    Jvm,
    /// JDKs of two releases: what holds on one is to be seen on another.
    SecondJdk,
    /// `perf_event_open` with an event to sample by, and the `perf` command.
    Perf,
    /// Chromium.
    Browser,
    /// Mount namespaces with file systems of their own.
    Mounts,
}

impl Need {
    /// Every need.
    pub const ALL: [Self; 5] = [
        Self::Jvm,
        Self::SecondJdk,
        Self::Perf,
        Self::Browser,
        Self::Mounts,
    ];

    /// The environment variable that makes a lack a failure: any value but the empty one and `0`.
    pub fn variable(self) -> &'static str {
        match self {
            Self::Jvm => "REQUIRE_JVM",
            Self::SecondJdk => "REQUIRE_SECOND_JDK",
            Self::Perf => "REQUIRE_PERF",
            Self::Browser => "REQUIRE_BROWSER",
            Self::Mounts => "REQUIRE_MOUNTS",
        }
    }
}

/// What the test needs, or nothing after the reason was printed: the test is to return then.
///
/// # Panics
/// If the need's variable is set and it is not there.
pub fn need<T, E: Display>(need: Need, found: Result<T, E>) -> Option<T> {
    found.map_err(|reason| skip(need, reason)).ok()
}

/// Says why a test, or a part of one, is not run.
///
/// # Panics
/// If the need's variable is set.
pub fn skip(need: Need, reason: impl Display) {
    if let Some(failure) = failure(need, &reason, |name| std::env::var_os(name)) {
        panic!("{failure}");
    }
    // Not eprintln, which the test runner keeps to itself when a test passes.
    let _ = writeln!(std::io::stderr(), "skipped: {reason}");
}

fn failure(
    need: Need,
    reason: &dyn Display,
    variable: impl Fn(&str) -> Option<OsString>,
) -> Option<String> {
    let name = need.variable();
    let set = variable(name).is_some_and(|value| !value.is_empty() && value != "0");
    set.then(|| format!("{name} is set, but: {reason}"))
}

/// Chromium: the file in `CHROMIUM`, or one of its usual names on the path.
pub fn browser() -> Option<PathBuf> {
    let named = std::env::var_os("CHROMIUM").map(PathBuf::from);
    let found = named.or_else(|| {
        ["chromium", "chromium-browser", "google-chrome"]
            .iter()
            .find_map(|name| on_path(name))
    });
    need(
        Need::Browser,
        found.ok_or("no chromium in PATH (apt-get install chromium, or set CHROMIUM)"),
    )
}

/// The file of a command on the path.
pub fn on_path(command: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|directory| directory.join(command))
        .find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lack_is_a_failure_only_where_its_own_variable_is_set() {
        let with = |name: &'static str, value: &'static str| {
            move |asked: &str| (asked == name).then(|| OsString::from(value))
        };
        for need in Need::ALL {
            let name = need.variable();
            let said = failure(need, &"there is none", with(name, "1"));
            let expected = format!("{name} is set, but: there is none");
            assert_eq!(said, Some(expected));
            for value in ["", "0"] {
                assert_eq!(failure(need, &"x", with(name, value)), None, "{value:?}");
            }
            assert_eq!(failure(need, &"x", with("REQUIRE_OTHER", "1")), None);
        }
    }
}
