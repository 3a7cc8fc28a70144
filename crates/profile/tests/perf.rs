//! perf's files and text, and the JVM's perf map.

mod damage;

use crate::common::{fixture, unpacked};
use proofmark_profile::{
    Clock, Filter, Format, FrameKind, ImportError, MethodId, Options, Profile, Unit, detect, import,
};

fn data_with_map() -> Profile {
    let options = Options {
        perf_map: Some(unpacked("perf.map.gz")),
        ..Options::default()
    };
    import(&fixture("perf.data.gz"), &options).expect("a sound file")
}

fn script() -> Profile {
    import(&fixture("perf-script.txt.gz"), &Options::default()).expect("sound text")
}

/// What `perf report --stats` counts.
fn expected_samples() -> usize {
    let text = String::from_utf8(fixture("perf.expected.txt")).expect("text");
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("SAMPLE "))
        .expect("a count of samples");
    line.parse().expect("a number")
}

#[test]
fn formats_are_told_apart() {
    for (name, format) in [
        ("perf.data.gz", Format::PerfData),
        ("perf.map.gz", Format::PerfMap),
        ("perf-script.txt.gz", Format::PerfScript),
        ("perf-script-fields.txt.gz", Format::PerfScript),
    ] {
        assert_eq!(detect(&unpacked(name)), Some(format), "{name}");
    }
    let error =
        import(&fixture("perf.map.gz"), &Options::default()).expect_err("a map is no profile");
    assert!(
        error.to_string().contains("together with the perf.data"),
        "{error}"
    );
}

#[test]
fn native_code_without_names_says_how_to_get_them() {
    let whole = [
        "no names, so each library counts as one",
        "perf script -i FILE",
    ];
    let of = |remark: &String| whole.iter().all(|part| remark.contains(part));
    let told = |profile: &Profile| profile.remarks.iter().any(of);
    assert!(told(&data_with_map()) && !told(&script()));
}

#[test]
fn every_sample_is_there() {
    assert_eq!(data_with_map().samples.len(), expected_samples());
    assert_eq!(script().samples.len(), expected_samples());
}

#[test]
fn file_and_text_agree_on_java_methods() {
    let (data, script) = (
        data_with_map().by_method(&Filter::default()),
        script().by_method(&Filter::default()),
    );
    assert!(data.methods.len() > 5);
    assert_eq!(data.methods, script.methods);
    assert_eq!(data.not_java_weight(), script.not_java_weight());
    let place = MethodId::parse("Work$Board.place(I)I").expect("a method");
    assert!(
        data.self_share(&place) > 0.05,
        "{:?}",
        data.methods.get(&place)
    );
}

#[test]
fn units_clock_threads_and_kinds() {
    let data = data_with_map();
    assert_eq!(
        (data.unit, data.clock, data.interval_ns()),
        (Unit::Nanoseconds, Clock::Epoch, Some(2_004_008))
    );
    assert_eq!(
        (data.events[0].name.as_str(), data.overloads_merged),
        ("cpu-clock", false)
    );
    let text = script();
    assert_eq!((text.unit, text.clock), (Unit::Nanoseconds, Clock::Boot));
    for profile in [&data, &text] {
        for kind in [
            FrameKind::Jit,
            FrameKind::Vm,
            FrameKind::Native,
            FrameKind::Kernel,
        ] {
            assert!(profile.frames.iter().any(|f| f.kind == kind), "{kind:?}");
        }
        let helper = profile.by_method(&Filter::thread_named("helper \u{fc} [1]"));
        assert!(
            helper.samples > 0
                && helper
                    .methods
                    .keys()
                    .any(|m| m.name.starts_with("lambda$main$"))
        );
    }
}

#[test]
fn the_clock_of_the_file_becomes_the_epoch() {
    let times: Vec<i64> = data_with_map()
        .samples
        .iter()
        .filter_map(|s| s.time_ns)
        .collect();
    let year_2020 = 1_577_836_800_000_000_000;
    assert!(times.iter().all(|&t| t > year_2020));
    let text: Vec<i64> = script().samples.iter().filter_map(|s| s.time_ns).collect();
    let (first, last) = (|t: &[i64]| t[0], |t: &[i64]| t[t.len() - 1]);
    let (in_file, in_text) = (last(&times) - first(&times), last(&text) - first(&text));
    assert!((in_file - in_text).abs() < 2_000, "{in_file} {in_text}");
}

#[test]
fn other_fields_of_perf_script_are_read_too() {
    let fields =
        import(&fixture("perf-script-fields.txt.gz"), &Options::default()).expect("sound text");
    let whole = script();
    assert!(fields.samples.len() > 50);
    for (a, b) in fields.samples.iter().zip(&whole.samples) {
        assert_eq!((a.time_ns, a.weight), (b.time_ns, b.weight));
        let names = |profile: &Profile, s| {
            profile
                .frames_of(s)
                .map(|f| f.method)
                .map(|m| profile.methods[m.index()].clone())
                .collect::<Vec<_>>()
        };
        assert_eq!(names(&fields, a).first(), names(&whole, b).first());
    }
}

#[test]
fn without_a_map_generated_code_has_no_names_and_that_is_said() {
    let profile = import(&fixture("perf.data.gz"), &Options::default()).expect("a sound file");
    assert!(profile.by_method(&Filter::default()).methods.is_empty());
    assert!(
        profile.remarks[0].contains("perf-PID.map"),
        "{:?}",
        profile.remarks
    );
}

#[test]
fn a_jitdump_names_code_from_its_time_on() {
    let dump = unpacked("node.jitdump.gz");
    assert_eq!(detect(&dump), Some(Format::Jitdump));
    let options = Options {
        jitdump: Some(dump),
        ..Options::default()
    };
    let profile = import(&fixture("node-perf.data.gz"), &options).expect("a sound file");
    let shares = profile.by_method(&Filter::default());
    let fibonacci: f64 = shares
        .not_java
        .iter()
        .filter(|(name, _)| name.contains("fibonacci"))
        .map(|(_, w)| w)
        .sum();
    assert!(fibonacci > 0.1 * shares.weight(), "{:?}", shares.not_java);
}

#[test]
fn lost_samples_are_kept() {
    let text = "java 7 1.000000: 10 cpu-clock:\n\t7f00 void A.b() (/tmp/perf-1.map)\n\njava 7 1.5: PERF_RECORD_LOST lost 12\n";
    let profile = import(text.as_bytes(), &Options::default()).expect("sound text");
    assert_eq!(profile.by_method(&Filter::default()).lost_samples(), 12.0);
    let of_java = profile.by_method(&Filter::thread_named("java"));
    assert_eq!(
        (of_java.lost_samples(), of_java.lost_somewhere),
        (0.0, 12),
        "perf does not tell whose they were"
    );
    let windows = profile.by_windows(
        &Filter::default(),
        &[0..1_200_000_000, 1_200_000_000..2_000_000_000],
    );
    assert_eq!(
        windows
            .iter()
            .map(|w| (w.samples, w.lost_samples()))
            .collect::<Vec<_>>(),
        [(1, 0.0), (0, 12.0)]
    );
}
