//! Functions of a plan: which there are, which are asked for, and how well the plan slows them.

use std::collections::{BTreeMap, BTreeSet};

use proofmark_stats::Estimate;

use super::result::{SlowedBlock, SpeedupLeftOut};
use crate::ExperimentError;
use crate::divine::{BlockRow, Plan};

/// Functions that an error names at most.
const NAMED: usize = 12;

/// A function of a plan: its unit, and that of its cold part.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedFunction {
    /// Its name, as the linker knows it.
    pub name: String,
    /// Its units in the plan.
    pub units: BTreeSet<String>,
    /// Slowdown instructions that the plan puts into it.
    pub instructions: u64,
    /// Part of the program's time in its judged blocks, %; none if nothing is known of it.
    pub share_pct: Option<f64>,
    /// What the plan slows its judged blocks by, %; n: slowed samples.
    pub slowed_pct: Option<Estimate>,
    /// Its judged blocks.
    pub blocks: Vec<SlowedBlock>,
}

/// The functions that are asked for: those of these names, else the hottest ones, and what cannot be answered for.
///
/// # Errors
/// When the plan slows no such function, or does not say which are hot.
pub fn chosen(
    plan: &Plan,
    named: &[String],
    hottest: usize,
) -> Result<(Vec<PlannedFunction>, Vec<SpeedupLeftOut>), ExperimentError> {
    let all = functions(plan);
    if !named.is_empty() {
        let found = named.iter().map(|name| of_name(plan, &all, name));
        let mut found = found.collect::<Result<Vec<_>, _>>()?;
        let mut seen = BTreeSet::new();
        found.retain(|function| seen.insert(function.name.clone()));
        return Ok((found, Vec::new()));
    }
    let share = |function: &PlannedFunction| function.share_pct.unwrap_or(0.0);
    let mut hot: Vec<PlannedFunction> = all.into_iter().filter(|one| share(one) > 0.0).collect();
    if hot.is_empty() {
        return Err(ExperimentError::Usage(format!(
            "what the plan knows of the functions' times is kept beside it, in {}.d/report.json, and is not there: name \
             functions with --function",
            path(plan)
        )));
    }
    hot.sort_by(|a, b| share(b).total_cmp(&share(a)));
    hot.truncate(hottest);
    let (slowed, rest): (Vec<_>, Vec<_>) = hot.into_iter().partition(|one| one.instructions > 0);
    let left_out = rest.into_iter().map(|one| SpeedupLeftOut {
        function: one.name,
        reason: NO_INSTRUCTION.into(),
    });
    let left_out: Vec<SpeedupLeftOut> = left_out.collect();
    match slowed.is_empty() {
        true => Err(ExperimentError::Usage(format!(
            "{}: {NO_INSTRUCTION}",
            path(plan)
        ))),
        false => Ok((slowed, left_out)),
    }
}

const NO_INSTRUCTION: &str =
    "the plan puts no instruction into it, so that nothing would change without them";

/// What goes by a name: a function, or those of several objects that have this name.
fn of_name(
    plan: &Plan,
    all: &[PlannedFunction],
    name: &str,
) -> Result<PlannedFunction, ExperimentError> {
    let is_it = |one: &&PlannedFunction| one.name == name || base(&one.name) == name;
    let found: Vec<&PlannedFunction> = all.iter().filter(is_it).collect();
    let units: BTreeSet<String> = found.iter().flat_map(|one| one.units.clone()).collect();
    let refused = match found.len() {
        0 => {
            let names: Vec<&str> = all
                .iter()
                .map(|one| one.name.as_str())
                .take(NAMED)
                .collect();
            let more = if all.len() > NAMED { " ..." } else { "" };
            format!(
                "the plan slows nothing in a function of that name: it has no slots (it is a library's, was inlined, or was \
                 not built with PROOFMARK_SLOTS=1), or takes less than 0.2 % of the time; it slows {}{more}",
                names.join(", ")
            )
        }
        _ if found.iter().all(|one| one.instructions == 0) => NO_INSTRUCTION.to_owned(),
        1 => return Ok(found[0].clone()),
        _ => return Ok(of_units(plan, name.to_owned(), units)),
    };
    Err(ExperimentError::Usage(format!(
        "--function {name}: {refused}"
    )))
}

/// All functions of a plan, in its order of names.
fn functions(plan: &Plan) -> Vec<PlannedFunction> {
    let mut units: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for unit in &plan.file.units {
        let own = units.entry(function_of(&unit.name)).or_default();
        own.insert(unit.name.clone());
    }
    let functions = units.into_iter();
    functions
        .map(|(name, units)| of_units(plan, name, units))
        .collect()
}

