//! Directories and jars, looked up as the JVM's own class loader does it.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use zip::ZipArchive;

/// No class file is larger.
const MAX_CLASS: u64 = 16 << 20;

type Archive = ZipArchive<BufReader<File>>;

/// A class path that is open.
#[derive(Debug, Default)]
pub struct ClassPath {
    entries: Vec<Entry>,
}

#[derive(Debug)]
enum Entry {
    Directory(PathBuf),
    Jar {
        archive: Mutex<Archive>,
        /// Class to the entry that this JDK takes.
        index: HashMap<String, usize>,
    },
}

impl ClassPath {
    /// Opens what is there; what is missing or no jar is passed over, as the JVM does. `release` is the JDK's (17, 25):
    /// it decides what multi-release jars give.
    #[must_use]
    pub fn open(paths: &[PathBuf], release: u32) -> Self {
        let entries = paths.iter().filter_map(|path| {
            if path.is_dir() {
                return Some(Entry::Directory(path.clone()));
            }
            let mut archive = ZipArchive::new(BufReader::new(File::open(path).ok()?)).ok()?;
            let index = index(&mut archive, release);
            Some(Entry::Jar {
                archive: Mutex::new(archive),
                index,
            })
        });
        Self {
            entries: entries.collect(),
        }
    }

    /// The first class file of this internal name.
    #[must_use]
    pub fn read(&self, class: &str) -> Option<Vec<u8>> {
        self.entries.iter().find_map(|entry| entry.read(class))
    }

    /// Internal names of all classes in jars, and in directories, sorted.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let mut names = HashSet::new();
        for entry in &self.entries {
            match entry {
                Entry::Jar { index, .. } => names.extend(index.keys().cloned()),
                Entry::Directory(root) => below(root, root, &mut names),
            }
        }
        let mut names: Vec<String> = names.into_iter().collect();
        names.sort();
        names
    }
}

impl Entry {
    fn read(&self, class: &str) -> Option<Vec<u8>> {
        match self {
            Self::Directory(root) => std::fs::read(root.join(format!("{class}.class"))).ok(),
            Self::Jar { archive, index } => {
                let at = *index.get(class)?;
                let mut archive = archive
                    .lock()
                    .unwrap_or_else(|poisoned| poisoned.into_inner());
                let entry = archive.by_index(at).ok()?;
                let mut bytes = Vec::new();
                entry.take(MAX_CLASS).read_to_end(&mut bytes).ok()?;
                Some(bytes)
            }
        }
    }
}

/// The plain classes, and above them those of the highest version that the JDK knows.
fn index(archive: &mut Archive, release: u32) -> HashMap<String, usize> {
    let releases = if is_multi_release(archive) {
        release
    } else {
        0
    };
    let mut versions: HashMap<String, (u32, usize)> = HashMap::new();
    for at in 0..archive.len() {
        let Some(Ok(name)) = archive.name_for_index(at) else {
            continue;
        };
        let Some(class) = name.strip_suffix(".class") else {
            continue;
        };
        let (version, class) = versioned(class);
        if version <= releases && !class.starts_with("META-INF/") {
            let best = versions.entry(class.to_owned()).or_insert((version, at));
            if version >= best.0 {
                *best = (version, at);
            }
        }
    }
    let classes = versions.into_iter();
    classes.map(|(class, (_, at))| (class, at)).collect()
}

/// `META-INF/versions/17/a/B` is version 17 of `a/B`; a plain name is version 0.
fn versioned(name: &str) -> (u32, &str) {
    let inside = name.strip_prefix("META-INF/versions/");
    let split = inside.and_then(|rest| rest.split_once('/'));
    let parsed = split.and_then(|(version, class)| Some((version.parse().ok()?, class)));
    parsed.unwrap_or((0, name))
}

fn is_multi_release(archive: &mut Archive) -> bool {
    attribute(archive, "Multi-Release").is_some_and(|value| value.eq_ignore_ascii_case("true"))
}

/// An attribute of a jar's manifest; lines of more than 72 bytes go on behind a space.
fn attribute(archive: &mut Archive, name: &str) -> Option<String> {
    let entry = archive.by_name("META-INF/MANIFEST.MF").ok()?;
    let mut text = Vec::new();
    entry.take(1 << 20).read_to_end(&mut text).ok()?;
    let text = String::from_utf8_lossy(&text)
        .replace("\r\n", "\n")
        .replace("\n ", "");
    let main = text.split("\n\n").next()?;
    main.lines().find_map(|line| {
        let (key, value) = line.split_once(':')?;
        key.eq_ignore_ascii_case(name)
            .then(|| value.trim().to_owned())
    })
}

/// The class path and, behind each jar, what its manifest adds (`Class-Path`: URLs relative to the jar), every file once.
#[must_use]
pub fn expand_manifests(paths: &[PathBuf]) -> Vec<PathBuf> {
    fn add(path: &Path, seen: &mut HashSet<PathBuf>, all: &mut Vec<PathBuf>) {
        if !seen.insert(path.to_owned()) {
            return;
        }
        all.push(path.to_owned());
        let archive = File::open(path).ok().filter(|_| path.is_file());
        let archive = archive.and_then(|file| ZipArchive::new(BufReader::new(file)).ok());
        let more = archive.and_then(|mut archive| attribute(&mut archive, "Class-Path"));
        for url in more.iter().flat_map(|list| list.split_whitespace()) {
            let inside = url.strip_prefix("file:").unwrap_or(url).replace("%20", " ");
            let directory = path.parent().unwrap_or(Path::new(""));
            add(&directory.join(inside), seen, all);
        }
    }
    let (mut seen, mut all) = (HashSet::new(), Vec::new());
    for path in paths {
        add(path, &mut seen, &mut all);
    }
    all
}

/// The class path with all jars of a directory, sorted, in the place of `directory/*`.
#[must_use]
pub fn expand_wildcards(paths: &[PathBuf]) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for path in paths {
        if path.ends_with("*") {
            all.extend(jars(path.parent().unwrap_or(Path::new("."))));
        } else {
            all.push(path.clone());
        }
    }
    all
}

fn jars(directory: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    let jar = |path: &PathBuf| {
        path.extension()
            .is_some_and(|end| end.eq_ignore_ascii_case("jar"))
    };
    let mut jars: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(jar).collect();
    jars.sort();
    jars
}

fn below(root: &Path, directory: &Path, names: &mut HashSet<String>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            below(root, &path, names);
        } else if let Ok(inside) = path.strip_prefix(root) {
            let inside = inside.to_string_lossy();
            names.extend(inside.strip_suffix(".class").map(str::to_owned));
        }
    }
}
