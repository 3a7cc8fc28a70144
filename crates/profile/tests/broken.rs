//! Damaged and hostile files give errors or shorter profiles, never a crash, a spin or a huge allocation.

mod common;

use common::{Numbers, unpacked};
use proofmark_profile::{Format, ImportError, Options, import};

const JFRS: [&str; 3] = ["jdk17.jfr.gz", "jdk25.jfr.gz", "async.jfr.gz"];

#[test]
fn a_truncated_recording_says_where_it_broke() {
    let whole = unpacked("jdk25.jfr.gz");
    for len in [4, 40, 67, 68, whole.len() / 2, whole.len() - 1] {
        let error = import(&whole[..len], &Options::default()).expect_err("broken off");
        let ImportError::Damaged {
            format: Format::Jfr,
            offset,
            ..
        } = error
        else {
            panic!("{error}")
        };
        assert!(offset <= len as u64, "{offset} of {len}");
    }
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
fn mutated_recordings_end_in_a_value() {
    let mut numbers = Numbers(7);
    for name in JFRS {
        let sound = unpacked(name);
        let mut damaged = 0;
        for _ in 0..100 {
            let mut bytes = sound.clone();
            for _ in 0..1 + numbers.below(8) {
                let at = numbers.below(bytes.len());
                bytes[at] = [0xff, 0x00, 0x7f, 0x80, numbers.below(256) as u8][numbers.below(5)];
            }
            damaged +=
                u32::from(import(&bytes, &Options::default()).map_or(true, |p| p.incomplete));
        }
        assert!(
            damaged > 0,
            "{name}: no mutation was noticed, so this test tests nothing"
        );
    }
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
}

#[test]
fn what_is_no_profile_is_named() {
    let error = import(b"\x7fELF\x02\x01", &Options::default()).expect_err("no profile");
    assert!(error.to_string().contains("ELF"), "{error}");
    assert!(import(b"", &Options::default()).is_err());
}
