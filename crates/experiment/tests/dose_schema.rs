//! The committed schema of the test by dose is the one that the code writes, and a result satisfies it.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::{
    Accused, AccusedBy, AdviceAbout, Attribution, AttributionRow, DOSE_SCHEMA, DoseKind,
    DoseResult, Elsewhere, EveryDose, FailedRun, JvmFacts, JvmWords, LeftOut, LineVerdict,
    MachineFacts, MethodFacts, OwnShare, Planted, Replication, RowCause, RowCauseKind, SiteFacts,
    ThreadFacts, Unfinished, UntestedMethod, Vehicle, WorkTested,
};
use proofmark_stats::Estimate;
use proofmark_test_support::fit_schema;

#[test]
fn a_result_satisfies_the_schema_and_keeps_the_promised_names() {
    let json = serde_json::to_value(result()).unwrap();
    fit_schema("dose.schema.json", &[result()]);
    let attribution = &json["attribution"]["jfr"];
    assert_eq!(attribution["vehicle"], "sites");
    for name in ["certified", "verdict", "rows"] {
        assert!(attribution.get(name).is_some(), "{name}");
    }
    let row = &attribution["rows"][0];
    for name in [
        "method",
        "line",
        "kind",
        "growth_pct",
        "growth",
        "in_place_pct",
        "elsewhere",
        "other_pct",
        "missing_pct",
        "void_windows",
        "reveals_itself",
        "cause",
    ] {
        assert!(row.get(name).is_some(), "{name}");
    }
    for part in ["value", "low", "high", "n"] {
        assert!(row["in_place_pct"][part].is_number(), "{part}");
        assert!(row["growth"][1][part].is_number(), "{part}");
        assert!(row["elsewhere"][0]["pct"][part].is_number(), "{part}");
        for of in ["untested", "methods"] {
            let share = &json[of][0]["shares_pct"]["jfr"];
            assert!(share[part].is_number(), "{of}: {part}");
        }
    }
    let back: DoseResult = serde_json::from_value(json).unwrap();
    assert_eq!(back, result());
}

#[test]
fn a_result_without_the_jvms_that_were_to_be_added_satisfies_the_schema() {
    let unfinished = Unfinished {
        profilers: vec!["jfr".into()],
        each: 2,
        without_sites: false,
        interrupted: true,
        reason: "interrupted".into(),
        log: Some("/runs/1/jfr-run-4/jvm.log".into()),
    };
    let result = DoseResult {
        replication: Replication::of(3).with_unfinished(Some(unfinished)),
        ..result()
    };
    fit_schema("dose.schema.json", std::slice::from_ref(&result));
    let json = serde_json::to_value(&result).unwrap();
    assert_eq!(json["replication"]["unfinished"]["interrupted"], true);
    let back: DoseResult = serde_json::from_value(json).unwrap();
    assert!(back == result && back.replication.is_interrupted());
}

/// Results that were written before JVMs had words of their own.
#[test]
fn results_without_words_of_jvms_are_still_read() {
    let mut json = serde_json::to_value(result()).unwrap();
    let jfr = &mut json["attribution"]["jfr"];
    for of in ["/jvms", "/rows/0/jvms"] {
        let words = jfr.pointer(of).expect("words of JVMs");
        assert_eq!(
            words,
            &serde_json::json!({"right": 0, "wrong": 1, "undecided": 0})
        );
    }
    jfr.as_object_mut().unwrap().remove("jvms");
    jfr["rows"][0].as_object_mut().unwrap().remove("jvms");
    let old: DoseResult = serde_json::from_value(json).unwrap();
    assert_eq!(old.attribution["jfr"].jvms.total(), 0);
    assert_eq!(old.attribution["jfr"].rows[0].jvms, JvmWords::default());
}

/// Results that were written before rows had causes.
#[test]
fn results_without_causes_are_still_read() {
    let mut json = serde_json::to_value(result()).unwrap();
    let row = &mut json["attribution"]["jfr"]["rows"][0];
    let kinds = serde_json::json!(["missing_debug_info", "inlining"]);
    assert_eq!(row["cause"]["kinds"], kinds);
    row.as_object_mut().unwrap().remove("cause");
    let old: DoseResult = serde_json::from_value(json).unwrap();
    assert_eq!(old.attribution["jfr"].rows[0].cause, None);
}

