//! Where runs are kept.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::StoreError;

/// The directory for results: `$XDG_STATE_HOME/proofmark`, else `$HOME/.local/state/proofmark`.
/// `variable` looks up an environment variable; relative paths in them are ignored, as the XDG
/// specification demands.
///
/// # Errors
/// [`StoreError::NoPlace`] if neither variable holds an absolute path.
pub fn state_directory(variable: impl Fn(&str) -> Option<OsString>) -> Result<PathBuf, StoreError> {
    let absolute = |name: &str| {
        variable(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let state = absolute("XDG_STATE_HOME")
        .or_else(|| absolute("HOME").map(|home| home.join(".local/state")));
    Ok(state.ok_or(StoreError::NoPlace)?.join("proofmark"))
}

/// Makes a new directory in `parent` named after the time (UTC) and `label`; of two that ask for the
/// same name at once, each gets its own. Characters other than letters, digits, `.`, `-` and `_`
/// become `-`.
///
/// # Errors
/// Errors of the file system, the full disk as such.
pub fn new_run_directory(
    parent: &Path,
    label: &str,
    now: SystemTime,
) -> Result<PathBuf, StoreError> {
    std::fs::create_dir_all(parent).map_err(StoreError::at(parent))?;
    let safe = |c: char| {
        if c.is_ascii_alphanumeric() || "._-".contains(c) {
            c
        } else {
            '-'
        }
    };
    let label: String = label.chars().map(safe).take(80).collect();
    let name = format!("{}-{label}", timestamp(now));
    for attempt in 1.. {
        let name = if attempt == 1 {
            name.clone()
        } else {
            format!("{name}-{attempt}")
        };
        let path = parent.join(name);
        match std::fs::create_dir(&path) {
            Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {}
            made => return made.map(|()| path.clone()).map_err(StoreError::at(&path)),
        }
    }
    unreachable!("there are fewer directories than numbers")
}

/// A time in UTC as names of directories show it: `20251121T114203Z`.
#[must_use]
pub fn timestamp(now: SystemTime) -> String {
    let now = jiff::Timestamp::try_from(now).unwrap_or_default();
    now.strftime("%Y%m%dT%H%M%SZ").to_string()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, UNIX_EPOCH};

    use super::*;

    #[test]
    fn dates_are_those_of_the_calendar() {
        let stamp = |seconds| timestamp(UNIX_EPOCH + Duration::from_secs(seconds));
        assert_eq!(stamp(0), "19700101T000000Z");
        assert_eq!(stamp(951_782_399), "20000228T235959Z");
        assert_eq!(stamp(951_782_400), "20000229T000000Z");
        assert_eq!(stamp(1_763_725_323), "20251121T114203Z");
        assert_eq!(stamp(4_107_542_400), "21000301T000000Z");
    }

    #[test]
    fn the_state_directory_follows_xdg() {
        let with = |state: &str, home: &str| {
            let (state, home) = (OsString::from(state), OsString::from(home));
            state_directory(move |name| {
                Some(if name == "HOME" {
                    home.clone()
                } else {
                    state.clone()
                })
            })
        };
        assert_eq!(with("/s", "/h").unwrap(), Path::new("/s/proofmark"));
        assert_eq!(
            with("relative", "/h").unwrap(),
            Path::new("/h/.local/state/proofmark")
        );
        assert!(matches!(with("", ""), Err(StoreError::NoPlace)));
    }

    #[test]
    fn equal_names_get_directories_of_their_own() {
        let parent = tempfile::tempdir().unwrap();
        let make = || new_run_directory(parent.path(), "a b/../c", UNIX_EPOCH).unwrap();
        assert_eq!(make(), parent.path().join("19700101T000000Z-a-b-..-c"));
        assert_eq!(make(), parent.path().join("19700101T000000Z-a-b-..-c-2"));
    }
}
