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
