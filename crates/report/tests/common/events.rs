//! Events of a small table that the JVM could have written, and comparisons.

use proofmark_divine::Environment;
use proofmark_events::{
    Configuration, Counters, Coverage, EVENTS_COST_SCHEMA, EVENTS_DIFF_SCHEMA, EVENTS_SCHEMA,
    EventFigures, EventsCost, EventsDiff, EventsReport, Uncounted,
};
use proofmark_events::{Metric, Profile, Timed, differences, factors, read_counters, read_table};
use proofmark_stats::{Estimate, paired_ratio};

fn environment() -> Environment {
    Environment {
        machine: "Test CPU, 2 vCPU, Linux 6.1".into(),
        jdk: "Temurin 25.0.3".into(),
        graal: "25.0.3".into(),
        event: "cpu-clock".into(),
    }
}

/// Lost traversals by unit are taken from `left`.
pub fn report(left: u64) -> EventsReport {
    let table = read_table(include_str!("../../../events/tests/data/five.table")).unwrap();
    let run = read_counters(include_str!("../../../events/tests/data/five.counters")).unwrap();
    let profile = Profile::of(&table, &run, &|_| left).unwrap();
    let mut report = EventsReport {
        schema: EVENTS_SCHEMA.into(),
        workload: "suite:Towers".into(),
        environment: environment(),
        strategy: "edge".into(),
        per_thread: false,
        iterations: 0,
        runs_per_iteration: 1,
        events: Default::default(),
        coverage: Coverage {
            graal_blocks_pct: Some(93.25),
            outside_time_pct: Some(Estimate::around(1.5, 0.4, 3000)),
            restricted: None,
            units: 5,
            replaced: vec!["p.C.m(I)V".into()],
            uncounted: vec![
                uncounted(
                    "p.D.n()V",
                    (None, Some(6.75)),
                    Some("not compiled in this JVM"),
                ),
                uncounted("p.D.o()V", (Some(0.04), None), None),
            ],
        },
        lost: Default::default(),
        positions: Vec::new(),
        counters: Counters {
            used: 40,
            bytes: 320,
            threads: 1,
            code_bytes: 5220,
            compile_s: 0.25,
        },
        refused: vec!["p.D.n()V: not compiled in this JVM".into()],
    };
    report.fill(&profile);
    let never = |category: &str, cannot: Option<&str>| EventFigures {
        category: category.into(),
        total: Some(Estimate::around(0.0, 0.0, 2)),
        cannot_occur: cannot.map(str::to_owned),
        ..EventFigures::default()
    };
    report
        .events
        .insert("unwind".into(), never("unwinds", None));
    let reason = "the community compiler does not vectorise loops";
    report
        .events
        .insert("bulk-map".into(), never("vectorization", Some(reason)));
    report
}

fn uncounted(
    unit: &str,
    (blocks_pct, time_pct): (Option<f64>, Option<f64>),
    reason: Option<&str>,
) -> Uncounted {
    Uncounted {
        unit: unit.into(),
        blocks_pct,
        time_pct,
        reason: reason.map(str::to_owned),
    }
}

/// A short `main` of which only a part was counted, as asked for.
pub fn restricted() -> EventsReport {
    let mut report = report(0);
    report.runs_per_iteration = 64;
    report.coverage.restricted = Some("units outside of the JDK".into());
    report.coverage.graal_blocks_pct = Some(40.5);
    let left_out = Some("left out, as asked for");
    let jdk = "java.util.HashMap.get(Ljava/lang/Object;)Ljava/lang/Object;";
    report.coverage.uncounted = vec![uncounted(jdk, (Some(59.5), None), left_out)];
    report
}

/// Names as a hostile program could have them.
pub fn hostile() -> EventsReport {
    let mut report = report(1);
    report.workload = "<script>alert(1)</script>\u{202e}".into();
    let figures = report.events.get_mut("load").unwrap();
    figures
        .per_unit
        .insert("</script><!--.x(I)V".into(), 1_000_000);
    report.positions[0].frames[0].method = "a\"><svg onload=\"x.b()V".into();
    report.refused.push("<b>\u{1b}[31m".into());
    let reason = Some("<i>\u{202e}");
    let part = (Some(2.0), None);
    let more = uncounted("<!--\u{1b}[31m.x(I)V", part, reason);
    report.coverage.uncounted.push(more);
    report
}

pub fn comparison() -> EventsDiff {
    let metric = |event: &str, unit: Option<&str>, a: [f64; 3], b: [f64; 3]| Metric {
        event: event.into(),
        unit: unit.map(str::to_owned),
        a: a.into(),
        b: b.into(),
    };
    let metrics = [
        metric(
            "allocation",
            None,
            [1000.0; 3],
            [52_000.0, 52_010.0, 52_005.0],
        ),
        metric("allocation", Some("p.C.m(I)V"), [0.0; 3], [51_000.0; 3]),
        metric("load", None, [1e6; 3], [1.02e6; 3]),
        metric("if", None, [5e5, 6e5, 4e5], [7e5, 4.5e5, 5e5]),
    ];
    let side = |options: &[&str], ms: f64, uncounted: Vec<Uncounted>| Configuration {
        jvm_options: options.iter().map(|o| (*o).to_owned()).collect(),
        iteration_ms: Some(Estimate::around(ms, 0.2, 3)),
        outside_time_pct: Some(1.2),
        graal_blocks_pct: Some(99.1),
        uncounted,
    };
    let missing = Some("not compiled in this JVM");
    let of_a = vec![uncounted("p.D.n()V", (None, Some(0.7)), missing)];
    let of_b = vec![
        uncounted("p.D.n()V", (None, Some(0.6)), missing),
        uncounted("p.D.p()V", (Some(0.3), None), None),
        uncounted("p.D.o()V", (Some(0.04), None), None),
    ];
    EventsDiff {
        schema: EVENTS_DIFF_SCHEMA.into(),
        workload: "suite:Json".into(),
        environment: environment(),
        runs_per_iteration: 1,
        a: side(&[], 20.0, of_a),
        b: side(&["-Djdk.graal.PartialEscapeAnalysis=false"], 24.0, of_b),
        run_time_ratio: paired_ratio(&[(20.0, 24.0), (20.1, 24.1), (19.9, 23.9)]),
        differences: differences(&metrics, 0.1),
        remarks: vec!["2 of 40 units of B exist in some of its JVMs only".into()],
    }
}

pub fn cost() -> EventsCost {
    let timed = |program: &str, factor: f64| Timed {
        program: program.into(),
        pairs: (0..6)
            .map(|at| (10.0, (10.0 + f64::from(at % 3) * 0.1) * factor))
            .collect(),
        touched: 40,
        compilations: vec![(10.0, 11.0), (9.0, 9.9), (9.0, 9.8)],
        code_size: 1.15,
    };
    EventsCost {
        schema: EVENTS_COST_SCHEMA.into(),
        environment: environment(),
        rounds: 6,
        rows: vec![
            factors(
                "edge",
                &[timed("suite:Json", 1.05), timed("suite:Towers", 1.10)],
            ),
            factors(
                "dec",
                &[timed("suite:Json", 3.4), timed("suite:Towers", 2.8)],
            ),
        ],
        least_coverage_pct: Some(("suite:Json".into(), 97.3)),
        failed: vec!["suite:CD: the workload is not repeatable".into()],
    }
}
