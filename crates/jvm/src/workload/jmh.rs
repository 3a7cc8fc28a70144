//! Which JMH benchmark is meant, told from files: the list that JMH's build leaves in a JAR, else the classes.

use std::collections::{BTreeSet, HashMap};
use std::io::Read;
use std::path::{Path, PathBuf};

use proofmark_classes::{ClassPath, expand_manifests, expand_wildcards};
use proofmark_rewrite::{Summary, annotated_methods, of_the_platform};
use regex::Regex;

use super::{Kind, Workload, WorkloadError, split_class_path};

/// Where JMH's build leaves its list of benchmarks, and what the compiler is to inline.
const LIST: &str = "META-INF/BenchmarkList";
const HINTS: &str = "META-INF/CompilerHints";
/// Descriptor of the annotation of a benchmark.
const BENCHMARK: &str = "Lorg/openjdk/jmh/annotations/Benchmark;";
/// No such file is larger.
const MOST_BYTES: u64 = 16 << 20;
/// Benchmarks that a message names.
const NAMED: usize = 10;
/// Super classes in which an inherited benchmark is looked for.
const MOST_ANCESTORS: usize = 64;
/// The loop with the benchmark in it is compiled by itself; and what JMH itself tells the JVM of its black hole.
const COMPILE_COMMANDS: [&str; 3] = [
    "quiet",
    "dontinline,proofmark.jmh.Loop::run",
    "dontinline,org.openjdk.jmh.infra.Blackhole::consumeFull",
];

/// `JAR[:JAR...][#REGEX[?NAME=VALUE,...]]`, taken apart.
#[derive(Debug, PartialEq, Eq)]
struct Words<'t> {
    jars: &'t str,
    regex: &'t str,
    parameters: Vec<String>,
}

impl<'t> Words<'t> {
    fn of(text: &'t str) -> Self {
        let (jars, rest) = text.split_once('#').unwrap_or((text, ""));
        let mut signs = rest.match_indices('?').map(|(at, _)| at);
        // A question mark may be part of the expression.
        let (regex, parameters) = match signs.find(|at| is_parameter(&rest[at + 1..])) {
            Some(at) => (&rest[..at], parameters(&rest[at + 1..])),
            None => (rest, Vec::new()),
        };
        Self {
            jars,
            regex,
            parameters,
        }
    }
}

/// Whether a text begins with `NAME=`.
fn is_parameter(text: &str) -> bool {
    let Some((name, _)) = text.split_once('=') else {
        return false;
    };
    let letter = |sign: char| sign.is_alphabetic() || sign == '_' || sign == '$';
    name.starts_with(letter) && name.chars().all(|sign| letter(sign) || sign.is_numeric())
}

/// `NAME=VALUE` by `NAME=VALUE`; a comma without a name behind it is part of a value.
fn parameters(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for piece in text.split(',') {
        match all.last_mut() {
            Some(last) if !is_parameter(piece) => {
                last.push(',');
                last.push_str(piece);
            }
            _ => all.push(piece.to_owned()),
        }
    }
    all
}

/// A benchmark: its class as the JVM or as JMH writes it, and its method.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Benchmark {
    class: String,
    method: String,
}

impl Benchmark {
    /// As JMH shows it: a class of another one has a dot before its name.
    fn name(&self) -> String {
        format!("{}.{}", self.class.replace('$', "."), self.method)
    }

    /// A line of JMH's list, which has had two forms: words with their lengths in front (`JMH S 5 a.B.c S ...`), and
    /// words with `===,===` between. The class comes first, then a generated one, then the method.
    fn listed(line: &str) -> Option<Self> {
        let (class, method) = match line.strip_prefix("JMH ") {
            Some(rest) => {
                let (class, rest) = counted(rest)?;
                let (_, rest) = counted(rest)?;
                (class, counted(rest)?.0)
            }
            None => {
                let mut words = line.split("===,===");
                (words.next()?, words.nth(1)?)
            }
        };
        let whole = |word: &str| !word.is_empty() && !word.contains(char::is_whitespace);
        (whole(class) && whole(method)).then(|| Self {
            class: class.to_owned(),
            method: method.to_owned(),
        })
    }
}

