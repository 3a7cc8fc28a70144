//! The formats besides JFR, collapsed stacks and perf; what was exported reads back the same.

mod common;

use std::collections::BTreeMap;

use common::{fixture, unpacked};
use proofmark_profile::{
    Clock, Filter, Format, FrameKind, MethodId, Options, Profile, Shares, ThreadFilter, Unit,
    detect, import, read_rebench,
};

fn read(name: &str, format: Format) -> Profile {
    let bytes = if name.ends_with(".gz") {
        unpacked(name)
    } else {
        fixture(name)
    };
    assert_eq!(detect(&bytes), Some(format), "{name}");
    import(&bytes, &Options::default()).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn all(profile: &Profile) -> Shares {
    profile.by_method(&Filter::default())
}

fn method(text: &str) -> MethodId {
    MethodId::parse(text).unwrap_or_else(|| panic!("{text}"))
}

/// Own weight of Java methods and symbols alike, overloads added up, by plain name.
fn by_name(shares: &Shares) -> BTreeMap<String, f64> {
    let methods = shares.merge_overloads().methods;
    let java = methods
        .iter()
        .map(|(m, share)| (m.to_string(), share.self_weight));
    let others = shares
        .not_java
        .iter()
        .map(|(name, weight)| (name.clone(), *weight));
    java.chain(others)
        .filter(|(_, weight)| *weight > 0.0)
        .collect()
}

/// `flat flat% sum% cum cum% name` lines of `go tool pprof -top`; overloads are one there.
fn go_top(name: &str) -> BTreeMap<String, f64> {
    let text = String::from_utf8(fixture(name)).expect("text");
    let mut weights = BTreeMap::new();
    for row in text
        .lines()
        .skip_while(|line| !line.contains("flat%"))
        .skip(1)
    {
        let flat: f64 = row
            .split_whitespace()
            .next()
            .and_then(|w| w.parse().ok())
            .expect(row);
        let name = row[row.rfind('%').expect(row) + 1..]
            .trim()
            .trim_end_matches(" (inline)");
        let java =
            MethodId::parse(name).filter(|_| !name.contains("::") && !name.contains(".part"));
        let id = java.map_or_else(|| MethodId::symbol(name), |m| m.without_descriptor());
        if flat > 0.0 {
            *weights.entry(id.to_string()).or_default() += flat;
        }
    }
    weights
}

#[test]
fn pprof_of_async_profiler_as_go_reads_it() {
    let profile = read("async.pprof.gz", Format::Pprof);
    assert_eq!(profile.unit, Unit::Samples);
    let kinds: Vec<FrameKind> = profile.frames.iter().map(|f| f.kind).collect();
    assert!(
        kinds.contains(&FrameKind::Unknown) && !kinds.contains(&FrameKind::Jit),
        "pprof does not tell"
    );
    assert_eq!(by_name(&all(&profile)), go_top("async.pprof.expected.txt"));
}

/// async-profiler's own converter against our reader, on the same recording.
#[test]
fn the_recording_and_its_conversions_agree() {
    let recording = import(&fixture("async.jfr.gz"), &Options::default()).expect("sound");
    let collapsed =
        import(&fixture("async-from-jfr.collapsed.gz"), &Options::default()).expect("sound");
    let pprof = import(&fixture("async.pprof.gz"), &Options::default()).expect("sound");
    let expected = by_name(&all(&recording));
    assert_eq!(by_name(&all(&collapsed)), expected);
    assert_eq!(by_name(&all(&pprof)), expected);
    assert_eq!(
        all(&pprof).methods,
        all(&collapsed).methods,
        "whole stacks, not only leaves"
    );
    let id = collapsed
        .threads
        .iter()
        .find_map(|t| t.os_id)
        .expect("an id");
    let thread = Filter {
        thread: ThreadFilter::OsId(id),
        ..Filter::default()
    };
    for converted in [&collapsed, &pprof] {
        assert_eq!(
            by_name(&converted.by_method(&thread)),
            by_name(&recording.by_method(&thread))
        );
    }
}

#[test]
fn callgrind_as_its_own_tool_sums_it() {
    let profile = read("callgrind.out.gz", Format::Callgrind);
    assert_eq!(
        (
            profile.unit,
            profile.tool.as_str(),
            profile.events[0].name.as_str()
        ),
        (Unit::Count, "callgrind", "Ir")
    );
    let shares = all(&profile);
    let text = String::from_utf8(fixture("callgrind.expected.txt")).expect("text");
    let total = text
        .lines()
        .find(|l| l.contains("PROGRAM TOTALS"))
        .and_then(|l| l.split_whitespace().next());
    let total: f64 = total
        .expect("totals")
        .replace(',', "")
        .parse()
        .expect("a number");
    assert_eq!(shares.weight(), total);
    let mut expected: BTreeMap<String, f64> = BTreeMap::new();
    for line in text
        .lines()
        .filter(|l| l.contains("%)") && l.contains(':') && !l.contains("TOTALS"))
    {
        let (cost, rest) = line.trim().split_once(" (").expect(line);
        let function = rest
            .split_once("%)")
            .expect(line)
            .1
            .trim()
            .split(" [")
            .next()
            .expect(line);
        let name = function.rsplit_once(':').expect(line).1.to_owned();
        *expected.entry(name).or_default() += cost.replace(',', "").parse::<f64>().expect(line);
    }
    assert!(expected.len() > 10);
    for hot in [
        "mix",
        "count",
        "outer",
        "_dl_relocate_object",
        "do_lookup_x",
    ] {
        let known = expected
            .iter()
            .filter(|(name, _)| name.split('\'').next() == Some(hot))
            .map(|(_, w)| w);
        let ours = shares
            .not_java
            .iter()
            .filter(|(name, _)| name.split('\'').next() == Some(hot))
            .map(|(_, w)| w);
        assert_eq!(ours.sum::<f64>(), known.sum::<f64>(), "{hot}");
    }
}

#[test]
fn tables_of_commercial_profilers() {
    let yourkit = read("constructed/yourkit-method-list.csv", Format::Table);
    assert_eq!(
        (
            yourkit.tool.as_str(),
            yourkit.unit,
            yourkit.overloads_merged
        ),
        ("YourKit", Unit::Nanoseconds, false)
    );
    let shares = all(&yourkit);
    assert_eq!(
        shares.methods[&method("Queens.placeQueen(int)")].self_weight,
        312e6
    );
    assert_eq!(
        shares.not_java.values().sum::<f64>(),
        20e6,
        "arraycopy is native"
    );
    let jprofiler = read("constructed/jprofiler-hotspots.csv", Format::Table);
    assert_eq!(
        (jprofiler.tool.as_str(), jprofiler.overloads_merged),
        ("JProfiler", true)
    );
    assert_eq!(
        all(&jprofiler).methods[&method("Queens.queens")].self_weight,
        211e6
    );
    let vtune = read("constructed/vtune-hotspots.tsv", Format::Table);
    assert_eq!(
        (vtune.tool.as_str(), all(&vtune).not_java["Interpreter"]),
        ("VTune", 20e6)
    );
    let place = method("Queens.placeQueen(int)");
    assert!((all(&vtune).self_share(&place) - 0.312 / 1.517).abs() < 1e-9);
    let commas = read("constructed/vtune-hotspots.csv", Format::Table);
    assert_eq!(
        (commas.tool.as_str(), commas.overloads_merged),
        ("VTune", false)
    );
    assert_eq!(
        all(&commas).methods,
        all(&vtune).methods,
        "whatever separates the columns"
    );
    let xml = read("constructed/jprofiler-hotspots.xml", Format::JProfiler);
    assert_eq!(
        all(&xml).methods[&method("som.Vector.<init>(I)V")].self_weight,
        24e6
    );
    assert_eq!(all(&xml).java_weight(), 800e6);
}

#[test]
fn yourkit_as_xml_is_the_same_as_its_table() {
    let xml = read("constructed/yourkit-method-list.xml", Format::YourKit);
    assert_eq!(
        (xml.tool.as_str(), xml.overloads_merged),
        ("YourKit", false)
    );
    let table = read("constructed/yourkit-method-list.csv", Format::Table);
    let own = |profile: &Profile| by_name(&all(profile));
    assert_eq!(own(&xml), own(&table));
    let queens = method("Queens.placeQueen(int)");
    assert_eq!(all(&xml).methods[&queens].total_weight, 2070e6);
}

/// The head of the text tells how many samples there were.
#[test]
fn the_text_of_async_profiler() {
    let flat = read("async-flat.txt", Format::AsyncText);
    assert_eq!(
        (flat.tool.as_str(), flat.unit, flat.overloads_merged),
        ("async-profiler", Unit::Nanoseconds, true)
    );
    let shares = all(&flat);
    assert_eq!(
        shares.methods[&method("Work$Board.place")].self_weight,
        132e6
    );
    assert_eq!(shares.not_java["__memset_avx512_unaligned_erms"], 16e6);
    let traces = read("async-traces.txt.gz", Format::AsyncText);
    assert!(!traces.overloads_merged);
    assert_eq!((traces.samples.len(), traces.remarks.len()), (79, 0));
    assert_eq!(flat.remarks.len(), 1, "all of 200 samples are listed");
    let text = fixture("async-flat.txt");
    let rows = text.split_inclusive(|&b| b == b'\n').take(10);
    let heaviest = import(&rows.collect::<Vec<_>>().concat(), &Options::default());
    let heaviest = heaviest.expect("a shorter list");
    let told = heaviest
        .remarks
        .iter()
        .any(|r| r.contains("of 200 samples"));
    assert!(told, "{:?}", heaviest.remarks);
    let helper = traces.by_method(&Filter::thread_named("helper \u{fc} [1]"));
    let lambda = method("Work.lambda$main$0()V");
    assert!(helper.methods[&lambda].self_weight >= 271e6);
    assert_eq!(
        traces.by_method(&Filter::default()).methods[&method("java.lang.Thread.run()V")]
            .self_weight,
        0.0
    );
}

#[test]
fn a_log_of_honest_profiler_is_a_fixture() {
    let bytes = fixture("constructed/honest.hpl");
    assert_eq!(
        bytes,
        honest_log(),
        "written by this test: see `honest_log`"
    );
}

#[test]
fn samply() {
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

#[test]
fn rebench() {
    let bytes = fixture("constructed/rebench.data");
    assert_eq!(detect(&bytes), Some(Format::ReBench));
    let values = read_rebench(&bytes).expect("sound");
    assert_eq!(
        values.iter().map(|m| m.value).collect::<Vec<_>>(),
        [105.5, 101.25, 103.0]
    );
    assert_eq!(
        (
            values[2].invocation,
            values[2].iteration,
            values[2].benchmark.as_str()
        ),
        (2, 1, "Queens")
    );
    let error = read_rebench(b"1\t1\tfast\tms\ttotal\tA\tB\tC\n").expect_err("no number");
    assert!(error.to_string().contains("line 1"), "{error}");
}

/// A log of Honest Profiler, written as its agent writes: thread, timed trace, frames, then methods.
fn honest_log() -> Vec<u8> {
    let mut log = Vec::new();
    let text = |log: &mut Vec<u8>, text: &str| {
        log.extend((text.len() as i32).to_be_bytes());
        log.extend(text.as_bytes());
    };
    log.push(4);
    log.extend(7_i64.to_be_bytes());
    text(&mut log, "main");
    let trace = |log: &mut Vec<u8>, frames: i32, ns: i64| {
        log.push(11);
        log.extend(frames.to_be_bytes());
        for value in [7, 1_795_261_829, ns] {
            log.extend(value.to_be_bytes());
        }
    };
    let frame = |log: &mut Vec<u8>, bci: i32, line: i32, method: i64| {
        log.push(21);
        log.extend(bci.to_be_bytes());
        log.extend(line.to_be_bytes());
        log.extend(method.to_be_bytes());
    };
    trace(&mut log, 2, 5);
    frame(&mut log, 12, 40, 100);
    frame(&mut log, 3, 9, 101);
    log.push(31);
    log.extend(100_i64.to_be_bytes());
    for part in ["Queens.java", "LQueens;", "", "placeQueen", "(I)Z", ""] {
        text(&mut log, part);
    }
    log.push(3);
    log.extend(101_i64.to_be_bytes());
    for part in ["Run.java", "LRun;", "main"] {
        text(&mut log, part);
    }
    trace(&mut log, 1, 900);
    frame(&mut log, 0, 0, 102);
    log.push(3);
    log.extend(102_i64.to_be_bytes());
    for part in ["AGCT.java", "AGCT", "Unknown Java[ERR=-5]"] {
        text(&mut log, part);
    }
    log
}

#[test]
fn honest_profiler() {
    let log = honest_log();
    assert_eq!(detect(&log), Some(Format::Honest));
    let profile = import(&log, &Options::default()).expect("sound");
    let shares = profile.by_method(&Filter::thread_named("main"));
    assert_eq!(
        shares.methods[&method("Queens.placeQueen(I)Z")].self_weight,
        1.0
    );
    assert_eq!(shares.failed["Unknown Java[ERR=-5]"], 1.0);
    assert_eq!(profile.samples[0].time_ns, Some(1_795_261_829_000_000_005));
    let leaf = profile
        .frames_of(&profile.samples[0])
        .next()
        .expect("a frame");
    assert_eq!((leaf.line, leaf.bci), (Some(40), Some(12)));
    let cut = import(&log[..log.len() - 3], &Options::default()).expect("most of it");
    assert!(cut.incomplete && cut.samples.len() == 2);
}

#[test]
fn exports_read_back_the_same() {
    for name in ["async-full.collapsed", "jdk25.jfr.gz"] {
        let original = import(&fixture(name), &Options::default()).expect("sound");
        let filter = Filter {
            events: proofmark_profile::EventFilter::All,
            ..Filter::default()
        };
        let expected = original.by_method(&filter);
        let collapsed =
            import(original.to_collapsed().as_bytes(), &Options::default()).expect("our own");
        let back = all(&collapsed);
        assert_eq!(back.methods, expected.methods, "{name}");
        let pprof = import(&original.to_pprof(), &Options::default()).expect("our own");
        assert_eq!(all(&pprof).java_weight(), expected.java_weight(), "{name}");
        assert_eq!(by_name(&all(&pprof)), by_name(&expected), "{name}");
        let json = original.to_json(&Filter::default());
        assert_eq!(json["weight"].as_f64(), Some(all(&original).weight()));
    }
}
