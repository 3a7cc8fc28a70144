//! What becomes of each class that is loaded.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use proofmark_classes::{Names, Program};
use proofmark_rewrite::{Options, Outcome, Reason, Treatment, World, escaped, rewrite};

/// Rewrites classes and remembers what became of them.
pub(crate) struct Hook {
    program: Program,
    options: Options,
    names: Names,
    rewritten: u64,
    bytes: u64,
    time: Duration,
    /// Classes left alone, with the reason.
    alone: Vec<(String, Reason)>,
    /// Methods whose bodies are not counted: class, name, descriptor, reason.
    kept: Vec<(String, String, String, Reason)>,
}

impl Hook {
    pub(crate) fn new(program: Program, options: Options) -> Self {
        Self {
            program,
            options,
            names: Names::default(),
            rewritten: 0,
            bytes: 0,
            time: Duration::ZERO,
            alone: Vec::new(),
            kept: Vec::new(),
        }
    }

    /// The class file to load in place of this one, if another. A class of an unknown loader may mean other classes by
    /// the same names, so nothing is taken for granted about what it calls.
    pub(crate) fn class(
        &mut self,
        name: Option<&str>,
        bytes: &[u8],
        known_loader: bool,
    ) -> Option<Vec<u8>> {
        let name = name?;
        if self.program.treatment(name) == Treatment::Not {
            return None;
        }
        let begin = Instant::now();
        let strangers = self.program.of_strangers();
        let world: &dyn World = if known_loader {
            &self.program
        } else {
            &strangers
        };
        let outcome = rewrite(bytes, &self.options, world, &mut self.names);
        self.time += begin.elapsed();
        self.bytes += bytes.len() as u64;
        match outcome {
            Outcome::Rewritten { bytes, methods } => {
                self.rewritten += 1;
                for method in methods {
                    if let Err(reason) = method.id {
                        self.kept
                            .push((name.to_owned(), method.name, method.descriptor, reason));
                    }
                }
                Some(bytes)
            }
            Outcome::LeftAlone { reason } => {
                self.alone.push((name.to_owned(), reason));
                None
            }
        }
    }

    /// The lines that name methods.
    pub(crate) fn names(&self) -> String {
        self.names.to_text()
    }

    /// What was done, as lines with tabs.
    pub(crate) fn report(&self) -> String {
        let mut text = format!(
            "rewritten\t{}\nmethods\t{}\nbytes\t{}\nnanoseconds\t{}\n",
            self.rewritten,
            self.names.len(),
            self.bytes,
            self.time.as_nanos()
        );
        for (class, reason) in &self.alone {
            let _ = writeln!(text, "alone\t{}\t{reason}", escaped(class));
        }
        for (class, name, descriptor, reason) in &self.kept {
            let [class, name, descriptor] = [class, name, descriptor].map(|part| escaped(part));
            let _ = writeln!(text, "kept\t{class}\t{name}\t{descriptor}\t{reason}");
        }
        text
    }
}
