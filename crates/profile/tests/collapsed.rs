//! async-profiler's collapsed stacks under its options.

use crate::common::fixture;
use proofmark_profile::{
    Filter, Format, FrameKind, ImportError, MethodId, Options, Profile, ThreadFilter, Unit, detect,
    import,
};

fn profile(name: &str) -> Profile {
    let bytes = fixture(name);
    assert_eq!(detect(&bytes), Some(Format::Collapsed));
    import(&bytes, &Options::default()).expect("sound stacks")
}

/// The sum of the last words of all lines.
fn weight_of(name: &str) -> f64 {
    let text = String::from_utf8(fixture(name)).expect("text");
    text.lines()
        .map(|l| {
            l.rsplit(' ')
                .next()
                .expect("a word")
                .parse::<f64>()
                .expect("a weight")
        })
        .sum()
}

const ALL: [&str; 4] = [
    "async-plain.collapsed",
    "async-full.collapsed",
    "async-threads.collapsed",
    "async-total.collapsed",
];

#[test]
fn every_weight_is_counted_once() {
    for name in ALL {
        let shares = profile(name).by_method(&Filter::default());
        assert_eq!(shares.weight(), weight_of(name), "{name}");
        assert!(shares.java_weight() > 0.5 * shares.weight(), "{name}");
    }
}

#[test]
fn methods_are_the_same_under_all_options() {
    let place = MethodId::parse("Work$Board.place").expect("a method");
    for name in ALL {
        let shares = profile(name)
            .by_method(&Filter::default())
            .merge_overloads();
        assert!(shares.self_share(&place) > 0.05, "{name}");
        assert!(
            !shares
                .methods
                .keys()
                .any(|m| m.class.contains("0x") || m.class.contains('/')),
            "{name}"
        );
        assert!(
            shares
                .not_java
                .keys()
                .any(|n| n.contains("::") || n.contains("clone")),
            "{name}"
        );
    }
}

#[test]
fn guessing_agrees_with_the_annotations() {
    let text = String::from_utf8(fixture("async-full.collapsed")).expect("text");
    let plain: String = ["_[j]", "_[i]", "_[0]", "_[1]"]
        .iter()
        .fold(text, |t, mark| t.replace(mark, ""));
    let guessed = import(plain.as_bytes(), &Options::default())
        .expect("sound")
        .by_method(&Filter::default());
    let told = profile("async-full.collapsed").by_method(&Filter::default());
    assert_eq!(guessed.methods, told.methods);
    assert_eq!(guessed.not_java, told.not_java);
}

#[test]
fn full_output_tells_descriptors_kinds_and_threads() {
    let full = profile("async-full.collapsed");
    assert!(!full.overloads_merged && full.remarks.is_empty());
    let kinds: Vec<FrameKind> = full.frames.iter().map(|f| f.kind).collect();
    for kind in [
        FrameKind::Interpreted,
        FrameKind::Jit,
        FrameKind::Inlined,
        FrameKind::Native,
    ] {
        assert!(kinds.contains(&kind), "{kind:?}");
    }
    let helper = Filter::thread_named("helper \u{fc} [1]");
    let shares = full.by_method(&helper);
    assert!(
        shares.samples > 0
            && shares
                .methods
                .keys()
                .any(|m| m.name.starts_with("lambda$main$")),
        "{shares:?}"
    );
    let place = MethodId::parse("Work$Board.place(I)I").expect("a method");
    assert!(
        !shares.methods.contains_key(&place),
        "the board is the main thread's"
    );
    let id = full
        .threads
        .iter()
        .find(|t| t.name.as_deref() == Some("helper \u{fc} [1]"))
        .and_then(|t| t.os_id);
    let by_id = Filter {
        thread: ThreadFilter::OsId(id.expect("an id")),
        ..Filter::default()
    };
    assert_eq!(full.by_method(&by_id), shares);
}

#[test]
fn output_without_descriptors_says_that_overloads_are_merged() {
    let plain = profile("async-plain.collapsed");
    assert!(plain.overloads_merged);
    assert_eq!(plain.remarks.len(), 1, "that kinds were guessed");
}

#[test]
fn totals_are_nanoseconds_if_the_caller_says_so() {
    let options = Options {
        unit: Some(Unit::Nanoseconds),
        interval_ns: Some(1_000_000),
        ..Options::default()
    };
    let total = import(&fixture("async-total.collapsed"), &options).expect("sound");
    assert_eq!(
        (total.unit, total.interval_ns()),
        (Unit::Nanoseconds, Some(1_000_000))
    );
    assert!(total.samples.iter().all(|s| s.weight % 1e6 == 0.0));
}

#[test]
fn native_leaves_are_charged_to_nobody_but_remembered() {
    let text = b"A.run_[j];memset 3\nA.run_[j];A.hot_[i] 5\nA.run_[j];[unknown_Java] 2\nclear_page_rep_[k] 1\n";
    let shares = import(text, &Options::default())
        .expect("sound")
        .by_method(&Filter::default());
    let run = shares.methods[&MethodId::parse("A.run").expect("a method")];
    assert_eq!(
        (run.self_weight, run.native_weight, run.total_weight),
        (0.0, 3.0, 8.0)
    );
    assert_eq!(shares.not_java["memset"], 3.0);
    assert_eq!(shares.not_java["clear_page_rep"], 1.0);
    assert_eq!(
        (shares.failed["[unknown_Java]"], shares.weight()),
        (2.0, 11.0)
    );
}

