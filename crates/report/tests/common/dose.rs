//! Results of a test by dose.

use std::collections::BTreeMap;

use proofmark_assess::Verdict;
use proofmark_experiment::dose::blocks::{BlockDoses, MapTruth, ORACLE};
use proofmark_experiment::dose::{
    Attribution, AttributionRow, DOSE_SCHEMA, DoseResult, Elsewhere, JvmFacts, JvmWords, LeftOut,
    LineVerdict, MethodFacts, Planted, ProfileCheck, ProfileDifference, Replication, RowCause,
    RowCauseKind, UntestedMethod, Vehicle, WorkTested, advice, advice_about,
};
use proofmark_stats::Estimate;

/// Methods of the program with their true shares, %.
const METHODS: [(&str, f64); 5] = [
    ("com.acme.json.Parser._finishString", 24.0),
    ("com.acme.json.Parser.getText", 18.0),
    ("com.acme.json.sym.Table.findSymbol", 11.5),
    ("com.acme.json.Writer._writeString", 8.0),
    ("com.acme.bind.node.ArrayNode.serialize", 4.0),
];
/// A method without a site that gets time of another one.
const OTHER: &str = "java.util.ArrayList.grow";

fn row((at, method): (usize, &str), in_place: f64, elsewhere: &[(&str, f64)]) -> AttributionRow {
    let verdict = match in_place {
        part if part > 92.0 => Verdict::Right,
        part if part < 80.0 => Verdict::Wrong,
        _ => Verdict::Undecided,
    };
    AttributionRow {
        method: method.to_owned(),
        line: Some(100 + 7 * at as u16),
        place: "entry".into(),
        kind: "arithmetic".into(),
        verdict,
        turns: [4, 31],
        growth_pct: [52.0, 410.0],
        growth: Some([
            Estimate::around(52.0, 3.0, 6),
            Estimate::around(410.0, 12.0, 6),
        ]),
        in_place_pct: Estimate::around(in_place, 2.5, 5200),
        truth_pct: [100.0, 111.0],
        truth_by_others: false,
        in_place_per_run_pct: vec![Estimate::around(in_place, 2.5, 5200)],
        unknown_runs: 0,
        jvms: JvmWords::of([verdict]),
        line_pct: None,
        line_verdict: LineVerdict::Unknown,
        elsewhere: elsewhere
            .iter()
            .map(|(method, part)| Elsewhere {
                method: (*method).to_owned(),
                pct: Estimate::around(*part, 3.0, 5200),
                per_run_pct: Vec::new(),
            })
            .collect(),
        other_pct: Estimate::around(
            100.0 - in_place - elsewhere.iter().map(|e| e.1).sum::<f64>(),
            1.5,
            5200,
        ),
        missing_pct: (at == 3).then(|| Estimate::around(38.0, 5.0, 5200)),
        void_windows: usize::from(at == 2),
        reveals_itself: Some(at == 4),
        change: None,
        own_share: None,
        small_pt: None,
        cause: None,
    }
}

fn attribution(
    rows: Vec<AttributionRow>,
    shares: &[(&str, f64)],
    misplaced_pt: [f64; 2],
) -> Attribution {
    let verdict = Verdict::all(rows.iter().map(|row| row.verdict));
    let share =
        |(name, share): &(&str, f64)| ((*name).to_owned(), Estimate::around(*share, 0.8, 9000));
    Attribution {
        vehicle: Vehicle::Sites,
        certified: verdict == Verdict::Right,
        work: WorkTested::of(&rows),
        verdict,
        jvms: JvmWords::of([verdict]),
        misplaced_pt,
        profile: None,
        change: None,
        looks: 1,
        rows,
        shares_pct: shares.iter().map(share).collect(),
        samples_per_s: 812.0,
        lost_samples: 3.0,
        accusing_intervals: 2,
        false_alarm: 2e-4,
        planted: Some(Planted {
            size_pct: 15.0,
            of: 6,
            wrong: 5,
            right: 0,
        }),
        failed_runs: Vec::new(),
    }
}

