//! How often a program fails without a dose, and with one in each of some functions.

use proofmark_experiment::race::{RaceResult, RaceRow, Runs};

use super::cost::aligned;
use crate::names::clean;
use crate::number::{count, duration, fixed, grouped, without_unit};
use crate::style::{Style, Tone, hanging};

const TITLES: [&str; 6] = [
    "runs",
    "turns",
    "failed",
    "rate, %",
    "time",
    "how they ended",
];

/// A row per kind of runs, whether each differs from runs without a dose, and how failing runs are had again.
#[must_use]
pub fn race_table(result: &RaceResult, style: Style) -> String {
    let columns = style.columns();
    let limits = format!(
        "{}: a run has failed with another exit status than 0, by a signal, or after {} s{}",
        clean(&result.program),
        result.timeout_s,
        match &result.failed_if {
            Some(text) => format!(", or if it puts out '{}'", clean(text)),
            None => String::new(),
        }
    );
    let mut out = hanging("", &limits, columns);
    out.push('\n');
    let mut rows = vec![row("without a dose".to_owned(), None, &result.without)];
    let of_function = |one: &RaceRow| {
        let name = format!("dose in {}", clean(&one.function));
        row(name, Some(one.turns), &one.with)
    };
    rows.extend(result.functions.iter().map(of_function));
    out.push_str(&aligned(&TITLES, &rows, style));
    out.push('\n');
    for one in &result.functions {
        out.push_str(&hanging("", &verdict(one, &result.without, style), columns));
    }
    for one in result.functions.iter().filter(|one| one.with.failed > 0) {
        let commands = [("once more: ", &one.by_hand), ("repeat: ", &one.again)];
        for (start, command) in commands {
            if let Some(command) = command {
                // A command that is broken cannot be copied.
                out.push_str(&format!("{start}{}\n", clean(command)));
            }
        }
    }
    for one in &result.left_out {
        out.push_str(&hanging("left out: ", &clean(&one.to_string()), columns));
    }
    for remark in &result.remarks {
        out.push_str(&hanging("note: ", &clean(remark), columns));
    }
    let legend = "rate: part of the runs that failed, with Wilson's 95 % interval. time: median from start to end. p: Fisher's exact \
                  test, two-sided; with several functions Holm's adjustment.";
    out.push_str(&hanging("", legend, columns));
    out
}

fn row(name: String, turns: Option<u32>, runs: &Runs) -> Vec<String> {
    let ends = runs.ends.iter();
    let ends: Vec<String> = ends
        .map(|(end, how_many)| format!("{end}: {}", grouped(*how_many)))
        .collect();
    vec![
        name,
        turns.map_or("-".to_owned(), |turns| grouped(turns.into())),
        format!("{} of {}", grouped(runs.failed), grouped(runs.runs)),
        without_unit(&runs.failed_pct),
        time(runs.wall_s),
        if ends.is_empty() {
            "-".to_owned()
        } else {
            clean(&ends.join(", "))
        },
    ]
}

/// Short programs take milliseconds.
fn time(seconds: f64) -> String {
    match seconds < 1.0 {
        true => format!("{} ms", fixed(1e3 * seconds, 1)),
        false => duration(seconds),
    }
}

fn verdict(one: &RaceRow, without: &Runs, style: Style) -> String {
    let more = one.with.failed_pct.value > without.failed_pct.value;
    let says = match (one.differs, more) {
        (true, true) => style.word("fails more often", Tone::Bad),
        (true, false) => style.word("fails less often", Tone::Open),
        (false, _) => style.word("cannot be said to fail more or less often", Tone::Open),
    };
    format!(
        "the program {says} with a dose in {} (p = {}, {} of each kind)",
        clean(&one.function),
        probability(one.p_value),
        count(one.with.runs, "run"),
    )
}

fn probability(p: f64) -> String {
    match p < 1e-4 {
        true => format!("{p:.0e}"),
        false => fixed(p, 4),
    }
}

#[cfg(test)]
mod tests {
    use proofmark_experiment::race::{RACE_SCHEMA, RaceLeftOut};
    use proofmark_stats::{fisher_exact, wilson};

    use super::*;

    fn runs(failed: u64, end: &str) -> Runs {
        let ends = [(end.to_owned(), failed)].into_iter();
        Runs {
            runs: 50,
            failed,
            failed_pct: wilson(failed, 50).unwrap().scaled(100.0),
            ends: ends.filter(|(_, number)| *number > 0).collect(),
            wall_s: 0.0321,
            cpu_s: 0.06,
        }
    }

    fn row_of(function: &str, failed: u64) -> RaceRow {
        let p_value = fisher_exact((1, 50), (failed, 50)).unwrap();
        RaceRow {
            function: function.into(),
            turns: 46_000,
            with: runs(failed, "exit status 1"),
            p_value,
            differs: p_value < 0.05,
            dose_file: "/out/1.dose".into(),
            by_hand: Some("PROOFMARK_DOSES=/out/1.dose ./racing 200".into()),
            again: Some(
                "proofmark race --function add --turns 46000 --runs 50 -- ./racing 200".into(),
            ),
        }
    }

    fn result() -> RaceResult {
        RaceResult {
            schema: RACE_SCHEMA.into(),
            program: "./racing\u{7} 200".into(),
            timeout_s: 10.0,
            failed_if: Some("lost".into()),
            seed: 1,
            without: runs(1, "signal 11"),
            functions: vec![row_of("add", 47), row_of("other", 0)],
            left_out: vec![RaceLeftOut {
                function: "never".into(),
                reason: "it is never run".into(),
            }],
            remarks: vec!["something else".into()],
            seconds: 9.0,
        }
    }

    fn flat(text: &str) -> String {
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn rates_stand_beside_each_other_with_what_reproduces_them() {
        let table = race_table(&result(), Style::default());
        let line = |start: &str| table.lines().find(|line| line.starts_with(start)).unwrap();
        let dosed = flat(line("dose in add"));
        assert!(
            dosed.starts_with("dose in add 46,000 47 of 50 94 (84 to 98)"),
            "{dosed}"
        );
        assert!(dosed.ends_with("32.1 ms exit status 1: 47"), "{dosed}");
        assert!(line("without a dose").ends_with("signal 11: 1"), "{table}");
        assert!(line("dose in other").trim_end().ends_with('-'), "{table}");
        let text = flat(&table);
        for part in [
            "after 10 s, or if it puts out 'lost'",
            "the program fails more often with a dose in add (p = ",
            "cannot be said to fail more or less often with a dose in other (p = 1.0000, 50 runs of each kind)",
            "left out: never: it is never run",
            "note: something else",
        ] {
            assert!(text.contains(part), "{part} in {table}");
        }
        assert!(!table.contains('\u{7}'), "no control character of others");
        // Whole, so that they can be copied; only of what failed.
        let commands = table.lines().filter(|line| line.starts_with("once more: "));
        assert_eq!(
            commands.collect::<Vec<_>>(),
            ["once more: PROOFMARK_DOSES=/out/1.dose ./racing 200"]
        );
        assert_eq!(table.matches("repeat: proofmark race").count(), 1);
    }

    #[test]
    fn small_probabilities_keep_their_size() {
        assert_eq!(probability(3.2e-9), "3e-9");
        assert_eq!(probability(0.0421), "0.0421");
    }
}
