//! Results in files that the command line names.

use std::path::Path;

use proofmark_store::{StoreError, write_atomically};

use crate::context::Refusal;

/// Writes a result to the file that was asked for: all of it or nothing.
///
/// # Errors
/// When it cannot be written. What the file held before is kept.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), Refusal> {
    write_atomically(path, bytes).map_err(|error| {
        Refusal::Cannot(match error {
            StoreError::Full { path } => format!(
                "cannot write to {}: no space is left there; name a file on another disk",
                path.display()
            ),
            error => format!("cannot write to {error}"),
        })
    })
}
