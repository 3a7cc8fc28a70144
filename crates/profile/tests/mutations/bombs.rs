//! Small files that mean large things: random damage hardly makes them, malice does.

use std::fmt::Write;

use proofmark_profile::{ImportError, Options, Profile, import};

use crate::allocator::peak_of;
use crate::clock;
use crate::recording::{Extra, chunk};
use crate::{CAP, CAP_PER_BYTE, LONGEST};

fn defused(bytes: &[u8]) -> Result<Profile, ImportError> {
    let begin = clock::spent();
    let (outcome, peak) = peak_of(|| import(bytes, &Options::default()));
    let cap = CAP + CAP_PER_BYTE * bytes.len();
    assert!(peak <= cap, "{peak} bytes of memory for {}", bytes.len());
    let took = clock::spent() - begin;
    assert!(took < LONGEST, "{took:?}");
    outcome
}

fn recording(extra: &Extra) -> Vec<u8> {
    chunk(extra).0
}

#[test]
fn a_recording_without_extras_is_sound() {
    let profile = defused(&recording(&Extra::default())).expect("sound");
    assert_eq!((profile.samples.len(), profile.losses.len()), (12, 1));
    assert_eq!((profile.marks.len(), profile.incomplete), (1, false));
    assert_eq!(profile.events[0].name, "jdk.CPUTimeSample");
}

#[test]
fn many_methods_of_a_class_with_a_long_name() {
    let extra = Extra {
        class_len: 60_000,
        methods: 20_000,
        fields: 0,
    };
    let error = defused(&recording(&extra)).map(|profile| assert!(profile.incomplete));
    assert!(error.map_or_else(|e| e.to_string().contains("expected"), |()| true));
}

#[test]
fn many_fields_with_one_long_name() {
    let extra = Extra {
        class_len: 60_000,
        methods: 0,
        fields: 20_000,
    };
    let profile = defused(&recording(&extra)).expect("odd but sound");
    assert_eq!(profile.samples.len(), 12);
}

/// `number` is the field of the message.
fn message(out: &mut Vec<u8>, number: u8, body: &[u8]) {
    out.push(number << 3 | 2);
    let mut len = body.len();
    while len >= 0x80 {
        out.push(len as u8 | 0x80);
        len >>= 7;
    }
    out.push(len as u8);
    out.extend(body);
}

/// A location with many inlined functions, many times on one stack.
#[test]
fn pprof_with_more_frames_than_bytes() {
    let (mut out, mut location, mut sample) = (Vec::new(), vec![0x08, 1], Vec::new());
    (0..30_000).for_each(|_| message(&mut location, 4, &[]));
    message(&mut sample, 1, &[1; 60_000]);
    message(&mut sample, 2, &[1]);
    message(&mut out, 1, &[0x08, 1, 0x10, 2]);
    message(&mut out, 2, &sample);
    message(&mut out, 4, &location);
    for text in ["", "cpu", "nanoseconds"] {
        message(&mut out, 6, text.as_bytes());
    }
    let error = defused(&out).expect_err("no such stack");
    assert!(error.to_string().contains("frames"), "{error}");
}

/// One long chain of callers, and a sample at each of its ends.
#[test]
fn firefox_profile_with_a_long_chain() {
    let mut columns = ["", "", "", ""].map(str::to_owned);
    for row in 0..8_000 {
        let prefix = if row == 0 {
            "null".to_owned()
        } else {
            (row - 1).to_string()
        };
        for (column, cell) in
            columns
                .iter_mut()
                .zip([prefix, row.to_string(), row.to_string(), row.to_string()])
        {
            write!(column, "{}{cell}", if row > 0 { "," } else { "" }).expect("a string");
        }
    }
    let [prefix, frame, func, stack] = columns;
    let json = format!(
        "{{\"meta\": {{}}, \"threads\": [{{\"stringArray\": [\"a\"],
        \"samples\": {{\"stack\": [{stack}]}}, \"stackTable\": {{\"prefix\": [{prefix}], \"frame\": [{frame}]}},
        \"frameTable\": {{\"func\": [{func}], \"line\": [{frame}]}}, \"funcTable\": {{\"name\": [0]}}}}]}}"
    );
    let profile = defused(json.as_bytes()).expect("deep, but readable");
    assert!(profile.incomplete, "the stacks were cut");
}

/// A perf.data file as a pipe, with one compressed record: a frame of `blocks` blocks, each 128 KiB of one byte.
fn perf_pipe(blocks: usize) -> Vec<u8> {
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x48]; // no checksum, no size, a window of 512 KiB
    (0..blocks).for_each(|_| frame.extend([0x02, 0, 0x10, 0])); // 128 KiB of zeros
    let mut file = b"PERFILE2".to_vec();
    file.extend(16_u64.to_le_bytes());
    file.extend(81_u32.to_le_bytes());
    file.extend([0, 0]);
    file.extend((frame.len() as u16 + 8).to_le_bytes());
    file.extend(frame);
    file
}

/// 64 KB that would unpack to 2 GB.
#[test]
fn perf_data_that_unpacks_to_much() {
    let file = perf_pipe(16_000);
    let (outcome, peak) = peak_of(|| import(&file, &Options::default()));
    let error = outcome.expect_err("nothing of it counts").to_string();
    assert!(
        error.contains("bytes at most were expected") && error.contains("byte 16"),
        "{error}"
    );
    assert!(peak < 64 << 20, "{peak} bytes of memory");
    let error = import(&perf_pipe(1), &Options::default()).expect_err("zeros are no record");
    assert!(error.to_string().contains("expected"), "{error}");
}

/// JSON in JSON in JSON.
#[test]
fn json_that_nests_deeply() {
    let json = format!("{{\"meta\": {}", "[".repeat(200_000));
    let error = defused(json.as_bytes()).expect_err("no profile");
    assert!(error.to_string().contains("expected"), "{error}");
}
