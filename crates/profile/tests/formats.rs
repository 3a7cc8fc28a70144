//! The formats besides JFR, collapsed stacks and perf; what was exported reads back the same.

mod converted;
mod firefox;
mod go;
mod gperftools;
mod honest;
mod speedscope;
mod tables;

use std::collections::BTreeMap;

use crate::common::{fixture, unpacked};
use proofmark_profile::{
    Filter, Format, FrameKind, MethodId, Options, Profile, Shares, ThreadFilter, Unit, detect,
    import, read_rebench,
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
        assert_eq!(pprof.interval_ns(), original.interval_ns(), "{name}");
        assert_eq!(by_name(&all(&pprof)), by_name(&expected), "{name}");
        let summary = original.summary(&Filter::default());
        assert_eq!(summary.weight, all(&original).weight());
    }
}
