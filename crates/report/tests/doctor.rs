//! What the doctor says of the calibration, for people who do not know the laboratory.

use proofmark_experiment::doctor::{Check, DoctorReport};
use proofmark_report::doctor_table;

use crate::terminal::{fits, plain};

fn said(check: Check) -> String {
    let text = doctor_table(&DoctorReport::of(vec![check], None), plain(80));
    fits(&text, 80);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_calibration_says_what_it_is_for_and_what_to_do() {
    let text = said(Check::ok("sampling", "cpu-clock; border 1.5 cycles"));
    for part in [
        "ok how well samples tell where in machine code time goes",
        "dose does not",
        "measured: cpu-clock; border 1.5 cycles -> ",
        "proofmark doctor --calibrate",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // What the check itself says is to be done comes alone.
    let text = said(Check::missing("sampling", "cpu-clock", "use dose"));
    assert!(text.contains("measured: cpu-clock -> use dose"), "{text}");
    assert!(!text.contains("--calibrate"), "{text}");
    let text = said(Check::ok("slowdown-instruction", "mov: 0.33 cycles"));
    assert!(text.contains("measured: mov: 0.33 cycles -> "), "{text}");
    assert!(!said(Check::ok("jdk", "found")).contains("measured: "));
}

/// Who comes for `dose` reads first what works, then what is missing; what is missing of the laboratory stands there too.
#[test]
fn figures_of_the_laboratory_come_last_where_all_is_well() {
    let checks = |sampling: Check| {
        let jdk = Check::missing("jdk", "none", "install one");
        let mut report = DoctorReport::of(vec![sampling, jdk], None);
        report.commands[0].resolution = "time added to methods".into();
        doctor_table(&report, plain(80))
    };
    let text = checks(Check::ok("sampling", "cpu-clock; border 1.5 cycles"));
    let parts = [
        "time added to",
        "\njdk ",
        "\nfor the laboratory; dose needs none of this\nsampling ",
        "measured: cpu-clock",
    ];
    let at = parts.map(|part| text.find(part).unwrap_or_else(|| panic!("{part}: {text}")));
    assert!(at.is_sorted(), "{text}");
    let text = checks(Check::missing(
        "sampling",
        "cpu-clock",
        "use another machine",
    ));
    assert!(text.contains("\n\nsampling "), "{text}");
    assert!(text.contains("-> use another machine") && !text.contains("for the laboratory"));
}

#[test]
fn what_is_said_of_blocks_is_explained_where_it_is_said() {
    let words = "A block is a stretch of machine code";
    assert!(!said(Check::ok("jdk", "found")).contains(words));
    let mut report = DoctorReport::of(Vec::new(), None);
    report.commands[0].resolution = "block times to 1.5 cycles (1.3 to 1.8)".into();
    assert_eq!(doctor_table(&report, plain(80)).matches(words).count(), 1);
}
