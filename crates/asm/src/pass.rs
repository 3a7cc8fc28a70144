//! The pass: finds the entry of every function and puts a site there.

use std::collections::BTreeSet;

use crate::line::{Line, marks_only, unquoted, without_comment};
use crate::place::Place;
use crate::rust::{Dialect, shown_name};
use crate::site::{Site, code, left, tables};

/// Text with sites.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sited {
    /// The text, its sites and their table.
    pub text: String,
    /// Sites, in the order of the text.
    pub sites: Vec<Site>,
    /// Functions without one.
    pub left_alone: Vec<LeftAlone>,
}

/// A function without a site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LeftAlone {
    /// Its name.
    pub function: String,
    /// Why.
    pub why: Why,
}

/// Why a function has no site.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// It is the part of another function that is seldom run, entered in the middle of that one.
    ColdPart,
    /// It begins with the programmer's own assembly, which may rely on anything.
    OwnAssembly,
    /// It answers interrupts: flags must be kept.
    Interrupt,
    /// It has no instruction.
    Empty,
}

impl Why {
    /// In words that follow "no site:".
    #[must_use]
    pub fn reason(self) -> &'static str {
        match self {
            Self::ColdPart => "the seldom part of another function, which enters it in the middle",
            Self::OwnAssembly => "it begins with inline assembly",
            Self::Interrupt => "it answers interrupts",
            Self::Empty => "it has no instruction",
        }
    }
}

/// Puts a site into every function of an assembly text. Text in other syntaxes comes back unchanged, without sites.
#[must_use]
pub fn with_sites(text: &str) -> Sited {
    Pass::default().through(text)
}

/// The same of text that rustc wrote. Functions go by [`shown_name`]; what GNU's assembler does not know is said otherwise.
#[must_use]
pub fn with_rust_sites(text: &str) -> Sited {
    let pass = Pass {
        rust: Some(Dialect::of(text)),
        ..Pass::default()
    };
    pass.through(text)
}

#[derive(Default)]
struct Pass<'t> {
    out: String,
    place: Place,
    /// Names that are said to be functions.
    functions: BTreeSet<&'t str>,
    /// The function whose first instruction is looked for.
    open: Option<&'t str>,
    in_app: bool,
    /// Of text by rustc.
    rust: Option<Dialect<'t>>,
    sites: Vec<Site>,
    left_alone: Vec<LeftAlone>,
}

impl<'t> Pass<'t> {
    fn through(mut self, text: &'t str) -> Sited {
        let interrupts = returning_from_interrupts(text);
        for line in text.split_inclusive('\n') {
            self.take(line, &interrupts);
        }
        self.end(Why::Empty);
        let behind = tables(&self.sites, self.rust.is_some()) + &left(&self.left_alone);
        if !self.out.ends_with('\n') && !behind.is_empty() {
            self.out.push('\n');
        }
        self.out.push_str(&behind);
        Sited {
            text: self.out,
            sites: self.sites,
            left_alone: self.left_alone,
        }
    }

    fn take(&mut self, text: &'t str, interrupts: &BTreeSet<&str>) {
        let line = Line::of(text);
        match line {
            Line::AppBegin => {
                self.in_app = true;
                self.end(Why::OwnAssembly);
            }
            Line::AppEnd => self.in_app = false,
            _ if self.in_app => {}
            Line::Directive(".type", rest) => self.typed(rest),
            Line::Directive(word, rest) => self.place.directive(word, rest),
            Line::Label(name) if self.functions.contains(name) => self.begin(name, interrupts),
            Line::Label(name) if name.starts_with(".LFSB") => self.end(Why::ColdPart),
            Line::Label(name) if !marks_only(name) => self.site(),
            // The landing pad of indirect branches must stay the first instruction.
            Line::Instruction("endbr64") => {}
            Line::Instruction(_) => self.site(),
            Line::Label(_) | Line::Empty => {}
        }
        match &self.rust {
            Some(dialect) => self.out.push_str(&dialect.for_gnu(text)),
            None => self.out.push_str(text),
        }
    }

    fn typed(&mut self, rest: &'t str) {
        // Clang writes a remark behind it.
        if let Some((name, kind)) = without_comment(rest).split_once(',')
            && matches!(kind.trim(), "@function" | "%function" | "STT_FUNC")
        {
            self.functions.insert(unquoted(name));
        }
    }

    fn begin(&mut self, name: &'t str, interrupts: &BTreeSet<&str>) {
        self.end(Why::Empty);
        self.place.begin_function();
        self.open = Some(name);
        if is_cold_part(name) {
            self.end(Why::ColdPart);
        } else if interrupts.contains(name) {
            self.end(Why::Interrupt);
        } else if self.rust.as_ref().is_some_and(|one| !one.compiled(name)) {
            self.end(Why::OwnAssembly);
        }
    }

    /// What a function is called in the tables.
    fn shown(&self, name: &'t str) -> String {
        match self.rust {
            Some(_) => shown_name(name).into_owned(),
            None => name.to_owned(),
        }
    }

    /// The function that is open gets no site.
    fn end(&mut self, why: Why) {
        if let Some(name) = self.open.take() {
            let function = self.shown(name);
            self.left_alone.push(LeftAlone { function, why });
        }
    }

    /// The function that is open gets its site here.
    fn site(&mut self) {
        let Some(name) = self.open.take() else {
            return;
        };
        let number = self.sites.len();
        self.out.push_str(&code(number));
        let function = self.shown(name);
        let (file, line) = self.place.source();
        self.sites.push(Site {
            number,
            function,
            file: file.to_owned(),
            line,
            group: self.place.group().map(str::to_owned),
        });
    }
}

/// `f.cold`, `f.cold.3`: jumped to from the middle of `f`, with its frame.
fn is_cold_part(name: &str) -> bool {
    name.split('.').skip(1).any(|part| part == "cold")
}

/// Functions with an `iret`.
fn returning_from_interrupts(text: &str) -> BTreeSet<&str> {
    let mut found = BTreeSet::new();
    if !text.contains("iret") {
        return found;
    }
    let mut inside = "";
    for line in text.lines() {
        match Line::of(line) {
            Line::Label(name) if !name.starts_with(".L") => inside = name,
            Line::Instruction(one) if one.starts_with("iret") => drop(found.insert(inside)),
            _ => {}
        }
    }
    found
}
