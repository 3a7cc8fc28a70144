//! The Firefox Profiler's processed profiles.

use proofmark_profile::Clock;

use super::*;

#[test]
fn a_firefox_profile_by_hand() {
    let profile = read("constructed/samply.json", Format::Firefox);
    assert_eq!(
        (profile.clock, profile.interval_ns()),
        (Clock::Epoch, Some(1_000_000))
    );
    let shares = all(&profile);
    let place = shares.methods[&method("Queens.placeQueen(I)Z")];
    assert_eq!(
        (
            place.self_weight,
            shares.failed_weight(),
            shares.not_java["__memset_avx2"]
        ),
        (2.0, 1.0, 2.0)
    );
    assert_eq!(
        shares.methods[&method("Run.main([Ljava/lang/String;)V")].native_weight,
        2.0
    );
    let start = 1_795_261_829_000_000_000;
    let first = Filter::thread_named("main").within(start..start + 1_000_000);
    assert_eq!(profile.by_method(&first).samples, 1);
    let times: Vec<i64> = profile
        .samples
        .iter()
        .filter_map(|s| s.time_ns)
        .map(|t| t - start)
        .collect();
    assert_eq!(times, [500_000, 1_500_000, 2_500_000, 3_500_000]);
}

/// What was sampled is not guessed: Firefox samples by the clock, perf by what it was told.
#[test]
fn unit_and_kind_are_those_of_the_file() {
    let with = |weights: &str| {
        let thread = format!(
            r#"{{"name": "main", "tid": 1, "samples": {{"stack": [0, 0], "timeDeltas": [1, 1], "weight": [2, 3]{weights}}},
            "stackTable": {{"prefix": [null], "frame": [0]}}, "frameTable": {{"func": [0]}},
            "funcTable": {{"name": [0]}}, "stringArray": ["memset"]}}"#
        );
        let file = format!(r#"{{"meta": {{"interval": 1}}, "threads": [{thread}]}}"#);
        import(file.as_bytes(), &Options::default()).expect("sound")
    };
    for (weights, kind, unit, weight, interval) in [
        ("", "samples", Unit::Samples, 5.0, Some(1_000_000)),
        (
            r#", "weightType": "samples""#,
            "samples",
            Unit::Samples,
            5.0,
            Some(1_000_000),
        ),
        (
            r#", "weightType": "bytes""#,
            "bytes",
            Unit::Bytes,
            5.0,
            None,
        ),
        (
            r#", "weightType": "tracing-ms""#,
            "tracing-ms",
            Unit::Nanoseconds,
            5e6,
            None,
        ),
    ] {
        let profile = with(weights);
        assert_eq!((profile.unit, profile.interval_ns()), (unit, interval));
        let summary = profile.summary(&Filter::default());
        assert_eq!(
            (summary.events, summary.weight),
            (vec![kind.to_owned()], weight)
        );
    }
}

/// Threads of another unit cannot be added up.
#[test]
fn a_thread_in_another_unit_is_left_out() {
    let thread = |name: &str, kind: &str| {
        format!(
            r#"{{"name": "{name}", "tid": 1, "samples": {{"stack": [0], "timeDeltas": [1], "weightType": "{kind}"}},
            "stackTable": {{"prefix": [null], "frame": [0]}}, "frameTable": {{"func": [0]}},
            "funcTable": {{"name": [0]}}, "stringArray": ["{name}"]}}"#
        )
    };
    let (one, other) = (thread("memset", "samples"), thread("memcpy", "bytes"));
    let file = format!(r#"{{"meta": {{}}, "threads": [{one}, {other}]}}"#);
    let profile = import(file.as_bytes(), &Options::default()).expect("sound");
    let shares = all(&profile);
    assert_eq!((shares.weight(), shares.not_java["memset"]), (1.0, 1.0));
    assert!(profile.incomplete);
    let told = |remark: &String| remark.contains("no samples were left out");
    assert!(profile.remarks.iter().any(told), "{:?}", profile.remarks);
}

