//! The published study's data.
#![allow(dead_code, reason = "every test binary uses some of it")]

use std::io::Read;
use std::path::PathBuf;

use proofmark_profile::{StudyRun, read_study};

/// Unpacked bytes of a fixture of the profile crate.
pub fn unpacked(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("../profile/tests/fixtures")
        .join(name);
    let packed = std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&packed[..])
        .read_to_end(&mut bytes)
        .expect("sound gzip");
    bytes
}

/// All 30 runs.
pub fn runs() -> Vec<StudyRun> {
    let mut runs = Vec::new();
    for name in ["study-2023-a.jsonl.gz", "study-2023-b.jsonl.gz"] {
        for line in unpacked(name)
            .split(|&b| b == b'\n')
            .filter(|line| !line.is_empty())
        {
            runs.push(read_study(line).expect("a sound file"));
        }
    }
    assert_eq!(runs.len(), 30);
    runs
}

/// Our names of the study's profilers.
pub const PROFILERS: [(&str, &str); 6] = [
    ("async", "Async"),
    ("honest", "HonestProfiler"),
    ("jfr", "JavaFlightRecorder"),
    ("jprofiler", "JProfiler"),
    ("perf", "Perf"),
    ("yourkit", "YourKit"),
];