fn of_units(plan: &Plan, name: String, units: BTreeSet<String>) -> PlannedFunction {
    let own = |row: &&BlockRow| !row.is_pool() && units.contains(&row.unit);
    let rows: Vec<&BlockRow> = plan.report.blocks.iter().filter(own).collect();
    let shares: Vec<f64> = rows.iter().filter_map(|row| row.share_pct).collect();
    let planned = plan.file.units.iter();
    let instructions: u64 = planned
        .filter(|unit| units.contains(&unit.name))
        .flat_map(|unit| {
            let judged = unit.blocks.values().map(|block| block.count);
            judged.chain(unit.pooled.values().copied())
        })
        .map(u64::from)
        .sum();
    PlannedFunction {
        name,
        instructions,
        share_pct: (!shares.is_empty()).then(|| shares.iter().sum()),
        slowed_pct: slowed(&rows),
        blocks: rows.iter().map(|row| block(row)).collect(),
        units,
    }
}

fn block(row: &BlockRow) -> SlowedBlock {
    SlowedBlock {
        unit: row.unit.clone(),
        block: row.block,
        share_pct: row.share_pct,
        slowed_pct: row.achieved_overhead_pct,
    }
}

/// What blocks are slowed by together, weighted by time where that is known. Their errors count as independent of each other.
fn slowed(rows: &[&BlockRow]) -> Option<Estimate> {
    let weighed = |row: &&BlockRow| {
        let slowed = row.achieved_overhead_pct?;
        Some((row.share_pct.unwrap_or(1.0), slowed))
    };
    let seen: Vec<(f64, Estimate)> = rows.iter().filter_map(weighed).collect();
    let all: f64 = seen.iter().map(|(weight, _)| weight).sum();
    if all <= 0.0 {
        return None;
    }
    let value: f64 = seen.iter().map(|(weight, one)| weight * one.value).sum();
    let squares = seen
        .iter()
        .map(|(weight, one)| (weight * one.half_width()).powi(2));
    let half = squares.sum::<f64>().sqrt();
    let n: u64 = seen.iter().map(|(_, one)| one.n).sum();
    Some(Estimate::around(value / all, half / all, n))
}

/// The function that a unit belongs to: `f.cold` is a part of `f`, also where the object is named behind it.
fn function_of(unit: &str) -> String {
    let (name, object) = name_and_object(unit);
    let name = name.split(".cold").next().unwrap_or(name);
    format!("{name}{object}")
}

/// A function's name without the object that it is in.
fn base(function: &str) -> &str {
    name_and_object(function).0
}

/// The parts of a unit's name: that of the function, and behind it, where several functions have this name, the object that it
/// is in: ` (a.c, object 3)`. Names of functions may have parentheses themselves.
#[must_use]
pub fn name_and_object(unit: &str) -> (&str, &str) {
    let is_object = |at: &usize| {
        let inside = unit[*at..].strip_suffix(')');
        let number = inside.and_then(|inside| inside.rsplit_once(", object "));
        number.is_some_and(|(_, number)| number.parse::<usize>().is_ok())
    };
    let at = unit.rfind(" (").filter(is_object);
    unit.split_at(at.unwrap_or(unit.len()))
}

/// Where the plan is.
pub(super) fn path(plan: &Plan) -> &str {
    plan.report.plan_path.as_deref().unwrap_or("the plan")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cold_part_belongs_to_its_function_and_objects_are_told_apart() {
        for (unit, function) in [
            ("parse", "parse"),
            ("parse.cold", "parse"),
            ("parse.cold.1", "parse"),
            ("parse.part.0", "parse.part.0"),
            ("parse.cold (a.c, object 3)", "parse (a.c, object 3)"),
            ("parse (b.c, object 4)", "parse (b.c, object 4)"),
        ] {
            assert_eq!(function_of(unit), function);
            assert!(base(&function_of(unit)).starts_with("parse"));
        }
        assert_eq!(base("parse (b.c, object 4)"), "parse");
    }

    #[test]
    fn parentheses_of_a_name_are_no_object() {
        for (name, object) in [
            ("demo::both::<u8, (u16, u32)>", ""),
            ("demo::both::<u8, (u16, u32)>", " (demo.70a4, object 12)"),
            ("operator() (int)", ""),
            ("f", " (a b.c, object 0)"),
        ] {
            let unit = format!("{name}{object}");
            assert_eq!(name_and_object(&unit), (name, object));
        }
    }
}
