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
