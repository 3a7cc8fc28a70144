//! Both sides have the same messages: what one writes the other reads, whatever text is in it.

use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::answers;
use super::requests::*;
use crate::events::{EventCodes, EventPlan, EventRun, EventTypes};
use crate::toolchain::{Kit, Settings, ToolchainError};
use proofmark_experiment::lab::{Filler, Insertion, InsertionPoint, UnitTable};

/// Text that a line of words would not survive.
fn awkward() -> Vec<String> {
    let names = [
        "",
        " ",
        "a b",
        "tab\there",
        "two\nlines\r\n",
        "quote\" \\ slash /",
        "\u{0}\u{1}\u{1f}\u{7f}\u{85}\u{2028}",
        "größe ≥ 日本 🎯",
        "{\"stop\":{}}",
    ];
    names.map(str::to_owned).into()
}

fn value<R: Request>(request: &R) -> (&'static str, Value) {
    (R::NAME, serde_json::from_slice(&line(request)).unwrap())
}

/// A table with every filler and every place.
fn tables() -> Vec<UnitTable> {
    let fillers = [Filler::Mov, Filler::Nop, Filler::PushPop, Filler::Sfence];
    let fillers =
        fillers
            .into_iter()
            .chain([Filler::Pause, Filler::Long, Filler::Nop9, Filler::Lea]);
    let placements = [
        InsertionPoint::Spread,
        InsertionPoint::Start,
        InsertionPoint::End,
    ];
    let placements = placements
        .into_iter()
        .chain([InsertionPoint::Debug])
        .cycle();
    let tables = fillers.zip(placements).zip(0..);
    tables
        .map(|((filler, at), unit)| UnitTable {
            unit,
            insertion: Insertion { filler, at },
            markers: unit == 1,
            padding: 32,
            counts: (0..unit).map(|block| (block, 7)).collect(),
        })
        .collect()
}

/// One of every request, with its name.
fn requests() -> Vec<(&'static str, Value)> {
    let names = awkward();
    let text = names.concat();
    let plan = EventPlan {
        strategy: text.clone(),
        types: names.clone(),
        per_thread: true,
        check: false,
        markers: true,
    };
    let tables = tables();
    let start = |profiler| value(&ProfilerStart { profiler });
    vec![
        value(&Hello {
            laboratory: true,
            iteration_limit_s: 0.1,
        }),
        value(&WarmUp {
            least_s: 2.0,
            most_s: 1e300,
            together: None,
        }),
        value(&WarmUp {
            least_s: 0.5,
            most_s: 90.0,
            together: Some(1 << 16),
        }),
        value(&Control {
            methods: &names,
            profiles: None,
        }),
        value(&Control {
            methods: &[],
            profiles: Some(text.clone()),
        }),
        value(&SlowTiers {}),
        value(&Compile::of(&tables)),
        value(&Forget { codes: &[0, 1] }),
        value(&Window {
            label: &text,
            seconds: 1.5,
            least: 1,
            discard: 0,
            groups: &[vec![], vec![3, 4]],
        }),
        value(&Count { iterations: 4 }),
        value(&EventsTypes {}),
        value(&EventsCompile {
            plan: &plan,
            units: &[5],
            table: text.clone(),
        }),
        value(&EventsRun {
            iterations: 3,
            discard: 2,
            codes: &[],
            counters: text.clone(),
            table: String::new(),
        }),
        start(InsideProfiler::Async {
            jar: text.clone(),
            library: text.clone(),
            start: text.clone(),
            directory: text.clone(),
        }),
        start(InsideProfiler::Jfr {
            settings: vec![Setting {
                event: "jdk.ExecutionSample",
                name: "period",
                value: "20 ms".into(),
            }],
        }),
        start(InsideProfiler::Safepoint {
            interval_ns: 1 << 40,
            directory: text.clone(),
        }),
        value(&ProfilerStop { file: text }),
        value(&Stop {}),
    ]
}

