//! Recordings of JDK 17 and 25, compared with what the JDK's own reader says, and of async-profiler.

mod growing;
mod jdk;

use std::collections::BTreeMap;

use crate::common::{fixture, unpacked};
use proofmark_profile::{
    Clock, EventFilter, Filter, FrameKind, MethodId, Options, Profile, ThreadFilter, import,
    import_from,
};
use serde_json::Value;

fn recording(name: &str) -> (Profile, Value) {
    let profile = import(&fixture(&format!("{name}.jfr.gz")), &Options::default())
        .expect("a sound recording");
    let expected =
        serde_json::from_slice(&fixture(&format!("{name}.expected.json"))).expect("JSON");
    (profile, expected)
}

fn count_of(profile: &Profile, event: &str) -> u64 {
    let filter = Filter {
        events: EventFilter::Named(event.to_owned()),
        ..Filter::default()
    };
    profile.by_method(&filter).samples
}

fn kind_name(kind: FrameKind) -> &'static str {
    match kind {
        FrameKind::Interpreted => "Interpreted",
        FrameKind::Jit => "JIT compiled",
        FrameKind::Inlined => "Inlined",
        FrameKind::Native => "Native",
        other => panic!("{other:?} in a recording of the JDK"),
    }
}

#[test]
fn windows_of_one_thread_add_up_to_all_of_them() {
    let (profile, _) = recording("jdk25");
    let main = Filter::thread_named("main");
    let whole = profile.by_method(&main);
    assert!(whole.samples > 50, "{}", whole.samples);
    let begin = profile.marks[0].begin_ns;
    let cuts = [
        i64::MIN,
        begin,
        profile.marks[1].begin_ns,
        profile.marks[3].end_ns,
        i64::MAX,
    ];
    let parts = cuts
        .windows(2)
        .map(|cut| profile.by_method(&main.clone().within(cut[0]..cut[1])));
    let (mut samples, mut weight, mut lost) = (0, 0.0, 0.0);
    for part in parts {
        samples += part.samples;
        weight += part.weight();
        lost += part.lost_samples();
    }
    assert_eq!(
        (samples, weight, lost),
        (whole.samples, whole.weight(), whole.lost_samples())
    );
    let windows: Vec<_> = profile.marks.iter().map(|mark| mark.window()).collect();
    for (shares, window) in profile.by_windows(&main, &windows).iter().zip(&windows) {
        assert_eq!(
            *shares,
            profile.by_method(&main.clone().within(window.clone()))
        );
        assert!(shares.samples > 0);
    }
    let inside = profile.by_method(&main.clone().within(begin..profile.marks[0].end_ns));
    assert!(inside.samples > 5 && inside.samples < whole.samples);
    let place = MethodId::parse("Work$Board.place(I)I").expect("a method");
    assert!(
        inside.self_share(&place) > 0.3,
        "the board takes most of a window"
    );
}

#[test]
fn the_main_event_is_cpu_time_where_there_is_one() {
    let (jdk17, _) = recording("jdk17");
    let (jdk25, _) = recording("jdk25");
    assert_eq!(
        (jdk17.events[0].name.as_str(), jdk17.interval_ns()),
        ("jdk.ExecutionSample", Some(10_000_000))
    );
    assert_eq!(
        (jdk25.events[0].name.as_str(), jdk25.interval_ns()),
        ("jdk.CPUTimeSample", Some(2_000_000))
    );
    assert_eq!(
        jdk25.by_method(&Filter::default()).samples,
        count_of(&jdk25, "jdk.CPUTimeSample")
    );
}

/// The bytes with others at the only place where these are.
fn patched(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let places = bytes.windows(from.len()).enumerate();
    let places = places.filter(|(_, here)| *here == from);
    let places: Vec<usize> = places.map(|(at, _)| at).collect();
    assert_eq!((places.len(), to.len()), (1, from.len()), "{from:?}");
    let mut bytes = bytes.to_vec();
    bytes[places[0]..][..to.len()].copy_from_slice(to);
    bytes
}

