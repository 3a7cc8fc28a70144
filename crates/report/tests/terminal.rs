//! Terminal texts against golden files.

use crate::common::golden::golden;
use crate::common::{assessment, bare, broken, divined, estimate, plan, report};
use proofmark_experiment::assess::{CostPlan, CostStep, Precision};
use proofmark_experiment::divine::DivineReport;
use proofmark_experiment::doctor::{Check, CheckStatus, CommandRow, DOCTOR_SCHEMA, DoctorReport};
use proofmark_report::{
    Style, assessment_table, cost_table, doctor_table, dose_table, plan_summary,
};

pub fn plain(width: usize) -> Style {
    Style {
        color: false,
        width,
    }
}

pub fn fits(text: &str, width: usize) {
    let wide: Vec<&str> = text.lines().filter(|l| l.chars().count() > width).collect();
    assert!(wide.is_empty(), "wider than {width}: {wide:#?}");
}

#[test]
fn plan_in_every_width() {
    let report = report(&divined());
    let mut all = String::new();
    for width in [60, 80, 160] {
        let text = plan_summary(&report, plain(width));
        fits(&text, width);
        all.push_str(&format!("== {width} columns\n{text}"));
    }
    golden("plan.txt", &all);
}

#[test]
fn plan_with_troubles() {
    let mut report = report(&divined());
    report.coverage_pct = 61.2;
    report.stop = Some(proofmark_divine::Stop::Budget);
    report.sampling.as_mut().unwrap().lost = 20_000;
    let warm = report.warm_up.as_mut().unwrap();
    (warm.steady, warm.reason) = (false, "times still fall by 3 % per second".into());
    let mut text = plan_summary(&report, plain(100));
    let mut unmeasured = DivineReport::of_plan(&plan(&divined()));
    unmeasured.overhead_pct = None;
    text.push_str(&plan_summary(&unmeasured, plain(100)));
    fits(&text, 100);
    golden("plan-troubles.txt", &text);
}

#[test]
fn a_plan_that_misses_its_target_says_so_first() {
    let mut report = report(&divined());
    let said = |report: &DivineReport| plan_summary(report, plain(200));
    assert!(said(&report).contains("reached +100 % after"));
    report.overhead_pct = Some(estimate(82.1, 5.5, 9));
    assert!(said(&report).contains("+100 % missed after"));
    // Nobody can tell.
    report.overhead_pct = Some(estimate(82.1, 25.0, 9));
    assert!(said(&report).contains("sought +100 % in"));
}

#[test]
fn verdicts_in_every_width() {
    let assessment = assessment();
    let mut all = String::new();
    for width in [60, 80, 120, 160] {
        let text = assessment_table(&assessment, plain(width));
        fits(&text, width);
        all.push_str(&format!("== {width} columns\n{text}"));
    }
    golden("assessment.txt", &all);
}

#[test]
fn verdicts_with_troubles() {
    let mut all = format!(
        "== a control failed\n{}",
        assessment_table(&broken(), plain(100))
    );
    let bare = bare();
    all.push_str("== no controls, no slowdown\n");
    all.push_str(&assessment_table(&bare, plain(100)));
    let mut none = assessment();
    none.profilers
        .retain(|p| p.role != proofmark_assess::Role::Subject);
    none.false_alarm_rate = None;
    all.push_str("== only controls\n");
    all.push_str(&assessment_table(&none, plain(100)));
    fits(&all, 100);
    golden("assessment-troubles.txt", &all);
}

#[test]
fn colour_only_on_verdict_words() {
    let style = Style {
        color: true,
        width: 120,
    };
    let text = assessment_table(&assessment(), style);
    let words: Vec<&str> = text
        .split('\u{1b}')
        .skip(1)
        .step_by(2)
        .map(|p| p.split_once('m').unwrap().1)
        .collect();
    assert!(
        words
            .iter()
            .all(|w| ["right", "wrong", "undecided"].contains(w)),
        "{words:?}"
    );
    assert_eq!(words.len(), 8);
    let plain = assessment_table(&assessment(), plain(120));
    let mut stripped = text;
    for code in ["\u{1b}[32m", "\u{1b}[1;31m", "\u{1b}[33m", "\u{1b}[0m"] {
        stripped = stripped.replace(code, "");
    }
    assert_eq!(stripped, plain, "colour must not move anything");
}

