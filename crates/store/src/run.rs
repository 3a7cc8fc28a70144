//! A run's directory.

use std::fs::File;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::atomic::{is_unfinished, remove_unfinished, sync_directory};
use crate::lines::read_steps;
use crate::lock::Lock;
use crate::steps::StepLog;
use crate::{Step, StoreError, write_atomically};

pub(crate) const MANIFEST: &str = "manifest.json";
const STEPS: &str = "steps.jsonl";

/// Format of manifests and steps; larger with every change that an older Proofmark cannot read.
const FORMAT: u32 = 1;

/// A run on disk, locked for this process as long as the value lives.
#[derive(Debug)]
pub struct Run {
    steps: StepLog<File>,
    lock: Lock,
}

#[derive(Serialize, Deserialize)]
struct Manifest<T> {
    format: u32,
    run: T,
}

#[derive(Deserialize)]
struct Format {
    format: u32,
}

impl Run {
    /// Begins a run in `directory`, which is made if it does not exist.
    ///
    /// # Errors
    /// [`StoreError::NoDirectory`] if it is a file, [`StoreError::Exists`] if it holds a run, [`StoreError::Occupied`] if it holds anything else, [`StoreError::Busy`] if another process is at it,
    /// [`StoreError::Full`] on a full disk, other errors of the file system.
    pub fn create(directory: &Path, manifest: &impl Serialize) -> Result<Self, StoreError> {
        if directory.exists() && !directory.is_dir() {
            return Err(StoreError::NoDirectory(directory.to_path_buf()));
        }
        std::fs::create_dir_all(directory).map_err(StoreError::at(directory))?;
        let holds_run = || directory.join(MANIFEST).exists() || directory.join(STEPS).exists();
        if !holds_run() {
            // Before the lock, which would be left in somebody else's directory.
            refuse_occupied(directory)?;
        }
        let lock = Lock::take(directory)?;
        if holds_run() {
            return Err(StoreError::Exists(directory.to_path_buf()));
        }
        refuse_occupied(directory)?;
        write_manifest(directory, manifest)?;
        Self::with_lock(lock)
    }

    /// Reopens a run, also one that a killed process left behind.
    ///
    /// # Errors
    /// [`StoreError::NoRun`] if there is none, [`StoreError::Busy`] if another process is at it,
    /// [`StoreError::Newer`] if a newer Proofmark made it, [`StoreError::Damaged`] if its steps or
    /// manifest cannot be read, other errors of the file system.
    pub fn open(directory: &Path) -> Result<Self, StoreError> {
        if !directory.join(MANIFEST).is_file() {
            return Err(StoreError::NoRun(directory.to_path_buf()));
        }
        let lock = Lock::take(directory)?;
        remove_unfinished(directory)?;
        check_format(directory)?;
        Self::with_lock(lock)
    }

    fn with_lock(lock: Lock) -> Result<Self, StoreError> {
        let steps = StepLog::open(&lock.directory().join(STEPS))?;
        sync_directory(lock.directory())?;
        Ok(Self { steps, lock })
    }

