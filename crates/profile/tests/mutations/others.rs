//! Files that name code beside a recording, and those that are no profile.

use super::*;

/// The map and the dump of a sound perf.data file.
#[test]
fn perf_maps() {
    beside(Format::PerfMap, |options, bytes| {
        options.perf_map = Some(bytes)
    });
}

#[test]
fn jitdumps() {
    beside(Format::Jitdump, |options, bytes| {
        options.jitdump = Some(bytes)
    });
}

fn beside(format: Format, put: impl Fn(&mut Options, Vec<u8>)) {
    let data = seeds::of(Format::PerfData).swap_remove(0).bytes;
    attack(format, |bytes, numbers| {
        let mut options = Options::default();
        put(&mut options, bytes.to_vec());
        read(&data, &options, numbers)
    });
}

#[test]
fn published_studies() {
    attack(Format::Study, |bytes, _| match read_study(bytes) {
        Err(error) => refused(&error, bytes.len()),
        Ok(run) => {
            for recording in &run.recordings {
                let _ = (
                    recording.shares(),
                    recording.profile().by_method(&Filter::default()),
                );
            }
            End::Profile
        }
    });
}

#[test]
fn rebench_data() {
    attack(Format::ReBench, |bytes, _| match read_rebench(bytes) {
        Err(error) => refused(&error, bytes.len()),
        Ok(_) => End::Profile,
    });
}