/// A text with its length in front, `S 3 abc`, and what follows it.
fn counted(text: &str) -> Option<(&str, &str)> {
    let (length, rest) = text.trim_start().strip_prefix("S ")?.split_once(' ')?;
    let length: usize = length.parse().ok()?;
    let mut ends = rest.char_indices().map(|(at, _)| at).chain([rest.len()]);
    Some(rest.split_at(ends.nth(length)?))
}

/// The workload that `JAR#REGEX?NAME=VALUE,...` means. `class_path` comes behind the JARs; relative paths are looked up
/// in `directory` and kept relative.
///
/// # Errors
/// [`WorkloadError::Benchmark`] where files are missing, or not exactly one benchmark is meant.
pub(super) fn workload(
    text: &str,
    class_path: Vec<PathBuf>,
    directory: &Path,
) -> Result<Workload, WorkloadError> {
    let words = Words::of(text);
    let mut paths = match words.jars.is_empty() {
        true => Vec::new(),
        false => split_class_path(words.jars.as_ref()),
    };
    paths.extend(class_path);
    if paths.is_empty() {
        return refused("name the JAR with the benchmarks: jmh:JAR#REGEX".into());
    }
    let here: Vec<PathBuf> = paths.iter().map(|path| directory.join(path)).collect();
    if let Some(missing) = here.iter().find(|p| !p.exists() && !p.ends_with("*")) {
        let text = format!("no such file on the class path: {}", missing.display());
        return refused(text);
    }
    let here = expand_manifests(&expand_wildcards(&here));
    let classes = ClassPath::open(&here, u32::MAX);
    let one = the_one(&benchmarks(&here, &classes), &words)?;
    let hints = here.iter().filter_map(|path| resource(path, HINTS));
    let hints: BTreeSet<String> = hints.flat_map(|text| compile_commands(&text)).collect();
    let commands = COMPILE_COMMANDS.map(str::to_owned).into_iter().chain(hints);
    Ok(Workload {
        kind: Kind::Jmh,
        target: format!("{}.{}", binary_name(&classes, &one.class), one.method),
        arguments: words.parameters,
        class_path: paths,
        jvm_options: commands
            .map(|command| format!("-XX:CompileCommand={command}"))
            .collect(),
        left_out: Vec::new(),
    })
}

fn refused<T>(text: String) -> Result<T, WorkloadError> {
    Err(WorkloadError::Benchmark(text))
}

/// All benchmarks of a class path, each once, whatever the modes in which JMH measures it.
fn benchmarks(paths: &[PathBuf], classes: &ClassPath) -> BTreeSet<Benchmark> {
    let lists = paths.iter().filter_map(|path| resource(path, LIST));
    let mut all = BTreeSet::new();
    for text in lists {
        all.extend(text.lines().filter_map(Benchmark::listed));
    }
    if all.is_empty() {
        all = annotated(classes);
    }
    all
}

/// Benchmarks by the annotations of classes that are not abstract, and of their super classes.
fn annotated(classes: &ClassPath) -> BTreeSet<Benchmark> {
    let mut known: HashMap<String, (Summary, Vec<String>)> = HashMap::new();
    for name in classes.names() {
        let bytes = classes.read(&name).filter(|_| !of_the_platform(&name));
        let read = bytes.and_then(|bytes| {
            let methods = annotated_methods(&bytes, BENCHMARK).ok()?;
            Some((Summary::read(&bytes).ok()?, methods))
        });
        if let Some(read) = read {
            known.insert(name, read);
        }
    }
    let mut all = BTreeSet::new();
    for (name, (summary, _)) in known.iter().filter(|(_, (one, _))| !one.is_abstract) {
        let mut next = Some(name);
        for _ in 0..MOST_ANCESTORS {
            let Some((above, methods)) = next.and_then(|name| known.get(name)) else {
                break;
            };
            all.extend(methods.iter().map(|method| Benchmark {
                class: summary.name.replace('/', "."),
                method: method.clone(),
            }));
            next = above.parent.as_ref();
        }
    }
    all
}