#[test]
fn hostile_names_cannot_move_the_cursor() {
    let mut a = assessment();
    for p in &mut a.profilers {
        p.name = format!("{}\u{1b}[2J\n\u{202e}evil", p.name);
        p.notes.push("note \u{1b}]0;title\u{7}".into());
        for b in &mut p.blames {
            b.from = format!(
                "a.\u{1b}[31m.{}.m\u{e9}thode\u{6f22}\u{5b57}",
                "x".repeat(300)
            );
        }
    }
    for width in [60, 100] {
        let text = assessment_table(&a, plain(width));
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']));
    }
}

#[test]
fn doctor() {
    let check = |name: &str, status, detail: &str, remedy: &str| Check {
        name: name.into(),
        status,
        detail: detail.into(),
        remedy: remedy.into(),
    };
    let mut checks = vec![
        check(
            "jdk",
            CheckStatus::Ok,
            "Temurin 25.0.3 in /usr/lib/jvm/temurin-25",
            "",
        ),
        check(
            "hardware-counters",
            CheckStatus::Limited,
            "none: samples come from the timer (cpu-clock), whose skid is corrected",
            "measure on a machine, or a virtual machine type, that shows the performance counters",
        ),
    ];
    let report = |checks: &[Check]| {
        let lacking: Vec<String> = checks
            .iter()
            .filter(|check| check.status == CheckStatus::Missing)
            .map(|check| check.name.clone())
            .collect();
        let status = if lacking.is_empty() {
            CheckStatus::Ok
        } else {
            CheckStatus::Missing
        };
        let command = |commands: &[&str], status, resolution: &str| CommandRow {
            commands: commands.iter().map(ToString::to_string).collect(),
            status,
            resolution: resolution.into(),
            lacking: lacking.clone(),
        };
        DoctorReport {
            schema: DOCTOR_SCHEMA.into(),
            calibration_age_s: None,
            checks: checks.to_vec(),
            commands: vec![
                command(
                    &["demo", "divine", "assess"],
                    status,
                    "block times to 1.5 cycles (1.3 to 1.8): sets of 12 cycles and more are judged",
                ),
                command(&["import", "diff"], CheckStatus::Ok, "reads files only"),
            ],
            calibration: serde_json::Value::Null,
        }
    };
    let mut all = format!(
        "== 80 columns\n{}",
        doctor_table(&report(&checks), plain(80))
    );
    checks.push(check(
        "perf-permission",
        CheckStatus::Missing,
        "kernel.perf_event_paranoid=4: sampling is forbidden",
        "sudo sysctl kernel.perf_event_paranoid=1",
    ));
    all.push_str(&format!(
        "== 60 columns\n{}",
        doctor_table(&report(&checks), plain(60))
    ));
    checks.truncate(1);
    all.push_str(&format!(
        "== all well\n{}",
        doctor_table(&report(&checks), plain(80))
    ));
    golden("doctor.txt", &all);
}

#[test]
fn cost() {
    let step = |step: &str, seconds: f64, detail: &str| CostStep {
        step: step.into(),
        seconds,
        detail: detail.into(),
    };
    let precision = |profiler: &str, samples_per_s: f64, half_width_pt: f64| Precision {
        runs: 1,
        profiler: profiler.into(),
        samples_per_s,
        seconds: 40.0,
        half_width_pt,
        decides: half_width_pt < 2.5,
    };
    let plan = CostPlan {
        program: "suite:Queens".into(),
        jvms: 4,
        steps: vec![
            step("toolchain", 0.4, "everything is in the cache"),
            step(
                "divine +100 %",
                60.0,
                "about 5 plans, 8 s of sampled windows each, over 5 code placements",
            ),
            step("assess", 640.0, "4 profilers, 160 s of windows each"),
        ],
        precision: vec![
            precision("async-cpu", 100.0, 1.6),
            precision("jfr", 50.0, 2.8),
        ],
    };
    let text = format!(
        "{}==\n{}",
        cost_table(&plan, plain(60)),
        cost_table(&CostPlan::default(), plain(60))
    );
    fits(&text, 60);
    golden("cost.txt", &text);
}

#[test]
fn open_intervals_are_said() {
    let mut report = report(&divined());
    report.block_error_raw_pt = Some(proofmark_stats::Estimate {
        low: f64::NEG_INFINITY,
        high: f64::INFINITY,
        ..estimate(5.0, 1.0, 2)
    });
    assert!(plan_summary(&report, plain(160)).contains("interval not known"));
}

