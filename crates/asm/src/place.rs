//! Where in the text we are: section, group of the linker, file and line of the source.

use std::collections::BTreeMap;

use crate::line::{strings, unescaped, unquoted};

/// What the directives so far came to.
#[derive(Default)]
pub(crate) struct Place {
    section: Section,
    before: Section,
    stack: Vec<(Section, Section)>,
    files: BTreeMap<u32, String>,
    main_file: String,
    loc: Option<(u32, u32)>,
}

#[derive(Clone, Default)]
struct Section {
    /// The group that keeps or drops it as a whole.
    group: Option<String>,
}

impl Place {
    /// Takes a directive in.
    pub(crate) fn directive(&mut self, word: &str, rest: &str) {
        match word {
            ".text" | ".data" | ".bss" => self.enter(Section::default()),
            ".section" => self.enter(section(rest)),
            ".pushsection" => {
                self.stack.push((self.section.clone(), self.before.clone()));
                self.enter(section(rest));
            }
            ".popsection" => {
                if let Some((section, before)) = self.stack.pop() {
                    (self.section, self.before) = (section, before);
                }
            }
            ".previous" => std::mem::swap(&mut self.section, &mut self.before),
            ".file" => self.file(rest),
            ".loc" => self.loc = numbers(rest),
            _ => {}
        }
    }

    fn enter(&mut self, section: Section) {
        self.before = std::mem::replace(&mut self.section, section);
    }

    /// `.file "main.c"`, `.file 1 "main.c"`, `.file 1 "/place" "main.c"`
    fn file(&mut self, rest: &str) {
        let number = rest
            .split_whitespace()
            .next()
            .and_then(|one| one.parse().ok());
        let names: Vec<String> = strings(rest).into_iter().map(unescaped).collect();
        let Some(name) = (match names.as_slice() {
            [place, name, ..]
                if number.is_some() && !name.starts_with('/') && !place.is_empty() =>
            {
                Some(format!("{place}/{name}"))
            }
            [_, name, ..] if number.is_some() => Some(name.clone()),
            [name, ..] => Some(name.clone()),
            [] => None,
        }) else {
            return;
        };
        match number {
            Some(number) => drop(self.files.insert(number, name)),
            None => self.main_file = name,
        }
    }

    /// A function begins: the line before belongs to another one.
    pub(crate) fn begin_function(&mut self) {
        self.loc = None;
    }

    /// The group of the section.
    pub(crate) fn group(&self) -> Option<&str> {
        self.section.group.as_deref()
    }

    /// File and line of the instruction to come; line 0 where there is no debug information.
    pub(crate) fn source(&self) -> (&str, u32) {
        let known = self
            .loc
            .and_then(|(file, line)| Some((self.files.get(&file)?.as_str(), line)));
        known.unwrap_or((&self.main_file, 0))
    }
}

fn numbers(rest: &str) -> Option<(u32, u32)> {
    let mut words = rest.split_whitespace();
    Some((words.next()?.parse().ok()?, words.next()?.parse().ok()?))
}

/// `.text._Zf,"axG",@progbits,_Zf,comdat`
fn section(rest: &str) -> Section {
    let parts: Vec<&str> = rest.split(',').map(str::trim).collect();
    let flags = parts.get(1).map_or("", |flags| unquoted(flags));
    let group = (flags.contains('G') && parts.get(4) == Some(&"comdat")).then(|| parts.get(3));
    Section {
        group: group.flatten().map(|name| unquoted(name).to_owned()),
    }
}
