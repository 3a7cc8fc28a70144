//! The JDK's own `jfr print` says the same.

use super::*;

/// `thread|method|kind` of the leaf of every sample of an event, counted.
fn leaves(profile: &Profile, event: &str) -> BTreeMap<String, u64> {
    let mut leaves = BTreeMap::new();
    for sample in &profile.samples {
        let Some(leaf) = profile.frames_of(sample).next() else {
            continue;
        };
        if profile.events[sample.event.index()].name == event {
            let thread = sample
                .thread
                .and_then(|t| profile.threads[t.index()].name.clone())
                .unwrap_or_default();
            let method = &profile.methods[leaf.method.index()];
            *leaves
                .entry(format!("{thread}|{method}|{}", kind_name(leaf.kind)))
                .or_default() += 1;
        }
    }
    leaves
}

/// The JDK's spelling in ours.
fn expected_leaves(expected: &Value, event: &str) -> BTreeMap<String, u64> {
    let mut leaves = BTreeMap::new();
    for (key, count) in expected["leaves"][event].as_object().into_iter().flatten() {
        let parts: Vec<&str> = key.split('|').collect();
        let method = MethodId::parse(parts[1]).unwrap_or_else(|| panic!("{key}"));
        *leaves
            .entry(format!("{}|{method}|{}", parts[0], parts[2]))
            .or_default() += count.as_u64().expect("a count");
    }
    leaves
}

fn agrees_with_the_jdk(name: &str) {
    let (profile, expected) = recording(name);
    for (event, count) in expected["counts"].as_object().expect("counts") {
        if event.ends_with("Sample") {
            assert_eq!(
                count_of(&profile, event),
                count.as_u64().expect("a count"),
                "{event}"
            );
            assert_eq!(
                leaves(&profile, event),
                expected_leaves(&expected, event),
                "{event}"
            );
        }
    }
    let lost: u64 = profile.losses.iter().map(|l| l.samples).sum();
    assert_eq!(lost, expected["lost"].as_u64().expect("a count"));
    assert_eq!((profile.clock, profile.incomplete), (Clock::Epoch, false));
    assert!(!profile.overloads_merged && profile.remarks.is_empty());
}

#[test]
fn jdk_17_agrees() {
    agrees_with_the_jdk("jdk17");
}

#[test]
fn jdk_25_agrees() {
    agrees_with_the_jdk("jdk25");
}

#[test]
fn marks_agree_to_the_microsecond() {
    for name in ["jdk17", "jdk25"] {
        let (profile, expected) = recording(name);
        let expected = expected["marks"].as_array().expect("marks");
        assert_eq!(profile.marks.len(), expected.len());
        for (mark, row) in profile.marks.iter().zip(expected) {
            assert_eq!(Some(mark.label.as_str()), row[0].as_str());
            assert_eq!(Some(mark.index), row[1].as_i64());
            assert!(
                (mark.begin_ns - row[2].as_i64().expect("ns")).abs() < 1_000,
                "{name} {mark:?} {row}"
            );
            assert!(
                (mark.end_ns - row[3].as_i64().expect("ns")).abs() < 1_000,
                "{name} {mark:?} {row}"
            );
        }
    }
}

#[test]
fn sample_times_depths_lines_and_bytecode_indices_agree() {
    for name in ["jdk17", "jdk25"] {
        let (profile, expected) = recording(name);
        let mut rows = Vec::new();
        for sample in &profile.samples {
            let frames: Vec<_> = profile.frames_of(sample).collect();
            if let Some(leaf) = frames.first() {
                let event = profile.events[sample.event.index()].name.clone();
                rows.push((
                    event,
                    sample.time_ns.expect("a time"),
                    frames.len(),
                    leaf.line,
                    leaf.bci,
                ));
            }
        }
        rows.sort();
        assert_eq!(
            rows.len() as u64,
            expected["rows"].as_u64().expect("a count")
        );
        for (row, jdk) in rows
            .iter()
            .zip(expected["first_rows"].as_array().expect("rows"))
        {
            assert_eq!(Some(row.0.as_str()), jdk[0].as_str());
            assert!(
                (row.1 - jdk[1].as_i64().expect("ns")).abs() < 1_000,
                "{row:?} {jdk}"
            );
            assert_eq!(
                row.2 as u64,
                jdk[2].as_u64().expect("a depth"),
                "{row:?} {jdk}"
            );
            assert_eq!(
                row.3.map(i64::from),
                jdk[3].as_i64().filter(|&l| l > 0),
                "{row:?} {jdk}"
            );
            assert_eq!(
                row.4.map(i64::from),
                jdk[4].as_i64().filter(|&b| b >= 0),
                "{row:?} {jdk}"
            );
        }
    }
}
