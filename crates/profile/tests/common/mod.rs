//! Fixtures for the tests.

use std::io::Read;
use std::path::PathBuf;

/// The bytes of a fixture, as they lie on disk.
pub fn fixture(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("tests/fixtures")
        .join(name);
    std::fs::read(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The unpacked bytes of a `.gz` fixture.
pub fn unpacked(name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    flate2::read::GzDecoder::new(&fixture(name)[..])
        .read_to_end(&mut bytes)
        .expect("sound gzip");
    bytes
}
