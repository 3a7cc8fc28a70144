//! What becomes of each class that is loaded.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};

use proofmark_classes::{Names, Program};
use proofmark_rewrite::{Options, Outcome, Reason, Summary, Treatment, World, escaped, rewrite};

/// What is known of the loader that defines a class.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The boot loader, or that of the class path.
    Known,
    /// Another one: it may mean other classes by the same names.
    Stranger,
    /// It does not find the runtime.
    Hiding,
    /// It was not asked whether it does, because the user left it or the class out.
    Unasked,
}

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

    /// Whether a class of that name would be changed.
    pub(crate) fn changes(&self, name: Option<&str>) -> bool {
        name.is_some_and(|name| self.program.treatment(name) != Treatment::Not)
    }

    /// Whether the user left classes of that name out.
    pub(crate) fn leaves_out(&self, name: Option<&str>) -> bool {
        name.is_some_and(|name| self.program.leaves_out(name))
    }

    /// The class file to load in place of this one, if another. Of what a stranger's class calls, nothing is taken for granted.
    pub(crate) fn class(
        &mut self,
        name: Option<&str>,
        bytes: &[u8],
        origin: Origin,
    ) -> Option<Vec<u8>> {
        let name = name.filter(|_| self.changes(name))?;
        let begin = Instant::now();
        let strangers = self.program.of_strangers();
        let uncounted = Uncounted {
            program: &self.program,
            class: name,
        };
        let world: &dyn World = match origin {
            Origin::Known => &self.program,
            Origin::Stranger => &strangers,
            Origin::Hiding | Origin::Unasked => &uncounted,
        };
        let outcome = rewrite(bytes, &self.options, world, &mut self.names);
        let by_name = self.leaves_out(Some(name));
        let why = |reason: Reason| match (origin, reason) {
            (Origin::Hiding, Reason::Excluded) => Reason::HiddenRuntime,
            (Origin::Unasked, Reason::Excluded) if !by_name => Reason::LoaderLeftOut,
            (_, reason) => reason,
        };
        self.time += begin.elapsed();
        self.bytes += bytes.len() as u64;
        match outcome {
            Outcome::Rewritten { bytes, methods } => {
                self.rewritten += 1;
                for method in methods {
                    if let Err(reason) = method.id {
                        let why = why(reason);
                        self.kept
                            .push((name.to_owned(), method.name, method.descriptor, why));
                    }
                }
                Some(bytes)
            }
            Outcome::LeftAlone { reason } => {
                self.alone.push((name.to_owned(), why(reason)));
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

/// The program as a class sees it that cannot count: what it overrides of a counted class must still be called.
struct Uncounted<'p> {
    program: &'p Program,
    class: &'p str,
}

impl World for Uncounted<'_> {
    fn treatment(&self, class: &str) -> Treatment {
        match self.program.treatment(class) {
            Treatment::Not => Treatment::Not,
            _ if class == self.class => Treatment::Bridges,
            treatment => treatment,
        }
    }

    fn summary(&self, class: &str) -> Option<Arc<Summary>> {
        self.program.summary(class)
    }
}
