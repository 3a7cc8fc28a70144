//! What is the same for every command.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use proofmark_jvm::toolchain::Settings;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

use crate::console;
use crate::exit::INTERRUPTED;
use crate::load::busy;
use crate::progress::Progress;
use crate::request::Format;

/// How results are written, where the JDK is, and how the user hears of it and stops it.
pub struct Surroundings {
    /// What is printed on standard output.
    pub format: Format,
    /// Whether results are printed with all details.
    pub details: bool,
    /// Whether standard error holds errors alone.
    pub quiet: bool,
    /// Where JDK and cache are.
    pub toolchain: Settings,
    /// What is going on, on standard error.
    pub progress: Progress,
    /// Set when the user wants to stop.
    pub interrupted: Arc<AtomicBool>,
}

impl Surroundings {
    /// From the environment and the options of every command; nothing is looked for yet.
    #[must_use]
    pub fn new(format: Format, jdk: Option<&Path>, quiet: bool) -> Self {
        let mut toolchain = Settings::from_env();
        if let Some(jdk) = jdk {
            toolchain.jdk = Some(jdk.to_owned());
        }
        if !quiet {
            toolchain.progress = Some(console::say);
        }
        Surroundings {
            format,
            details: false,
            quiet,
            toolchain,
            progress: Progress::new(quiet),
            interrupted: Arc::new(AtomicBool::new(false)),
        }
    }

    /// Says that others use the machine, if they do.
    pub fn say_if_busy(&self) {
        if let Some(text) = busy() {
            self.progress.note(&text);
        }
    }

    /// From now on the first interrupt is answered in order, the second one at once.
    pub fn answer_interrupts(&self) {
        self.answer(&[SIGINT, SIGTERM, SIGHUP]);
    }

    /// The same of a compiler, which removes its files then. A build under nohup survives its terminal.
    pub fn answer_interrupts_of_builds(&self) {
        self.answer(&[SIGINT, SIGTERM]);
    }

    fn answer(&self, signals: &[i32]) {
        for &signal in signals {
            let flag = || self.interrupted.clone();
            // The second one does not wait for anything.
            let second = signal_hook::flag::register_conditional_shutdown;
            let _ = second(signal, INTERRUPTED.into(), flag());
            let _ = signal_hook::flag::register(signal, flag());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_toolchain_is_quiet_too() {
        let of = |quiet| Surroundings::new(Format::Text, None, quiet).toolchain;
        assert!(of(false).progress.is_some());
        assert!(of(true).progress.is_none());
    }
}
