//! Ways of counting events, as `events cost` names them.

use proofmark_events::Strategy;
use proofmark_jvm::EventTypeInfo;

use super::selection;
use crate::context::Refusal;

/// A way of counting.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mode {
    /// Its name in tables.
    pub name: String,
    /// Strategy.
    pub strategy: Strategy,
    /// Names of types; empty for all.
    pub types: Vec<String>,
    /// Whether every thread has counters of its own.
    pub per_thread: bool,
    /// Whether one edge more is counted per unit, so that losses are seen. Where short units are called all the
    /// time, that one costs as much as all others.
    pub check: bool,
}

/// The ways of counting that the command line names.
///
/// # Errors
/// When one does not exist.
pub fn modes(texts: &[String]) -> Result<Vec<Mode>, Refusal> {
    let known = selection::known();
    texts.iter().map(|text| parse(text, &known)).collect()
}

/// `STRATEGY[+threads][+check][:CATEGORY[+CATEGORY...]]`.
fn parse(text: &str, catalogue: &[EventTypeInfo]) -> Result<Mode, Refusal> {
    let (how, categories) = text.split_once(':').unwrap_or((text, ""));
    let mut words = how.split('+');
    let strategy = words.next().unwrap_or_default();
    let additions: Vec<&str> = words.collect();
    let unknown = |what: &str| {
        Refusal::Usage(format!(
            "'{text}' is no way of counting ({what}): write STRATEGY[+threads][+check][:CATEGORY[+CATEGORY...]], for example edge+threads:branches"
        ))
    };
    let strategy = Strategy::named(strategy).ok_or_else(|| unknown("no such strategy"))?;
    let categories: Vec<&str> = categories.split('+').filter(|c| !c.is_empty()).collect();
    let known = |category: &&str| catalogue.iter().any(|kind| kind.category == **category);
    let possible = |addition: &&str| matches!(*addition, "threads" | "check");
    if !additions.iter().all(possible) || !categories.iter().all(known) {
        return Err(unknown("no such category or addition"));
    }
    Ok(Mode {
        name: text.to_owned(),
        strategy,
        types: catalogue
            .iter()
            .filter(|kind| categories.contains(&kind.category.as_str()))
            .map(|kind| kind.name.clone())
            .collect(),
        per_thread: additions.contains(&"threads"),
        check: additions.contains(&"check"),
    })
}
