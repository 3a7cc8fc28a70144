//! What class loaders of the program hide of our own classes. Rewritten classes refer to these by name, and the JVM asks the
//! class's loader for them.
//!
//! A loader is asked once, before the first class is defined that refers to them, when the JVM does not yet hold the lock of the
//! class itself. The thread that defines it holds locks of the loader, though, for which another thread may wait that holds what the
//! question needs. So a thread of its own asks, which holds nothing, and the other one waits for the answer some time only. Where
//! bytecodes are counted the defining thread asks itself: what the loader executes for the answer then belongs to the same thread
//! in every run. It waits as long as that takes, and the command is told so ([`Silence`]). So it does where it holds the loader's own
//! lock, as with a loader that knows no other.

use std::path::Path;
use std::sync::{Mutex, mpsc};
use std::time::Duration;

use crate::jni::Weak;
use crate::jvmti::Loader;
use crate::silence::Silence;

/// So long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(2);

/// Why classes of a loader cannot refer to ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Hidden {
    /// It does not find the class of this internal name.
    Class(String),
    /// It did not answer in time.
    Silent,
}

/// Loaders that were asked, and their answers.
#[derive(Default)]
pub(crate) struct Loaders {
    answers: Mutex<Vec<Answer>>,
}

struct Answer {
    loader: Weak,
    hides: Option<Hidden>,
}

impl Loaders {
    /// The first of these internal names that a loader hides, if any. Loaders of the JDK hide nothing; another one is asked, by this
    /// thread, when this is called for the first time. Where two threads call at once, both ask. As long as the answer is waited for
    /// in vain, what is `said` stands in a file of this directory.
    pub(crate) fn hidden(
        &self,
        loader: Loader,
        names: &[String],
        directory: &Path,
        said: impl FnOnce() -> String,
    ) -> Option<Hidden> {
        self.answer(loader, || {
            let silence = Silence::begin(PATIENCE, directory, said());
            let hides = first_hidden(names, |name| loader.finds(name));
            silence.end();
            hides
        })
    }

    /// The same, asked by a thread of its own, unless this one holds the loader's own lock: nobody else would get an answer.
    pub(crate) fn hidden_elsewhere(&self, loader: Loader, names: &[String]) -> Option<Hidden> {
        self.answer(loader, || {
            if loader.is_locked_here() {
                return first_hidden(names, |name| loader.finds(name));
            }
            let (answer, answered) = mpsc::channel();
            let names = names.to_vec();
            loader.elsewhere(move |finds| {
                // Nobody waits any more: the answer came too late.
                let _ = answer.send(first_hidden(&names, finds));
            });
            // Without a thread nobody answers either.
            let hides = answered.recv_timeout(PATIENCE);
            hides.unwrap_or(Some(Hidden::Silent))
        })
    }

    fn answer(&self, loader: Loader, ask: impl FnOnce() -> Option<Hidden>) -> Option<Hidden> {
        if loader.is_of_the_jdk() {
            return None;
        }
        let known = self
            .answers()
            .iter()
            .find(|one| loader.is(one.loader))
            .map(|one| one.hides.clone());
        if let Some(hides) = known {
            return hides;
        }
        let hides = ask();
        let mut answers = self.answers();
        answers.retain(|one| loader.keeps(one.loader));
        if let Some(loader) = loader.remembered() {
            let hides = hides.clone();
            answers.push(Answer { loader, hides });
        }
        hides
    }

    fn answers(&self) -> std::sync::MutexGuard<'_, Vec<Answer>> {
        self.answers
            .lock()
            .unwrap_or_else(|poisoned| poisoned.into_inner())
    }
}

fn first_hidden(names: &[String], finds: impl Fn(&str) -> bool) -> Option<Hidden> {
    let hidden = names.iter().find(|name| !finds(name));
    hidden.cloned().map(Hidden::Class)
}