/// One profiler that is wrong about two methods, the same one cured, one that is right.
pub fn result() -> DoseResult {
    let names: Vec<(usize, &str)> = METHODS.iter().map(|one| one.0).enumerate().collect();
    let right = |off: f64| {
        let rows = names.iter().map(|name| row(*name, 99.0 + off, &[]));
        let shares: Vec<(&str, f64)> = METHODS.iter().map(|(n, s)| (*n, s + off)).collect();
        attribution(rows.collect(), &shares, [0.0, 1.2])
    };
    let blind = vec![
        row(names[0], 97.5, &[]),
        row(names[1], 0.4, &[(names[0].1, 94.8), (names[2].1, 4.0)]),
        row(names[2], 88.0, &[(names[1].1, 7.0)]),
        row(names[3], 99.1, &[]),
        row(names[4], -1.0, &[(OTHER, 99.5)]),
    ];
    let seen = [41.0, 0.6, 12.2, 8.1, 0.0];
    let shares: Vec<(&str, f64)> = METHODS
        .iter()
        .zip(seen)
        .map(|(one, seen)| (one.0, seen))
        .collect();
    let mut jfr = attribution(blind, &shares, [17.1, 23.4]);
    jfr.profile = Some(check());
    let attribution = BTreeMap::from([
        ("async".to_owned(), right(-0.6)),
        ("jfr".to_owned(), jfr),
        ("jfr+nonsafepoints".to_owned(), right(0.8)),
    ]);
    DoseResult {
        schema: DOSE_SCHEMA.into(),
        program: "com.acme.Main".into(),
        jvm: JvmFacts {
            version: "21.0.5+11-LTS".into(),
            vendor: "Eclipse Adoptium".into(),
            options: vec!["-XX:+UseParallelGC".into()],
        },
        machine: None,
        native: None,
        threads: None,
        margin_pt: 5.0,
        methods: names.iter().map(|(at, name)| facts(*at, name)).collect(),
        sites: Vec::new(),
        rest_cost_pct: 1.4,
        rest_cost: Some(Estimate::around(1.4, 1.1, 9)),
        replication: Replication::of(1),
        remarks: vec!["sites at rest make the program 12 % slower".into()],
        left_out: vec![LeftOut {
            method: "com.acme.json.Parser.<init>".into(),
            reason: "a constructor without a place behind the call of the other one".into(),
        }],
        untested: Vec::new(),
        advice: advice(&attribution, 5.0),
        advice_parts: Vec::new(),
        advice_about: Some(advice_about(&attribution, 5.0)),
        attribution,
        failed: BTreeMap::from([("jfr-cpu".into(), "took no sample in its windows".into())]),
        seconds: 143.0,
    }
}

/// Has a result say what is so of its profilers now.
pub fn advise(result: &mut DoseResult) {
    result.advice = advice(&result.attribution, 5.0);
    result.advice_about = Some(advice_about(&result.attribution, 5.0));
}

/// The same with all that is said beside, in parts, with commands that are longer than a telephone is wide.
pub fn parted() -> DoseResult {
    let mut result = result();
    let ask = |options: &str| {
        format!(
            "`proofmark dose --profiler async,jfr,jfr+nonsafepoints,jfr-cpu {options} -- java -cp '/work/classes:/work/jars/*' com.acme.Main`."
        )
    };
    result.untested = vec![UntestedMethod {
        method: "a.b.Hot.sort".into(),
        reason: "only 5 methods are tested".into(),
        shares_pct: BTreeMap::from([("async".into(), Estimate::around(25.0, 1.0, 900))]),
    }];
    result.advice_parts = vec![
        result.advice,
        format!(
            "Not tested: a.b.Hot.sort (25 % of the Java time): only 5 methods are tested. To test it too: {}",
            ask("--methods 6")
        ),
        format!(
            "Only one JVM per profiler was asked. To ask 4, the usual number: {}",
            ask("--methods 5")
        ),
        "Times were restless, so intervals are wide.".into(),
        format!(
            "This tells more of jfr, in about 11 min: {}",
            ask("--runs 5")
        ),
    ];
    result.advice = result.advice_parts.join(" ");
    result
}

/// Gives the wrong row of `getText` a cause; what is said of it, with methods as they are shown.
pub fn explain(result: &mut DoseResult) -> &'static str {
    let jfr = result.attribution.get_mut("jfr").expect("it is there");
    let (method, to) = (METHODS[1].0, METHODS[0].0);
    let flag = "missing debug information between safepoints: jfr+nonsafepoints, the same profiler with it, is right about this row";
    jfr.rows[1].cause = Some(RowCause {
        kinds: vec![RowCauseKind::MissingDebugInfo, RowCauseKind::Inlining],
        says: format!("{flag}; inlining: {method} is inlined into {to}"),
        inlined_into: Some(to.into()),
        ..RowCause::default()
    });
    "missing debug information between safepoints: jfr+nonsafepoints, the same profiler with it, is right about this row; \
     inlining: Parser.getText is inlined into Parser._finishString"
}

