//! `proofmark import`: a profile of any format becomes a list of its top methods, or another format.

pub mod args;
pub mod select;

use std::fs::File;
use std::io::{IsTerminal, Read, Write};
use std::path::Path;

use anyhow::Context as _;
use proofmark_profile::{Options, Profile, import_from};
use proofmark_report::{ProfileView, profile_doubts, profile_table};

use crate::args::Format;
use crate::context::Refusal;
use crate::output;
use crate::read::{not_an_input, whole};
use args::ImportArguments;

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
pub fn run(arguments: &ImportArguments, format: Format) -> anyhow::Result<Imported> {
    let name = || arguments.file.display().to_string();
    if let Some(output) = &arguments.output {
        not_an_input(output, &[&arguments.file])?;
    }
    let mut profile = read(arguments).with_context(name)?;
    let filter = select::filter(arguments, &profile).with_context(name)?;
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
                top: arguments.top,
                merge_overloads: arguments.merge_overloads,
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

/// Times are not shown, so equal samples are added up: memory does not grow with the length of a JFR file.
fn read(arguments: &ImportArguments) -> anyhow::Result<Profile> {
    let options = Options {
        format: arguments.from.map(Into::into),
        merge: true,
        perf_map: arguments.perf_map.as_deref().map(whole).transpose()?,
        jitdump: arguments.jitdump.as_deref().map(whole).transpose()?,
        ..Options::default()
    };
    let source: Box<dyn Read> = if arguments.file == Path::new("-") {
        Box::new(std::io::stdin().lock())
    } else {
        Box::new(File::open(&arguments.file)?)
    };
    Ok(import_from(source, &options)?)
}

impl Imported {
    /// Writes the result to its file or to standard output.
    ///
    /// # Errors
    /// When the file cannot be written, or binary data would go to a terminal.
    pub fn write(&self, arguments: &ImportArguments, format: Format) -> anyhow::Result<()> {
        for note in &self.notes {
            anstream::eprintln!("proofmark: {note}");
        }
        if let Some(path) = &arguments.output {
            return Ok(proofmark_store::write_atomically(path, &self.bytes)?);
        }
        let mut out = std::io::stdout().lock();
        if format == Format::Pprof && out.is_terminal() {
            let advice = "pprof is binary and standard output is a terminal: name a file with -o";
            return Err(Refusal::Usage(advice.to_owned()).into());
        }
        // A reader that went away is no error.
        let _ = out.write_all(&self.bytes).and_then(|()| out.flush());
        Ok(())
    }
}
