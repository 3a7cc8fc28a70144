//! A class loader of the program that does not say whether it finds the classes that count, while the program waits for it.

use std::path::Path;
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;

use proofmark_rewrite::unescaped;

use crate::progress::Progress;

/// The agent's file (crates/agent/src/silence.rs): the loader's class, and the class that it is about to define. It is there as long as
/// the program waits.
const FILE: &str = "silent";
/// Pause between two looks for it.
const BETWEEN_LOOKS: Duration = Duration::from_millis(500);

/// For which class loader a program waits whose agent writes into this directory; none if it waits for none.
pub(super) fn said(directory: &Path) -> Option<String> {
    names(directory).map(|names| waits_for(&names))
}

/// The same with what the user can do.
fn said_with_remedy(directory: &Path) -> Option<String> {
    let names = names(directory)?;
    Some(format!(
        "{}; if it never does, end the program (Ctrl-C) and count it with --exclude '{}'",
        waits_for(&names),
        names[0]
    ))
}

fn waits_for([loader, class]: &[String; 2]) -> String {
    format!(
        "the program waits for its class loader {loader}, which was asked for the classes that count before it defines {class}, and does not answer"
    )
}

/// The loader's class, and the class that it is about to define.
fn names(directory: &Path) -> Option<[String; 2]> {
    let text = std::fs::read_to_string(directory.join(FILE)).ok()?;
    let (loader, class) = text.trim_end_matches('\n').split_once('\t')?;
    Some([loader, class].map(|name| unescaped(name).replace('/', ".")))
}

/// Says so as soon as it is so, until it is dropped.
pub(super) struct Listening {
    /// Goes when nobody wants to know any more.
    wanted: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Listening {
    /// To the agent that writes into this directory.
    pub(super) fn to(directory: &Path, progress: &Progress) -> Self {
        let (wanted, ends) = channel::<()>();
        let (directory, progress) = (directory.to_owned(), progress.clone());
        let listen = move || {
            let mut last = None;
            while ends.recv_timeout(BETWEEN_LOOKS) == Err(RecvTimeoutError::Timeout) {
                let now = said_with_remedy(&directory);
                if let Some(text) = now.as_ref().filter(|_| now != last) {
                    progress.error(&format!("proofmark: {text}"));
                }
                last = now;
            }
        };
        Self {
            wanted: Some(wanted),
            thread: Some(std::thread::spawn(listen)),
        }
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        drop(self.wanted.take());
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loader_and_its_class_are_named() {
        let place = tempfile::tempdir().unwrap();
        assert_eq!(said(place.path()), None);
        let file = place.path().join(FILE);
        std::fs::write(&file, "com/acme/Odd\ta/Wo\\trk\n").unwrap();
        let text = said(place.path()).expect("a sentence");
        let names = "class loader com.acme.Odd, which was asked for the classes that count before it defines a.Wo\trk,";
        assert!(text.contains(names), "{text}");
        let remedy = said_with_remedy(place.path()).expect("a sentence");
        let advised = " with --exclude 'com.acme.Odd'";
        assert!(remedy.ends_with(advised), "{remedy}");
    }
}
