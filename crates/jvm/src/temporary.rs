//! A directory for one JVM's files, which does not outlive its Proofmark for long.

use std::fs::{File, TryLockError};
use std::io::ErrorKind;
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
        loop {
            if let Some(made) = Self::try_create(parent)? {
                return Ok(made);
            }
        }
    }

    /// Makes one; none when another Proofmark swept it away before it was locked.
    fn try_create(parent: &Path) -> Result<Option<Self>, LabError> {
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
        let lock = match lock_of(directory.path()) {
            Ok(lock) => lock,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed()(error)),
        };
        lock.lock().map_err(failed())?;
        // Whoever swept it had the lock first, and its file is gone.
        Ok(directory.path().join(LOCK).exists().then_some(Temporary {
            directory,
            _lock: lock,
        }))
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

/// Removes what killed Proofmarks left, also where they did not come to lock it.
fn sweep(parent: &Path) {
    let entries = std::fs::read_dir(parent).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_name().to_string_lossy().starts_with(PREFIX)) {
        let Ok(lock) = lock_of(&entry.path()) else {
            continue;
        };
        match lock.try_lock() {
            Ok(()) => remove(&entry.path()),
            Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
        }
    }
}

/// Removes a directory whose lock this process has. Another user's stays: it fails, and that is all right.
fn remove(directory: &Path) {
    // Under another name first: whoever is just making it can add nothing to what is being removed.
    let gone = directory.with_extension("gone");
    if std::fs::rename(directory, &gone).is_ok() {
        let _ = std::fs::remove_dir_all(gone);
    }
}

/// The file of a directory that its owner locks; who comes first makes it.
fn lock_of(directory: &Path) -> std::io::Result<File> {
    let mut open = File::options();
    open.write(true).create(true).truncate(false);
    open.open(directory.join(LOCK))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_nobody_owns_is_removed() {
        let parent = tempfile::tempdir().unwrap();
        let alive = Temporary::create(parent.path()).unwrap();
        let dead = parent.path().join("proofmark-jvm-dead");
        let half_made = parent.path().join("proofmark-jvm-new");
        let of_others = parent.path().join("others");
        for directory in [&dead, &half_made, &of_others] {
            std::fs::create_dir(directory).unwrap();
        }
        std::fs::write(dead.join(LOCK), "").unwrap();
        let other = Temporary::create(parent.path()).unwrap();
        assert!(!dead.exists() && !half_made.exists());
        assert!(alive.path().exists() && of_others.exists() && other.path().exists());
    }

    #[test]
    fn sweeping_takes_nothing_from_those_who_are_just_making_theirs() {
        const EACH: usize = 200;
        let parent = tempfile::tempdir().unwrap();
        let make = || -> Vec<Temporary> {
            let one = |_| Temporary::create(parent.path()).unwrap();
            (0..EACH).map(one).collect()
        };
        std::thread::scope(|scope| {
            let makers: Vec<_> = (0..4).map(|_| scope.spawn(make)).collect();
            for maker in makers {
                let made = maker.join().unwrap();
                assert!(made.iter().all(|one| one.lock_file().exists()));
            }
        });
    }
}
