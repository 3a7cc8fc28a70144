//! Memory of `proofmark import`, in a process of its own: what the system tells is the most of all processes that were started.

use std::io::Write as _;
use std::path::Path;
use std::process::Command;

/// Writes a `perf.data` file of so many bytes at least: the records of a fixture again and again.
fn long_recording(path: &Path, bytes: u64) -> u64 {
    let fixture =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../profile/tests/fixtures/perf.data.gz");
    let unpacked = Command::new("gunzip").arg("-c").arg(fixture).output();
    let file = unpacked.expect("gunzip").stdout;
    let long = |at: usize| u64::from_le_bytes(file[at..at + 8].try_into().expect("8 bytes"));
    let (start, len) = (long(40) as usize, long(48) as usize);
    let times = bytes / len as u64 + 1;
    let mut head = file[..start].to_vec();
    head[48..56].copy_from_slice(&(len as u64 * times).to_le_bytes());
    head[72..104].fill(0); // features, which stood behind the records
    let mut out = std::io::BufWriter::new(std::fs::File::create(path).expect("a file"));
    out.write_all(&head).expect("room");
    for _ in 0..times {
        out.write_all(&file[start..start + len]).expect("room");
    }
    out.flush().expect("room");
    start as u64 + len as u64 * times
}

/// What a process inherits from the one that starts it counts too, so this one holds no more of the file than a piece.
#[test]
fn a_long_recording_of_perf_does_not_fill_the_memory() {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("perf.data");
    let len = long_recording(&path, 96 << 20);
    let output = Command::new(env!("CARGO_BIN_EXE_proofmark"))
        .arg("import")
        .arg(&path)
        .output()
        .expect("the tool runs");
    let table = String::from_utf8_lossy(&output.stdout);
    assert!(table.contains("perf.data format"), "{output:?}");
    let used = nix::sys::resource::getrusage(nix::sys::resource::UsageWho::RUSAGE_CHILDREN);
    let peak = used.expect("known").max_rss() as u64 * 1024;
    assert!(
        peak > 1 << 20 && peak < len / 2,
        "{peak} bytes of memory for {len}"
    );
}
