//! The cache: directories that are built once, named by what they are made of, and never changed.
//!
//! Problem: several Proofmarks may start at once, any may be killed at any moment, and the disk may be full or
//! read-only. Approach: an entry is built in a temporary directory of the same file system and renamed into
//! place when complete; whoever builds holds an advisory lock for that entry, so that the work is done once.
//!
//! Invariants:
//! - a directory below `entries/` is complete: its `contents.sha256` lists every file with its hash, and `get`
//!   checks them all (a damaged entry is built again);
//! - a directory below `tmp/` is locked by the process that builds in it; one that can be locked has no owner
//!   any more and is deleted at the next start. Locks vanish with their process, also across containers;
//! - correctness never depends on the locks: without them (some network file systems) the rename still decides.
//!
//! Not done: entries of former versions are never deleted; the whole directory may be, at any time.

use std::collections::BTreeMap;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::{Settings, ToolchainError, hash};

/// What a cache with every entry needs, with room for the temporary copies.
pub(crate) const NEEDED_MB: u64 = 60;

const CONTENTS: &str = "contents.sha256";

/// The cache directory of this user.
#[derive(Debug)]
pub(crate) struct Cache {
    root: PathBuf,
}

/// A complete directory in the cache.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Where it is.
    pub(crate) path: PathBuf,
    /// SHA-256 of every file, by its path inside the entry.
    pub(crate) hashes: BTreeMap<String, String>,
}

impl Cache {
    /// The cache that the settings name. Leftovers of killed builders are deleted; nothing else is written.
    pub(crate) fn open(settings: &Settings) -> Result<Self, ToolchainError> {
        let root = settings.cache.clone().ok_or(ToolchainError::NoCachePlace)?;
        let cache = Cache { root };
        cache.delete_leftovers();
        Ok(cache)
    }

    /// The entry of that name; `build` fills the empty directory it is given when there is no sound one yet.
    pub(crate) fn get(
        &self,
        name: &str,
        key: &str,
        build: impl FnOnce(&Path) -> Result<(), ToolchainError>,
    ) -> Result<Entry, ToolchainError> {
        let path = self.entry_path(name, key);
        if let Some(entry) = sound_entry(&path) {
            return Ok(entry);
        }
        self.create_dirs()?;
        let _lock = self.lock(&entry_name(name, key))?;
        if let Some(entry) = sound_entry(&path) {
            return Ok(entry);
        }
        let workshop = self.workshop()?;
        let product = workshop.path.join("entry");
        fs::create_dir(&product).map_err(|error| write_error(&product, &error))?;
        build(&product)?;
        write_contents(&product).map_err(|error| write_error(&product, &error))?;
        if path.exists() {
            // Damaged. Moved away in one step, so that nobody sees half of it.
            let _ = fs::rename(&path, workshop.path.join("damaged"));
        }
        match fs::rename(&product, &path) {
            Ok(()) => {}
            Err(_) if sound_entry(&path).is_some() => {}
            Err(error) => return Err(write_error(&path, &error)),
        }
        sound_entry(&path).ok_or_else(|| {
            write_error(
                &path,
                &io::Error::other("it was changed while it was written"),
            )
        })
    }

    /// Is there a sound entry of that name? Nothing is written.
    pub(crate) fn has(&self, name: &str, key: &str) -> bool {
        sound_entry(&self.entry_path(name, key)).is_some()
    }

    fn entry_path(&self, name: &str, key: &str) -> PathBuf {
        self.root.join("entries").join(entry_name(name, key))
    }

    /// Was this question answered before?
    pub(crate) fn remembers(&self, question: &str) -> bool {
        self.answer_file(question).exists()
    }

    /// Best effort: without a cache that can be written the question is asked again.
    pub(crate) fn remember(&self, question: &str) {
        let file = self.answer_file(question);
        let _ = file.parent().map(fs::create_dir_all);
        let _ = fs::write(&file, question);
    }

    fn answer_file(&self, question: &str) -> PathBuf {
        self.root
            .join("answers")
            .join(&hash::of_parts([question.as_bytes()])[..32])
    }