/// Results that were written before they named their machine.
#[test]
fn results_without_a_machine_are_still_read() {
    let mut json = serde_json::to_value(result()).unwrap();
    assert_eq!(json["machine"]["model"], 17);
    json.as_object_mut().unwrap().remove("machine");
    let old: DoseResult = serde_json::from_value(json).unwrap();
    assert_eq!(old.machine, None);
    let again = serde_json::to_value(&old).unwrap();
    assert!(again.get("machine").is_none(), "it is not made up");
}

/// Results that were written before they said whom and what their advice is about.
#[test]
fn results_without_what_the_advice_is_about_are_still_read() {
    let mut json = serde_json::to_value(result()).unwrap();
    let about = &json["advice_about"];
    assert_eq!(about["all_wrong_about"], "a.B.put");
    let accused = serde_json::json!({"profiler": "jfr", "by": "added_time", "method": "a.B.get"});
    assert_eq!(about["accused"], accused);
    json.as_object_mut().unwrap().remove("advice_about");
    let old: DoseResult = serde_json::from_value(json).unwrap();
    assert_eq!(old.advice_about, None);
    let again = serde_json::to_value(&old).unwrap();
    assert!(again.get("advice_about").is_none(), "it is not made up");
}

/// The first version had a number where name and version are now.
#[test]
fn results_of_the_first_version_are_read() {
    let text = include_str!("../../../docs/studies/dose/2026-11-22/queens-25.json");
    let old: DoseResult = serde_json::from_str(text).unwrap();
    assert_eq!(old.schema, "proofmark-dose/1");
    let mut every = serde_json::to_value(EveryDose::of("Queens", [])).unwrap();
    let fields = every.as_object_mut().unwrap();
    fields.remove("schema");
    fields.insert("schema_version".into(), 1.into());
    let old: EveryDose = serde_json::from_value(every).unwrap();
    assert_eq!(old.schema, "proofmark-every-dose/1");
}

#[test]
fn the_result_with_every_kind_satisfies_its_schema() {
    let results = [
        (DoseKind::Arithmetic, Ok(result())),
        (DoseKind::Lock, Err("no method can be tested".to_owned())),
    ];
    let every = EveryDose::of("Queens", results);
    fit_schema("every-dose.schema.json", std::slice::from_ref(&every));
    let json = serde_json::to_value(&every).unwrap();
    assert_eq!(json["verdict"], "wrong");
    assert_eq!(json["profilers"]["jfr"], "wrong");
    assert_eq!(json["profilers"]["async"], "undecided");
    assert!(json["kinds"]["arithmetic"]["attribution"]["jfr"].is_object());
    let back: EveryDose = serde_json::from_value(json).unwrap();
    assert_eq!(back, every);
}

fn machine() -> MachineFacts {
    MachineFacts {
        model_name: "AMD EPYC".into(),
        vendor: "AuthenticAMD".into(),
        family: Some(25),
        model: Some(17),
        logical_processors: 2,
        hardware_counters: false,
        kernel: "6.1.0".into(),
        virtual_machine: true,
    }
}

fn threads() -> ThreadFacts {
    ThreadFacts {
        busy: 5,
        busiest_pct: 26.0,
        others_pct: BTreeMap::from([("jfr".into(), 1.5)]),
    }
}

fn row() -> AttributionRow {
    AttributionRow {
        method: "a.B.get".into(),
        line: Some(7),
        place: "entry".into(),
        kind: "arithmetic".into(),
        verdict: Verdict::Wrong,
        turns: [2, 17],
        growth_pct: [60.0, 420.0],
        growth: Some([
            Estimate::around(60.0, 2.0, 6),
            Estimate::around(420.0, 9.0, 6),
        ]),
        in_place_pct: Estimate::around(1.0, 2.0, 900),
        truth_pct: [97.0, 111.0],
        truth_by_others: true,
        in_place_per_run_pct: vec![Estimate::around(1.0, 2.0, 900)],
        unknown_runs: 0,
        jvms: JvmWords::of([Verdict::Wrong]),
        line_pct: Some(Estimate::around(0.0, 2.0, 900)),
        line_verdict: LineVerdict::Wrong,
        elsewhere: vec![Elsewhere {
            method: "a.B.run".into(),
            pct: Estimate::around(98.0, 2.0, 900),
            per_run_pct: vec![Estimate::around(98.0, 2.0, 900)],
        }],
        other_pct: Estimate::around(1.0, 1.0, 900),
        missing_pct: None,
        void_windows: 1,
        reveals_itself: None,
        change: None,
        own_share: Some(OwnShare {
            without_pct: Estimate::around(1.9, 0.3, 900),
            with_pct: Estimate::around(5.4, 0.5, 900),
        }),
        small_pt: None,
        cause: Some(RowCause {
            kinds: vec![RowCauseKind::MissingDebugInfo, RowCauseKind::Inlining],
            says: "missing debug information".into(),
            boxing_fault: false,
            inlined_into: Some("B.run".into()),
        }),
    }
}

