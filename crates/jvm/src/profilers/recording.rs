//! What a profiler left of one run, and the same in few bytes.

use std::path::{Path, PathBuf};

use proofmark_profile::{Format, Options, Profile, Unit, import};

use crate::error::LabError;
use crate::study::LABEL;

/// A profiler's own file.
#[derive(Debug, Clone)]
pub struct Recording {
    /// The file.
    pub file: PathBuf,
    /// The JVM's map of its code, which perf's file needs.
    pub perf_map: Option<Vec<u8>>,
}

/// A recording in few bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Compact {
    /// Contents of the file.
    pub bytes: Vec<u8>,
    /// Ending of its name, for example `collapsed`.
    pub extension: String,
    /// Samples in it, failed ones included.
    pub samples: u64,
    /// Samples that the profiler says it lost; the compact form does not hold their number.
    pub lost: u64,
}

impl Recording {
    /// Reads the recording. Samples become collapsed stacks, with thread, kind of code and failures, times left out;
    /// tables of times or shares stay as they are.
    ///
    /// # Errors
    /// When the file cannot be read as a profile.
    pub fn compact(&self) -> Result<Compact, LabError> {
        let fault = |message: String| LabError::Profile {
            file: self.file.clone(),
            message,
        };
        let bytes = std::fs::read(&self.file).map_err(|error| fault(error.to_string()))?;
        if bytes.is_empty() {
            return Err(fault(NO_SAMPLE.into()));
        }
        let options = Options {
            perf_map: self.perf_map.clone(),
            ..Options::default()
        };
        let mut profile = import(&bytes, &options).map_err(|error| fault(error.to_string()))?;
        let lost = profile.losses.iter().map(|loss| loss.samples).sum();
        if matches!(profile.format, Format::PerfData | Format::PerfScript) {
            count_samples(&mut profile);
        }
        if profile.unit != Unit::Samples {
            let extension = extension(&self.file);
            let samples = profile.samples.len() as u64;
            return Ok(Compact {
                bytes,
                extension,
                samples,
                lost,
            });
        }
        keep_the_run(&mut profile);
        let samples = profile.samples.iter().map(|s| s.weight).sum::<f64>() as u64;
        if samples == 0 {
            return Err(fault(NO_SAMPLE.into()));
        }
        name_failures(&mut profile);
        Ok(Compact {
            bytes: profile.to_collapsed().into_bytes(),
            extension: "collapsed".into(),
            samples,
            lost,
        })
    }
}

const NO_SAMPLE: &str = "the profiler took no sample during the iterations";

/// perf gives every sample the time since the one before; all other profilers here count.
fn count_samples(profile: &mut Profile) {
    profile.unit = Unit::Samples;
    profile.samples.iter_mut().for_each(|s| s.weight = 1.0);
}

/// Leaves out other kinds of events, and what came before or after the iterations where the recording says when they were.
fn keep_the_run(profile: &mut Profile) {
    let main = profile.events[0].name.clone();
    let counts = |name: &str| {
        name == main || main == "jdk.ExecutionSample" && name == "jdk.NativeMethodSample"
    };
    let counted: Vec<bool> = profile.events.iter().map(|e| counts(&e.name)).collect();
    let mark = profile.marks.iter().find(|mark| mark.label == LABEL);
    let window = mark.map(proofmark_profile::Mark::window);
    profile.samples.retain(|sample| {
        let inside = match (&window, sample.time_ns) {
            (Some(window), Some(time)) => window.contains(&time),
            _ => true,
        };
        inside && counted[sample.event.index()]
    });
}

/// Collapsed stacks have no other place for a failure than a word of async-profiler's at the leaf.
fn name_failures(profile: &mut Profile) {
    use proofmark_profile::{Frame, FrameIdx, FrameKind, MethodId, MethodIdx, StackIdx};
    let failed = profile.samples.iter().filter(|s| s.failure.is_some());
    if failed.count() == 0 {
        return;
    }
    let method = MethodIdx(profile.methods.len() as u32);
    profile.methods.push(MethodId::symbol(UNWALKED));
    let word = FrameIdx(profile.frames.len() as u32);
    profile.frames.push(Frame {
        method,
        kind: FrameKind::Native,
        line: None,
        bci: None,
    });
    let stacks = &mut profile.stacks;
    for sample in profile.samples.iter_mut().filter(|s| s.failure.is_some()) {
        let named = stacks[sample.stack.index()].first().is_some_and(|leaf| {
            let leaf = &profile.methods[profile.frames[leaf.index()].method.index()];
            leaf.class.is_empty() && leaf.name.starts_with('[')
        });
        if !named {
            let frames = stacks[sample.stack.index()].iter().copied();
            let stack: Vec<FrameIdx> = std::iter::once(word).chain(frames).collect();
            sample.stack = StackIdx(stacks.len() as u32);
            stacks.push(stack.into());
        }
    }
}

