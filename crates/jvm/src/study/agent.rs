//! Agents of other makers (YourKit, JProfiler), which the user has to have.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::SystemTime;

use crate::error::LabError;
use crate::harness::limits;
use crate::profilers::beside::Beside;

/// An agent library, loaded when the JVM starts.
#[derive(Debug, Clone, PartialEq)]
pub struct Agent {
    /// Name in results, for example `yourkit`.
    pub name: String,
    /// The library.
    pub library: PathBuf,
    /// Its options, with `{dir}` for the directory in which it shall leave its recording and `{out}` for a file there.
    pub options: String,
    /// Command for a shell that turns `{recording}` into `{out}`, a table or another form that can be read.
    pub export: Option<String>,
    /// Time between samples that the options ask for, ns, where known.
    pub interval_ns: Option<u64>,
}

impl Agent {
    /// The JVM's option.
    pub(super) fn option(&self, directory: &Path) -> String {
        let options = filled(&self.options, directory, &directory.join("out"));
        format!("-agentpath:{}={options}", self.library.display())
    }

    /// What can be read of what the agent left in the directory.
    pub(super) fn exported(&self, directory: &Path) -> Result<PathBuf, LabError> {
        let recording = newest(directory).ok_or_else(|| LabError::Profile {
            file: directory.to_owned(),
            message: format!(
                "{} left no file here: its options must name {{dir}} or {{out}} and make it write when the JVM ends",
                self.name
            ),
        })?;
        let Some(export) = &self.export else {
            return Ok(recording);
        };
        let table = directory.join("exported");
        let line = filled(export, directory, &table)
            .replace("{recording}", &recording.display().to_string());
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", &line])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Beside::start(&line, &mut command)?.finished_within(limits::EXPORT)?;
        if table.is_file() {
            return Ok(table);
        }
        Err(LabError::Profile {
            file: recording,
            message: format!("the export '{line}' made no {}", table.display()),
        })
    }
}

fn filled(text: &str, directory: &Path, out: &Path) -> String {
    text.replace("{dir}", &directory.display().to_string())
        .replace("{out}", &out.display().to_string())
}

/// The file that was written last.
fn newest(directory: &Path) -> Option<PathBuf> {
    let entries = std::fs::read_dir(directory).ok()?.flatten();
    let files = entries.filter_map(|entry| {
        let data = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
        let written = data.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        Some((written, entry.path()))
    });
    files.max().map(|(_, path)| path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn agent(export: Option<&str>) -> Agent {
        Agent {
            name: "yourkit".into(),
            library: "/opt/libyjpagent.so".into(),
            options: "sampling,dir={dir},file={out}".into(),
            export: export.map(str::to_owned),
            interval_ns: None,
        }
    }

    #[test]
    fn options_name_the_directory_and_a_file_in_it() {
        assert_eq!(
            agent(None).option(Path::new("/s")),
            "-agentpath:/opt/libyjpagent.so=sampling,dir=/s,file=/s/out"
        );
    }

    #[test]
    fn what_the_agent_left_is_found_and_exported() {
        let place = tempfile::tempdir().unwrap();
        let nothing = agent(None).exported(place.path()).unwrap_err().to_string();
        assert!(nothing.contains("yourkit left no file here"), "{nothing}");
        std::fs::write(place.path().join("x.snapshot"), "a.B.c 3\n").unwrap();
        assert_eq!(
            agent(None).exported(place.path()).unwrap(),
            place.path().join("x.snapshot")
        );
        let file = agent(Some("cp {recording} {out}"))
            .exported(place.path())
            .unwrap();
        assert_eq!(std::fs::read(file).unwrap(), b"a.B.c 3\n");
        std::fs::remove_file(place.path().join("exported")).unwrap();
        let failed = agent(Some("false")).exported(place.path()).unwrap_err();
        assert!(failed.to_string().contains("false"), "{failed}");
    }
}