    /// The run's directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        self.lock.directory()
    }

    /// What the run is.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if the manifest is no `T`, errors of the file system.
    pub fn manifest<T: DeserializeOwned>(&self) -> Result<T, StoreError> {
        read_json::<Manifest<T>>(&self.directory().join(MANIFEST)).map(|manifest| manifest.run)
    }

    /// Says anew what the run is, where more is known of it.
    ///
    /// # Errors
    /// [`StoreError::Full`] on a full disk, other errors of the file system; what it said before is kept then.
    pub fn set_manifest(&mut self, manifest: &impl Serialize) -> Result<(), StoreError> {
        write_manifest(self.directory(), manifest)
    }

    /// Stores a finished step. Once this returns without an error, the step outlives the process.
    ///
    /// # Errors
    /// [`StoreError::Full`] on a full disk, other errors of the file system; the steps before are
    /// kept, and the same step can be tried again.
    pub fn finish_step(&mut self, name: &str, result: &impl Serialize) -> Result<(), StoreError> {
        self.steps.append(name, result)
    }

    /// Finished steps in the order in which they were stored.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        self.steps.steps()
    }

    /// Result of the last finished step of this name, none if there is no such step.
    ///
    /// # Errors
    /// [`StoreError::Damaged`] if its result is no `T`.
    pub fn result_of<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError> {
        self.steps.result(name)
    }

    /// Writes another file of the run (a plan, a report) as a whole and returns its path.
    ///
    /// # Errors
    /// [`StoreError::Full`] on a full disk, other errors of the file system; an older file of that name
    /// is kept then.
    pub fn write_file(&mut self, name: &str, bytes: &[u8]) -> Result<PathBuf, StoreError> {
        let path = self.directory().join(name);
        write_atomically(&path, bytes)?;
        Ok(path)
    }
}

/// What the run in a directory is, looked at without touching it; none where a run could begin.
///
/// # Errors
/// [`StoreError::NoDirectory`] and [`StoreError::Occupied`] where none could, [`StoreError::Newer`] if a newer Proofmark made the run there,
/// [`StoreError::Damaged`] if it is no `T`, other errors of the file system.
pub fn manifest_in<T: DeserializeOwned>(directory: &Path) -> Result<Option<T>, StoreError> {
    if !directory.exists() {
        return Ok(None);
    }
    if !directory.is_dir() {
        return Err(StoreError::NoDirectory(directory.to_path_buf()));
    }
    if !directory.join(MANIFEST).is_file() {
        return refuse_occupied(directory).map(|()| None);
    }
    check_format(directory)?;
    let manifest: Manifest<T> = read_json(&directory.join(MANIFEST))?;
    Ok(Some(manifest.run))
}

/// Finished steps of the run in a directory, looked at without touching it, also while another process works on it; none where
/// no run has begun.
///
/// # Errors
/// [`StoreError::Damaged`] if one cannot be read, other errors of the file system.
pub fn steps_in(directory: &Path) -> Result<Vec<Step>, StoreError> {
    let path = directory.join(STEPS);
    let bytes = match std::fs::read(&path) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        read => read.map_err(StoreError::at(&path))?,
    };
    Ok(read_steps(&path, &bytes)?.0)
}

/// Everything that is neither the lock nor left by a write that a kill cut off is somebody else's.
fn refuse_occupied(directory: &Path) -> Result<(), StoreError> {
    let entries = std::fs::read_dir(directory).map_err(StoreError::at(directory))?;
    let names = entries
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned());
    let foreign = names
        .filter(|name| name != "lock" && !is_unfinished(name))
        .min();
    foreign.map_or(Ok(()), |found| {
        Err(StoreError::Occupied {
            path: directory.to_path_buf(),
            found,
        })
    })
}

fn write_manifest(directory: &Path, run: &impl Serialize) -> Result<(), StoreError> {
    let path = directory.join(MANIFEST);
    let mut text = serde_json::to_vec_pretty(&Manifest {
        format: FORMAT,
        run,
    })
    .map_err(|source| StoreError::NotJson {
        path: path.clone(),
        source,
    })?;
    text.push(b'\n');
    write_atomically(&path, &text)
}

fn check_format(directory: &Path) -> Result<(), StoreError> {
    let path = directory.join(MANIFEST);
    let Format { format } = read_json(&path)?;
    if format > FORMAT {
        return Err(StoreError::Newer {
            path,
            found: format,
            known: FORMAT,
        });
    }
    Ok(())
}

fn read_json<T: DeserializeOwned>(path: &Path) -> Result<T, StoreError> {
    let text = std::fs::read(path).map_err(StoreError::at(path))?;
    serde_json::from_slice(&text).map_err(|error| StoreError::Damaged {
        path: path.to_path_buf(),
        line: error.line(),
        what: error.to_string(),
    })
}
