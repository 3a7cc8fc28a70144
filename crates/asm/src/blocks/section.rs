//! What kind of section the text is in.

use crate::line::unquoted;

/// Kinds of sections.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// Machine code.
    #[default]
    Code,
    /// Debug information: what it names is entered by nobody.
    Debug,
    /// Anything else.
    Data,
}

/// The section that the text is in, and those that it goes back to.
#[derive(Default)]
pub(super) struct Sections {
    now: Kind,
    before: Kind,
    stack: Vec<(Kind, Kind)>,
}

impl Sections {
    /// The kind of the section.
    pub(super) fn kind(&self) -> Kind {
        self.now
    }

    /// Takes a directive in.
    pub(super) fn directive(&mut self, word: &str, rest: &str) {
        match word {
            ".text" => self.enter(Kind::Code),
            ".data" | ".bss" => self.enter(Kind::Data),
            ".section" => self.enter(kind(rest)),
            ".pushsection" => {
                self.stack.push((self.now, self.before));
                self.enter(kind(rest));
            }
            ".popsection" => {
                if let Some((now, before)) = self.stack.pop() {
                    (self.now, self.before) = (now, before);
                }
            }
            ".previous" => std::mem::swap(&mut self.now, &mut self.before),
            _ => {}
        }
    }

    fn enter(&mut self, kind: Kind) {
        self.before = std::mem::replace(&mut self.now, kind);
    }
}

/// `.text.unlikely,"ax",@progbits`
fn kind(rest: &str) -> Kind {
    let mut parts = rest.split(',').map(unquoted);
    let name = parts.next().unwrap_or_default();
    let executable = parts.next().is_some_and(|flags| flags.contains('x'));
    if executable || name == ".text" || name.starts_with(".text.") {
        Kind::Code
    } else if name.starts_with(".debug") {
        Kind::Debug
    } else {
        Kind::Data
    }
}