/// async-profiler's word for a Java stack that could not be walked.
const UNWALKED: &str = "[unknown_Java]";

fn extension(file: &Path) -> String {
    let extension = file.extension().map(|e| e.to_string_lossy().into_owned());
    extension.unwrap_or_else(|| "profile".into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proofmark_profile::{Filter, MethodId, ThreadFilter};

    fn compact(name: &str, bytes: &[u8]) -> Result<Compact, LabError> {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join(name);
        std::fs::write(&file, bytes).unwrap();
        let recording = Recording {
            file,
            perf_map: None,
        };
        recording.compact()
    }

    #[test]
    fn threads_kinds_and_failures_survive() {
        let text = "[main tid=7];a.B.run_[j];a.B.hot_[i] 5\n[main tid=7];[unknown_Java] 2\n[C2 tid=9];Compile::Optimize 3\n";
        let compact = compact("x.collapsed", text.as_bytes()).unwrap();
        assert_eq!((compact.extension.as_str(), compact.lost), ("collapsed", 0));
        let profile = import(&compact.bytes, &Options::default()).unwrap();
        let filter = Filter {
            thread: ThreadFilter::OsId(7),
            ..Filter::default()
        };
        let shares = profile.by_method(&filter);
        assert_eq!(
            (shares.weight(), shares.failed_weight()),
            (7.0, 2.0),
            "{}",
            String::from_utf8_lossy(&compact.bytes)
        );
        let hot = MethodId::parse("a.B.hot").unwrap();
        assert_eq!(shares.methods[&hot].self_weight, 5.0);
    }

    #[test]
    fn samples_of_perf_are_counted() {
        let script = "main 1/7 10.000001: 1000000 cpu-clock:u: \n\t7f00 a.B::c+0x1 (/tmp/perf-1.map)\n\n\
                      main 1/7 10.000003: 2000000 cpu-clock:u: \n\t7f00 a.B::c+0x1 (/tmp/perf-1.map)\n\n";
        let compact = compact("x.txt", script.as_bytes()).unwrap();
        let text = String::from_utf8(compact.bytes).unwrap();
        assert_eq!(compact.samples, 2, "{text}");
        assert!(text.ends_with(" 2\n") && text.contains("tid=7]"), "{text}");
    }

    #[test]
    fn a_sample_without_any_stack_stays_a_failed_sample() {
        let mut profile = import(b"a.B.c_[j] 1\n", &Options::default()).unwrap();
        profile
            .failures
            .push(proofmark_profile::Failure("failed".into()));
        let mut failed = profile.samples[0].clone();
        failed.failure = Some(0);
        failed.stack = proofmark_profile::StackIdx(profile.stacks.len() as u32);
        profile.stacks.push(Vec::new().into());
        profile.samples.push(failed);
        name_failures(&mut profile);
        let back = import(profile.to_collapsed().as_bytes(), &Options::default()).unwrap();
        let shares = back.by_method(&Filter::default());
        assert_eq!((shares.weight(), shares.failed_weight()), (2.0, 1.0));
    }

    #[test]
    fn tables_stay_as_they_are_and_rubbish_is_named() {
        let table = b"\"Name\",\"Time (ms)\",\"Own Time (ms)\"\n\"a.B.c()\",\"20\",\"15\"\n";
        let kept = compact("x.csv", table).unwrap();
        assert_eq!(
            (kept.bytes.as_slice(), kept.extension.as_str()),
            (&table[..], "csv")
        );
        let text = compact("x.snapshot", &[1, 2, 3]).unwrap_err().to_string();
        assert!(text.contains("x.snapshot"), "{text}");
        let text = compact("x.collapsed", b"").unwrap_err().to_string();
        assert!(text.contains("took no sample"), "{text}");
    }
}
