//! The counting runtime made ready: its classes with the settings in them, and what the agent reads.

use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context as _, anyhow, ensure};
use proofmark_jvm::Temporary;
use proofmark_jvm::toolchain::CountKit;
use proofmark_rewrite::{Checks, Mode, Options, Summary, replace_texts};
use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::context::Refusal;
use crate::request::Counting;

/// The constant that the settings replace, see java/count.
const SETTINGS: &[u8] = b"@proofmark-count-settings@";
/// Where the runtime's classes are.
const PACKAGE: &str = "proofmark/count/";
/// What their names begin with where they are the JDK's.
const IN_JDK: &str = "java/lang/Proofmark";

/// A class of the runtime: its internal name and its bytes.
pub(super) type RuntimeClass = (String, Vec<u8>);

/// What the runtime is told.
pub(super) struct Told<'a> {
    pub(super) counting: &'a Counting,
    /// Where the profile goes; the working directory's `proofmark-count.profile` if nothing is said.
    pub(super) output: Option<&'a Path>,
    /// Class that takes the samples.
    pub(super) agent: Option<&'a str>,
    /// No JVMTI agent asks for the profile.
    pub(super) alone: bool,
}

impl Told<'_> {
    fn text(&self) -> String {
        let counting = self.counting;
        let mut text = format!(
            "mode={}\nscope={}\ngranularity={}\nrandom={}\nseed={}\nalone={}\nfixed={}\nagent={}\n",
            if counting.exact { "exact" } else { "sampled" },
            if counting.include_jdk {
                "jdk"
            } else {
                "application"
            },
            counting.granularity,
            counting.random,
            counting.seed,
            self.alone,
            !self.alone,
            self.agent.unwrap_or(""),
        );
        if let Some(output) = self.output {
            let _ = writeln!(text, "output={}", output.display());
        }
        text
    }

    /// The runtime's classes, told and named for their place.
    pub(super) fn classes(&self, kit: &CountKit) -> anyhow::Result<Vec<RuntimeClass>> {
        let prefix = options(self.counting).runtime;
        let told = self.text().into_bytes();
        let file = std::fs::File::open(&kit.runtime_jar)
            .with_context(|| kit.runtime_jar.display().to_string())?;
        let mut jar = ZipArchive::new(file)?;
        let mut classes = Vec::new();
        for at in 0..jar.len() {
            let mut entry = jar.by_index(at)?;
            let Some(name) = entry.name()?.strip_suffix(".class").map(str::to_owned) else {
                continue;
            };
            let mut bytes = Vec::new();
            entry.read_to_end(&mut bytes)?;
            let bytes = replace_texts(&bytes, &|text| {
                if text == SETTINGS {
                    return Some(told.clone());
                }
                let text = std::str::from_utf8(text).ok()?;
                let moved = prefix != PACKAGE && text.contains(PACKAGE);
                moved.then(|| text.replace(PACKAGE, &prefix).into_bytes())
            })?;
            classes.push((name.replace(PACKAGE, &prefix), bytes));
        }
        supertypes_first(classes)
    }
}

/// A class can only be defined after its super class and its interfaces.
fn supertypes_first(classes: Vec<RuntimeClass>) -> anyhow::Result<Vec<RuntimeClass>> {
    let mut waiting = Vec::with_capacity(classes.len());
    for class in classes {
        let summary = Summary::read(&class.1).map_err(|reason| anyhow!("{}: {reason}", class.0))?;
        waiting.push((class, summary));
    }
    let mut ordered = Vec::with_capacity(waiting.len());
    while !waiting.is_empty() {
        let names: HashSet<String> = waiting.iter().map(|(class, _)| class.0.clone()).collect();
        let (ready, later): (Vec<_>, Vec<_>) = waiting.into_iter().partition(|(_, summary)| {
            let mut above = summary.interfaces.iter().chain(&summary.parent);
            !above.any(|name| names.contains(name))
        });
        ensure!(
            !ready.is_empty(),
            "the runtime's classes inherit in a circle"
        );
        ordered.extend(ready.into_iter().map(|(class, _)| class));
        waiting = later;
    }
    Ok(ordered)
}

/// How the rewriter is asked to work.
pub(super) fn options(counting: &Counting) -> Options {
    Options {
        mode: if counting.exact {
            Mode::Exact
        } else {
            Mode::Sampling
        },
        runtime: if counting.include_jdk {
            IN_JDK
        } else {
            PACKAGE
        }
        .into(),
        checks: match counting.max_path {
            Some(max_path) => Checks::Paths { max_path },
            None => Checks::Calls,
        },
        leaf: !counting.no_leaf,
        ..Options::default()
    }
}

/// Methods of more than 8,000 bytes are only interpreted, if the JVM is not told otherwise; with the code that counts,
/// many that were not are as long (ecj's parser: a twelfth of the time).
const LONG_METHODS: &str = "-XX:-DontCompileHugeMethods";

/// Puts everything that the agent needs into a directory, whose owner the JVM does not outlive; returns the arguments of `java` that load it.
pub(super) fn prepare(
    kit: &CountKit,
    told: &Told<'_>,
    place: &Temporary,
    task: &str,
) -> anyhow::Result<[String; 2]> {
    let directory = place.path();
    if directory.to_string_lossy().contains(['\n', ',']) {
        return Err(Refusal::Cannot(format!(
            "the temporary directory {} has a name that cannot be passed to a JVM: set TMPDIR",
            directory.display()
        ))
        .into());
    }
    let counting = told.counting;
    let options = options(counting);
    let mut text = format!(
        "task={task}\njava_home={}\nrelease={}\ndirectory={}\nowner={}\nprefix={}\nleaf={}\n",
        kit.jdk.home.display(),
        kit.jdk.version.feature(),
        directory.display(),
        place.lock_file().display(),
        options.runtime,
        options.leaf,
    );
    let checks = match options.checks {
        Checks::Calls => "calls".to_owned(),
        Checks::Paths { max_path } => max_path.to_string(),
        Checks::EveryBlock => "every-block".to_owned(),
    };
    let mode = if counting.exact { "exact" } else { "sampled" };
    let scope = if counting.include_jdk {
        "jdk"
    } else {
        "application"
    };
    let _ = writeln!(text, "mode={mode}\nscope={scope}\nchecks={checks}");
    for prefix in &counting.include {
        let _ = writeln!(text, "include={prefix}");
    }
    for prefix in &counting.exclude {
        let _ = writeln!(text, "exclude={prefix}");
    }
    let classes = told.classes(kit)?;
    if counting.include_jdk {
        for (at, (_, bytes)) in classes.iter().enumerate() {
            let file = directory.join(format!("{at}.class"));
            std::fs::write(&file, bytes).with_context(|| file.display().to_string())?;
            let _ = writeln!(text, "define={}", file.display());
        }
    } else {
        let jar = directory.join("runtime.jar");
        write_jar(&jar, &classes).with_context(|| jar.display().to_string())?;
        let _ = writeln!(text, "runtime={}", jar.display());
    }
    let file = directory.join("configuration");
    std::fs::write(&file, text).with_context(|| file.display().to_string())?;
    let agent = format!("-agentpath:{}={}", kit.agent.display(), file.display());
    Ok([LONG_METHODS.to_owned(), agent])
}

fn write_jar(path: &Path, classes: &[RuntimeClass]) -> anyhow::Result<()> {
    let mut jar = ZipWriter::new(std::fs::File::create(path)?);
    let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in classes {
        jar.start_file(format!("{name}.class"), stored)?;
        jar.write_all(bytes)?;
    }
    jar.finish()?;
    Ok(())
}