/// One of every answer, by the name of its record, with a check that this side reads it.
fn answers() -> Vec<(&'static str, Value)> {
    let text = awkward();
    let iterations = json!([[1, 2, 3], [1_u64 << 60, (1_u64 << 60) + 1, 0]]);
    let list = vec![
        answer::<answers::Hello>(
            "hello",
            json!({"pid": 1, "tid": 2, "thread": text[8], "java_version": "25", "vendor": "", "heap_bytes": 1_u64 << 40}),
        ),
        answer::<answers::WarmUp>(
            "warmup",
            json!({"steady": true, "reason": text[4], "together": 64, "iterations": iterations, "threads_started": 1,
                "other_threads": [{"name": text[7], "cpu_ns": 5}]}),
        ),
        answer::<answers::Control>("control", json!({"controlled": [[1, 2]], "failures": text})),
        answer::<answers::SlowTiers>("slow-tiers", json!({"methods": text})),
        answer::<answers::Compiled>("compile", json!({"compiled": [1, 2]})),
        answer::<answers::Window>(
            "window",
            json!({"groups": [{"installed_ns": 9, "iterations": iterations}], "begin_ns": 1, "end_ns": 2, "invalid": text,
                "failures": []}),
        ),
        answer::<answers::Counted>(
            "count",
            json!({"counts": [{"unit": 1, "blocks": [[0, 1_u64 << 60]]}], "iterations": [], "invalid": text,
                "controlled": [[1, 2]], "failures": text}),
        ),
        answer::<EventTypes>(
            "events-types",
            json!({"types": [{"name": "if", "category": "", "predicate": text[6], "tier": "", "phase": "", "why": "", "cannot": null}]}),
        ),
        answer::<EventCodes>(
            "events-compile",
            json!({"compiled": [{"unit": 1, "code": 2, "size": 3, "compile_ns": 4, "same": false, "signature": text[5]}],
                "failures": text}),
        ),
        answer::<EventRun>(
            "events-run",
            json!({"iterations": iterations, "invalid": [], "failures": text}),
        ),
        answer::<answers::Done>("done", json!({})),
    ];
    let kinds = ["workload", "load", "harness"].into_iter();
    let failures = kinds.map(|kind| {
        answer::<answers::Failure>(
            "failure",
            json!({"kind": kind, "message": text[4], "trace": text.concat()}),
        )
    });
    list.into_iter().chain(failures).collect()
}

fn answer<T: serde::de::DeserializeOwned>(
    name: &'static str,
    answer: Value,
) -> (&'static str, Value) {
    if let Err(error) = serde_json::from_value::<T>(answer.clone()) {
        panic!("{name}: {error}");
    }
    (name, json!({name: answer}))
}

#[test]
fn every_message_is_one_line_and_has_its_name() {
    for (name, request) in requests() {
        assert!(request.get(name).is_some(), "{name}: {request}");
    }
    let names = awkward();
    let bytes = line(&Control {
        methods: &names,
        profiles: None,
    });
    assert_eq!(bytes.iter().filter(|byte| **byte < b' ').count(), 1);
    assert_eq!(bytes.last(), Some(&b'\n'));
}

#[test]
fn the_java_side_has_the_same_messages() {
    let kit = match Kit::assemble(&Settings::from_env()) {
        Ok(kit) => kit,
        Err(error @ (ToolchainError::NoJdk { .. } | ToolchainError::ArtifactMissing { .. })) => {
            assert!(std::env::var_os("REQUIRE_JVM").is_none(), "{error}");
            eprintln!("skipped: {error}");
            return;
        }
        Err(error) => panic!("{error}"),
    };
    let place = tempfile::tempdir().unwrap();
    let jars = [&kit.harness_jar, &kit.plugin_jar, &place.path().to_owned()];
    let class_path = std::env::join_paths(jars).unwrap();
    let source = place.path().join("Echo.java");
    std::fs::write(&source, include_str!("Echo.java")).unwrap();
    let compiled = Command::new(kit.jdk.tool("javac"))
        .arg("-cp")
        .arg(&class_path)
        .arg("-d")
        .args([place.path(), &source])
        .status();
    assert!(compiled.unwrap().success());
    let requests = requests().into_iter().map(|(_, value)| ("Request", value));
    let answers = answers().into_iter().map(|(_, value)| ("Answer", value));
    let sent: Vec<(&str, Value)> = requests.chain(answers).collect();
    let line = |(kind, value): &(&str, Value)| format!("{kind} {value}\n");
    let file = place.path().join("lines");
    std::fs::write(&file, sent.iter().map(line).collect::<String>()).unwrap();
    let echo = Command::new(kit.jdk.java())
        .arg("-cp")
        .arg(&class_path)
        .arg("proofmark.harness.Echo")
        .arg(&file)
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    let text = String::from_utf8(echo.stdout).unwrap();
    let back: Vec<Value> = text
        .split_terminator('\n')
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(back.len(), sent.len());
    for ((_, sent), back) in sent.iter().zip(&back) {
        assert_eq!(sent, back);
    }
}