/// A rate, JDK 25's usual setting, is of all threads together. What it comes to for one depends on the processors, and
/// only the samples tell it: here the 2 ms that were asked for, or several times as much where the timer was late.
#[test]
fn a_rate_is_no_interval() {
    let interval = |bytes: &[u8]| {
        let profile = import(bytes, &Options::default()).expect("sound");
        assert_eq!(profile.events[0].name, "jdk.CPUTimeSample");
        profile.interval_ns()
    };
    // The lengths of the words stand in front of them.
    let (asked, rate) = (b"throttle\x04\x042 ms", b"throttle\x04\x0464/s");
    let bytes = patched(&unpacked("jdk25.jfr.gz"), asked, rate);
    assert_eq!(interval(&bytes).map(|ns| ns % 2_000_000), Some(0));
    let silent = patched(&bytes, b"samplingPeriod", b"somethingOther");
    assert_eq!(interval(&silent), None);
}

#[test]
fn async_profilers_recording() {
    let profile = import(&fixture("async.jfr.gz"), &Options::default()).expect("a sound recording");
    assert_eq!(profile.tool, "async-profiler");
    assert_eq!(
        profile.interval_ns(),
        Some(1_000_000),
        "{:?}",
        profile.events
    );
    let shares = profile.by_method(&Filter::default());
    let place = MethodId::parse("Work$Board.place(I)I").expect("a method");
    assert!(shares.methods[&place].self_weight > 0.0);
    assert!(
        shares.not_java_weight() > 0.0,
        "the JIT compilers' threads are sampled too"
    );
    let main = profile
        .threads
        .iter()
        .position(|t| t.os_id.is_some())
        .expect("thread ids");
    let filter = Filter {
        thread: ThreadFilter::OsId(profile.threads[main].os_id.expect("an id")),
        ..Filter::default()
    };
    assert!(profile.by_method(&filter).samples < shares.samples);
}

#[test]
fn two_recordings_one_after_the_other_are_one() {
    let one = unpacked("jdk25.jfr.gz");
    let two = [one.clone(), one.clone()].concat();
    let single = import(&one, &Options::default()).expect("sound");
    let double = import(&two, &Options::default()).expect("sound");
    assert_eq!(double.samples.len(), 2 * single.samples.len());
    assert_eq!(
        double.stacks.len(),
        single.stacks.len(),
        "stacks are kept once"
    );
    assert_eq!(double.marks.len(), 2 * single.marks.len());
}

/// The same from a stream, with samples added up: the same weights in less memory.
#[test]
fn a_stream_gives_the_same_as_the_file() {
    for name in ["jdk17.jfr.gz", "jdk25.jfr.gz", "async.jfr.gz"] {
        let packed = fixture(name);
        let bytes = unpacked(name).repeat(3);
        let whole = import(&bytes, &Options::default()).expect("sound");
        let streamed = import_from(&bytes[..], &Options::default()).expect("sound");
        assert_eq!(streamed.samples, whole.samples, "{name}");
        assert_eq!(
            (&streamed.stacks, &streamed.marks),
            (&whole.stacks, &whole.marks)
        );
        let options = Options {
            merge: true,
            ..Options::default()
        };
        let merged = import_from(&bytes[..], &options).expect("sound");
        let filter = Filter::default();
        assert_eq!(
            merged.by_method(&filter).methods,
            whole.by_method(&filter).methods
        );
        assert_eq!(
            merged.by_method(&filter).lost,
            whole.by_method(&filter).lost
        );
        assert!(merged.samples.len() * 2 < whole.samples.len());
        let once = import(&packed, &Options::default()).expect("sound");
        let unzipped = import_from(&packed[..], &Options::default()).expect("sound");
        assert_eq!(unzipped.samples, once.samples, "{name}");
        let cut = import_from(&packed[..packed.len() * 3 / 4], &Options::default());
        assert!(cut.map_or(true, |cut| cut.incomplete), "{name}");
    }
}

/// The crate jfrs reads the format independently of us.
#[test]
fn jfrs_counts_the_same_events() {
    for name in ["jdk17.jfr.gz", "jdk25.jfr.gz", "async.jfr.gz"] {
        let bytes = unpacked(name);
        let profile = import(&bytes, &Options::default()).expect("sound");
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        let mut reader = jfrs::reader::JfrReader::new(std::io::Cursor::new(&bytes));
        for chunk in reader.chunks() {
            let (mut events, chunk) = chunk.expect("a sound chunk");
            for event in events.events(&chunk) {
                *counts
                    .entry(event.expect("a sound event").class.name().to_owned())
                    .or_default() += 1;
            }
        }
        for event in [
            "jdk.ExecutionSample",
            "jdk.NativeMethodSample",
            "jdk.CPUTimeSample",
        ] {
            assert_eq!(
                count_of(&profile, event),
                counts.get(event).copied().unwrap_or(0),
                "{name} {event}"
            );
        }
    }
}