#[test]
fn bad_lines_are_left_out_and_counted() {
    let text = b"# by a script\nwarming up\na;b 1\na;b one\n\n# the rest\na;b 7\nA.run 2\n";
    assert_eq!(detect(text), Some(Format::Collapsed));
    let kept = import(text, &Options::default()).expect("three stacks");
    let shares = kept.by_method(&Filter::default());
    assert_eq!((kept.samples.len(), shares.weight()), (3, 10.0));
    assert!(kept.incomplete);
    let told =
        "2 of 5 lines are no stacks and were left out; the first is damaged at byte 14, line 2";
    assert!(kept.remarks[0].contains(told), "{:?}", kept.remarks);
}

#[test]
fn a_line_without_frames_is_no_stack() {
    let text = b"A.a;B.b 12\n; 9\nA.a;B.c 3\n";
    let kept = import(text, &Options::default()).expect("two stacks");
    assert_eq!((kept.samples.len(), kept.incomplete), (2, true));
    let told = "1 of 3 lines are no stacks";
    assert!(kept.remarks[0].contains(told), "{:?}", kept.remarks);
}

/// As our own export writes samples without frames, now and once.
#[test]
fn samples_without_frames_are_no_function() {
    let text = b"A.a;B.b 12\n 7\n(no frames) 2\n[main tid=3] 1\n";
    let kept = import(text, &Options::default()).expect("stacks");
    assert!(!kept.incomplete, "{:?}", kept.remarks);
    let shares = kept.by_method(&Filter::default());
    assert_eq!(shares.failed["no frames"], 10.0);
    assert!(shares.not_java.is_empty(), "{:?}", shares.not_java);
    let written = kept.to_collapsed();
    assert!(written.contains("(no frames) 9\n"), "{written}");
    assert_eq!(detect(written.as_bytes()), Some(Format::Collapsed));
    let again = import(written.as_bytes(), &Options::default()).expect("our own");
    assert_eq!(again.by_method(&Filter::default()).failed, shares.failed);
    assert_eq!(again.to_collapsed(), written);
}

#[test]
fn comments_are_no_damage() {
    let text = b"# one\nA.a;B.b 12\n# two 2\n";
    let kept = import(text, &Options::default()).expect("a stack");
    assert_eq!((kept.samples.len(), kept.incomplete), (1, false));
}

#[test]
fn of_which_tool_stacks_are_is_not_guessed() {
    assert_eq!(profile("async-full.collapsed").tool, "async-profiler");
    let plain = import(b"main;work 3\n", &Options::default()).expect("a stack");
    assert_eq!(plain.tool, "unknown tool");
    let converted = import(&plain.to_pprof(), &Options::default()).expect("our own");
    assert_eq!(converted.tool, "unknown tool");
    assert_eq!(converted.remarks, plain.remarks);
}

#[test]
fn a_file_of_mostly_bad_lines_is_refused() {
    let error = import(b"one\ntwo\na;b 1\n", &with_format()).expect_err("no weight");
    assert!(
        matches!(
            error,
            ImportError::Line {
                line: 1,
                offset: 0,
                ..
            }
        ),
        "{error}"
    );
    assert!(error.to_string().contains("was expected"), "{error}");
}

fn with_format() -> Options {
    Options {
        format: Some(Format::Collapsed),
        ..Options::default()
    }
}

#[test]
fn a_last_line_without_end_may_be_cut() {
    let whole = import(b"A.a;B.b 12\n", &Options::default()).expect("sound");
    let cut = import(b"A.a;B.b 1", &Options::default()).expect("readable");
    assert!(!whole.remarks.iter().any(|r| r.contains("cut")));
    assert!(
        cut.remarks.iter().any(|r| r.contains("cut")),
        "{:?}",
        cut.remarks
    );
}

/// Begin counts, end does not; what has no time lies in no window.
#[test]
fn windows_are_half_open() {
    let text = "java 7 1.0: cycles:\n\t7f00 void A.b() (/tmp/perf-1.map)\n\njava 7 2.0: cycles:\n\t7f00 void A.b() (/tmp/perf-1.map)\n";
    let timed = import(text.as_bytes(), &Options::default()).expect("sound");
    let second = 1_000_000_000;
    let counts = |windows: &[std::ops::Range<i64>]| {
        let shares = timed.by_windows(&Filter::default(), windows);
        shares.iter().map(|s| s.samples).collect::<Vec<_>>()
    };
    assert_eq!(
        counts(&[
            0..second,
            second..2 * second,
            2 * second..3 * second,
            0..i64::MAX
        ]),
        [0, 1, 1, 2]
    );
    let untimed = import(b"A.b 3\n", &Options::default()).expect("sound");
    assert_eq!(
        untimed
            .by_method(&Filter::default().within(i64::MIN..i64::MAX))
            .samples,
        0
    );
    assert_eq!(untimed.by_method(&Filter::default()).samples, 1);
}

#[test]
fn recursion_counts_once_in_the_total() {
    let shares = import(b"A.run_[j];A.run_[j];A.run_[i] 3\n", &Options::default())
        .expect("sound")
        .by_method(&Filter::default());
    let run = shares.methods[&MethodId::parse("A.run").expect("a method")];
    assert_eq!((run.self_weight, run.total_weight), (3.0, 3.0));
}

/// The JVM hands out names in modified UTF-8, and not every profiler makes UTF-8 of them.
#[test]
fn a_rare_letter_is_the_same_in_both_encodings() {
    let methods = |letter: &[u8]| {
        let text = [&b"Run.main;Queens."[..], letter, b" 3\n"].concat();
        import(&text, &Options::default()).expect("stacks").methods
    };
    let plain = methods("\u{1d49c}".as_bytes());
    assert!(plain.contains(&MethodId::new("Queens", "\u{1d49c}", None)));
    assert_eq!(methods(b"\xed\xa0\xb5\xed\xb2\x9c"), plain);
}
