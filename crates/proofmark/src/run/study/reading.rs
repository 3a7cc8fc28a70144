//! What was read of the inputs, and what is said of it.

use std::collections::BTreeMap;

use proofmark_profile::Profile;
use proofmark_study::{Recording, Taking};

/// What was read.
#[derive(Debug, Default)]
pub struct Reading {
    /// Recordings.
    pub recordings: Vec<Recording>,
    /// Runs without profiler: program and median time of an iteration, ms.
    pub unprofiled: Vec<(String, f64)>,
    /// What was left out, in sentences.
    pub remarks: Vec<String>,
    /// What importers doubt, with the recordings that it is about.
    pub doubts: BTreeMap<String, Vec<String>>,
}

impl Reading {
    /// Keeps the recording of a profile and what the importer doubts of it. One in which nothing counts would be a run
    /// in which every method has 0 %: it is left out and said. True if it was kept.
    pub(super) fn keep(
        &mut self,
        name: &str,
        recording: Recording,
        profile: &Profile,
        taking: &Taking,
    ) -> bool {
        self.doubt(name, profile);
        let kept = !recording.rows.is_empty();
        if kept {
            self.recordings.push(recording);
        } else {
            let why = nothing_counts(profile, taking);
            self.remarks.push(format!("Left out: {name}: {why}."));
        }
        kept
    }

    /// Keeps what the importer says of a recording; of one that was read in part it is said on the spot.
    fn doubt(&mut self, recording: &str, profile: &Profile) {
        if profile.incomplete {
            let why = profile.remarks.join("; ");
            let text = format!("{recording} was read in part ({why}).");
            return self.remarks.push(text);
        }
        for text in &profile.remarks {
            let about = self.doubts.entry(text.clone()).or_default();
            about.push(recording.to_owned());
        }
    }

    /// Says every doubt once.
    pub(super) fn say_doubts(&mut self) {
        for (text, about) in std::mem::take(&mut self.doubts) {
            let more = match about.len() - 1 {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            self.remarks.push(format!("{}{more}: {text}.", about[0]));
        }
    }
}

/// Why a recording has no rows.
fn nothing_counts(profile: &Profile, taking: &Taking) -> &'static str {
    match taking.native || profile.samples.is_empty() {
        true => "no sample counts",
        false => "no sample in Java code counts; --native counts all others as well",
    }
}
