//! Files that the command reads, some of them while this JVM runs.

use std::path::Path;

/// Writes a file of that name into a directory. Who waits for it finds all of it.
///
/// # Errors
/// When it cannot be written.
pub(crate) fn write_whole(directory: &Path, name: &str, text: &str) -> std::io::Result<()> {
    let unfinished = directory.join(format!("{name}.unfinished"));
    std::fs::write(&unfinished, text)?;
    std::fs::rename(unfinished, directory.join(name))
}
