//! What can go wrong with results on disk.

use std::io;
use std::path::{Path, PathBuf};

/// An error of the store; every message says which file and what can be done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The disk is full or a quota is used up.
    #[error(
        "{}: no space left; what was stored before is kept. Free some space and give the same command with this --out again, or choose another directory",
        path.display()
    )]
    Full {
        /// File that could not be written.
        path: PathBuf,
    },
    /// Another Proofmark works on this run.
    #[error(
        "{}: another Proofmark{} works on this run; wait for it or choose another directory with --out",
        path.display(),
        process.map(|id| format!(" (process {id})")).unwrap_or_default()
    )]
    Busy {
        /// Directory of the run.
        path: PathBuf,
        /// Its process id, where it could be read.
        process: Option<u32>,
    },
    /// There is a run in the directory already.
    #[error("{}: there is a run here already; choose another directory with --out", .0.display())]
    Exists(PathBuf),
    /// The directory holds somebody's files, which a run would mix with its own or remove.
    #[error("{}: not empty ({found} is there) and no run of Proofmark; choose another directory with --out", path.display())]
    Occupied {
        /// Directory.
        path: PathBuf,
        /// One of the files.
        found: String,
    },
    /// A file lies where a directory is wanted.
    #[error("{}: this is a file; give a directory with --out, a new one or that of a run to go on with", .0.display())]
    NoDirectory(PathBuf),
    /// There is no run in the directory.
    #[error("{}: no run here (no manifest.json)", .0.display())]
    NoRun(PathBuf),
    /// A file does not hold what it should, which no interruption explains.
    #[error("{}, line {line}: {what}; this run cannot go on, start anew with another directory for --out", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What was found.
        what: String,
    },
    /// A newer version of Proofmark wrote this.
    #[error("{}: written in format {found}, this Proofmark reads up to {known}; use the newer one, or another directory for --out", path.display())]
    Newer {
        /// The file.
        path: PathBuf,
        /// Format of the file.
        found: u32,
        /// Newest format that is understood.
        known: u32,
    },
    /// A value cannot be written as JSON (for example a map whose keys are no strings).
    #[error("{}: cannot be written as JSON: {source}", path.display())]
    NotJson {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: serde_json::Error,
    },
    /// Neither XDG_STATE_HOME nor HOME is an absolute path.
    #[error("no place for results: set HOME or XDG_STATE_HOME, or give a directory with --out")]
    NoPlace,
    /// Any other error of the file system.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file or directory.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
}

impl StoreError {
    /// Names the file of an error, and the full disk as such.
    pub(crate) fn at(path: &Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| match source.kind() {
            io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => {
                Self::Full { path: path.clone() }
            }
            _ => Self::Io {
                path: path.clone(),
                source,
            },
        }
    }
}
