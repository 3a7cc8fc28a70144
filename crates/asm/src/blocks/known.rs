//! What code and tables of a text name.

use std::collections::{BTreeMap, BTreeSet};

use super::instruction::names;
use super::section::{Kind, Sections};
use crate::line::{Line, without_comment};

/// Directives that write numbers and addresses.
pub(super) const DATA: [&str; 14] = [
    ".long", ".quad", ".byte", ".value", ".word", ".short", ".int", ".2byte", ".4byte", ".8byte",
    ".uleb128", ".sleb128", ".octa", ".zero",
];

/// What the whole text names.
pub(super) struct Known<'t> {
    /// Labels that code or tables name: control may come to them.
    pub(super) named: BTreeSet<&'t str>,
    /// Labels that tables name, by the label of the table.
    pub(super) tables: BTreeMap<&'t str, Vec<&'t str>>,
}

impl<'t> Known<'t> {
    /// Reads all lines.
    pub(super) fn of(lines: &[&'t str]) -> Self {
        let mut known = Known {
            named: BTreeSet::new(),
            tables: BTreeMap::new(),
        };
        let mut sections = Sections::default();
        let mut table = None;
        for &text in lines {
            match Line::of(text) {
                Line::Directive(word, rest) if DATA.contains(&word) => {
                    if sections.kind() != Kind::Debug {
                        let own = table.filter(|_| !word.ends_with("leb128"));
                        known.data(own, rest);
                    }
                }
                Line::Directive(word, rest) => sections.directive(word, rest),
                Line::Label(name) => table = (sections.kind() == Kind::Data).then_some(name),
                Line::Instruction(one) => {
                    let labels = names(without_comment(one)).filter(|one| one.starts_with(".L"));
                    known.named.extend(labels);
                }
                Line::Empty | Line::AppBegin | Line::AppEnd => {}
            }
        }
        known
    }

    /// `table`: whether the numbers are those of a table of jumps, and of which one; those of exceptions are written otherwise.
    fn data(&mut self, table: Option<&'t str>, rest: &'t str) {
        let labels = names(without_comment(rest)).filter(|one| one.starts_with(".L"));
        for (place, label) in labels.enumerate() {
            self.named.insert(label);
            // The second one is what the distance is counted from.
            if let Some(table) = table.filter(|_| place == 0) {
                self.tables.entry(table).or_default().push(label);
            }
        }
    }
}