/// Samples by thread and innermost frame: a method, a kernel function, or the library of anything else native.
fn perf_says() -> BTreeMap<(i64, String), f64> {
    let text = String::from_utf8(fixture("samply.expected.txt")).expect("text");
    let mut counts = BTreeMap::new();
    for row in text.lines() {
        let [count, thread, library, symbol] = row.split('\t').collect::<Vec<_>>()[..] else {
            panic!("{row}");
        };
        let name = match library {
            "perf.map" => MethodId::parse(symbol)
                .filter(|m| m.descriptor.is_some())
                .map_or(symbol.to_owned(), |m| m.to_string()),
            "[kernel.kallsyms]" => symbol.to_owned(),
            _ => format!("[{library}]"),
        };
        let thread = thread.parse().expect(row);
        *counts.entry((thread, name)).or_default() += count.parse::<f64>().expect(row);
    }
    counts
}

/// perf and samply on one recording of a JVM.
#[test]
fn samply_as_perf_reads_the_same_recording() {
    let profile = read("samply.json.gz", Format::Firefox);
    assert_eq!(profile.interval_ns(), Some(2_004_007));
    let expected = perf_says();
    let threads: Vec<i64> = expected.keys().map(|(thread, _)| *thread).collect();
    let mut seen = BTreeMap::new();
    for thread in threads {
        let filter = Filter {
            thread: ThreadFilter::OsId(thread),
            ..Filter::default()
        };
        let shares = profile.by_method(&filter);
        let java = shares
            .methods
            .iter()
            .map(|(m, s)| (m.to_string(), s.self_weight));
        let other = shares
            .not_java
            .iter()
            .map(|(name, weight)| (name.clone(), *weight));
        let all = java.chain(other).filter(|(_, weight)| *weight > 0.0);
        seen.extend(all.map(|(name, weight)| ((thread, name), weight)));
    }
    assert_eq!(seen, expected);
    let lambda = method("Work.lambda$main$0()V").to_string();
    assert!(
        seen.iter()
            .any(|((_, name), weight)| *name == lambda && *weight > 50.0)
    );
    let told = profile
        .remarks
        .iter()
        .any(|r| r.contains("each library counts as one"));
    assert!(told, "{:?}", profile.remarks);
}

/// As Firefox's own profiler writes it: rows and a schema, the second process below the first.
#[test]
fn what_firefox_records() {
    let thread = |name: &str| {
        format!(
            r#"{{"name": "{name}", "tid": 7, "stringTable": ["(root)", "void Queens.run(int)", "memset"],
            "samples": {{"schema": {{"stack": 0, "time": 1}}, "data": [[2, 1.5], [1, 2.5], [2, 3.5]]}},
            "stackTable": {{"schema": {{"prefix": 0, "frame": 1}}, "data": [[null, 0], [0, 1], [1, 2]]}},
            "frameTable": {{"schema": {{"location": 0, "line": 2}}, "data": [[0], [1, 0, 12], [2]]}}}}"#
        )
    };
    let process = |name: &str, below: &str| {
        format!(
            r#"{{"meta": {{"interval": 1, "product": "Firefox"}}, "threads": [{}], "processes": [{below}]}}"#,
            thread(name)
        )
    };
    let text = process("GeckoMain", &process("Web", ""));
    assert_eq!(detect(text.as_bytes()), Some(Format::Firefox));
    let profile = import(text.as_bytes(), &Options::default()).expect("sound");
    for name in ["GeckoMain", "Web"] {
        let shares = profile.by_method(&Filter::thread_named(name));
        let run = shares.methods[&method("Queens.run(I)V")];
        assert_eq!((run.self_weight, run.total_weight), (1.0, 3.0), "{name}");
        assert_eq!(shares.not_java["memset"], 2.0, "{name}");
    }
}