    fn create_dirs(&self) -> Result<(), ToolchainError> {
        for name in ["entries", "locks", "tmp"] {
            let path = self.root.join(name);
            fs::create_dir_all(&path).map_err(|error| write_error(&path, &error))?;
        }
        Ok(())
    }

    /// Waits until nobody else holds this lock. A file system without locks is no error.
    fn lock(&self, name: &str) -> Result<File, ToolchainError> {
        let path = self.root.join("locks").join(name);
        let file = File::options()
            .create(true)
            .truncate(false)
            .write(true)
            .open(&path);
        let file = file.map_err(|error| write_error(&path, &error))?;
        let _ = file.lock();
        Ok(file)
    }

    /// A new temporary directory that is ours until we end.
    fn workshop(&self) -> Result<Workshop, ToolchainError> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        // Between mkdir and flock a directory looks like a leftover; this lock keeps the sweepers out.
        let _creating = self.lock("tmp")?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let since_1970 = std::time::UNIX_EPOCH
            .elapsed()
            .unwrap_or_default()
            .as_nanos();
        let path = self
            .root
            .join("tmp")
            .join(format!("{}-{number}-{since_1970}", std::process::id()));
        fs::create_dir(&path).map_err(|error| write_error(&path, &error))?;
        let owner = File::open(&path).map_err(|error| write_error(&path, &error))?;
        let _ = owner.lock();
        Ok(Workshop {
            path,
            _owner: owner,
        })
    }

    /// Deletes the temporary directories whose owner is gone.
    fn delete_leftovers(&self) {
        let Ok(mut entries) = fs::read_dir(self.root.join("tmp")).map(Iterator::peekable) else {
            return;
        };
        if entries.peek().is_none() {
            return;
        }
        let Ok(lock) = self.lock("tmp") else { return };
        if matches!(lock.try_lock(), Err(TryLockError::Error(_))) {
            return; // No locks here, so nobody can tell a leftover from a workshop.
        }
        for entry in entries.flatten() {
            let Ok(owner) = File::open(entry.path()) else {
                continue;
            };
            if owner.try_lock().is_ok() {
                let _ = fs::remove_dir_all(entry.path());
            }
        }
    }
}

/// A temporary directory that is deleted when dropped.
struct Workshop {
    path: PathBuf,
    _owner: File,
}

impl Drop for Workshop {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// The error for something that could not be written below the cache.
pub(crate) fn write_error(path: &Path, error: &io::Error) -> ToolchainError {
    match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ToolchainError::CacheFull {
            path: path.to_owned(),
        },
        _ => ToolchainError::CacheNotWritable {
            path: path.to_owned(),
            cause: error.to_string(),
        },
    }
}

/// True when a program complained that the disk is full.
pub(crate) fn says_disk_full(output: &str) -> bool {
    output.contains("No space left on device") || output.contains("Disk quota exceeded")
}

/// 32 of the 64 digits are unique enough, and short enough for paths.
fn entry_name(name: &str, key: &str) -> String {
    format!("{name}-{}", &key[..32])
}

fn sound_entry(path: &Path) -> Option<Entry> {
    let contents = fs::read_to_string(path.join(CONTENTS)).ok()?;
    let lines = contents.lines().map(|line| {
        line.split_once("  ")
            .map(|(h, f)| (f.to_owned(), h.to_owned()))
    });
    let hashes = lines.collect::<Option<BTreeMap<_, _>>>()?;
    let sound = |(file, expected): (&String, &String)| {
        hash::of_file(&path.join(file)).is_ok_and(|h| h == *expected)
    };
    (!hashes.is_empty() && hashes.iter().all(sound)).then(|| Entry {
        path: path.to_owned(),
        hashes,
    })
}

/// In the format of `sha256sum`, so that `sha256sum -c contents.sha256` checks an entry too.
fn write_contents(directory: &Path) -> io::Result<()> {
    let mut lines = String::new();
    for file in super::sources::files_below(directory)? {
        lines += &format!("{}  {file}\n", hash::of_file(&directory.join(&file))?);
    }
    let mut contents = File::create(directory.join(CONTENTS))?;
    contents.write_all(lines.as_bytes())?;
    contents.sync_all()
}
