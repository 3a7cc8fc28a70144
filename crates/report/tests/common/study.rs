//! A small study with a known shape.

use proofmark_report::StudyPage;
use proofmark_study::{Analysis, Recording, Row, Settings, analyze};

/// Pseudo-random numbers from -1 to 1 (SplitMix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }
}

fn row(method: &str, share_pct: f64) -> Row {
    Row {
        identity: format!("{method}(I)V"),
        common: method.into(),
        share_pct,
    }
}

/// One run: shares around these, jittered.
fn run(
    program: &str,
    profiler: &str,
    shares: &[(&str, f64)],
    ms: f64,
    numbers: &mut Numbers,
) -> Recording {
    let rows = shares
        .iter()
        .map(|(method, share)| row(method, share * (1.0 + 0.06 * numbers.next())))
        .collect();
    Recording {
        program: program.into(),
        profiler: profiler.into(),
        rows,
        whole: true,
        samples: Some(2000.0),
        iteration_ms: Some(ms * (1.0 + 0.01 * numbers.next())),
    }
}

/// Queens with a profiler that lacks debug information, Json at two speeds, and a program with hostile names.
pub fn recordings() -> Vec<Recording> {
    let numbers = &mut Numbers(7);
    let mut all = Vec::new();
    let right = [
        ("Queens.getRowColumn", 60.0),
        ("Queens.placeQueen", 25.0),
        ("Queens.setRowColumn", 15.0),
    ];
    let wrong = [
        ("Queens.placeQueen", 92.0),
        ("Queens.getRowColumn", 5.0),
        ("Queens.setRowColumn", 3.0),
    ];
    let json = [
        ("json.JsonPureStringParser.read", 40.0),
        ("java.lang.String.equals", 39.0),
        ("java.util.Arrays.copyOfRange", 21.0),
    ];
    let hostile = [
        ("a.</script><b>&\"'", 50.0),
        ("\u{202e}evil\u{1b}[31m", 30.0),
        ("=HYPERLINK(\"x\")", 20.0),
    ];
    for i in 0..20 {
        for (profiler, shares) in [
            ("async", &right),
            ("jfr", &wrong),
            ("jfr+nonsafepoints", &right),
        ] {
            all.push(run("suite:Queens", profiler, shares, 12.0, numbers));
            let slow = if i % 2 == 0 { 30.0 } else { 41.0 };
            all.push(run("suite:Json", profiler, &json, slow, numbers));
        }
        all.push(run(
            "</title><script>alert(1)</script>",
            "cmd:./my-very-long-profiler --with options",
            &hostile,
            1.0,
            numbers,
        ));
    }
    all
}

/// Its analysis.
pub fn analysis() -> Analysis {
    let numbers = &mut Numbers(9);
    let unprofiled = (0..20).map(|_| {
        (
            "suite:Queens".to_owned(),
            11.8 * (1.0 + 0.01 * numbers.next()),
        )
    });
    let settings = Settings {
        seed: 1,
        resamples: 200,
    };
    let mut analysis = analyze(recordings(), unprofiled.collect(), settings);
    analysis
        .remarks
        .push("Left out: run 3 of suite:Json under perf failed: <killed>.".into());
    analysis
}

/// What its page says besides.
pub fn page() -> StudyPage {
    StudyPage {
        title: "study <1>".into(),
        generated: "2026-11-21 12:00 UTC".into(),
        version: "0.1.0".into(),
        command: "proofmark study analyze study --html page.html".into(),
    }
}
