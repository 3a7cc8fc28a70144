//! Which types and which units of events are counted.

use std::collections::BTreeSet;
use std::path::PathBuf;

use proofmark_events::{CATALOGUE, CATEGORY_OF_USERS, Strategy};
use proofmark_jvm::{EventTypeInfo, nearest};
use proofmark_rewrite::of_the_platform;

use crate::context::Refusal;

/// What is counted, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Selection {
    /// Categories of events; none here and in `events`: all.
    pub categories: Vec<String>,
    /// Types of events, besides those of the categories.
    pub events: Vec<String>,
    /// How they are counted.
    pub strategy: Strategy,
    /// Whether every thread has counters of its own.
    pub threads: bool,
    /// Only units whose name contains this; `*` stands for any text.
    pub units: Option<String>,
    /// Whether units of the JDK are left out.
    pub no_jdk: bool,
    /// Class path of event types of the user's own; empty: none.
    pub class_path: Vec<PathBuf>,
}

impl Default for Selection {
    /// Everything, by edges.
    fn default() -> Self {
        Selection {
            categories: Vec::new(),
            events: Vec::new(),
            strategy: Strategy::Edge,
            threads: false,
            units: None,
            no_jdk: false,
            class_path: Vec::new(),
        }
    }
}

impl Selection {
    /// What can be said of a selection before a JVM runs: names of types of the user's own are known only then.
    ///
    /// # Errors
    /// When a category or type does not exist, with those that do.
    pub fn check(&self) -> Result<(), Refusal> {
        let mut known = known();
        if !self.class_path.is_empty() {
            known.push(named("", CATEGORY_OF_USERS));
            let own = self.events.iter();
            known.extend(own.map(|name| named(name, CATEGORY_OF_USERS)));
        }
        self.types(&known).map(drop)
    }

    /// Names of the chosen types, in the catalogue's order; empty means all.
    ///
    /// # Errors
    /// When a category or type does not exist, with those that do.
    pub fn types(&self, catalogue: &[EventTypeInfo]) -> Result<Vec<String>, Refusal> {
        let known = |wanted: &[String], what: &str, names: BTreeSet<&str>| match wanted
            .iter()
            .find(|name| !names.contains(name.as_str()))
        {
            None => Ok(()),
            Some(unknown) => {
                let near = nearest(unknown, names.iter().copied());
                let meant = near.map_or(String::new(), |near| format!(" (did you mean {near}?)"));
                Err(Refusal::Usage(format!(
                    "no {what} of events is called '{unknown}'{meant}; there are {}",
                    names.into_iter().collect::<Vec<_>>().join(", ")
                )))
            }
        };
        let categories = catalogue.iter().map(|kind| kind.category.as_str());
        known(&self.categories, "category", categories.collect())?;
        let names = catalogue.iter().map(|kind| kind.name.as_str());
        known(&self.events, "type", names.collect())?;
        if self.categories.is_empty() && self.events.is_empty() {
            return Ok(Vec::new());
        }
        let chosen = |kind: &&EventTypeInfo| {
            self.categories.contains(&kind.category) || self.events.contains(&kind.name)
        };
        Ok(catalogue
            .iter()
            .filter(chosen)
            .map(|kind| kind.name.clone())
            .collect())
    }

    /// Whether a unit is counted.
    #[must_use]
    pub fn takes(&self, unit: &str) -> bool {
        let named = self
            .units
            .as_ref()
            .is_none_or(|pattern| contains(unit, pattern));
        named && !(self.no_jdk && of_the_platform(unit))
    }

    /// What counting is restricted to, in words; none if to nothing.
    #[must_use]
    pub fn restriction(&self) -> Option<String> {
        let mut words = Vec::new();
        if let Some(pattern) = &self.units {
            words.push(format!("units whose name contains '{pattern}'"));
        }
        if self.no_jdk {
            words.push("units outside of the JDK".to_owned());
        }
        (!words.is_empty()).then(|| words.join(", "))
    }
}

/// The types that every JVM has, by name and category; a JVM tells the rest.
pub(super) fn known() -> Vec<EventTypeInfo> {
    CATALOGUE
        .into_iter()
        .map(|(name, category)| named(name, category))
        .collect()
}

fn named(name: &str, category: &str) -> EventTypeInfo {
    EventTypeInfo {
        name: name.into(),
        category: category.into(),
        ..EventTypeInfo::default()
    }
}

/// Whether the pattern's parts between `*` occur in the text one after the other.
fn contains(text: &str, pattern: &str) -> bool {
    let mut rest = text;
    for part in pattern.split('*') {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    fn catalogue() -> Vec<EventTypeInfo> {
        [
            ("allocation", "allocations"),
            ("if", "branches"),
            ("loop-end", "branches"),
        ]
        .map(|(name, category)| named(name, category))
        .into()
    }

    #[test]
    fn categories_and_types_add_up_in_the_catalogues_order() {
        let mut wanted = Selection::default();
        assert!(wanted.types(&catalogue()).unwrap().is_empty());
        wanted.events = vec!["allocation".into()];
        wanted.categories = vec!["branches".into()];
        assert_eq!(
            wanted.types(&catalogue()).unwrap(),
            ["allocation", "if", "loop-end"]
        );
    }

    #[test]
    fn unknown_names_are_refused_with_the_known_ones() {
        let wanted = Selection {
            categories: vec!["branch".into()],
            ..Selection::default()
        };
        let message = wanted.types(&catalogue()).unwrap_err().to_string();
        assert_eq!(
            message,
            "no category of events is called 'branch' (did you mean branches?); there are allocations, branches"
        );
    }

    #[test]
    fn names_are_checked_before_a_jvm_runs() {
        let mut wanted = Selection {
            categories: vec!["locks".into(), "user".into()],
            ..Selection::default()
        };
        assert!(
            wanted.check().is_err(),
            "no class path of types of one's own"
        );
        wanted.class_path = vec!["classes".into()];
        wanted.events = vec!["my-event".into()];
        assert!(wanted.check().is_ok());
        wanted.categories.push("lock".into());
        assert!(wanted.check().is_err());
    }

    #[test]
    fn units_by_pattern_and_without_the_jdk() {
        let mut wanted = Selection {
            no_jdk: true,
            ..Selection::default()
        };
        assert!(wanted.takes("javafx.Stage.show()V"));
        assert!(!wanted.takes("java.util.ArrayList.add(Ljava/lang/Object;)Z"));
        wanted.units = Some("Json*read".into());
        assert!(wanted.takes("p.JsonParser.readValue()V"));
        assert!(!wanted.takes("p.read.JsonParser.next()V"));
    }
}
