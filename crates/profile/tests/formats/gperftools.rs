//! gperftools, and the samples of programs built with `-pg`.

use proofmark_profile::{cpu_profile, gmon_histograms};

use super::*;

/// Two places in a program and one in a library, with their callers.
fn profile(words: &[u64], maps: &str) -> Vec<u8> {
    let words = words.iter().flat_map(|word| word.to_le_bytes());
    words.chain(maps.bytes()).collect()
}

const MAPS: &str = "\
1000-2000 r--p 00000000 fe:01 7          /tmp/the program
2000-3000 r-xp 00001000 fe:01 7          /tmp/the program
7000-8000 r-xp 00005000 fe:01 8          /lib/libc.so.6
8000-9000 rw-p 00000000 00:00 0
9000-a000 r-xp 00000000 00:00 0          [vdso]
";

const WORDS: [u64; 22] = [
    0, 3, 0, 4000, 0, // head
    5, 2, 0x2010, 0x2204, // five samples of one place
    2, 2, 0x7008, 0x2020, // two in the library
    1, 1, 0x6000, // one in no file
    1, 1, 0x9010, // one in what the kernel puts there
    0, 1, 0, // the end
];

#[test]
fn addresses_of_gperftools_are_places_in_files() {
    let bytes = profile(&WORDS, MAPS);
    assert_eq!(detect(&bytes), Some(Format::Gperftools));
    let read = cpu_profile(&bytes).expect("sound");
    assert_eq!(read.period_us, 4000);
    let counts: Vec<u64> = read.samples.iter().map(|one| one.count).collect();
    assert_eq!(counts, [5, 2, 1, 1]);
    let places = read
        .samples
        .iter()
        .map(|one| read.place_of(one.addresses[0]));
    assert_eq!(
        places.collect::<Vec<_>>(),
        [
            Some(("/tmp/the program", 0x1010)),
            Some(("/lib/libc.so.6", 0x5008)),
            None,
            Some(("[vdso]", 0x10)),
        ]
    );
    let profile = import(&bytes, &Options::default()).expect("sound");
    assert_eq!(profile.interval_ns(), Some(4_000_000));
    let found = by_name(&all(&profile));
    let expected = [
        ("[libc.so.6]", 2.0),
        ("[the program]", 5.0),
        ("[unknown]", 1.0),
        ("[vdso]", 1.0),
    ];
    let expected = expected.map(|(name, n)| (name.to_owned(), n));
    assert_eq!(found, BTreeMap::from(expected));
}

/// What comes before a damage is kept, and the whole is refused by those who need all of it.
#[test]
fn a_profile_of_gperftools_that_breaks_off_says_where() {
    let whole = profile(&WORDS, MAPS);
    let end = 8 * WORDS.len();
    for length in 0..end {
        let cut = &whole[..length];
        assert!(cpu_profile(cut).is_err(), "{length} bytes");
        let profile = import(cut, &Options::default());
        assert!(
            profile.is_ok_and(|one| one.incomplete) || length < 72,
            "{length} bytes"
        );
    }
    let without_files = import(&whole[..end], &Options::default()).expect("samples are there");
    assert!(without_files.incomplete);
    assert!(
        without_files
            .remarks
            .iter()
            .any(|one| one.contains("byte 176"))
    );
    // More addresses than the file has bytes; an end mark with another address; no sample at all.
    let mut long = WORDS;
    long[6] = u64::MAX;
    let mut strange = WORDS;
    strange[21] = 1;
    let none = [0, 3, 0, 4000, 0, 0, 1, 0];
    for words in [&long[..], &strange, &none] {
        assert!(cpu_profile(&profile(words, MAPS)).is_err(), "{words:?}");
    }
}

/// A head, a histogram of eight pieces of four bytes, a call and a block.
fn gmon() -> Vec<u8> {
    let mut bytes = b"gmon\x01\0\0\0".to_vec();
    bytes.extend([0; 12]);
    bytes.push(0);
    bytes.extend(0x1000_u64.to_le_bytes());
    bytes.extend(0x1020_u64.to_le_bytes());
    bytes.extend(8_u32.to_le_bytes());
    bytes.extend(100_u32.to_le_bytes());
    bytes.extend(b"seconds\0\0\0\0\0\0\0\0s");
    for count in [0_u16, 3, 0, 0, 0, 0, 0, 500] {
        bytes.extend(count.to_le_bytes());
    }
    bytes.push(1);
    bytes.extend([7; 20]);
    bytes.push(2);
    bytes.extend(1_u32.to_le_bytes());
    bytes.extend([7; 16]);
    bytes
}

#[test]
fn samples_of_programs_built_for_gprof_have_addresses() {
    let bytes = gmon();
    assert_eq!(detect(&bytes), Some(Format::Gmon));
    let all = gmon_histograms(&bytes).expect("sound");
    assert_eq!((all.len(), all[0].rate_hz), (1, 100));
    let pieces: Vec<_> = all[0].pieces().collect();
    assert_eq!(pieces, [(0x1004..0x1008, 3), (0x101c..0x1020, 500)]);
    let error = import(&bytes, &Options::default()).expect_err("no names");
    assert!(error.to_string().contains("gprof"), "{error}");
}

#[test]
fn damaged_samples_for_gprof_are_refused() {
    let whole = gmon();
    let sound = [77, 98];
    for length in 0..whole.len() {
        let read = gmon_histograms(&whole[..length]);
        assert_eq!(read.is_ok(), sound.contains(&length), "{length} bytes");
    }
    for (at, byte) in [(4, 2), (20, 9), (28, 0xff), (39, 0x7f), (98, 3)] {
        let mut damaged = whole.clone();
        damaged[at] = byte;
        assert!(gmon_histograms(&damaged).is_err(), "byte {at}");
    }
}
