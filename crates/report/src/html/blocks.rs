//! Where profilers report time that was added to blocks in the laboratory.

use proofmark_experiment::dose::blocks::{BlockDoses, ORACLE};
use proofmark_experiment::dose::{Attribution, AttributionRow};

use super::dose::matrices;
use super::escape::{name, text};
use super::table::{Cell, table};
use super::verdict::badge;
use crate::number::with_n;
use crate::{Names, words};

/// The section: the matrix of each profiler, and a table of every row, our own sampler first.
pub(super) fn section(doses: &BlockDoses) -> String {
    let names = words::attributed_names(&doses.attribution);
    let own = doses.attribution.get_key_value(ORACLE);
    let others = doses.attribution.iter().filter(|(name, _)| *name != ORACLE);
    let all = own.into_iter().chain(others);
    let all: Vec<(&str, &Attribution)> = all.map(|(name, one)| (name.as_str(), one)).collect();
    let rows: Vec<Vec<Cell>> = all
        .iter()
        .flat_map(|(profiler, one)| one.rows.iter().map(move |row| (*profiler, row)))
        .map(|(profiler, row)| line(profiler, row, (doses, &names)))
        .collect();
    let matrices = matrices(all, &names, words::dosed);
    let titles = [
        "profiler",
        "time added to",
        "verdict",
        "share of the program's time",
        "program grew, %",
        "reported there, % of the added time",
        "reported elsewhere",
    ];
    format!(
        "<section id=\"blocks\"><h2>Time added to blocks of one method</h2>\n<p class=\"prose\">Instructions without debug information of their own were put into blocks of one method's machine code, few and many by turns. The clock says how much longer the program then took: a right profiler reports all of that in the method itself. The oracle is our own sampler on the block map, tested in the same way.</p>\n<p class=\"prose\">{}</p>\n{matrices}\n{}</section>\n",
        text(&words::map_truth(doses, &names)),
        table("sortable stack attribution", "", &titles, &rows)
    )
}

fn line(profiler: &str, row: &AttributionRow, (doses, names): (&BlockDoses, &Names)) -> Vec<Cell> {
    let share = words::dosed_share(doses, row);
    let elsewhere: String = words::elsewhere(row, names, usize::MAX)
        .iter()
        .map(|part| format!("<li>{}</li>", name(part)))
        .collect();
    vec![
        Cell::words(profiler),
        Cell::html(format!("<code>{}</code>", name(&words::dosed(row, names)))),
        Cell::html(badge(row.verdict)),
        share.map_or(Cell::words("-"), |share| {
            Cell::number(&with_n(&share, "%"), share.value)
        }),
        Cell::number(&words::grew(row), row.growth_pct[1]),
        Cell::number(&with_n(&row.in_place_pct, "%"), row.in_place_pct.value),
        Cell::html(format!("<ul>{elsewhere}</ul>")),
    ]
}
