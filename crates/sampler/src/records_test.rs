//! Ring bytes made by hand: wrap-around, losses, records that are cut off.

use proptest::prelude::*;

use super::*;

fn record(kind: u32, words: &[u64]) -> Vec<u8> {
    let size = (HEADER_BYTES + 8 * words.len()) as u16;
    let mut bytes = Vec::new();
    bytes.extend(kind.to_ne_bytes());
    bytes.extend(2_u16.to_ne_bytes());
    bytes.extend(size.to_ne_bytes());
    bytes.extend(words.iter().flat_map(|word| word.to_ne_bytes()));
    bytes
}

fn sample_record(ip: u64, time_ns: u64) -> Vec<u8> {
    record(sys::PERF_RECORD_SAMPLE, &[ip, 7 | 8 << 32, time_ns])
}

fn parse(bytes: &[u8]) -> (Vec<Sample>, Result<Loss, SamplerError>) {
    let mut samples = Vec::new();
    let loss = parse_records(bytes, 1, &mut samples);
    (samples, loss)
}

#[test]
fn a_sample_record_is_as_long_as_the_ring_is_sized_for() {
    assert_eq!(sample_record(1, 2).len(), SAMPLE_RECORD_BYTES);
}

#[test]
fn ip_time_and_stream_come_out_and_unknown_records_are_stepped_over() {
    let bytes = [
        sample_record(0x1000, 42),
        record(99, &[1, 2, 3]),
        sample_record(0x1001, 43),
    ]
    .concat();
    let (samples, loss) = parse(&bytes);
    assert_eq!(
        samples,
        [
            Sample {
                ip: 0x1000,
                time_ns: 42,
                stream: 1
            },
            Sample {
                ip: 0x1001,
                time_ns: 43,
                stream: 1
            }
        ]
    );
    assert!(loss.unwrap().is_none());
}

#[test]
fn lost_and_throttled_are_counted() {
    let bytes = [
        record(sys::PERF_RECORD_LOST, &[77, 5]),
        record(sys::PERF_RECORD_THROTTLE, &[1, 2, 3]),
        sample_record(1, 1),
        record(sys::PERF_RECORD_UNTHROTTLE, &[1, 2, 3]),
        record(sys::PERF_RECORD_LOST_SAMPLES, &[3]),
    ]
    .concat();
    let (samples, loss) = parse(&bytes);
    assert_eq!(
        (samples.len(), loss.unwrap()),
        (
            1,
            Loss {
                lost: 8,
                throttled: 1
            }
        )
    );
}

#[test]
fn a_record_longer_than_the_bytes_is_corrupt_and_what_came_before_is_kept() {
    let mut bytes = [sample_record(1, 1), sample_record(2, 2)].concat();
    bytes.pop();
    let (samples, loss) = parse(&bytes);
    assert_eq!(samples.len(), 1);
    assert!(matches!(
        loss,
        Err(SamplerError::Corrupt {
            offset: 32,
            length: 63
        })
    ));
}

#[test]
fn a_record_too_short_for_its_kind_or_its_own_header_is_corrupt() {
    let zero_sized = [0; 16];
    for bytes in [
        record(sys::PERF_RECORD_SAMPLE, &[1, 2]),
        record(sys::PERF_RECORD_LOST, &[1]),
        zero_sized.to_vec(),
    ] {
        assert!(matches!(
            parse(&bytes).1,
            Err(SamplerError::Corrupt { offset: 0, .. })
        ));
    }
}

#[test]
fn unread_bytes_wrap_around_the_end() {
    assert_eq!(unread_spans(0, 0, 64), Some([0..0, 0..0]));
    assert_eq!(unread_spans(48, 80, 64), Some([48..64, 0..16]));
    assert_eq!(unread_spans(64, 128, 64), Some([0..64, 0..0]));
    assert_eq!(unread_spans(0, 65, 64), None, "more than the ring holds");
    assert_eq!(unread_spans(9, 8, 64), None, "head before tail");
}

proptest! {
    #[test]
    fn any_split_of_records_over_the_ring_gives_all_samples(tail in 0_u64..10_000, count in 0_usize..16) {
        let size = 512;
        let tail = tail * 8;
        let records: Vec<u8> = (0..count as u64).flat_map(|number| sample_record(number, number + 100)).collect();
        let mut ring = vec![0xAA_u8; size];
        for (position, byte) in (tail..).zip(&records) {
            ring[position as usize % size] = *byte;
        }
        let spans = unread_spans(tail, tail + records.len() as u64, size).unwrap();
        let taken = spans.map(|span| ring[span].to_vec()).concat();
        let (samples, loss) = parse(&taken);
        prop_assert!(loss.unwrap().is_none());
        prop_assert_eq!(samples.iter().map(|sample| sample.ip).collect::<Vec<_>>(), (0..count as u64).collect::<Vec<_>>());
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in proptest::collection::vec(any::<u8>(), 0..256)) {
        let _ = parse(&bytes);
    }
}
