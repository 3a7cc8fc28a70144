//! Files and directories become recordings.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use proofmark_profile::{
    Format, Options, Profile, StudyRun, detect, import, read_rebench, read_study, unpacked,
};
use proofmark_study::{MANIFEST, Recording, RunThread, Taking, published, recording};

use super::live_record::RECORDINGS;
use super::pattern::{Grouped, Pattern};
use super::reading::Reading;
use super::times::{self, Place};
use super::{manifest, thread::has_thread};
use crate::context::Refusal;
use crate::progress::Progress;
use crate::read::{in_parts, profile, whole, with_doses};
use crate::request::Recordings;

/// The only program's name, where nothing names programs.
const PROGRAM: &str = "program";

/// Reads all inputs.
///
/// # Errors
/// When a file given by name is no recording, a directory cannot be read, or there is no recording at all.
pub fn read(
    inputs: &[PathBuf],
    request: &Recordings,
    progress: &Progress,
) -> anyhow::Result<Reading> {
    let mut reader = Reader::new(request, progress)?;
    for input in inputs {
        if input.join(MANIFEST).is_file() {
            reader.manifest(input)?;
        } else if input.is_dir() {
            whole_study(input)?;
            // Of the directory itself; what cannot be read below it is left out and said.
            std::fs::read_dir(input).with_context(|| format!("cannot read {}", input.display()))?;
            reader.directory(input);
        } else {
            reader.file(input)?;
        }
    }
    reader.finish(inputs)
}

/// The recordings of a study say neither program nor profiler; its list of runs does.
fn whole_study(directory: &Path) -> Result<(), Refusal> {
    let real = directory.canonicalize();
    let real = real.unwrap_or_else(|_| directory.to_path_buf());
    let name = directory.display();
    if let Some(study) = real
        .parent()
        .filter(|parent| parent.join(MANIFEST).is_file())
    {
        let study = study.display();
        let text = format!("{name} is a part of the study {study}; give the study itself");
        return Err(Refusal::Usage(text));
    }
    if real.join("manifest.json").is_file() && real.join(RECORDINGS).is_dir() {
        let text = format!(
            "{name} is a study without {MANIFEST}, its list of runs; `proofmark study run --out {name}` with its first request writes it again"
        );
        return Err(Refusal::Usage(text));
    }
    Ok(())
}

/// What is collected while files are read.
struct Reader<'a> {
    pattern: Option<Pattern>,
    taking: Taking,
    progress: &'a Progress,
    /// What was read, under its real path: a link or a name given twice is no further run.
    seen: BTreeSet<PathBuf>,
    studies: Vec<StudyRun>,
    times: Vec<proofmark_profile::Measurement>,
    /// Where the recordings of single files came from.
    places: Vec<Place>,
    out: Reading,
}

impl<'a> Reader<'a> {
    fn new(request: &Recordings, progress: &'a Progress) -> anyhow::Result<Self> {
        let pattern = request.group_by.as_deref().map(Pattern::parse);
        let thread = request.thread.clone().map(|name| RunThread {
            os_id: None,
            name: Some(name),
        });
        Ok(Self {
            pattern: pattern.transpose().map_err(Refusal::Usage)?,
            taking: Taking {
                thread,
                native: request.native,
            },
            progress,
            seen: BTreeSet::new(),
            studies: Vec::new(),
            times: Vec::new(),
            places: Vec::new(),
            out: Reading::default(),
        })
    }

    /// # Errors
    /// When it was read already.
    fn once(&mut self, path: &Path) -> anyhow::Result<()> {
        // A pipe, as in <(zcat FILE), has no real path.
        let real = path.canonicalize().unwrap_or_else(|_| path.to_path_buf());
        if self.seen.insert(real) {
            return Ok(());
        }
        let text = format!(
            "{} was read already, here or under another name",
            path.display()
        );
        Err(Refusal::Usage(text).into())
    }

    fn manifest(&mut self, directory: &Path) -> anyhow::Result<()> {
        self.once(directory)?;
        let read = manifest::read(directory, &self.taking, self.progress)?;
        self.out.recordings.extend(read.recordings);
        self.out.unprofiled.extend(read.unprofiled);
        self.out.remarks.extend(read.remarks);
        for (text, about) in read.doubts {
            self.out.doubts.entry(text).or_default().extend(about);
        }
        Ok(())
    }

    /// All of a directory, by path: what cannot be read is left out and said.
    fn directory(&mut self, directory: &Path) {
        match entries(directory) {
            Ok(entries) => entries.iter().for_each(|path| self.found(path)),
            Err(error) => self.left_out(&error),
        }
    }

