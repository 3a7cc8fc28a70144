//! Where a run works.

use std::path::{Path, PathBuf};

use anyhow::Context as _;

use super::live_record::LOGS;

/// Where a run works.
pub(super) struct Place {
    /// For the profiler's files.
    pub(super) directory: PathBuf,
    /// The JVM's output.
    pub(super) log: PathBuf,
}

impl Place {
    /// One directory for one run after the other; what a killed study left in it goes away.
    pub(super) fn empty(study: &Path, name: &str) -> anyhow::Result<Self> {
        let place = Place {
            directory: study.join("current"),
            log: study.join(LOGS).join(format!("{name}.log")),
        };
        place.clear()?;
        std::fs::create_dir_all(&place.directory)
            .with_context(|| format!("cannot create {}", place.directory.display()))?;
        // Profilers and their agents may have another working directory.
        let directory = place.directory.canonicalize()?;
        Ok(Place { directory, ..place })
    }

    /// Removes the directory, if it is there.
    pub(super) fn clear(&self) -> anyhow::Result<()> {
        match std::fs::remove_dir_all(&self.directory) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).with_context(|| format!("cannot remove {}", self.directory.display()))
            }
            _ => Ok(()),
        }
    }
}
