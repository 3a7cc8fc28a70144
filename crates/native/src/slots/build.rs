//! Variants of a program: texts are assembled, and the program is linked with them as it was.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use proofmark_experiment::lab::{Failure, LabError};

use super::kept::{KeptText, LinkWord, Slotted, only_text};
use super::{at, refused};
use crate::compiler::runtime;
use crate::nested::compiler_command;
use crate::words::WITH_WORD;

/// Lines of a tool's complaint that are told.
const TOLD: usize = 6;
/// Options of the linker that take the names away, by which a variant's code is found, or that print or write what is the user's.
const LEFT_OUT: [&str; 8] = [
    "-s",
    "--strip-all",
    "-x",
    "--discard-all",
    "-X",
    "--discard-locals",
    "-M",
    "--print-map",
];
/// The same with the file behind them.
const LEFT_OUT_STARTS: [&str; 3] = ["-Map=", "--Map=", "--dependency-file="];
/// The same with the file as the next word.
const LEFT_OUT_BOTH: [&str; 3] = ["-Map", "--Map", "--dependency-file"];

/// Makes variants.
pub(super) struct Build {
    program: Slotted,
    /// Names of the texts, in their order.
    names: Vec<String>,
    /// Directory for everything.
    place: PathBuf,
    /// Objects of the texts as they are, as far as they were needed.
    plain: BTreeMap<usize, PathBuf>,
    /// The runtime's object.
    runtime: String,
}

impl Build {
    /// Of a program, in a directory that is made.
    pub(super) fn new(program: Slotted, place: &Path) -> Result<Self, LabError> {
        std::fs::create_dir_all(place).map_err(at(place))?;
        let place = place.canonicalize().map_err(at(place))?;
        let compiler = &program.link.compiler;
        let runtime = runtime(compiler, &place)?.map_err(|status| {
            refused(format!("{compiler} does not compile our runtime: {status}"))
        })?;
        Ok(Self {
            names: program.texts.iter().map(KeptText::name).collect(),
            program,
            place,
            plain: BTreeMap::new(),
            runtime,
        })
    }

    /// The program.
    pub(super) fn program(&self) -> &Slotted {
        &self.program
    }

    /// Where variants are.
    pub(super) fn place(&self) -> &Path {
        &self.place
    }

    /// Assembles texts, each instead of the one with that number, and links the program with them: a file of this name.
    pub(super) fn variant(
        &mut self,
        name: &str,
        texts: &BTreeMap<usize, String>,
    ) -> Result<PathBuf, LabError> {
        let mut objects = BTreeMap::new();
        for (number, text) in texts {
            let object = self.place.join(format!("{name}-{number}.o"));
            self.assemble(*number, text, &object)?;
            objects.insert(*number, object);
        }
        let out = self.place.join(name);
        self.link(&objects, &out)?;
        for object in objects.values() {
            std::fs::remove_file(object).map_err(at(object))?;
        }
        Ok(out)
    }

    fn assemble(&self, number: usize, text: &str, object: &Path) -> Result<(), LabError> {
        let how = &self.program.texts[number].how;
        let file = object.with_extension("s");
        std::fs::write(&file, text).map_err(at(&file))?;
        let mut words = how.words.clone();
        words.extend([
            "-c".to_owned(),
            file.display().to_string(),
            "-o".to_owned(),
            object.display().to_string(),
        ]);
        let what = format!("the text of {} cannot be assembled again", how.source);
        called(&how.compiler, &words, &how.directory, &what)?;
        std::fs::remove_file(&file).map_err(at(&file))
    }

    /// The object of a text as it is: the one that was linked if it is still there.
    fn plain(&mut self, number: usize, linked: Option<&Path>) -> Result<PathBuf, LabError> {
        if let Some(known) = self.plain.get(&number) {
            return Ok(known.clone());
        }
        let same = |path: &&Path| {
            let there = std::fs::read(path).ok();
            let kept = there.and_then(|bytes| only_text(&bytes));
            kept.is_some_and(|kept| kept.name() == self.names[number])
        };
        let object = match linked.filter(same) {
            Some(path) => path.to_owned(),
            None => {
                let object = self.place.join(format!("plain-{}.o", self.names[number]));
                let text = &self.program.texts[number].text;
                self.assemble(number, text, &object)?;
                object
            }
        };
        self.plain.insert(number, object.clone());
        Ok(object)
    }

