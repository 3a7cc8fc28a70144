//! Where profilers report time that was added to blocks in the laboratory.

use std::fmt::Write as _;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::blocks::{BlockDoses, ORACLE};
use proofmark_experiment::dose::{Attribution, AttributionRow};

use crate::names::clean;
use crate::number::fixed;
use crate::style::{Style, hanging, padded};
use crate::{Names, words};

/// A table per profiler, and whether the block map may be called truth. The oracle is our own sampler on that map.
///
/// ```text
/// time added to blocks of one method (low against high dose, by the clock)
/// async: wrong; 997 samples/s
///   Queens.placeQueen, 26 blocks   +260 %  11.3 (8 to 15)     WRONG: Queens.getRowColumn 86 %
/// ```
#[must_use]
pub fn block_dose_table(doses: &BlockDoses, style: Style) -> String {
    let names = words::attributed_names(&doses.attribution);
    let mut text =
        String::from("time added to blocks of one method (low against high dose, by the clock)\n");
    text.push_str(&hanging(
        "block map: ",
        &words::map_truth(doses, &names),
        style.columns(),
    ));
    let own = doses.attribution.get_key_value(ORACLE);
    let others = doses.attribution.iter().filter(|(name, _)| *name != ORACLE);
    for (name, attribution) in own.into_iter().chain(others) {
        profiler(&mut text, (name, attribution), doses, style);
    }
    text
}

fn profiler(
    text: &mut String,
    (name, attribution): (&str, &Attribution),
    doses: &BlockDoses,
    style: Style,
) {
    let names = &words::attributed_names(&doses.attribution);
    let verdict = attribution.verdict;
    let word = style.word(&verdict.to_string(), words::tone(verdict));
    let own = if name == ORACLE {
        " (our own sampler)"
    } else {
        ""
    };
    let _ = writeln!(
        text,
        "{}{own}: {word}; {:.0} samples/s",
        clean(name),
        attribution.samples_per_s
    );
    if let Some(judged) = words::judged_in_blocks(doses, attribution) {
        let judged = format!("{judged} of the program's time, in these blocks");
        text.push_str(&hanging("  judged: ", &judged, style.columns()));
    }
    let places: Vec<String> = (attribution.rows.iter())
        .map(|row| words::dosed(row, names))
        .collect();
    let width = places.iter().map(|place| place.chars().count()).max();
    let width = width.unwrap_or(0).max(13).min(style.columns() / 2) + 2;
    if !places.is_empty() {
        let _ = writeln!(
            text,
            "  {}{:>9}  {:<18}  reported elsewhere",
            padded("time put into", width),
            "growth",
            "in place, %"
        );
    }
    for (row, place) in attribution.rows.iter().zip(places) {
        let start = format!(
            "  {}{:>9}  {:<18}  ",
            padded(&place, width),
            format!("+{} %", fixed(row.growth_pct[1], 0)),
            words::in_place(row)
        );
        let line = format!("{start}{}", blamed(row, names));
        let _ = writeln!(text, "{}", line.trim_end());
    }
}

fn blamed(row: &AttributionRow, names: &Names) -> String {
    let elsewhere = words::elsewhere(row, names, 3).join(", ");
    match (row.verdict, elsewhere.is_empty()) {
        (Verdict::Right, _) => elsewhere,
        (Verdict::Wrong, true) => "WRONG".into(),
        (Verdict::Wrong, false) => format!("WRONG: {elsewhere}"),
        (Verdict::Undecided, true) => "undecided".into(),
        (Verdict::Undecided, false) => format!("undecided: {elsewhere}"),
    }
}
