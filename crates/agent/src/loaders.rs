//! What class loaders of the program hide of our own classes. Rewritten classes refer to these by name, and the JVM asks the
//! class's loader for them.
//!
//! A loader is asked once, before the first class is defined that refers to them: by the thread that defines it, which comes
//! from that very loader and holds the locks under which the loader also asks for the class's super class. Later the JVM holds
//! the lock of the class itself, while another thread may hold one of the loader's and wait for the class.

use std::sync::Mutex;

use crate::jni::Weak;
use crate::jvmti::Loader;

/// Loaders that were asked, and their answers.
#[derive(Default)]
pub(crate) struct Loaders {
    answers: Mutex<Vec<Answer>>,
}

struct Answer {
    loader: Weak,
    /// The name that it hides.
    hides: Option<String>,
}

impl Loaders {
    /// The first of these internal names that a loader hides, if any. Loaders of the JDK hide nothing; another one is asked when
    /// this is called for the first time. Where two threads call at once, both ask: nobody waits for Java code that runs elsewhere.
    pub(crate) fn hidden(&self, loader: Loader, names: &[String]) -> Option<String> {
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
        let hides = names.iter().find(|name| !loader.finds(name)).cloned();
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
