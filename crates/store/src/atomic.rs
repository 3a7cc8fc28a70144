//! Files that are replaced as a whole or not at all.

use std::fs::{File, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use crate::StoreError;

/// Names of unfinished files begin so; none of ours does otherwise.
const UNFINISHED: &str = ".unfinished-";

/// Names of what this process has open already; to replace the file behind one would part it from whoever opened it.
const OPEN_ALREADY: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc"];

/// Writes `bytes` to `path`: into a file beside it, which takes its place when it is on the disk.
/// Whatever happens, `path` holds either the old or the new contents. A link stays, and what it leads to is written.
/// What is no file (a device, a pipe) is no place for another one: it takes the bytes as they come.
///
/// # Errors
/// [`StoreError::Full`] on a full disk; other errors of the file system. The old contents are kept.
pub fn write_atomically(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let Ok(there) = std::fs::metadata(path) else {
        return replace(path, bytes);
    };
    let open_already = OPEN_ALREADY.iter().any(|name| path.starts_with(name));
    if open_already || !(there.is_file() || there.is_dir()) {
        let write = || OpenOptions::new().append(true).open(path)?.write_all(bytes);
        return write().map_err(StoreError::at(path));
    }
    replace(&path.canonicalize().map_err(StoreError::at(path))?, bytes)
}

/// Puts a new file in the place of what is there, if anything is.
fn replace(path: &Path, bytes: &[u8]) -> Result<(), StoreError> {
    let directory = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let directory = directory.unwrap_or(Path::new("."));
    let mut file = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .permissions(Permissions::from_mode(0o666))
        .tempfile_in(directory)
        .map_err(StoreError::at(path))?;
    file.write_all(bytes).map_err(StoreError::at(path))?;
    file.as_file().sync_all().map_err(StoreError::at(path))?;
    file.persist(path)
        .map_err(|error| StoreError::at(path)(error.error))?;
    sync_directory(directory)
}

/// Makes new and renamed entries of a directory last.
pub(crate) fn sync_directory(directory: &Path) -> Result<(), StoreError> {
    let sync = || File::open(directory)?.sync_all();
    sync().map_err(StoreError::at(directory))
}

/// Whether a file of this name is half of a write.
pub(crate) fn is_unfinished(name: &str) -> bool {
    name.starts_with(UNFINISHED)
}

/// Removes what a killed process left unfinished. Only for directories whose lock is held.
pub(crate) fn remove_unfinished(directory: &Path) -> Result<(), StoreError> {
    let entries = std::fs::read_dir(directory).map_err(StoreError::at(directory))?;
    for entry in entries.flatten() {
        if is_unfinished(&entry.file_name().to_string_lossy()) {
            std::fs::remove_file(entry.path()).map_err(StoreError::at(&entry.path()))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn replaces_and_leaves_nothing_beside_it() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("plan.json");
        write_atomically(&path, b"one").unwrap();
        write_atomically(&path, b"two").unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"two");
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_failed_write_keeps_the_old_contents() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("plan.json");
        std::fs::create_dir(&path).unwrap();
        let error = write_atomically(&path, b"x").unwrap_err();
        assert!(error.to_string().contains("plan.json"), "{error}");
        assert_eq!(
            std::fs::read_dir(directory.path()).unwrap().count(),
            1,
            "nothing left behind"
        );
    }

    /// Whoever may write below /dev would lose the device otherwise.
    #[test]
    fn a_device_stays_one_and_a_link_leads_where_it_did() {
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        let link = |to: &Path, name: &str| {
            std::os::unix::fs::symlink(to, at(name)).unwrap();
            at(name)
        };
        let device = link(Path::new("/dev/full"), "device");
        let error = write_atomically(&device, b"x").unwrap_err();
        assert!(matches!(error, StoreError::Full { .. }), "{error}");
        write_atomically(&link(Path::new("/dev/null"), "nothing"), b"x").unwrap();
        std::fs::create_dir(at("elsewhere")).unwrap();
        std::fs::write(at("elsewhere/file"), "old").unwrap();
        write_atomically(&link(&at("elsewhere/file"), "link"), b"new").unwrap();
        assert_eq!(std::fs::read(at("elsewhere/file")).unwrap(), b"new");
        for name in ["device", "nothing", "link"] {
            assert!(at(name).symlink_metadata().unwrap().is_symlink(), "{name}");
        }
        assert_eq!(std::fs::read_dir(at("elsewhere")).unwrap().count(), 1);
    }

    /// `-o /dev/stdout >> log`: what the log had stays.
    #[test]
    fn what_this_process_has_open_is_written_and_not_replaced() {
        use std::os::fd::AsRawFd;
        let directory = tempfile::tempdir().unwrap();
        let log = directory.path().join("log");
        std::fs::write(&log, "before, ").unwrap();
        let open = OpenOptions::new().append(true).open(&log).unwrap();
        let own = format!("/proc/self/fd/{}", open.as_raw_fd());
        write_atomically(Path::new(&own), b"after").unwrap();
        assert_eq!(std::fs::read(&log).unwrap(), b"before, after");
    }

    #[test]
    fn leftovers_of_a_killed_process_are_removed() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join(".unfinished-x1"), "half").unwrap();
        std::fs::write(directory.path().join("kept"), "whole").unwrap();
        remove_unfinished(directory.path()).unwrap();
        assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
