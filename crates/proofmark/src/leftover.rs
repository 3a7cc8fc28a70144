//! Directories of runs that failed before they had anything to show: they are removed again.

use std::fs;
use std::path::{MAIN_SEPARATOR, Path, PathBuf};
use std::sync::Mutex;

use proofmark_store::Lock;

/// Directories that this process made for runs, those below others behind them.
static MADE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// What was said on standard error, as far as it may name files.
static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// The file by which a Proofmark holds a directory.
const LOCK: &str = "lock";

/// What we write before anything is measured.
const OWN: [&str; 4] = [LOCK, "manifest.json", "configuration", "dose"];

/// What processes print.
const PRINTED: [&str; 2] = ["stdout", "stderr"];

/// Remembers a directory that this process makes for a run.
pub fn remember(directory: &Path) {
    if let Ok(mut made) = MADE.lock() {
        made.push(directory.to_owned());
    }
}

/// Remembers what is said on standard error, such as a note: the files that it names stay.
pub fn hear(text: &str) {
    if !text.contains(MAIN_SEPARATOR) {
        return;
    }
    if let Ok(mut said) = SAID.lock() {
        said.push(text.to_owned());
    }
}

/// Removes the directories that this process made where they hold no result, nothing to go on with and no output that the message, or
/// what was said before, names.
pub fn remove(message: &str) {
    let made = MADE.lock().map(|mut made| std::mem::take(&mut *made));
    remove_of(&made.unwrap_or_default(), &with_all_said(message));
}

/// The message, and what was said before.
fn with_all_said(message: &str) -> String {
    let said = SAID.lock().map(|said| said.join("\n"));
    format!("{}\n{message}", said.unwrap_or_default())
}

fn remove_of(made: &[PathBuf], message: &str) {
    for directory in made.iter().rev() {
        // What another Proofmark works in by now is its own.
        let Ok(_held) = Lock::take(directory) else {
            continue;
        };
        if holds_nothing(directory, message) {
            remove_nothing(directory, message);
        }
    }
}

/// Removes what is nothing. What came since it was looked at stays, and the directory with it.
fn remove_nothing(directory: &Path, message: &str) {
    for entry in fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        let what = fs::symlink_metadata(&path);
        match what.is_ok_and(|what| what.is_dir()) {
            true => remove_nothing(&path, message),
            false if is_nothing(&path, message) => {
                let _ = fs::remove_file(&path);
            }
            false => {}
        }
    }
    // Refused where anything is left.
    let _ = fs::remove_dir(directory);
}

fn holds_nothing(directory: &Path, message: &str) -> bool {
    let Ok(mut entries) = fs::read_dir(directory) else {
        return false;
    };
    entries.all(|entry| entry.is_ok_and(|entry| is_nothing(&entry.path(), message)))
}

fn is_nothing(path: &Path, message: &str) -> bool {
    let Ok(what) = fs::symlink_metadata(path) else {
        return false;
    };
    if what.is_dir() {
        let is_free = !path.join(LOCK).exists() || Lock::take(path).is_ok();
        return is_free && holds_nothing(path, message);
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let is = |names: &[&str]| names.contains(&&*name);
    let printed = is(&PRINTED) || name.ends_with(".log");
    let empty = what.len() == 0 || is(&OWN) || printed;
    what.is_file() && empty && !is_named(path, message)
}

/// Whether the message names a file, by the path that was given or by the whole one.
fn is_named(path: &Path, message: &str) -> bool {
    let whole = path.canonicalize();
    let paths = [Some(path.to_owned()), whole.ok()].into_iter().flatten();
    let mut shown = paths.map(|path| path.display().to_string());
    shown.any(|path| message.contains(&path))
}

#[cfg(test)]
mod tests {
    use std::slice;

    use super::*;

    /// A directory with these files, which lie below it and are not empty.
    fn made(place: &Path, files: &[&str]) -> PathBuf {
        let directory = place.join("run");
        for file in files {
            let path = directory.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "text").unwrap();
        }
        directory
    }

    fn stays(files: &[&str], message: &str) -> bool {
        let place = tempfile::tempdir().unwrap();
        let directory = made(place.path(), files);
        let message = message.replace('@', &directory.display().to_string());
        remove_of(slice::from_ref(&directory), &message);
        directory.exists()
    }

    #[test]
    fn what_holds_nothing_is_removed() {
        let begun = [
            "lock",
            "manifest.json",
            "look/configuration",
            "look/jvm.log",
        ];
        assert!(!stays(&begun, "no class p.A"));
        assert!(!stays(
            &["lock", "dose", "stdout", "stderr"],
            "no such option"
        ));
    }

    #[test]
    fn results_what_can_go_on_and_named_output_stay() {
        for file in ["dose.json", "steps.jsonl", "look/profile.jfr", "mine.txt"] {
            assert!(stays(&["lock", file], "it failed"), "{file}");
        }
        let log = ["lock", "look/jvm.log"];
        assert!(stays(&log, "its output is in @/look/jvm.log"));
        assert!(!stays(&log, "its output was lost"));
    }

    /// A note says where a JVM's output is; the message at the end does not.
    #[test]
    fn output_that_was_named_before_the_message_stays() {
        let place = tempfile::tempdir().unwrap();
        let directory = made(place.path(), &["lock", "look/jvm.log"]);
        let log = directory.join("look/jvm.log");
        hear(&format!("its output is in {}", log.display()));
        let message = with_all_said("no profiler works");
        remove_of(slice::from_ref(&directory), &message);
        assert!(log.exists());
    }

    #[test]
    fn steps_are_something_only_where_there_are_any() {
        let place = tempfile::tempdir().unwrap();
        let directory = made(place.path(), &["lock"]);
        fs::write(directory.join("steps.jsonl"), "").unwrap();
        remove_of(slice::from_ref(&directory), "");
        assert!(!directory.exists());
    }

    /// The inner one is that of a kind of dose.
    #[test]
    fn a_directory_in_another_one_goes_with_it_unless_somebody_works_there() {
        let place = tempfile::tempdir().unwrap();
        let outer = made(place.path(), &["lock", "copy/lock"]);
        let both = [outer.clone(), outer.join("copy")];
        let held = Lock::take(&outer).unwrap();
        remove_of(&both, "");
        assert!(outer.exists() && !outer.join("copy").exists());
        drop(held);
        fs::create_dir(outer.join("copy")).unwrap();
        let held = Lock::take(&outer.join("copy")).unwrap();
        remove_of(&both, "");
        assert!(outer.join("copy").exists());
        drop(held);
        remove_of(&both, "");
        assert!(!outer.exists());
    }

    #[test]
    fn what_a_link_leads_to_stays() {
        let place = tempfile::tempdir().unwrap();
        let directory = made(place.path(), &["lock"]);
        std::os::unix::fs::symlink(place.path(), directory.join("link")).unwrap();
        remove_of(slice::from_ref(&directory), "");
        assert!(directory.exists());
    }
}
