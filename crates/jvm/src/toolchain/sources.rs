//! Our own Java parts: embedded in the binary, or read from a directory while they are being worked on.

use std::borrow::Cow;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::{Settings, ToolchainError, hash};

include!(concat!(env!("OUT_DIR"), "/embedded_java.rs"));

/// Whether the suite has this class, `proofmark.suite.Queens`; none where its sources cannot be read.
#[must_use]
pub fn has_suite_program(settings: &Settings, class: &str) -> Option<bool> {
    let suite = Sources::of(settings, "suite").ok()?;
    let file = format!("{}.java", class.replace('.', "/"));
    Some(suite.java().any(|path| path == file))
}

/// Hash of the suite's sources; none where they cannot be read.
#[must_use]
pub fn suite_hash(settings: &Settings) -> Option<String> {
    let suite = Sources::of(settings, "suite").ok()?;
    Some(hash::of_parts(suite.key_parts()))
}

/// The files of one part.
#[derive(Debug)]
pub(crate) struct Sources {
    /// `count`, `dose`, `graal-plugin`, `harness` or `suite`.
    pub(crate) part: &'static str,
    /// Path below the part's root, with `/`, and content; sorted by path.
    pub(crate) files: Vec<(String, Cow<'static, [u8]>)>,
}

impl Sources {
    /// The files of `part`: those of the settings' directory, else the embedded ones.
    pub(crate) fn of(settings: &Settings, part: &'static str) -> Result<Self, ToolchainError> {
        let place = settings.java_sources.as_ref().map(|root| root.join(part));
        let missing = || ToolchainError::SourcesMissing {
            part: part.into(),
            place: place.clone(),
        };
        let files = match &place {
            Some(root) => read(root).map_err(|_| missing())?,
            None => embedded(part),
        };
        let sources = Sources { part, files };
        if sources.java().next().is_none() {
            Err(missing())
        } else {
            Ok(sources)
        }
    }

    /// Adds chosen files of another part, paths relative to it.
    pub(crate) fn with(mut self, other: Sources, chosen: &[&str]) -> Self {
        let wanted = |path: &str| chosen.contains(&path);
        let more = other.files.into_iter().filter(|(path, _)| wanted(path));
        self.files.extend(more);
        self.files.sort();
        self
    }

    /// Paths of the files to compile.
    pub(crate) fn java(&self) -> impl Iterator<Item = &str> {
        let paths = self.files.iter().map(|(path, _)| path.as_str());
        paths.filter(|path| path.ends_with(".java") && !path.starts_with("resources/"))
    }

    /// Paths of the files that go into the jar as they are, and their names in it.
    pub(crate) fn resources(&self) -> impl Iterator<Item = (&str, &str)> {
        self.files
            .iter()
            .filter_map(|(path, _)| Some((path.as_str(), path.strip_prefix("resources/")?)))
    }

    /// Content of one file.
    pub(crate) fn text(&self, path: &str) -> Option<Cow<'_, str>> {
        let (_, bytes) = self.files.iter().find(|(name, _)| name == path)?;
        Some(String::from_utf8_lossy(bytes))
    }

    /// Writes all files below `directory`.
    pub(crate) fn write_to(&self, directory: &Path) -> io::Result<()> {
        for (path, bytes) in &self.files {
            let file = directory.join(path);
            file.parent().map_or(Ok(()), fs::create_dir_all)?;
            fs::write(file, bytes)?;
        }
        Ok(())
    }

    /// Everything that decides what is compiled, for a cache key.
    pub(crate) fn key_parts(&self) -> impl Iterator<Item = &[u8]> {
        self.files
            .iter()
            .flat_map(|(path, bytes)| [path.as_bytes(), bytes.as_ref()])
    }
}

fn embedded(part: &str) -> Vec<(String, Cow<'static, [u8]>)> {
    let of_part = |&(path, bytes): &(&'static str, &'static [u8])| {
        let inside = path.strip_prefix(part)?.strip_prefix('/')?;
        Some((inside.to_owned(), Cow::Borrowed(bytes)))
    };
    EMBEDDED.iter().filter_map(of_part).collect()
}

fn read(root: &Path) -> io::Result<Vec<(String, Cow<'static, [u8]>)>> {
    let wanted = files_below(root)?
        .into_iter()
        .filter(|path| is_source(path));
    wanted
        .map(|path| Ok((path.clone(), Cow::Owned(fs::read(root.join(&path))?))))
        .collect()
}

/// The same choice as in build.rs: no editors' leftovers, no tests.
fn is_source(path: &str) -> bool {
    let hidden = path.split('/').any(|name| name.starts_with('.'));
    let kept = path.ends_with(".java") || path.starts_with("resources/") || path == "exports.txt";
    kept && !hidden && !path.starts_with("test/") && !path.ends_with('~')
}

/// All regular files below a directory as sorted paths with `/`, relative to it.
pub(crate) fn files_below(root: &Path) -> io::Result<Vec<String>> {
    fn walk(root: &Path, inside: &Path, found: &mut Vec<String>) -> io::Result<()> {
        for entry in fs::read_dir(root.join(inside))? {
            let entry = entry?;
            let path: PathBuf = inside.join(entry.file_name());
            match entry.file_type()?.is_dir() {
                true => walk(root, &path, found)?,
                false => found.push(path.to_string_lossy().into_owned()),
            }
        }
        Ok(())
    }
    let mut found = Vec::new();
    walk(root, Path::new(""), &mut found)?;
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_suite_is_embedded_without_its_readme() {
        let suite = Sources::of(&Settings::default(), "suite").unwrap();
        assert!(suite.java().any(|path| path.ends_with("/Towers.java")));
        assert!(suite.text("README.md").is_none());
    }

    #[test]
    fn leftovers_and_tests_are_not_sources() {
        let chosen = [
            "src/a/B.java",
            "exports.txt",
            "resources/META-INF/services/x",
        ];
        let left_out = [
            "README.md",
            "src/.#B.java",
            "test/C.java",
            "src/B.java~",
            "resources/x~",
        ];
        assert!(chosen.into_iter().all(is_source));
        assert!(!left_out.into_iter().any(is_source));
    }
}
