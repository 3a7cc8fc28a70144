//! Files that break off, and compressed ones.

use super::*;

#[test]
fn a_file_that_breaks_off_keeps_its_whole_records() {
    for name in ["perf.data.gz", "node-perf.data.gz"] {
        let bytes = unpacked(name);
        let whole = import(&bytes, &Options::default()).expect("sound");
        for len in [8, 20, 104, 400] {
            let error = import(&bytes[..len], &Options::default()).expect_err("broken off");
            let ImportError::Damaged { offset, .. } = error else {
                panic!("{name} {len} {error}")
            };
            assert!(offset <= len as u64, "{name}: {offset} of {len}");
        }
        for len in [bytes.len() * 3 / 4, bytes.len() - 1] {
            let kept = import(&bytes[..len], &Options::default()).expect("whole records");
            assert!(kept.incomplete && !kept.samples.is_empty(), "{name} {len}");
            assert!(kept.samples.len() <= whole.samples.len());
            assert_eq!(
                (kept.unit, &kept.events[0].name[..9]),
                (whole.unit, "cpu-clock")
            );
            assert_eq!(
                kept.remarks.iter().filter(|r| r.contains("byte")).count(),
                1
            );
        }
    }
}

/// A recorder that was killed has not written how much it recorded.
#[test]
fn a_recorder_that_was_killed() {
    let mut bytes = unpacked("perf.data.gz");
    let whole = import(&bytes, &Options::default()).expect("sound");
    let start = u64::from_le_bytes(bytes[40..48].try_into().expect("8 bytes"));
    let len = u64::from_le_bytes(bytes[48..56].try_into().expect("8 bytes"));
    bytes.truncate((start + len) as usize);
    bytes[48..56].fill(0);
    let kept = import(&bytes, &Options::default()).expect("records");
    assert_eq!(kept.samples.len(), whole.samples.len());
    assert!(kept.incomplete);
}

/// A process that was killed leaves a dump that ends in zeros; what it told before is used.
#[test]
fn a_dump_that_breaks_off_names_what_it_can() {
    let dump = unpacked("node.jitdump.gz");
    let import_with = |dump: &[u8]| {
        let options = Options {
            jitdump: Some(dump.to_vec()),
            ..Options::default()
        };
        import(&fixture("node-perf.data.gz"), &options)
    };
    let cut = import_with(&[&dump[..], &[0; 20]].concat()).expect("the rest");
    let told = cut
        .remarks
        .iter()
        .any(|r| r.starts_with("the jitdump file is damaged at byte"));
    assert!(cut.incomplete && told, "{:?}", cut.remarks);
    let error = import_with(&dump[..dump.len() - 1]).expect_err("nothing is named");
    assert!(error.to_string().starts_with("jitdump"), "{error}");
}

/// What `perf record -z` wrote says the same as perf says of it.
#[test]
fn compressed_records() {
    let (file, expected) = (
        fixture("compressed-perf.data"),
        fixture("compressed-perf.expected.txt"),
    );
    let profile = import(&file, &Options::default()).expect("a sound file");
    let text = String::from_utf8(expected).expect("text");
    let samples = text.lines().find_map(|line| line.strip_prefix("SAMPLE "));
    let samples: usize = samples.expect("a count").parse().expect("a number");
    assert_eq!(
        (profile.samples.len(), profile.incomplete),
        (samples, false)
    );
    assert_eq!(
        (profile.events[0].name.as_str(), profile.clock),
        ("cpu-clock", Clock::Epoch)
    );
    let times: Vec<i64> = profile.samples.iter().filter_map(|s| s.time_ns).collect();
    assert!(times.is_sorted() && times.len() == samples);
    assert!(
        profile
            .threads
            .iter()
            .any(|t| t.name.as_deref() == Some("python3"))
    );
}

/// Offsets of the compressed records of a file.
fn compressed_in(file: &[u8]) -> Vec<usize> {
    let long = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().expect("8 bytes"));
    let (mut at, mut found) = (long(40) as usize, Vec::new());
    let end = at + long(48) as usize;
    while at < end {
        if file[at..at + 4] == [81, 0, 0, 0] {
            found.push(at);
        }
        at += usize::from(u16::from_le_bytes([file[at + 6], file[at + 7]]));
    }
    found
}

/// A cut, or damage, gives what the compressed records before it hold, and its place in the file.
#[test]
fn compressed_records_that_break_off() {
    let file = fixture("compressed-perf.data");
    let whole = import(&file, &Options::default()).expect("a sound file");
    let records = compressed_in(&file);
    let late = records[records.len() - 2];
    let mut damaged = file.clone();
    damaged[late + 8..late + 12].fill(0xff);
    for (broken, at) in [(&file[..late + 10], late), (&damaged[..], late)] {
        let part = import(broken, &Options::default()).expect("what came before");
        let samples = part.samples.len();
        assert!(part.incomplete && samples > 10 && samples < whole.samples.len());
        let place = format!("byte {at}");
        let told = part.remarks.iter().any(|remark| remark.contains(&place));
        assert!(told, "{place}: {:?}", part.remarks);
    }
    let mut broken = file.clone();
    broken[records[0] + 8..records[0] + 12].fill(0xff);
    let error = import(&broken, &Options::default()).expect_err("no sample is left");
    let place = format!("byte {}", records[0]);
    let text = error.to_string();
    assert!(text.contains(&place) && text.contains("expected"), "{text}");
}
