//! Damaged and hostile files give errors or shorter profiles, never a crash, a spin or a huge allocation.

use crate::common::{fixture, unpacked};
use proofmark_profile::{Format, ImportError, Options, import};

#[test]
fn a_recording_cut_before_its_first_constants_says_where() {
    let whole = unpacked("async.jfr.gz");
    for len in [4, 40, 67, 68, whole.len() / 2] {
        let error = import(&whole[..len], &Options::default()).expect_err("broken off");
        let ImportError::Damaged {
            format: Format::Jfr,
            offset,
            what,
        } = error
        else {
            panic!("{error}")
        };
        assert!(offset <= len as u64, "{offset} of {len}");
        assert!(what.contains("expected"), "{what}");
    }
}

/// The JDK writes constants every second; what they explain is kept.
#[test]
fn a_recording_cut_in_its_only_chunk_keeps_the_seconds_before() {
    let bytes = unpacked("jdk25.jfr.gz");
    let whole = import(&bytes, &Options::default()).expect("sound");
    let cut = import(&bytes[..bytes.len() - 1], &Options::default()).expect("a prefix");
    assert!(cut.incomplete && !whole.incomplete);
    let place = format!("damaged at byte {}", bytes.len() - 1);
    assert!(cut.remarks[0].contains(&place), "{:?}", cut.remarks);
    let samples = whole.samples.len();
    assert!(
        cut.samples.len() > samples / 2,
        "{} of {samples}",
        cut.samples.len()
    );
    for (kept, sample) in cut.samples.iter().zip(&whole.samples) {
        assert_eq!(kept.time_ns, sample.time_ns);
    }
}

#[test]
fn cut_gzip_keeps_what_comes_out_and_says_so() {
    let packed = fixture("perf-script.txt.gz");
    let whole = import(&packed, &Options::default()).expect("sound");
    let cut = import(&packed[..packed.len() / 2], &Options::default()).expect("a prefix");
    assert!(cut.incomplete && cut.samples.len() < whole.samples.len());
    let told = cut
        .remarks
        .iter()
        .any(|r| r.contains("gzip data breaks off"));
    assert!(told, "{:?}", cut.remarks);
    let error = import(&packed[..12], &Options::default()).expect_err("nothing came out");
    assert!(matches!(error, ImportError::Gzip { .. }), "{error}");
}

#[test]
fn what_precedes_a_broken_chunk_is_kept() {
    let one = unpacked("jdk25.jfr.gz");
    let mut bytes = one.clone();
    bytes.extend_from_slice(&one[..one.len() / 2]);
    let kept = import(&bytes, &Options::default()).expect("the first chunks are sound");
    let whole = import(&one, &Options::default()).expect("sound");
    assert!(
        kept.incomplete && kept.remarks[0].contains("damaged at byte"),
        "{:?}",
        kept.remarks
    );
    assert!(kept.samples.len() >= whole.samples.len());
}

#[test]
fn a_gzip_bomb_is_refused() {
    use std::io::Write;
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    encoder.write_all(&vec![0; 1 << 20]).expect("into memory");
    let bomb = encoder.finish().expect("into memory");
    let options = Options {
        max_unpacked: 1000,
        ..Options::default()
    };
    assert!(matches!(
        import(&bomb, &options),
        Err(ImportError::TooLarge { limit: 1000 })
    ));
    // By default the size of the file bounds what it may become: 200 parts of 1 KB that are 1 MiB each.
    let many = bomb.repeat(200);
    let limit = (64 << 20) + 256 * many.len() as u64;
    let error = import(&many, &Options::default()).expect_err("too much");
    assert!(
        matches!(error, ImportError::TooLarge { limit: l } if l == limit),
        "{error}"
    );
}

#[test]
fn weights_that_nothing_can_have_are_left_out_and_told() {
    let sound = String::from_utf8(fixture("constructed/samply.json")).expect("text");
    let weights = "\"weight\": [1, 2, 1, 1]";
    assert!(sound.contains(weights));
    let damaged = sound.replace(weights, "\"weight\": [-1, 1e308, 1, 3]");
    let profile = import(damaged.as_bytes(), &Options::default()).expect("the rest is sound");
    let kept: Vec<f64> = profile.samples.iter().map(|s| s.weight).collect();
    assert_eq!(kept, [1.0, 3.0]);
    let told = |r: &String| r.contains("2 samples were left out because their weight");
    assert!(profile.incomplete && profile.remarks.iter().any(told));
}

#[test]
fn what_is_no_profile_is_named() {
    let error = import(b"\x7fELF\x02\x01", &Options::default()).expect_err("no profile");
    assert!(error.to_string().contains("ELF"), "{error}");
    assert!(import(b"", &Options::default()).is_err());
}