/// What certified profilers contradict; the last difference is too small to be shown.
fn check() -> ProfileCheck {
    let difference = |method: &str, reported: f64, known: f64| ProfileDifference {
        method: method.to_owned(),
        reported_pct: Estimate::around(reported, 1.5, 9000),
        known_pct: Estimate::around(known, 1.0, 18000),
        apart_pt: (reported - known) - 2.5 * (reported - known).signum(),
    };
    ProfileCheck {
        resolves_pt: 3.5,
        witnesses: vec!["async".into(), "jfr+nonsafepoints".into()],
        misplaced_pt: [17.1, 23.4],
        methods: vec![
            difference(METHODS[0].0, 43.6, 24.0),
            difference(OTHER, 0.2, 14.8),
            difference(METHODS[2].0, 15.0, 12.0),
        ],
    }
}

fn facts(at: usize, name: &str) -> MethodFacts {
    let share = METHODS[at].1;
    let [async_, jfr, cured] = match at {
        0 => [(24.0, 1.0), (43.6, 1.5), (24.0, 1.0)],
        _ => [
            (share - 0.6, 0.8),
            ([0.6, 12.2, 8.1, 0.0][at - 1], 0.8),
            (share + 0.8, 0.8),
        ],
    };
    let all = [
        ("async", async_),
        ("jfr", jfr),
        ("jfr+nonsafepoints", cured),
    ];
    let shares = all.map(|(name, (share, half))| {
        let share = Estimate::around(share, half, 9000);
        (name.to_owned(), share)
    });
    MethodFacts {
        name: name.to_owned(),
        bytecode_pct: (at != 3).then_some(17.0 - at as f64),
        reported_pct: BTreeMap::from([("jfr".into(), 12.0)]),
        shares_pct: shares.into(),
        at_entry: at != 1,
        steps: 8,
        inlined_differently: at == 3,
    }
}

/// No profiler is certified: shares have bounds only.
pub fn bounded() -> DoseResult {
    let mut result = result();
    result.attribution.retain(|name, _| name == "jfr");
    let mut other = result.attribution["jfr"].clone();
    other.verdict = Verdict::Undecided;
    for row in &mut other.rows {
        row.verdict = Verdict::Undecided;
        row.in_place_pct = Estimate::around(93.0, 9.0, 300);
        row.elsewhere.clear();
    }
    for (at, share) in other.shares_pct.values_mut().enumerate() {
        *share = Estimate::around(20.0 - 3.0 * at as f64, 2.0, 400);
    }
    result.attribution.insert("async".into(), other);
    advise(&mut result);
    result
}

/// No profiler could be judged, and nothing else is known.
pub fn empty() -> DoseResult {
    let mut result = result();
    result.attribution.clear();
    result.methods.clear();
    result.left_out.clear();
    advise(&mut result);
    result
}

/// Names that try to get out of wherever they are put.
pub fn hostile() -> DoseResult {
    let evil = [
        "</script><script>alert(1)</script>",
        "a.b.C<init>\"' onload=\"x.run",
        "x.Y.&amp;lambda$0",
        "\u{202e}gnirts.esrever.\u{1b}[31m",
        "a.VeryVeryVeryVeryVeryVeryVeryVeryVeryVeryVeryVeryVeryVeryVeryVeryVeryVeryVeryVeryLong.name",
    ];
    let text = serde_json::to_string(&result()).unwrap();
    let in_json = |name: &str| {
        let quoted = serde_json::to_string(name).unwrap();
        quoted[1..quoted.len() - 1].to_owned()
    };
    let named = METHODS.iter().zip(evil);
    let text = named.fold(text, |text, ((name, _), evil)| {
        text.replace(name, &in_json(evil))
    });
    let text = text.replace("jfr+nonsafepoints", &in_json("<!-- jfr"));
    let mut result: DoseResult = serde_json::from_str(&text).unwrap();
    result.program = evil[0].into();
    result.advice = format!("{} {}", evil.join(" "), "<b>do</b> -XX:<i>");
    result.advice_parts = vec![
        result.advice.clone(),
        format!("{}: `{}`.", evil[2], evil.join(" ")),
    ];
    result.failed.insert(evil[1].into(), evil[0].into());
    result.jvm.options.push(evil[0].into());
    result
}

/// The same rows as of blocks, seen by our own sampler too.
pub fn in_blocks() -> BlockDoses {
    let mut attribution = result().attribution;
    for row in attribution.values_mut().flat_map(|one| &mut one.rows) {
        (row.kind, row.line) = ("block 138".into(), None);
    }
    let own = attribution["async"].clone();
    attribution.insert(ORACLE.into(), own);
    BlockDoses {
        margin_pt: 5.0,
        targets: Vec::new(),
        attribution,
        map: MapTruth {
            called_truth: true,
            mean_in_place_pct: Some(super::estimate(100.2, 0.8, 9000)),
            reasons: Vec::new(),
        },
    }
}
