//! The log of finished steps.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::StoreError;
use crate::lines::{Step, read_steps};

/// What the log needs of a file; a test puts a failing one in its place.
pub(crate) trait LogFile: Write {
    fn sync(&mut self) -> io::Result<()>;
    fn cut(&mut self, length: u64) -> io::Result<()>;
}

impl LogFile for File {
    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn cut(&mut self, length: u64) -> io::Result<()> {
        self.set_len(length)
    }
}

/// A file to which steps are appended as JSON lines.
#[derive(Debug)]
pub(crate) struct StepLog<F> {
    path: PathBuf,
    file: F,
    /// Bytes of whole lines.
    length: u64,
    /// True if there may be more bytes in the file than whole lines.
    torn: bool,
    steps: Vec<Step>,
}

impl StepLog<File> {
    /// Opens the log, or makes an empty one. A last line that an interruption left unfinished is
    /// dropped.
    pub fn open(path: &Path) -> Result<Self, StoreError> {
        let mut file = OpenOptions::new()
            .read(true)
            .append(true)
            .create(true)
            .open(path)
            .map_err(StoreError::at(path))?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(StoreError::at(path))?;
        let (steps, length) = read_steps(path, &bytes)?;
        let torn = length < bytes.len();
        let length = u64::try_from(length).expect("a file's length fits");
        Ok(Self {
            path: path.to_path_buf(),
            file,
            length,
            torn,
            steps,
        })
    }
}

impl<F: LogFile> StepLog<F> {
    /// Appends a step. When this returns without an error, the step is on the disk.
    pub fn append(&mut self, name: &str, result: &impl Serialize) -> Result<(), StoreError> {
        let not_json = |source| StoreError::NotJson {
            path: self.path.clone(),
            source,
        };
        let result = serde_json::to_value(result).map_err(not_json)?;
        let step = Step {
            name: name.to_string(),
            result,
        };
        let mut line = serde_json::to_vec(&step).map_err(not_json)?;
        line.push(b'\n');
        self.mend().map_err(StoreError::at(&self.path))?;
        self.torn = true;
        let written = self.file.write_all(&line).and_then(|()| self.file.sync());
        if let Err(error) = written {
            // If this fails as well, the next append tries again, and a reader drops the rest.
            let _ = self.mend();
            return Err(StoreError::at(&self.path)(error));
        }
        self.torn = false;
        self.length += u64::try_from(line.len()).expect("a line's length fits");
        self.steps.push(step);
        Ok(())
    }

    /// Cuts off what an unfinished append left.
    fn mend(&mut self) -> io::Result<()> {
        if self.torn {
            self.file.cut(self.length)?;
            self.torn = false;
        }
        Ok(())
    }

    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The result of the last step of this name.
    pub fn result<T: DeserializeOwned>(&self, name: &str) -> Result<Option<T>, StoreError> {
        let Some(at) = self.steps.iter().rposition(|step| step.name == name) else {
            return Ok(None);
        };
        let result = T::deserialize(&self.steps[at].result);
        result.map(Some).map_err(|error| StoreError::Damaged {
            path: self.path.clone(),
            line: at + 1,
            what: format!("step {name}: {error}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disk with room for `room` bytes; while `stuck`, nothing can be cut off either.
    struct SmallDisk {
        bytes: Vec<u8>,
        room: usize,
        stuck: bool,
    }

    impl Write for SmallDisk {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let fits = bytes.len().min(self.room - self.bytes.len());
            if fits == 0 {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.bytes.extend(&bytes[..fits]);
            Ok(fits)
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl LogFile for SmallDisk {
        fn sync(&mut self) -> io::Result<()> {
            Ok(())
        }

        fn cut(&mut self, length: u64) -> io::Result<()> {
            if self.stuck {
                return Err(io::ErrorKind::StorageFull.into());
            }
            self.bytes.truncate(usize::try_from(length).unwrap());
            Ok(())
        }
    }

    fn on(file: SmallDisk) -> StepLog<SmallDisk> {
        StepLog {
            path: "steps.jsonl".into(),
            file,
            length: 0,
            torn: false,
            steps: Vec::new(),
        }
    }

    #[test]
    fn a_full_disk_loses_nothing_and_is_usable_again() {
        for stuck in [false, true] {
            let mut log = on(SmallDisk {
                bytes: Vec::new(),
                room: 90,
                stuck,
            });
            log.append("one", &[1, 2]).unwrap();
            let error = log.append("two", &"x".repeat(100)).unwrap_err();
            assert!(matches!(error, StoreError::Full { .. }), "{error}");
            assert!(
                error.to_string().contains("steps.jsonl: no space left"),
                "{error}"
            );
            let (seen, _) = read_steps(Path::new("x"), &log.file.bytes).unwrap();
            assert_eq!(
                seen,
                log.steps(),
                "a reader sees the first step, and only it"
            );
            log.file.room = 1000;
            log.file.stuck = false;
            log.append("three", &3).unwrap();
            let (seen, length) = read_steps(Path::new("x"), &log.file.bytes).unwrap();
            assert_eq!(
                seen.iter().map(|step| &step.name[..]).collect::<Vec<_>>(),
                ["one", "three"]
            );
            assert_eq!(length, log.file.bytes.len());
        }
    }

    #[test]
    fn the_kernels_own_full_device_is_called_full() {
        let path = Path::new("/dev/full");
        let file = OpenOptions::new().append(true).open(path).unwrap();
        let mut log = StepLog {
            path: path.into(),
            file,
            length: 0,
            torn: false,
            steps: Vec::new(),
        };
        assert!(matches!(
            log.append("one", &1),
            Err(StoreError::Full { .. })
        ));
        assert!(log.steps().is_empty());
    }
}