    fn found(&mut self, path: &Path) {
        let linked = path.is_symlink();
        // A link to a directory may lead back here; pipes and devices have no end.
        let done = match std::fs::metadata(path) {
            Ok(what) if what.is_file() => self.file(path),
            Ok(what) if what.is_dir() && !linked && path.join(MANIFEST).is_file() => {
                self.manifest(path)
            }
            Ok(what) if what.is_dir() && !linked => {
                self.directory(path);
                Ok(())
            }
            Ok(_) => Err(anyhow::anyhow!("{} is no file", path.display())),
            Err(error) => Err(error).with_context(|| format!("cannot read {}", path.display())),
        };
        if let Err(error) = done {
            self.left_out(&error);
        }
    }

    fn left_out(&mut self, error: &anyhow::Error) {
        self.out.remarks.push(format!("Left out: {error:#}."));
    }

    fn file(&mut self, path: &Path) -> anyhow::Result<()> {
        self.once(path)?;
        let name = || format!("{}", path.display());
        let options = Options::default();
        if in_parts(path)? {
            self.progress.step(&name());
            let profile = profile(path, &options).with_context(name)?;
            return self.profile(path, profile);
        }
        let bytes = whole(path)?;
        let plain = unpacked(&bytes).with_context(name)?;
        match detect(&plain) {
            Some(Format::Study) => self.studies.push(read_study(&plain).with_context(name)?),
            Some(Format::ReBench) => self.times.extend(read_rebench(&plain).with_context(name)?),
            // They name code in recordings beside them.
            Some(Format::PerfMap | Format::Jitdump) => {}
            _ => {
                self.progress.step(&name());
                let profile = import(&bytes, &options).with_context(name)?;
                self.profile(path, profile)?;
            }
        }
        Ok(())
    }

    /// Takes what the file holds.
    fn profile(&mut self, path: &Path, mut profile: Profile) -> anyhow::Result<()> {
        let name = || format!("{}", path.display());
        profile.remarks.extend(with_doses(path));
        has_thread(&profile, &self.taking).with_context(name)?;
        let (recording, run) = self.recording(path, &profile)?;
        let place = Place {
            recording: self.out.recordings.len(),
            path: path.to_path_buf(),
            run,
        };
        let kept = self.out.keep(&name(), recording, &profile, &self.taking);
        self.places.extend(kept.then_some(place));
        Ok(())
    }

    /// The recording, and the run that its path names.
    fn recording(
        &self,
        path: &Path,
        profile: &Profile,
    ) -> anyhow::Result<(Recording, Option<String>)> {
        let grouped = match &self.pattern {
            Some(pattern) => pattern.fields(path).ok_or_else(|| {
                Refusal::Usage(format!(
                    "{} does not fit --group-by {pattern}",
                    path.display()
                ))
            })?,
            None => Grouped::default(),
        };
        let program = grouped.program.as_deref().unwrap_or(PROGRAM);
        let profiler = grouped.profiler.as_deref().unwrap_or(&profile.tool);
        let recording = recording(program, profiler, profile, &self.taking);
        Ok((recording, grouped.run))
    }

    fn finish(mut self, inputs: &[PathBuf]) -> anyhow::Result<Reading> {
        self.out.say_doubts();
        let published = published(&self.studies);
        self.out.recordings.extend(published.recordings);
        self.out.unprofiled.extend(published.unprofiled);
        times::attach(&self.times, &self.places, &mut self.out);
        if self.out.recordings.iter().all(|r| r.rows.is_empty()) {
            let names: Vec<String> = inputs.iter().map(|i| i.display().to_string()).collect();
            let why = &self.out.remarks;
            let more = why.len().saturating_sub(3);
            let mut why: String = why.iter().take(3).map(|r| format!("\n{r}")).collect();
            if more > 0 {
                why.push_str(&format!("\nand {more} more"));
            }
            return Err(Refusal::Usage(format!(
                "no recording with samples in {}{why}",
                names.join(", ")
            ))
            .into());
        }
        Ok(self.out)
    }
}

/// What is in a directory, by path, hidden ones left out.
fn entries(directory: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let name = || format!("cannot read {}", directory.display());
    let mut paths = Vec::new();
    for entry in std::fs::read_dir(directory).with_context(name)? {
        let path = entry.with_context(name)?.path();
        let name = path.file_name().unwrap_or_default();
        if !name.as_encoded_bytes().starts_with(b".") {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}
