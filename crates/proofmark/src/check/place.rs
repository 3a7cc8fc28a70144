//! Whether files can be read, and results written, where the command line says.

use std::fs::File;
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};

use proofmark_store::{StoreError, state_directory};

use crate::context::Refusal;
use crate::manifest::Manifest;
use crate::run::dose::{EVERY_RESULT, RESULT};

/// Refuses an input that does not exist or that this user may not read.
///
/// # Errors
/// With its name.
pub fn readable(path: &Path) -> Result<(), Refusal> {
    let opened = match std::fs::metadata(path) {
        Ok(what) if what.is_dir() => std::fs::read_dir(path).map(drop),
        // Opening a pipe would wait for its writer.
        Ok(what) if what.is_file() => std::fs::File::open(path).map(drop),
        Ok(what) if what.file_type().is_char_device() || what.file_type().is_block_device() => {
            return Err(Refusal::Usage(format!(
                "cannot read {}: it is a device, which may never end; name a file, or - for standard input",
                path.display()
            )));
        }
        other => other.map(drop),
    };
    opened.map_err(|error| Refusal::Usage(format!("cannot read {}: {error}", path.display())))
}

/// Refuses what is no file: a device may never end, a pipe waits for its writer.
///
/// # Errors
/// With its name and the reason.
pub fn regular(path: &Path) -> Result<(), Refusal> {
    readable(path)?;
    if path.is_file() {
        return Ok(());
    }
    Err(Refusal::Usage(format!(
        "cannot read {}: it is not a file",
        path.display()
    )))
}

/// Refuses an output file that could not be written; `option` is how another one is given. Nothing is left behind.
///
/// # Errors
/// With its name and the reason.
pub fn writable_file(path: &Path, option: &str) -> Result<(), Refusal> {
    let written = if path.is_dir() {
        Err(ErrorKind::IsADirectory.into())
    } else if path.exists() && !path.is_file() {
        // Opening a pipe would wait for its reader.
        Ok(())
    } else if path.exists() {
        let mut file = std::fs::OpenOptions::new();
        file.append(true).open(path).map(drop)
    } else {
        tempfile::tempfile_in(parent(path)).map(drop)
    };
    written.map_err(|error| {
        let place = path.display();
        Refusal::Usage(format!(
            "cannot write to {place}: {}; give another file with {option}",
            reason(&error, parent(path))
        ))
    })
}

/// Refuses a directory that can neither be written to nor made; `option` is how another one is given.
///
/// # Errors
/// With its name and the reason.
pub fn writable_directory(path: &Path, option: &str) -> Result<(), Refusal> {
    let mut ancestors = path.ancestors().map(beside);
    let there = ancestors.find(|ancestor| ancestor.symlink_metadata().is_ok());
    let there = there.unwrap_or(Path::new("/"));
    tempfile::tempfile_in(there).map(drop).map_err(|error| {
        Refusal::Usage(format!(
            "cannot write to {}: {}; give another directory with {option}",
            path.display(),
            reason(&error, there)
        ))
    })
}

/// Refuses where no new directory can be made in the place for results.
///
/// # Errors
/// With the place and what to do.
pub fn own_directory() -> Result<(), Refusal> {
    let place: PathBuf = state_directory(|name| std::env::var_os(name))
        .map_err(|error| Refusal::Cannot(error.to_string()))?;
    writable_directory(&place, "--out")
}

/// Refuses a run's directory in which no run of this manifest can begin or go on; none: a new directory in the
/// place for results.
///
/// # Errors
/// With what is there, and what to do.
pub fn run_directory<M: Manifest>(out: Option<&Path>, manifest: &M) -> Result<(), Refusal> {
    let Some(directory) = out else {
        return own_directory();
    };
    match proofmark_store::manifest_in::<M>(directory) {
        Ok(Some(before)) => {
            manifest.as_before(&before, directory)?;
            writable_directory(directory, "--out")
        }
        Ok(None) => writable_directory(directory, "--out"),
        Err(StoreError::Damaged { .. }) => Err(Refusal::Usage(format!(
            "{} holds a run of another command, or a damaged one: give another --out",
            directory.display()
        ))),
        Err(error) => Err(Refusal::Usage(error.to_string())),
    }
}

/// What other commands write into a run's directory.
const MANIFEST: &str = "manifest.json";

/// What `dose` writes beside its result.
const BESIDE: [&str; 2] = ["report.html", "report.txt"];

/// Refuses a directory in which what `dose` writes would take the place of somebody else's files. It may hold other files, and earlier
/// results.
///
/// # Errors
/// With the first of these files, and what to do.
pub fn free_for_dose(directory: &Path) -> Result<(), Refusal> {
    let results = [RESULT, EVERY_RESULT];
    let is_there = |name: &str| directory.join(name).symlink_metadata().is_ok();
    let is_own = |name: &str| is_result(&directory.join(name));
    let mut foreign = results.into_iter().filter(|name| !is_own(name));
    let foreign = foreign.find(|name| is_there(name));
    let beside_none = !results.into_iter().any(is_own);
    let mut pages = BESIDE.into_iter().filter(|_| beside_none);
    match foreign.or_else(|| pages.find(|name| is_there(name))) {
        Some(_) if beside_none && directory.join(MANIFEST).exists() => {
            Err(Refusal::Usage(format!(
                "--out {}: a run of another command is there; choose another directory",
                directory.display()
            )))
        }
        Some(found) => {
            let occupied = StoreError::Occupied {
                path: directory.to_owned(),
                found: found.to_owned(),
            };
            Err(Refusal::Usage(occupied.to_string()))
        }
        None => Ok(()),
    }
}