/// A cause is told once for all profilers that have it, with what to do.
#[test]
fn a_cause_says_what_to_do() {
    let text = assessment_table(&assessment(), plain(160));
    assert!(
        text.contains("cause: jfr, jfr-cpu: The JVM keeps source positions"),
        "{text}"
    );
    assert!(text.contains("-XX:+DebugNonSafepoints."), "{text}");
    let cured = assessment_table(&broken(), plain(160));
    assert!(!cured.contains("\ncause: "), "{cured}");
}

/// Five methods with sites, of 65.5 % by their true shares; the two certified profilers show 0.1 points more of each.
#[test]
fn the_judged_share_stands_beside_every_verdict_of_sites() {
    let text = dose_table(&crate::common::dose::result(), plain(160));
    let told = text.matches("judged: 66 % of the Java time").count();
    assert_eq!(told, 3, "{text}");
    let certificate = "a right verdict covers: arithmetic only; copy and fill, which run";
    assert_eq!(text.matches(certificate).count(), 1, "{text}");
}

#[test]
fn a_wrong_row_is_followed_by_why_it_is_wrong() {
    let mut result = crate::common::dose::result();
    let without = dose_table(&result, plain(160));
    assert!(!without.contains("why:"), "{without}");
    let said = crate::common::dose::explain(&mut result);
    let text = dose_table(&result, plain(160));
    assert_eq!(text.matches("\n    why: ").count(), 1, "{text}");
    let (_, jfr) = text.split_once("\njfr: wrong").expect("a profiler");
    let (_, row) = jfr.split_once("\n  Parser.getText:107 ").expect("a row");
    let (_, behind) = row.split_once('\n').expect("a line below");
    let why: Vec<&str> = behind.split_whitespace().collect();
    assert!(why.join(" ").starts_with(&format!("why: {said}")), "{text}");
    let narrow = dose_table(&result, plain(70));
    assert!(narrow.contains("\n    why: missing debug"), "{narrow}");
}

#[test]
fn a_verdict_does_not_speak_of_methods_whose_site_changes_the_profile() {
    let mut result = crate::common::dose::result();
    let share = |pct| proofmark_stats::Estimate::around(pct, 1.0, 900);
    let one = result.attribution.get_mut("async").unwrap();
    one.rows[0].change = Some(proofmark_experiment::dose::ProfileChange {
        beyond_pt: 20.0,
        voids_rows: true,
        drowned: false,
        method: one.rows[0].method.clone(),
        as_it_is_pct: share(18.0),
        with_sites_pct: share(66.0),
    });
    let text = dose_table(&result, plain(160));
    let right =
        "async: right, 66 % of the Java time judged (in every method that counts, in one JVM);";
    assert!(text.contains(right), "{text}");
}

#[test]
fn verdicts_of_sites_say_in_how_many_jvms() {
    use proofmark_experiment::dose::JvmWords;
    let mut result = crate::common::dose::result();
    let text = dose_table(&result, plain(160));
    let right = "async: right, 66 % of the Java time judged (in every method tested, in one JVM);";
    assert!(text.contains(right), "{text}");
    assert!(text.contains("jfr: wrong in one JVM, 17 to 23 points"));
    assert!(!text.contains("WRONG in"), "a row need not say it: {text}");
    let of = |right, wrong, undecided| JvmWords {
        right,
        wrong,
        undecided,
    };
    for one in result.attribution.values_mut() {
        one.jvms = of(3, 0, 0);
        one.rows.iter_mut().for_each(|row| row.jvms = of(3, 0, 0));
    }
    let jfr = result.attribution.get_mut("jfr").unwrap();
    jfr.jvms = of(1, 2, 0);
    jfr.rows[0].jvms = of(2, 0, 1);
    jfr.rows[1].jvms = of(1, 2, 0);
    jfr.rows[2].jvms = of(2, 0, 1);
    let text = dose_table(&result, plain(160));
    for said in [
        "async: right, 66 % of the Java time judged (in every method tested, in each of 3 JVMs);",
        "jfr: wrong in 2 of 3 JVMs, 17 to 23 points",
        "right in 2 JVMs, undecided in 1",
        "WRONG in 2 of 3 JVMs: ",
        "undecided in 1 of 3 JVMs: ",
    ] {
        assert!(text.contains(said), "{said}: {text}");
    }
    // Each JVM calls it right by what counts there, and one does not say it of one row.
    let async_ = result.attribution.get_mut("async").unwrap();
    async_.rows[0].jvms = of(2, 0, 1);
    let text = dose_table(&result, plain(160));
    assert!(
        text.contains("(in every method tested, over 3 JVMs);"),
        "{text}"
    );
}