    /// A file that was kept, as it was at the link.
    fn kept(&self, name: &str, [begin, length]: [usize; 2]) -> Result<String, LabError> {
        let place = self.place.join(format!("kept-{begin}-{name}"));
        let files = &self.program.link.files;
        let end = begin.checked_add(length);
        let bytes = end.and_then(|end| files.get(begin..end));
        let bytes = bytes.ok_or_else(|| refused(format!("{name} is not whole in the program")))?;
        std::fs::write(&place, bytes).map_err(at(&place))?;
        Ok(place.display().to_string())
    }

    fn link(&mut self, objects: &BTreeMap<usize, PathBuf>, out: &Path) -> Result<(), LabError> {
        let link = self.program.link.clone();
        let mut words: Vec<String> = Vec::new();
        let mut left = objects.clone();
        let mut front = None;
        let mut option = "";
        for word in &link.words {
            let own = match word {
                LinkWord::Plain(_) if option == "-o" => None,
                LinkWord::Plain(word) => linked_with(word),
                LinkWord::Object { path, text } => {
                    let number = self.names.iter().position(|name| name == text);
                    let object = match number.map(|number| (number, left.remove(&number))) {
                        Some((_, Some(changed))) => changed,
                        Some((number, None)) => self.plain(number, Some(path.as_path()))?,
                        None => path.clone(),
                    };
                    Some(object.display().to_string())
                }
                LinkWord::Kept { name, bytes } => Some(self.kept(name, *bytes)?),
            };
            if let Some(own) = own {
                if front.is_none() && !own.starts_with('-') && !WITH_WORD.contains(&option) {
                    front = Some(words.len());
                }
                words.push(own);
            }
            option = match word {
                LinkWord::Plain(word) => word.as_str(),
                LinkWord::Object { .. } | LinkWord::Kept { .. } => "",
            };
        }
        // Members of archives: what they define is there before the archive is looked through.
        let front = front.unwrap_or(0);
        let members = left
            .into_values()
            .map(|object| object.display().to_string());
        words.splice(front..front, members);
        words.push(self.runtime.clone());
        words.extend(["-o".to_owned(), out.display().to_string()]);
        let what = "the program cannot be linked again";
        called(&link.compiler, &words, &link.directory, what)
    }
}

/// What a variant is linked with in place of this word; none: it is linked without. Its name is ours.
fn linked_with(word: &str) -> Option<String> {
    if word == "-s" || word.starts_with("-o") {
        return None;
    }
    let Some(options) = word.strip_prefix("-Wl,") else {
        return Some(word.to_owned());
    };
    let mut kept = Vec::new();
    let mut options = options.split(',');
    while let Some(option) = options.next() {
        if LEFT_OUT_BOTH.contains(&option) {
            options.next();
            continue;
        }
        let starts = LEFT_OUT_STARTS
            .iter()
            .any(|start| option.starts_with(start));
        if !starts && !LEFT_OUT.contains(&option) {
            kept.push(option);
        }
    }
    (!kept.is_empty()).then(|| format!("-Wl,{}", kept.join(",")))
}

/// Runs a compiler; what it complains of is the error.
fn called(compiler: &str, words: &[String], directory: &Path, what: &str) -> Result<(), LabError> {
    let mut command = compiler_command(compiler);
    command.args(words).stdin(Stdio::null());
    if directory.is_dir() {
        command.current_dir(directory);
    }
    let output = command.output().map_err(|source| {
        LabError::new(
            Failure::Refused,
            format!("{compiler} cannot be started: {source}"),
        )
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = said.lines().take(TOLD).collect();
    Err(refused(format!("{what}: {}", lines.join("\n  "))))
}

#[cfg(test)]
mod tests {
    use super::linked_with;

    #[test]
    fn names_stay_and_no_file_of_the_user_is_written() {
        for word in ["-o", "-oprog", "-s", "-Wl,-Map=prog.map", "-Wl,--strip-all"] {
            assert_eq!(linked_with(word), None, "{word}");
        }
        for word in ["-O2", "-static", "-Wl,-z,now", "-lm", "main.o"] {
            assert_eq!(linked_with(word).as_deref(), Some(word));
        }
        for (word, kept) in [
            ("-Wl,-z,now,-s", "-Wl,-z,now"),
            ("-Wl,-Map,prog.map,--gc-sections", "-Wl,--gc-sections"),
            ("-Wl,-O1,--strip-all,--as-needed", "-Wl,-O1,--as-needed"),
        ] {
            assert_eq!(linked_with(word).as_deref(), Some(kept));
        }
    }
}
