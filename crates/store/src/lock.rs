//! One Proofmark per directory.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Seek, Write};
use std::path::{Path, PathBuf};

use crate::StoreError;

/// The lock of a run's directory, held as long as the value lives; the kernel releases it when the process ends, however it
/// ends. The file stays: removing it would let two processes hold locks on two files of that name.
#[derive(Debug)]
pub struct Lock {
    directory: PathBuf,
    _file: File,
}

impl Lock {
    /// Takes the lock of a directory that is there, without waiting.
    ///
    /// # Errors
    /// [`StoreError::Busy`] if it is held, also by this process; [`StoreError::Occupied`] if a directory has the name of the
    /// lock; other errors of the file system.
    pub fn take(directory: &Path) -> Result<Self, StoreError> {
        let path = directory.join("lock");
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(|error| match error.kind() {
                ErrorKind::IsADirectory => StoreError::Occupied {
                    path: directory.to_path_buf(),
                    found: "lock".into(),
                },
                _ => StoreError::at(&path)(error),
            })?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let process = holder(&mut file);
                return Err(StoreError::Busy {
                    path: directory.to_path_buf(),
                    process,
                });
            }
            Err(TryLockError::Error(error)) => return Err(StoreError::at(&path)(error)),
        }
        // Only for the message of the next one: a full disk is no reason not to read the run.
        let _ = note_holder(&mut file);
        Ok(Self {
            directory: directory.to_path_buf(),
            _file: file,
        })
    }

    /// The directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        &self.directory
    }
}

fn note_holder(file: &mut File) -> std::io::Result<()> {
    // Somebody else's file of that name is left as it is.
    if file.metadata()?.len() > 0 && holder(file).is_none() {
        return Ok(());
    }
    file.set_len(0)?;
    file.rewind()?;
    writeln!(file, "{}", std::process::id())
}

fn holder(file: &mut File) -> Option<u32> {
    let mut text = String::new();
    file.read_to_string(&mut text).ok()?;
    text.trim().parse().ok()
}
