//! Events as text, JSON and page.

use crate::common::events::{comparison, cost, hostile, report, restricted};
use crate::common::golden::golden;
use proofmark_report::{Style, events_cost_table, events_diff_table, events_table};
use proofmark_test_support::fit_schema;
use schemars::JsonSchema;
use serde::{Serialize, de::DeserializeOwned};

fn plain(width: usize) -> Style {
    Style {
        color: false,
        width,
    }
}

#[test]
fn tables() {
    let exact = events_table(&report(0), plain(110));
    let lossy = events_table(&report(1), plain(60));
    let compared = events_diff_table(&comparison(), plain(110));
    let costs = events_cost_table(&cost(), plain(110));
    golden(
        "events.txt",
        &format!("{exact}\n=====\n{lossy}\n=====\n{compared}\n=====\n{costs}"),
    );
    assert!(lossy.contains("no upper") && !exact.contains("lost:"));
    assert!(
        lossy.lines().all(|line| line.chars().count() <= 60),
        "{lossy}"
    );
    assert!(exact.contains("note: less than 95 % of the executed blocks were counted"));
    assert!(compared.contains("2 of 4 metrics differ") && compared.contains("+98 %"));
    assert!(compared.contains("smallest change that would have been found: 10.0 % (median"));
    let counted = "99.1 % or more of the blocks executed";
    assert_eq!(compared.matches(counted).count(), 2);
    assert!(exact.contains("D.n") && exact.contains("6.8 %") && !exact.contains("D.o"));
}

/// Two things at once: what was asked for, and that it is little. Figures are per call of a short `main`.
#[test]
fn a_restricted_count_says_what_it_leaves_out() {
    let text = events_table(&restricted(), plain(110));
    assert!(text.contains("only units outside of the JDK, as asked for"));
    assert!(text.contains("note: less than 95 % of the executed blocks were counted"));
    assert!(text.contains("HashMap.get") && text.contains("59.5 %"));
    assert!(text.contains("2 iterations of 64 runs of the program each"));
    assert!(text.contains("per run") && !text.contains("per iteration"));
    // 60 allocations in 2 iterations of 64 runs.
    let allocations = text.lines().find(|line| line.starts_with("allocation"));
    assert!(allocations.unwrap().contains("0.47"), "{text}");
}

#[test]
fn a_comparison_that_saw_little_says_so() {
    let mut diff = comparison();
    assert!(!events_diff_table(&diff, plain(110)).contains("less than 95 %"));
    diff.b.graal_blocks_pct = Some(61.0);
    diff.b.outside_time_pct = None;
    diff.runs_per_iteration = 64;
    let text = events_diff_table(&diff, plain(110));
    assert!(text.contains("note: less than 95 % of the executed blocks were counted"));
    assert!(text.contains("61.0 % or more of the blocks executed in Graal's code; time outside"));
    assert!(text.contains("A per run") && text.contains("64 were measured as one iteration"));
    let mut costs = cost();
    assert!(!events_cost_table(&costs, plain(110)).contains("less than 95 %"));
    costs.least_coverage_pct = Some(("suite:Json".into(), 90.7));
    let text = events_cost_table(&costs, plain(110));
    assert!(text.contains("note: less than 95 % of the executed blocks were counted"));
}

/// Of what either side did not count the five largest, each with its part there, and with both reasons where they differ.
#[test]
fn a_comparison_names_what_either_side_did_not_count() {
    let mut diff = comparison();
    let mut more = report(0).coverage.uncounted;
    more[0].reason = Some("its shape keeps changing".into());
    more[0].blocks_pct = Some(2.5);
    for letter in ["q", "r", "s", "t"] {
        let mut one = more[1].clone();
        one.unit = format!("p.D.{letter}()V");
        one.blocks_pct = Some(1.0);
        more.push(one);
    }
    diff.b.uncounted = more;
    let text = events_diff_table(&diff, plain(110));
    let (_, table) = text.split_once("executed, not counted").expect("a table");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(cells).collect();
    let both = "A: not compiled in this JVM; B: its shape keeps changing";
    assert_eq!(rows[0], ["D.n", "time", "0.7 %", "6.8 %", both]);
    assert_eq!(rows[1], ["D.n", "blocks", "-", "2.5 %", both]);
    assert_eq!(rows[2], ["D.q", "blocks", "-", "1.0 %", "-"]);
    assert!(rows[4][0] == "D.s" && rows[5][0].starts_with("note: "));
    // Nothing differs: the table stands alone, and where all was counted nothing does.
    diff.differences.found.clear();
    let alone = events_diff_table(&diff, plain(110));
    assert!(alone.contains("metrics)\n\nexecuted, not"), "{alone}");
    diff.a.uncounted.clear();
    diff.b.uncounted.clear();
    let text = events_diff_table(&diff, plain(110));
    assert!(!text.contains("not counted"), "{text}");
}

/// Cells of a row of a table: two spaces at least are between them.
fn cells(line: &str) -> Vec<&str> {
    let cells = line.split("  ").map(str::trim);
    cells.filter(|cell| !cell.is_empty()).collect()
}

#[test]
fn names_cannot_move_the_cursor() {
    let text = events_table(&hostile(), plain(100));
    assert!(!text.contains(['\u{1b}', '\u{202e}']));
    let mut diff = comparison();
    diff.b.uncounted = hostile().coverage.uncounted;
    let text = events_diff_table(&diff, plain(100));
    assert!(text.contains(" 2.0 % "), "{text}");
    assert!(!text.contains(['\u{1b}', '\u{202e}']));
}

/// The values fit the committed schema and come back.
fn fits<T>(file: &str, values: &[T])
where
    T: JsonSchema + Serialize + DeserializeOwned + PartialEq + std::fmt::Debug,
{
    fit_schema(file, values);
    for value in values {
        let json = serde_json::to_value(value).unwrap();
        assert_eq!(&serde_json::from_value::<T>(json).unwrap(), value);
    }
}

#[test]
fn documents_fit_their_schemas() {
    fits(
        "events.schema.json",
        &[report(0), report(1), hostile(), restricted()],
    );
    fits("events-diff.schema.json", &[comparison()]);
    fits("events-cost.schema.json", &[cost()]);
}

#[test]
fn fields_that_scripts_rely_on() {
    let value = serde_json::to_value(report(1)).unwrap();
    assert_eq!(value["events"]["allocation"]["total"]["value"], 60.0);
    assert_eq!(
        value["events"]["allocation"]["total"]["high"],
        serde_json::Value::Null
    );
    assert_eq!(value["events"]["allocation"]["per_unit"]["p.C.m(I)V"], 60);
    assert_eq!(value["coverage"]["graal_blocks_pct"], 93.25);
    assert_eq!(value["coverage"]["outside_time_pct"]["value"], 1.5);
    assert!(value["lost"]["traversals"].as_u64().unwrap() > 0);
    assert!(value["events"]["bulk-map"]["cannot_occur"].is_string());
}
