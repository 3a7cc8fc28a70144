//! Slowdown files that were published with "Divining Profiler Accuracy" (2025): unit ->
//! `"<LIR block> (Vtune Block <n>)"` -> count, with `"Backend Blocks"` for blocks that exist only in the
//! emitted code.
//!
//! Their block numbers belong to that compiler build: they are told apart to be refused with a reason.

use serde_json::{Map, Value};

const BACKEND: &str = "Backend Blocks";

/// Whether a document is such a file.
pub(crate) fn is_published(document: &Value) -> bool {
    let Some(units) = document.as_object() else {
        return false;
    };
    let tables: Option<Vec<&Map<String, Value>>> = units.values().map(Value::as_object).collect();
    tables.is_some_and(|units| {
        let all = || units.iter().flat_map(|unit| unit.iter());
        all().next().is_some() && all().all(|(name, entry)| is_entry(name, entry))
    })
}

fn is_entry(name: &str, entry: &Value) -> bool {
    match entry.as_object() {
        Some(blocks) => name == BACKEND && blocks.iter().all(|(name, count)| is_block(name, count)),
        None => is_block(name, entry),
    }
}

/// `"12 (Vtune Block 17)": 3`
fn is_block(name: &str, count: &Value) -> bool {
    let numbers = name
        .split_once(" (Vtune Block ")
        .and_then(|(block, rest)| Some([block, rest.strip_suffix(')')?]));
    let known = numbers.is_some_and(|all| all.iter().all(|one| one.parse::<u32>().is_ok()));
    known && count.is_u64()
}