fn failed_run() -> FailedRun {
    FailedRun {
        run: 2,
        reason: "the JVM ended (signal 11)".into(),
        log: Some("/runs/1/async-run-2/jvm.log".into()),
    }
}

fn about() -> AdviceAbout {
    AdviceAbout {
        all_wrong_about: Some("a.B.put".into()),
        accused: Some(Accused {
            profiler: "jfr".into(),
            by: AccusedBy::AddedTime,
            method: Some("a.B.get".into()),
        }),
        sentences_before: 1,
        changed: Some("async".into()),
    }
}

fn result() -> DoseResult {
    let row = row();
    DoseResult {
        schema: DOSE_SCHEMA.into(),
        program: "Queens".into(),
        jvm: JvmFacts {
            version: "25".into(),
            vendor: "somebody".into(),
            options: vec!["-Xint".into()],
        },
        machine: Some(machine()),
        native: None,
        threads: Some(threads()),
        margin_pt: 5.0,
        methods: vec![MethodFacts {
            name: "a.B.get".into(),
            bytecode_pct: None,
            reported_pct: BTreeMap::from([("jfr".into(), 12.0)]),
            shares_pct: BTreeMap::from([("jfr".into(), Estimate::around(12.0, 1.0, 900))]),
            at_entry: true,
            steps: 8,
            inlined_differently: false,
        }],
        sites: vec![SiteFacts {
            method: "a.A.run".into(),
            place: "loop 1".into(),
            steps: 16,
            set: 2,
            executions: Some(912_000.0),
            by_count_pct: Some(Estimate::around(98.0, 2.0, 8)),
            by_count_jvms: 1,
            open_cost_pct: Some(Estimate::around(7.0, 2.0, 6)),
        }],
        rest_cost_pct: 1.5,
        rest_cost: Some(Estimate::around(1.5, 2.0, 7)),
        replication: Replication::of(1),
        remarks: vec!["the machine is busy".into()],
        left_out: vec![LeftOut {
            method: "a.B.out".into(),
            reason: "it is native".into(),
        }],
        untested: vec![UntestedMethod {
            method: "a.B.sort".into(),
            reason: "its class is made while the program runs".into(),
            shares_pct: BTreeMap::from([("jfr".into(), Estimate::around(14.0, 1.0, 900))]),
        }],
        attribution: BTreeMap::from([(
            "jfr".into(),
            Attribution {
                vehicle: Vehicle::Sites,
                certified: false,
                work: WorkTested::of(std::slice::from_ref(&row)),
                verdict: Verdict::Wrong,
                jvms: JvmWords::of([Verdict::Wrong]),
                misplaced_pt: [10.0, 14.0],
                profile: None,
                change: None,
                looks: 2,
                rows: vec![row],
                shares_pct: BTreeMap::from([("a.B.get".into(), Estimate::around(12.0, 1.0, 900))]),
                samples_per_s: 500.0,
                lost_samples: 0.0,
                accusing_intervals: 8,
                false_alarm: 1e-6,
                planted: Some(Planted {
                    size_pct: 15.0,
                    of: 6,
                    wrong: 5,
                    right: 0,
                }),
                failed_runs: vec![failed_run()],
            },
        )]),
        failed: BTreeMap::from([("async".into(), "no library".into())]),
        advice: "Use another one.".into(),
        advice_parts: vec!["Use another one.".into()],
        advice_about: Some(about()),
        seconds: 60.0,
    }
}
