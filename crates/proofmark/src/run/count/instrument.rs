//! `count instrument`: jars rewritten ahead of time.

use std::fs::File;
use std::io::{BufReader, Cursor, Read, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context as _;
use proofmark_classes::{Image, Names, Program, Scope};
use proofmark_count::{Coverage, LeftAlone};
use proofmark_jvm::toolchain::{CountKit, Settings};
use proofmark_rewrite::{Outcome, rewrite};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use super::runtime::{RuntimeClass, Told, options};
use crate::context::Refusal;
use crate::output::write_file;
use crate::request::InstrumentRequest;

/// Largest entry that is read.
const MAX_ENTRY: u64 = 1 << 30;

/// Rewrites the jars; says what became of their classes.
///
/// # Errors
/// When a jar cannot be read or written.
pub fn run(request: &InstrumentRequest, settings: &Settings) -> anyhow::Result<Coverage> {
    let java = match &settings.jdk {
        Some(jdk) => jdk.join("bin/java"),
        None => "java".into(),
    };
    let kit = CountKit::assemble(settings, &java)?;
    let counting = &request.counting;
    let image = Image::open(&kit.jdk.home)?;
    let release = kit.jdk.version.feature();
    let program = Program::new(&request.jars, image, release, Scope::Application)
        .without(&counting.exclude)
        .with(&counting.include);
    let told = Told {
        counting,
        output: None,
        agent: None,
        alone: true,
    };
    let mut work = Work {
        program,
        options: options(counting),
        names: Names::default(),
        coverage: Coverage::default(),
    };
    let mut rewritten = Vec::new();
    for jar in &request.jars {
        let entries = work.jar(jar).with_context(|| jar.display().to_string())?;
        rewritten.push((target(request, jar)?, entries));
    }
    // Every jar carries the runtime and the names of all methods: whichever comes first on a class path has what it needs.
    let runtime = told.classes(&kit)?;
    let names = work.names.to_text();
    for (path, entries) in rewritten {
        let bytes = jar(&entries, &runtime, &names).context("putting a jar together")?;
        write_file(&path, &bytes)?;
    }
    work.coverage.methods_rewritten = work.names.len() as u64;
    Ok(work.coverage)
}

fn target(request: &InstrumentRequest, jar: &Path) -> anyhow::Result<PathBuf> {
    let out = &request.output;
    let same = |path: &Path| path.canonicalize().ok() == jar.canonicalize().ok() && jar.exists();
    let path = if request.jars.len() == 1 && !out.is_dir() {
        out.clone()
    } else {
        std::fs::create_dir_all(out).with_context(|| out.display().to_string())?;
        out.join(jar.file_name().unwrap_or_default())
    };
    if path.exists() && same(&path) {
        return Err(Refusal::Usage(format!(
            "{} would overwrite what is rewritten: give another -o",
            path.display()
        ))
        .into());
    }
    Ok(path)
}

/// What goes into a jar.
struct Entry {
    name: String,
    options: SimpleFileOptions,
    bytes: Vec<u8>,
}

struct Work {
    program: Program,
    options: proofmark_rewrite::Options,
    names: Names,
    coverage: Coverage,
}

impl Work {
    fn jar(&mut self, path: &Path) -> anyhow::Result<Vec<Entry>> {
        let mut archive = ZipArchive::new(BufReader::new(File::open(path)?))?;
        let mut entries = Vec::with_capacity(archive.len());
        for at in 0..archive.len() {
            let entry = archive.by_index(at)?;
            let name = entry.name()?.into_owned();
            if is_signature(&name) {
                continue;
            }
            let mut options = SimpleFileOptions::default()
                .compression_method(entry.compression())
                .last_modified_time(entry.last_modified().unwrap_or_default());
            if let Some(mode) = entry.unix_mode() {
                options = options.unix_permissions(mode);
            }
            let mut bytes = Vec::new();
            entry.take(MAX_ENTRY).read_to_end(&mut bytes)?;
            if let Some(class) = name.strip_suffix(".class") {
                bytes = self.class(class, bytes);
            }
            entries.push(Entry {
                name,
                options,
                bytes,
            });
        }
        Ok(entries)
    }

    /// The class as it goes into the new jar.
    fn class(&mut self, name: &str, bytes: Vec<u8>) -> Vec<u8> {
        if name.ends_with("module-info") {
            self.coverage.left_alone.push(LeftAlone {
                name: name.replace('/', "."),
                reason: "this jar is a module, which would not find the runtime: put it on the class path, not on the module path".into(),
            });
            return bytes;
        }
        if name.ends_with("package-info") {
            return bytes;
        }
        let begin = Instant::now();
        let outcome = rewrite(&bytes, &self.options, &self.program, &mut self.names);
        self.coverage.rewriting_s += begin.elapsed().as_secs_f64();
        self.coverage.class_bytes += bytes.len() as u64;
        let class = name.replace('/', ".");
        match outcome {
            Outcome::Rewritten { bytes, methods } => {
                self.coverage.classes_rewritten += 1;
                for method in methods {
                    if let Err(reason) = method.id {
                        self.coverage.kept.push(LeftAlone {
                            name: format!("{class}.{}{}", method.name, method.descriptor),
                            reason: reason.to_string(),
                        });
                    }
                }
                bytes
            }
            Outcome::LeftAlone { reason } => {
                self.coverage.left_alone.push(LeftAlone {
                    name: class,
                    reason: reason.to_string(),
                });
                bytes
            }
        }
    }
}

/// Signatures of what is no longer there.
fn is_signature(name: &str) -> bool {
    let upper = name.to_uppercase();
    let file = upper.strip_prefix("META-INF/");
    file.is_some_and(|file| {
        !file.contains('/')
            && [".SF", ".RSA", ".DSA", ".EC"]
                .iter()
                .any(|end| file.ends_with(end))
    })
}

/// The bytes of a jar.
fn jar(entries: &[Entry], runtime: &[RuntimeClass], names: &str) -> anyhow::Result<Vec<u8>> {
    let mut jar = ZipWriter::new(Cursor::new(Vec::new()));
    for entry in entries {
        if entry.name.ends_with('/') {
            jar.add_directory(entry.name.as_str(), entry.options)?;
            continue;
        }
        jar.start_file(entry.name.as_str(), entry.options)?;
        jar.write_all(&entry.bytes)?;
    }
    let plain = SimpleFileOptions::default();
    for (name, bytes) in runtime {
        jar.start_file(format!("{name}.class"), plain)?;
        jar.write_all(bytes)?;
    }
    jar.start_file("proofmark/count/methods", plain)?;
    jar.write_all(names.as_bytes())?;
    Ok(jar.finish()?.into_inner())
}

#[cfg(test)]
mod tests {
    use super::is_signature;

    #[test]
    fn signatures_go_other_files_stay() {
        assert!(is_signature("META-INF/ACME.SF") && is_signature("META-INF/acme.rsa"));
        assert!(!is_signature("META-INF/MANIFEST.MF") && !is_signature("a/b.SF"));
        assert!(!is_signature("META-INF/services/x.SF"));
    }
}
