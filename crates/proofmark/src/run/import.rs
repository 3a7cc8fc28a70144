//! `proofmark import`: a profile of any format becomes a list of its top methods, or another format.

pub mod select;

use std::io::IsTerminal;
use std::path::Path;

use anyhow::Context as _;
use proofmark_profile::{Options, Profile, import_from};
use proofmark_report::{ProfileView, profile_doubts, profile_table};

use crate::context::Refusal;
use crate::read::{not_an_input, profile, whole, with_doses};
use crate::request::{Format, ImportRequest};
use crate::surroundings::Surroundings;
use crate::{console, output};

/// What comes out.
pub struct Imported {
    /// The table or the converted profile.
    pub bytes: Vec<u8>,
    /// What is doubtful and the result itself cannot say.
    pub notes: Vec<String>,
}

/// Reads the profile and makes of it what is asked for.
///
/// # Errors
/// When the file cannot be read or has nothing of what is asked for; the message names file, place and remedy.
pub fn run(request: &ImportRequest, format: Format) -> anyhow::Result<Imported> {
    let name = || request.file.display().to_string();
    if let Some(output) = &request.output {
        not_an_input(output, &[&request.file])?;
    }
    let mut profile = read(request).with_context(name)?;
    profile.remarks.extend(with_doses(&request.file));
    let filter = select::filter(request, &profile).with_context(name)?;
    let bytes = match format {
        Format::Json => {
            let summary = profile.summary(&filter);
            (serde_json::to_string_pretty(&summary)? + "\n").into_bytes()
        }
        Format::Collapsed => {
            profile.keep(&filter);
            profile.to_collapsed().into_bytes()
        }
        Format::Pprof => {
            profile.keep(&filter);
            profile.to_pprof()
        }
        Format::Text | Format::Csv => {
            let view = ProfileView {
                filter,
                top: request.top,
                merge_overloads: request.merge_overloads,
            };
            let style = proofmark_report::Style {
                color: false,
                ..output::style()
            };
            profile_table(&profile, &view, style).into_bytes()
        }
    };
    let converted = matches!(format, Format::Collapsed | Format::Pprof);
    Ok(Imported {
        bytes,
        notes: if converted {
            profile_doubts(&profile)
        } else {
            Vec::new()
        },
    })
}

/// Times are not shown, so equal samples are added up: memory does not grow with the length of a file that can be read in parts.
fn read(request: &ImportRequest) -> anyhow::Result<Profile> {
    let options = Options {
        format: request.from,
        merge: true,
        perf_map: request.perf_map.as_deref().map(whole).transpose()?,
        jitdump: request.jitdump.as_deref().map(whole).transpose()?,
        ..Options::default()
    };
    if request.file == Path::new("-") {
        return Ok(import_from(std::io::stdin().lock(), &options)?);
    }
    profile(&request.file, &options)
}

impl Imported {
    /// Writes the result to its file or to standard output.
    ///
    /// # Errors
    /// When the file cannot be written, or binary data would go to a terminal.
    pub fn write(&self, request: &ImportRequest, around: &Surroundings) -> anyhow::Result<()> {
        for note in &self.notes {
            around.progress.note(&format!("proofmark: {note}"));
        }
        if let Some(path) = &request.output {
            return Ok(output::write_file(path, &self.bytes)?);
        }
        if around.format == Format::Pprof && std::io::stdout().is_terminal() {
            let advice = "pprof is binary and standard output is a terminal: name a file with -o";
            return Err(Refusal::Usage(advice.to_owned()).into());
        }
        Ok(console::data(&self.bytes)?)
    }
}
