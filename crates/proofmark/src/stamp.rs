//! What a file or directory is like when something is measured with it: a program that is built anew has another content; a library has
//! another length, or was written at another time.

use std::ffi::OsStr;
use std::fs::Metadata;
use std::os::unix::ffi::OsStrExt as _;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use proofmark_jvm::toolchain::{hash_of_file, hash_of_parts};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// Most files and directories that are looked at below one directory, and most bytes of classes and jars. With more of either its
/// content is not known: to read it would take too long.
const MOST: usize = 100_000;
const MOST_BYTES: u64 = 1 << 30;

/// A file or directory as it is now.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Stamp {
    /// Its path, or a name where it is no file.
    path: String,
    /// Length of a file, bytes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    length: Option<u64>,
    /// When a file was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    written: Option<SystemTime>,
    /// Hash of what counts in a directory, or of what is no file.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    content: Option<String>,
}

impl Stamp {
    /// Of a file, by its length and when it was written. Nothing is known of what is not there.
    #[must_use]
    pub fn of(path: &Path) -> Self {
        let mut stamp = Self::named(&path.display().to_string(), None);
        if let Ok(data) = std::fs::metadata(path) {
            stamp.length = Some(data.len());
            stamp.written = written(&data);
        }
        stamp
    }

    /// Of a program's file, or a directory of its class path, by the content: what is built again and stays the same is no other build.
    /// Nothing is known of what is not there or cannot be read, and of a directory that is too large.
    #[must_use]
    pub fn of_program(path: &Path) -> Self {
        let content = match path.is_dir() {
            true => code_below(path),
            false => content(path),
        };
        Self::named(&path.display().to_string(), content)
    }

    /// Of something that is no file, with a hash of what it consists of; none: not known.
    #[must_use]
    pub fn named(name: &str, content: Option<String>) -> Self {
        Stamp {
            path: name.to_owned(),
            length: None,
            written: None,
            content,
        }
    }

    /// The path, or the name.
    #[must_use]
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Whether it is of something else than before. What one of both does not know is taken for the same.
    #[must_use]
    pub fn differs_from(&self, before: &Self) -> bool {
        self.path != before.path || (self.is_known() && before.is_known() && self != before)
    }

    /// Path, length and time of a file as a value of a profiler's options: the form in which runs of before have it too.
    #[must_use]
    pub fn file(&self) -> Value {
        json!([self.path, self.length, self.written])
    }

    fn is_known(&self) -> bool {
        self.length.is_some() || self.content.is_some()
    }
}

/// When a file was written; none where that is before 1970, which could not be kept.
fn written(data: &Metadata) -> Option<SystemTime> {
    let written = data.modified().ok()?;
    (written >= SystemTime::UNIX_EPOCH).then_some(written)
}

/// Hash of what is in a file; none where it cannot be read, or is a pipe or the like.
fn content(path: &Path) -> Option<String> {
    match path.is_file() {
        true => hash_of_file(path).ok(),
        false => None,
    }
}

/// Hash of the paths and contents of all classes and jars below a directory; none where too much is there. Nothing else
/// counts: programs write logs, caches and results beside their classes, and are the same programs afterwards. So a resource
/// that is changed in a directory is not seen. Linked directories are not gone into: they may lead anywhere.
fn code_below(root: &Path) -> Option<String> {
    let (mut open, mut found, mut left) = (vec![PathBuf::new()], Vec::new(), MOST);
    let mut left_bytes = MOST_BYTES;
    while let Some(inside) = open.pop() {
        let entries = std::fs::read_dir(root.join(&inside));
        for entry in entries.into_iter().flatten().flatten() {
            left = left.checked_sub(1)?;
            let path = inside.join(entry.file_name());
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                open.extend(may_hold_code(&entry.file_name()).then_some(path));
            } else if is_code(&path)
                && let Ok(data) = std::fs::metadata(root.join(&path))
            {
                left_bytes = left_bytes.checked_sub(data.len())?;
                found.extend(content(&root.join(&path)).map(|content| (path, content)));
            }
        }
    }
    found.sort();
    let parts = found
        .iter()
        .flat_map(|(path, data)| [path.as_os_str().as_bytes(), data.as_bytes()]);
    Some(hash_of_parts(parts))
}

fn is_code(path: &Path) -> bool {
    path.extension().is_some_and(|end| {
        ["class", "jar"]
            .iter()
            .any(|known| end.eq_ignore_ascii_case(known))
    })
}

/// Whether a directory of this name can be a package, or one of those of unpacked archives (`BOOT-INF`). Others hold nothing of
/// a program whose class path is the directory above: so temporary files of others do not count where that is `/tmp`.
fn may_hold_code(name: &OsStr) -> bool {
    let name = name.to_string_lossy();
    name.ends_with("-INF")
        || name
            .chars()
            .all(|c| c.is_alphanumeric() || "_$".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_is_written_anew_is_another_one() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("app.jar");
        let missing = Stamp::of(&file);
        std::fs::write(&file, "one").unwrap();
        let one = Stamp::of(&file);
        assert!(!one.differs_from(&Stamp::of(&file)));
        assert!(!one.differs_from(&missing), "not known");
        std::fs::write(&file, "another").unwrap();
        let other = Stamp::of(&file);
        assert!(other.differs_from(&one) && one.differs_from(&other));
        // As long as before, and written at another time.
        let file = std::fs::File::options().append(true).open(&file).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        let older = Stamp::of(&place.path().join("app.jar"));
        assert!(older.differs_from(&other));
        let copy: Stamp = serde_json::from_value(json!(older)).unwrap();
        assert_eq!(copy, older);
        assert_eq!(older.file()[1], 7);
    }

    /// As after `javac` of the same sources.
    #[test]
    fn a_program_that_is_built_again_and_stays_the_same_is_the_same() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("A.class");
        std::fs::write(&file, "one").unwrap();
        let stamps = || [file.as_path(), place.path()].map(Stamp::of_program);
        let before = stamps();
        std::fs::remove_file(&file).unwrap();
        assert!(before[1].differs_from(&stamps()[1]), "it is gone");
        std::fs::write(&file, "one").unwrap();
        let opened = std::fs::File::options().append(true).open(&file).unwrap();
        opened.set_modified(SystemTime::UNIX_EPOCH).unwrap();
        assert_eq!(stamps(), before);
        std::fs::write(&file, "two").unwrap();
        for (now, before) in stamps().iter().zip(&before) {
            assert!(now.differs_from(before), "{now:?}");
        }
    }

    #[test]
    fn of_a_directory_classes_and_jars_count_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        for directory in ["p/q", "BOOT-INF/lib", "run-1", ".git"] {
            std::fs::create_dir_all(at(directory)).unwrap();
        }
        std::fs::write(at("p/q/A.class"), "one").unwrap();
        let before = Stamp::of_program(place.path());
        for beside in ["app.log", "p/q/A.java", "run-1/B.class", ".git/C.class"] {
            std::fs::write(at(beside), "x").unwrap();
            let now = Stamp::of_program(place.path());
            assert!(!now.differs_from(&before), "{beside}");
        }
        let mut before = before;
        for code in ["p/q/A.class", "p/B.class", "BOOT-INF/lib/x.jar"] {
            std::fs::write(at(code), "longer than before").unwrap();
            let now = Stamp::of_program(place.path());
            assert!(now.differs_from(&before), "{code}");
            before = now;
        }
        std::fs::remove_file(at("p/B.class")).unwrap();
        assert!(Stamp::of_program(place.path()).differs_from(&before));
    }
}