/// Whether a file is a result of Proofmark: what it says of itself comes first. One without a byte is what a full disk leaves.
fn is_result(path: &Path) -> bool {
    const NAMED: [&str; 2] = ["\"proofmark-", "\"schema_version\""];
    let mut start = Vec::new();
    let read = |file: File| file.take(4096).read_to_end(&mut start);
    // Opening a pipe would wait for its writer.
    let read = path.is_file() && File::open(path).and_then(read).is_ok();
    let text = String::from_utf8_lossy(&start);
    read && (text.is_empty() || NAMED.iter().any(|name| text.contains(name)))
}

/// `file` alone lies in the working directory.
fn beside(path: &Path) -> &Path {
    match path {
        path if path == Path::new("") => Path::new("."),
        path => path,
    }
}

fn parent(path: &Path) -> &Path {
    beside(path.parent().unwrap_or(Path::new("")))
}

fn reason(error: &std::io::Error, directory: &Path) -> String {
    if directory.is_dir() || error.kind() == ErrorKind::IsADirectory {
        return error.to_string();
    }
    let place = directory.display();
    match directory.exists() {
        true => format!("{place} is no directory"),
        false => format!("there is no directory {place}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builds::Builds;
    use crate::manifest::RunManifest;

    fn text(answer: Result<(), Refusal>) -> String {
        answer.map_or_else(|refusal| refusal.to_string(), |()| String::new())
    }

    #[test]
    fn outputs_are_tried_and_nothing_is_left() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        assert_eq!(text(writable_file(&file, "-o")), "");
        assert_eq!(
            text(writable_directory(&place.path().join("a/b"), "--out")),
            ""
        );
        assert_eq!(std::fs::read_dir(place.path()).unwrap().count(), 0);
        std::fs::write(&file, "kept").unwrap();
        assert_eq!(text(writable_file(&file, "-o")), "");
        assert_eq!(std::fs::read(&file).unwrap(), b"kept");
        assert!(text(writable_file(place.path(), "-o")).contains("is a directory"));
        let missing = text(writable_file(&place.path().join("no/file"), "-o"));
        assert!(missing.contains("there is no directory"), "{missing}");
        assert!(missing.contains("another file with -o"), "{missing}");
        let below = text(writable_directory(&file.join("x"), "--out"));
        assert!(below.contains("file is no directory"), "{below}");
        assert!(text(writable_directory(Path::new("/proc/x"), "--out")).contains("/proc/x"));
        assert!(text(readable(&place.path().join("x"))).contains("cannot read"));
    }

    #[test]
    fn results_of_dose_take_the_place_of_their_own_kind_only() {
        let refused = |files: &[(&str, &str)]| {
            let place = tempfile::tempdir().unwrap();
            for (name, holds) in files {
                std::fs::write(place.path().join(name), holds).unwrap();
            }
            text(free_for_dose(place.path()))
        };
        let result = "{\n  \"schema\": \"proofmark-dose/2\",";
        let every = "{\n  \"schema\": \"proofmark-every-dose/1\",";
        for free in [
            [("notes.txt", "mine"), ("lock", "")],
            [("dose.json", result), ("report.html", "")],
            [("every-dose.json", every), ("report.html", "")],
            [("dose.json", ""), ("report.txt", "")],
        ] {
            assert_eq!(refused(&free), "", "{free:?}");
        }
        for (name, holds) in [
            ("report.html", "mine"),
            ("report.txt", "mine"),
            ("dose.json", "{}"),
        ] {
            let said = refused(&[(name, holds), ("lock", "")]);
            let told = format!("not empty ({name} is there) and no run of Proofmark");
            assert!(said.contains(&told), "{said}");
        }
        let other = refused(&[("manifest.json", "{}"), ("report.html", "")]);
        assert!(
            other.contains("a run of another command is there"),
            "{other}"
        );
        assert_eq!(text(free_for_dose(Path::new("/none/there"))), "");
    }

    #[test]
    fn a_runs_directory_is_free_or_holds_the_same_run() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        let of = |seed: u64| {
            let workload = proofmark_jvm::Workload::parse("suite:Queens", Vec::new());
            let program = crate::request::ProgramRequest {
                workload: workload.expect("a program of the suite"),
                java: None,
                heap_mb: 64,
                iteration_timeout_s: 1.0,
                out: None,
                seed,
            };
            RunManifest::of(&program, Builds::default())
        };
        let answer = |name: &str, seed: u64| text(run_directory(Some(&at(name)), &of(seed)));
        assert_eq!(answer("new", 1), "");
        drop(proofmark_store::Run::create(&at("run"), &of(1)).unwrap());
        assert_eq!(answer("run", 1), "");
        let other = answer("run", 2);
        assert!(other.contains("another --seed (1 there, 2 now)"), "{other}");
        drop(proofmark_store::Run::create(&at("other"), &"text").unwrap());
        assert!(answer("other", 1).contains("another command"));
        std::fs::write(at("file"), "").unwrap();
        assert!(answer("file", 1).contains("this is a file"));
        std::fs::create_dir(at("full")).unwrap();
        std::fs::write(at("full/x"), "").unwrap();
        assert!(answer("full", 1).contains("not empty (x is there)"));
    }
}
