//! A directory for one JVM's files, which does not outlive its Proofmark for long.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::error::LabError;

const PREFIX: &str = "proofmark-jvm-";
/// Locked as long as the owner lives; the kernel lets go of it however the owner ends.
const LOCK: &str = "owner.lock";

/// A temporary directory. It is removed with this value; that of a killed Proofmark by the next one.
pub struct Temporary {
    directory: TempDir,
    _lock: File,
}

impl Temporary {
    /// Makes one in `parent`, and removes those whose owners are gone.
    ///
    /// # Errors
    /// When nothing can be made there.
    pub fn create(parent: &Path) -> Result<Self, LabError> {
        sweep(parent);
        let failed = || {
            LabError::io(format!(
                "cannot create a temporary directory in {}",
                parent.display()
            ))
        };
        let directory = tempfile::Builder::new()
            .prefix(PREFIX)
            .tempdir_in(parent)
            .map_err(failed())?;
        // Under its name only when locked: another one may be sweeping.
        let unlocked = directory.path().join("owner");
        let lock = File::create_new(&unlocked).map_err(failed())?;
        lock.lock().map_err(failed())?;
        std::fs::rename(unlocked, directory.path().join(LOCK)).map_err(failed())?;
        Ok(Temporary {
            directory,
            _lock: lock,
        })
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        self.directory.path()
    }

    /// The file that is locked as long as this process lives: who gets the lock, outlives it.
    #[must_use]
    pub fn lock_file(&self) -> PathBuf {
        self.path().join(LOCK)
    }
}

/// Removes what killed Proofmarks left. A directory without the file is just being made.
fn sweep(parent: &Path) {
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX)) {
        let Ok(lock) = File::open(entry.path().join(LOCK)) else {
            continue;
        };
        match lock.try_lock() {
            // Another user's directory stays: removing fails, and that is all right.
            Ok(()) => _ = std::fs::remove_dir_all(entry.path()),
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_owns_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let alive = Temporary::create(parent.path()).unwrap();
        let dead = parent.path().join("proofmark-jvm-dead");
        let fresh = parent.path().join("proofmark-jvm-new");
        for directory in [&dead, &fresh] {
            std::fs::create_dir(directory).unwrap();
        }
        std::fs::write(dead.join(LOCK), "").unwrap();
        let other = Temporary::create(parent.path()).unwrap();
        assert!(!dead.exists());
        assert!(alive.path().exists() && fresh.exists() && other.path().exists());
    }
}