/// The only benchmark that is meant; one whose whole name is written is meant alone.
fn the_one(all: &BTreeSet<Benchmark>, words: &Words<'_>) -> Result<Benchmark, WorkloadError> {
    let (jars, text) = (words.jars, words.regex);
    if all.is_empty() {
        return refused(format!(
            "there is no JMH benchmark in '{jars}': name the JAR that their build makes, often target/benchmarks.jar"
        ));
    }
    if let Some(exact) = all.iter().find(|one| one.name() == text) {
        return Ok(exact.clone());
    }
    let regex = match Regex::new(text) {
        Ok(regex) => regex,
        Err(error) => {
            let why = error.to_string();
            let last = why.lines().last().unwrap_or_default();
            let last = last.trim_start_matches("error: ");
            return refused(format!("'{text}' is no regular expression: {last}"));
        }
    };
    let matching: Vec<&Benchmark> = all.iter().filter(|b| regex.is_match(&b.name())).collect();
    let what = match text {
        "" => format!("'{jars}' has"),
        text => format!("'{text}' matches"),
    };
    match matching.as_slice() {
        [one] => Ok((*one).clone()),
        [] => refused(format!(
            "no benchmark matches '{text}': there are {}",
            list(all.iter())
        )),
        [first, ..] => refused(format!(
            "{what} {} benchmarks; write one whole, such as jmh:{jars}#{}: {}",
            matching.len(),
            first.name(),
            list(matching.iter().copied())
        )),
    }
}

/// The first names of some benchmarks, and how many more there are.
fn list<'b>(all: impl Iterator<Item = &'b Benchmark>) -> String {
    let names: Vec<String> = all.map(Benchmark::name).collect();
    match names.len().saturating_sub(NAMED) {
        0 => names.join(", "),
        more => format!("{} and {more} more", names[..NAMED].join(", ")),
    }
}

/// JMH lists a class of another one with a dot before its name, where the JVM has `$`.
fn binary_name(classes: &ClassPath, class: &str) -> String {
    let mut name = class.replace('.', "/");
    while classes.read(&name).is_none() {
        let Some(at) = name.rfind('/') else {
            return class.to_owned();
        };
        name.replace_range(at..=at, "$");
    }
    name.replace('/', ".")
}

/// What JMH's build wrote down of the compiler's choices (`@CompilerControl`), but for what concerns its own loops.
fn compile_commands(text: &str) -> Vec<String> {
    let wanted = |line: &&str| {
        let known = ["inline,", "dontinline,", "exclude,"];
        known.iter().any(|command| line.starts_with(command))
            && !line.contains("_jmhStub")
            && !line.contains(char::is_whitespace)
    };
    let lines = text.lines().map(str::trim).filter(wanted);
    lines.map(str::to_owned).collect()
}

/// A text in a directory or a JAR.
fn resource(path: &Path, name: &str) -> Option<String> {
    let mut text = Vec::new();
    if path.is_dir() {
        let file = std::fs::File::open(path.join(name)).ok()?;
        file.take(MOST_BYTES).read_to_end(&mut text).ok()?;
    } else {
        let file = std::io::BufReader::new(std::fs::File::open(path).ok()?);
        let mut archive = zip::ZipArchive::new(file).ok()?;
        let entry = archive.by_name(name).ok()?;
        entry.take(MOST_BYTES).read_to_end(&mut text).ok()?;
    }
    Some(String::from_utf8_lossy(&text).into_owned())
}

#[cfg(test)]
mod tests;
