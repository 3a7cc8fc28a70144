//! Every kind of dose in the terminal.

use proofmark_experiment::dose::{DoseKind, EveryDose};
use proofmark_report::every_dose_table;

use crate::terminal::{fits, plain};

/// A line per kind, in the order of the command line, and the worst of each profiler at the end.
#[test]
fn every_kind_of_dose_has_a_line() {
    let usual = crate::common::dose::result();
    let mut copies = usual.clone();
    copies.attribution.remove("async");
    let every = EveryDose::of(
        "com.acme.Main",
        [
            (DoseKind::Lock, Err("no method can be tested".to_owned())),
            (DoseKind::Copy, Ok(copies)),
            (DoseKind::Arithmetic, Ok(usual)),
        ],
    );
    let text = every_dose_table(&every, plain(100));
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "com.acme.Main, every kind of dose: wrong");
    let begin = |at: usize| lines[at].split_whitespace().collect::<Vec<_>>();
    assert_eq!(begin(1)[3..5], ["async", "jfr"]);
    assert_eq!(
        begin(2)[..9],
        [
            "arithmetic",
            "right",
            "98",
            "to",
            "98",
            "wrong",
            "-1",
            "to",
            "99"
        ]
    );
    assert_eq!(begin(3)[..4], ["copy", "not", "judged", "wrong"]);
    // What no kind says and one kind does not say is open.
    assert_eq!(begin(4)[..3], ["all", "undecided", "wrong"]);
    assert!(text.contains("\narithmetic: jfr "), "{text}");
    assert!(
        text.contains("\nlock: not tested: no method can be tested\n"),
        "{text}"
    );
    fits(&text, 100);
}
