//! speedscope's JSON.

use super::*;

const SAMPLED: &str = r#"{"$schema": "https://www.speedscope.app/file-format-schema.json", "exporter": "sampler 2",
 "shared": {"frames": [{"name": "Run.main"}, {"name": "Queens.placeQueen", "file": "Queens.java", "line": 7},
  {"name": "memset", "file": "memset.c"}]},
 "profiles": [{"type": "sampled", "name": "main", "unit": "milliseconds", "startValue": 0, "endValue": 9,
  "samples": [[0, 1], [0, 1, 2], [0], [9]], "weights": [5, 3, 1, 1]},
  {"type": "sampled", "name": "memory", "unit": "bytes", "samples": [[0]], "weights": [4096]}]}"#;

#[test]
fn samples_and_weights() {
    assert_eq!(detect(SAMPLED.as_bytes()), Some(Format::Speedscope));
    let profile = import(SAMPLED.as_bytes(), &Options::default()).expect("sound");
    assert_eq!(
        (profile.tool.as_str(), profile.unit),
        ("sampler 2", Unit::Nanoseconds)
    );
    let shares = profile.by_method(&Filter::thread_named("main"));
    let place = shares.methods[&method("Queens.placeQueen")];
    assert_eq!(
        (place.self_weight, place.native_weight, place.total_weight),
        (5e6, 3e6, 8e6)
    );
    assert_eq!((shares.not_java["memset"], shares.weight()), (3e6, 9e6));
    // A frame that is not there, and a profile in another unit.
    assert!(profile.incomplete);
    let told = |text: &str| profile.remarks.iter().any(|remark| remark.contains(text));
    assert!(
        told("frames that are not there") && told("another unit"),
        "{:?}",
        profile.remarks
    );
}

#[test]
fn entries_and_exits() {
    let text = r#"{"shared": {"frames": [{"name": "A.run"}, {"name": "A.hot"}]}, "profiles": [
        {"type": "evented", "name": "t", "unit": "none", "startValue": 10, "endValue": 30, "events": [
        {"type": "O", "frame": 0, "at": 10}, {"type": "O", "frame": 1, "at": 12}, {"type": "C", "frame": 1, "at": 19},
        {"type": "C", "frame": 0, "at": 20}, {"type": "O", "frame": 1, "at": 26}, {"type": "C", "frame": 1, "at": 30}]}]}"#;
    assert_eq!(detect(text.as_bytes()), Some(Format::Speedscope));
    let profile = import(text.as_bytes(), &Options::default()).expect("sound");
    let shares = all(&profile);
    let of = |name: &str| shares.methods[&method(name)];
    assert_eq!(
        (of("A.run").self_weight, of("A.run").total_weight),
        (3.0, 10.0)
    );
    assert_eq!(
        (of("A.hot").self_weight, of("A.hot").total_weight),
        (11.0, 11.0)
    );
    assert!(!profile.incomplete);
}
