//! The file that tells a program its dose; `runtime.c` reads it.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};

/// "PRMDOSE1", read as a little-endian number.
const MAGIC: u64 = 0x3145_534f_444d_5250;
/// Length: magic (8), key (8), turns (4), sites that took it (4).
const BYTES: usize = 24;

/// The file.
pub(crate) struct DoseFile {
    file: File,
    path: PathBuf,
}

impl DoseFile {
    /// Makes it.
    pub(crate) fn create(path: &Path) -> io::Result<Self> {
        let file = File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(path)?;
        file.set_len(BYTES as u64)?;
        Ok(Self {
            file,
            path: path.to_owned(),
        })
    }

    /// The value of the program's variable.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// From now on programs that start get this dose; no turns: all sites are at rest.
    pub(crate) fn set(&self, key: u64, turns: u32) -> io::Result<()> {
        let mut bytes = [0; BYTES];
        bytes[..8].copy_from_slice(&MAGIC.to_le_bytes());
        bytes[8..16].copy_from_slice(&key.to_le_bytes());
        bytes[16..20].copy_from_slice(&turns.to_le_bytes());
        self.file.write_all_at(&bytes, 0)
    }

    /// Sites that took the dose since it was set.
    pub(crate) fn obeyed(&self) -> io::Result<u32> {
        let mut bytes = [0; 4];
        self.file.read_exact_at(&mut bytes, 20)?;
        Ok(u32::from_le_bytes(bytes))
    }
}
