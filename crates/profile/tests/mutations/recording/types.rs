//! The types of the recording that is written by hand.

use super::*;

/// Name, number and fields (name, class, in a pool, array) of every type.
pub type Types = [(
    &'static str,
    u64,
    &'static [(&'static str, u64, bool, bool)],
); 16];

pub const TYPES: Types = [
    ("int", INT, &[]),
    ("long", LONG, &[]),
    ("java.lang.String", STRING, &[]),
    (
        "java.lang.Thread",
        THREAD,
        &[
            ("javaName", STRING, false, false),
            ("osThreadId", LONG, false, false),
        ],
    ),
    (
        "jdk.types.StackTrace",
        STACK,
        &[("frames", FRAME, false, true)],
    ),
    (
        "jdk.types.StackFrame",
        FRAME,
        &[
            ("method", METHOD, true, false),
            ("lineNumber", INT, false, false),
            ("bytecodeIndex", INT, false, false),
            ("type", FRAME_TYPE, true, false),
        ],
    ),
    (
        "jdk.types.Method",
        METHOD,
        &[
            ("type", CLASS, true, false),
            ("name", SYMBOL, true, false),
            ("descriptor", SYMBOL, true, false),
        ],
    ),
    ("java.lang.Class", CLASS, &[("name", SYMBOL, true, false)]),
    (
        "jdk.types.Symbol",
        SYMBOL,
        &[("string", STRING, false, false)],
    ),
    (
        "jdk.types.FrameType",
        FRAME_TYPE,
        &[("description", STRING, false, false)],
    ),
    ("jdk.ExecutionSample", 30, SAMPLE),
    ("jdk.NativeMethodSample", 31, SAMPLE),
    ("jdk.CPUTimeSample", 32, SAMPLE),
    (
        "jdk.CPUTimeSamplesLost",
        33,
        &[
            ("startTime", LONG, false, false),
            ("lostSamples", INT, false, false),
            ("eventThread", THREAD, true, false),
        ],
    ),
    (
        "proofmark.Window",
        34,
        &[
            ("startTime", LONG, false, false),
            ("duration", LONG, false, false),
            ("label", STRING, false, false),
            ("index", LONG, false, false),
        ],
    ),
    (
        "jdk.ActiveSetting",
        35,
        &[
            ("id", LONG, false, false),
            ("name", STRING, false, false),
            ("value", STRING, false, false),
        ],
    ),
];

pub const SAMPLE: &[(&str, u64, bool, bool)] = &[
    ("startTime", LONG, false, false),
    ("sampledThread", THREAD, true, false),
    ("stackTrace", STACK, true, false),
];
