//! What Go's own runtime/pprof writes.

use super::*;

/// `Work.place` takes nearly all of the time; `go tool pprof -raw` shows the same values.
#[test]
fn time_of_a_go_program() {
    let cpu = read("go-cpu.pprof.gz", Format::Pprof);
    assert_eq!(
        (cpu.tool.as_str(), cpu.unit, cpu.interval_ns()),
        ("Go", Unit::Nanoseconds, Some(10_000_000))
    );
    assert_eq!(cpu.events[0].name, "cpu");
    let shares = all(&cpu);
    assert_eq!(shares.java_weight(), 0.0, "{:?}", shares.methods);
    let place = shares.not_java["main.(*board).place"];
    assert!(place > 0.5 * shares.weight(), "{shares:?}");
    let told = |text: &str| cpu.remarks.iter().any(|remark| remark.contains(text));
    assert!(!told("names decided"), "{:?}", cpu.remarks);
    assert!(told("(samples, cpu) cpu counts"), "{:?}", cpu.remarks);
    let samples = cpu.summary(&Filter::default()).samples;
    assert_eq!(samples.map(|n| n as f64), Some(shares.weight() / 1e7));
}

#[test]
fn memory_of_a_go_program() {
    let heap = read("go-heap.pprof.gz", Format::Pprof);
    assert_eq!((heap.unit, heap.interval_ns()), (Unit::Bytes, None));
    assert_eq!(heap.events[0].name, "inuse_space");
    let fill = all(&heap).not_java["main.fill"];
    assert!((20e6..40e6).contains(&fill), "{fill}: 400 times 64 KiB");
    let summary = heap.summary(&Filter::default());
    assert_eq!((summary.unit.as_str(), summary.samples), ("bytes", None));
}

/// pprof has no field for the language, and `main.fill` looks like a method of Java.
#[test]
fn a_converted_profile_keeps_unit_and_language() {
    for name in ["go-cpu.pprof.gz", "go-heap.pprof.gz"] {
        let original = read(name, Format::Pprof);
        let back = import(&original.to_pprof(), &Options::default()).expect("our own");
        let kept = |one: &Profile| (one.unit, one.interval_ns(), one.events[0].name.clone());
        assert_eq!(kept(&back), kept(&original));
        assert_eq!(all(&back).java_weight(), 0.0, "{name}");
        assert_eq!(by_name(&all(&back)), by_name(&all(&original)), "{name}");
        let guessed = |remark: &String| remark.contains("names decided");
        assert!(!back.remarks.iter().any(guessed), "{:?}", back.remarks);
    }
}

/// What was guessed once is not known because it was converted.
#[test]
fn doubts_are_converted_too() {
    let stacks = import(b"a.B.run;a.B.hot 3\nmain;work 4\n", &Options::default());
    let stacks = stacks.expect("stacks");
    let back = import(&stacks.to_pprof(), &Options::default()).expect("our own");
    assert_eq!(all(&back).java_weight(), 3.0);
    let guessed = |remark: &String| remark.contains("names decided");
    assert!(back.remarks.iter().any(guessed), "{:?}", back.remarks);
}

/// A field of bytes; all lengths are below 128.
fn message(out: &mut Vec<u8>, field: u8, body: &[u8]) {
    out.extend([field << 3 | 2, body.len() as u8]);
    out.extend(body);
}

/// A profile in which `main.wait` had one contention and waited for 40 s, with a period of 3 of this type and unit (as
/// strings' numbers), or of no told one.
fn waiting(period_type: Option<[u8; 2]>) -> Vec<u8> {
    let two = |[kind, unit]: [u8; 2]| [0x08, kind, 0x10, unit];
    let mut out = Vec::new();
    message(&mut out, 1, &two([1, 2]));
    message(&mut out, 1, &two([3, 4]));
    // 40,000,000,000 in groups of 7 bits.
    let values = [0x01, 0x80, 0xa0, 0xbe, 0x81, 0x95, 0x01];
    let mut sample = vec![0x08, 1];
    message(&mut sample, 2, &values);
    message(&mut out, 2, &sample);
    message(&mut out, 4, &[0x08, 1, 0x22, 2, 0x08, 1]);
    message(&mut out, 5, &[0x08, 1, 0x10, 5, 0x20, 6]);
    let strings = ["", "contentions", "count", "delay", "nanoseconds"];
    let names = ["main.wait", "/src/main.go", "cpu", "milliseconds"];
    for text in strings.iter().chain(&names) {
        message(&mut out, 6, text.as_bytes());
    }
    if let Some(period_type) = period_type {
        message(&mut out, 11, &two(period_type));
    }
    out.extend([12 << 3, 3]);
    out
}

/// Profiles of mutexes and of blocking have a period of contentions, one: that is no time between samples.
#[test]
fn a_period_of_another_type_is_no_interval() {
    for (period_type, interval) in [
        (Some([1, 2]), None),
        (Some([7, 8]), Some(3_000_000)),
        (Some([7, 4]), Some(3)),
        (None, Some(3)),
    ] {
        let bytes = waiting(period_type);
        assert_eq!(detect(&bytes), Some(Format::Pprof));
        let profile = import(&bytes, &Options::default()).expect("sound");
        assert_eq!(
            (profile.unit, profile.interval_ns()),
            (Unit::Nanoseconds, interval),
            "{period_type:?}"
        );
        let summary = profile.summary(&Filter::default());
        assert_eq!(summary.weight, 40e9);
        assert_eq!(summary.samples.is_some(), interval.is_some());
    }
}
