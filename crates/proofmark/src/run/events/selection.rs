//! Which types and which units are counted.

use std::collections::BTreeSet;

use proofmark_events::{CATALOGUE, CATEGORY_OF_USERS};
use proofmark_jvm::EventTypeInfo;
use proofmark_rewrite::of_the_platform;

use crate::context::Refusal;
use crate::request::Selection;

/// The types that every JVM has, by name and category; a JVM tells the rest.
#[must_use]
pub fn known() -> Vec<EventTypeInfo> {
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

/// What can be said of a selection before a JVM runs: names of types of the user's own are known only then.
///
/// # Errors
/// When a category or type does not exist, with those that do.
pub fn check(selection: &Selection) -> Result<(), Refusal> {
    let mut known = known();
    if !selection.class_path.is_empty() {
        known.push(named("", CATEGORY_OF_USERS));
        let own = selection.events.iter();
        known.extend(own.map(|name| named(name, CATEGORY_OF_USERS)));
    }
    types(&known, selection).map(drop)
}

/// Names of the chosen types, in the catalogue's order; empty means all.
///
/// # Errors
/// When a category or type does not exist, with those that do.
pub fn types(catalogue: &[EventTypeInfo], selection: &Selection) -> Result<Vec<String>, Refusal> {
    let known = |wanted: &[String], what: &str, names: BTreeSet<&str>| match wanted
        .iter()
        .find(|name| !names.contains(name.as_str()))
    {
        None => Ok(()),
        Some(unknown) => Err(Refusal::Usage(format!(
            "no {what} of events is called '{unknown}'; there are {}",
            names.into_iter().collect::<Vec<_>>().join(", ")
        ))),
    };
    let categories = catalogue.iter().map(|kind| kind.category.as_str());
    known(&selection.categories, "category", categories.collect())?;
    let names = catalogue.iter().map(|kind| kind.name.as_str());
    known(&selection.events, "type", names.collect())?;
    if selection.categories.is_empty() && selection.events.is_empty() {
        return Ok(Vec::new());
    }
    let chosen = |kind: &&EventTypeInfo| {
        selection.categories.contains(&kind.category) || selection.events.contains(&kind.name)
    };
    Ok(catalogue
        .iter()
        .filter(chosen)
        .map(|kind| kind.name.clone())
        .collect())
}

/// Whether a unit is counted.
#[must_use]
pub fn takes(selection: &Selection, unit: &str) -> bool {
    let named = selection
        .units
        .as_ref()
        .is_none_or(|pattern| contains(unit, pattern));
    named && !(selection.no_jdk && of_the_platform(unit))
}

/// What counting is restricted to, in words; none if to nothing.
#[must_use]
pub fn restriction(selection: &Selection) -> Option<String> {
    let mut words = Vec::new();
    if let Some(pattern) = &selection.units {
        words.push(format!("units whose name contains '{pattern}'"));
    }
    if selection.no_jdk {
        words.push("units outside of the JDK".to_owned());
    }
    (!words.is_empty()).then(|| words.join(", "))
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
        assert!(types(&catalogue(), &wanted).unwrap().is_empty());
        wanted.events = vec!["allocation".into()];
        wanted.categories = vec!["branches".into()];
        assert_eq!(
            types(&catalogue(), &wanted).unwrap(),
            ["allocation", "if", "loop-end"]
        );
    }

    #[test]
    fn unknown_names_are_refused_with_the_known_ones() {
        let wanted = Selection {
            categories: vec!["branch".into()],
            ..Selection::default()
        };
        let message = types(&catalogue(), &wanted).unwrap_err().to_string();
        assert_eq!(
            message,
            "no category of events is called 'branch'; there are allocations, branches"
        );
    }

    #[test]
    fn names_are_checked_before_a_jvm_runs() {
        let mut wanted = Selection {
            categories: vec!["locks".into(), "user".into()],
            ..Selection::default()
        };
        assert!(
            check(&wanted).is_err(),
            "no class path of types of one's own"
        );
        wanted.class_path = vec!["classes".into()];
        wanted.events = vec!["my-event".into()];
        assert!(check(&wanted).is_ok());
        wanted.categories.push("lock".into());
        assert!(check(&wanted).is_err());
    }

    #[test]
    fn units_by_pattern_and_without_the_jdk() {
        let mut wanted = Selection {
            no_jdk: true,
            ..Selection::default()
        };
        assert!(takes(&wanted, "javafx.Stage.show()V"));
        assert!(!takes(
            &wanted,
            "java.util.ArrayList.add(Ljava/lang/Object;)Z"
        ));
        wanted.units = Some("Json*read".into());
        assert!(takes(&wanted, "p.JsonParser.readValue()V"));
        assert!(!takes(&wanted, "p.read.JsonParser.next()V"));
    }
}
