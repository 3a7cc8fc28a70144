//! A class loader that is asked by the thread which needs its answer, and gives none.
//!
//! Nobody else asks it (see [`crate::loaders`]), and a thread that runs the program's code cannot be freed. So that the program does not
//! stand still without a word, the command is told in a file for which class loader it waits.

use std::path::{Path, PathBuf};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::{Builder, JoinHandle};
use std::time::Duration;

use crate::files::write_whole;

/// The file's name.
const FILE: &str = "silent";

/// Waiting for an answer.
pub(crate) struct Silence {
    file: PathBuf,
    /// Goes when the answer is there.
    answered: Sender<()>,
    /// A thread that the JVM does not know of: whether it has written the file. None where there can be no thread.
    watcher: Option<JoinHandle<bool>>,
}

impl Silence {
    /// From now on an answer is waited for: when `patience` is over, the text stands in a file of this directory.
    pub(crate) fn begin(patience: Duration, directory: &Path, text: String) -> Self {
        let (answered, answer) = channel();
        let place = directory.to_owned();
        let wait = move || {
            let late = answer.recv_timeout(patience) == Err(RecvTimeoutError::Timeout);
            late && write_whole(&place, FILE, &text).is_ok()
        };
        let watcher = Builder::new().name("proofmark-waits".to_owned());
        Self {
            file: directory.join(FILE),
            answered,
            watcher: watcher.spawn(wait).ok(),
        }
    }

    /// The answer is there: nobody waits any more.
    pub(crate) fn end(self) {
        drop(self.answered);
        let late = self.watcher.map(JoinHandle::join);
        if matches!(late, Some(Ok(true))) {
            // What cannot be removed says that somebody waited.
            let _ = std::fs::remove_file(self.file);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs::{create_dir_all, read_to_string, remove_dir_all};

    use super::*;

    /// A directory of a test, which is removed at the end.
    struct Place(PathBuf);

    impl Place {
        fn new(test: &str) -> Self {
            let name = format!("proofmark-{}-{test}", std::process::id());
            let place = std::env::temp_dir().join(name);
            create_dir_all(&place).expect("a directory");
            Self(place)
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = remove_dir_all(&self.0);
        }
    }

    #[test]
    fn who_waits_too_long_is_told() {
        let place = Place::new("told");
        let silence = Silence::begin(Duration::ZERO, &place.0, "Mute\tA\n".to_owned());
        let watcher = silence.watcher.expect("a thread");
        assert!(watcher.join().expect("no panic"));
        let told = read_to_string(&silence.file).expect("the file");
        assert_eq!(told, "Mute\tA\n");
    }

    /// Whether it came before the time was over or behind.
    #[test]
    fn an_answer_leaves_nothing() {
        let place = Place::new("answer");
        for patience in [Duration::ZERO, Duration::from_secs(3600)] {
            let silence = Silence::begin(patience, &place.0, "Mute\tA\n".to_owned());
            let file = silence.file.clone();
            silence.end();
            assert!(!file.exists(), "{patience:?}");
        }
    }
}
