//! async-profiler's own words among the frames.

/// The words that async-profiler puts in place of Java frames that it could not walk.
pub(super) fn is_failure(frame: &str) -> bool {
    const FAILURES: [&str; 12] = [
        "[no_Java_frame]",
        "[no_class_load]",
        "[GC_active]",
        "[unknown_not_Java]",
        "[not_walkable_not_Java]",
        "[unknown_Java]",
        "[not_walkable_Java]",
        "[unknown_state]",
        "[thread_exit]",
        "[deopt]",
        "[safepoint]",
        "[not_walkable]",
    ];
    FAILURES.contains(&frame) || frame.starts_with("[break_")
}

/// Code that the JVM generates and that is no method.
pub(super) fn is_vm(frame: &str) -> bool {
    let stubs = [
        "Interpreter",
        "StubRoutines",
        "vtable",
        "itable",
        "I2C/C2I",
        "call_stub",
        "c2i",
        "i2c",
    ];
    stubs.iter().any(|stub| frame.starts_with(stub))
        || frame.ends_with(" stub")
        || frame.ends_with("_stub")
}
