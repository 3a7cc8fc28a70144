//! What the words of a compiler's command line ask for. Pure.

use std::path::{Path, PathBuf};

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Job {
    /// The compiler does it alone.
    Alone,
    /// It makes an object without sites.
    Passed(Passed),
    /// Only a link: the runtime goes along.
    Link,
    /// Sources become objects with sites.
    Compile(Compile),
}

/// An object without sites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Passed {
    /// Its file.
    pub(crate) object: PathBuf,
    /// The option that is to blame.
    pub(crate) option: String,
}

/// Sources to compile.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Compile {
    /// Places of the sources among the words.
    pub(crate) sources: Vec<usize>,
    /// Only objects are wanted (`-c`); else they are linked.
    pub(crate) objects_only: bool,
    /// The file of `-o`.
    pub(crate) output: Option<PathBuf>,
    /// Dependencies are to be written (`-MD`, `-MMD`), and neither file nor target is named.
    pub(crate) dependencies: Dependencies,
    /// Link-time optimisation is asked for; it would leave no assembly text.
    pub(crate) lto: bool,
}

/// What is to be said about dependencies.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Dependencies {
    pub(crate) wanted: bool,
    pub(crate) file_named: bool,
    pub(crate) target_named: bool,
}

/// Options whose next word belongs to them.
pub(crate) const WITH_WORD: [&str; 27] = [
    "-o",
    "-I",
    "-L",
    "-D",
    "-U",
    "-include",
    "-imacros",
    "-isystem",
    "-iquote",
    "-idirafter",
    "-iprefix",
    "-iwithprefix",
    "-isysroot",
    "-MF",
    "-MT",
    "-MQ",
    "-Xlinker",
    "-Xassembler",
    "-Xpreprocessor",
    "-Xclang",
    "-T",
    "-u",
    "-z",
    "-l",
    "-aux-info",
    "--param",
    "-target",
];
/// With these the compiler makes no object, with the next ones none that can have sites.
const NOTHING: [&str; 7] = [
    "-E",
    "-S",
    "-M",
    "-MM",
    "-###",
    "-fsyntax-only",
    "--analyze",
];
const ALONE: [&str; 9] = [
    "-emit-llvm",
    "-m32",
    "-mx32",
    "-masm=intel",
    "-mno-red-zone",
    "-mcmodel=large",
    "-mcmodel=kernel",
    "--coverage",
    "-gsplit-dwarf",
];
const ALONE_STARTS: [&str; 5] = [
    "-x",
    "-fprofile-",
    "-ftest-coverage",
    "-save-temps",
    "-fmodules",
];
/// No program comes of these links.
const NO_RUNTIME: [&str; 6] = [
    "-r",
    "-nostdlib",
    "-nodefaultlibs",
    "-nostartfiles",
    "-Wl,-r",
    "-Wl,--relocatable",
];
const SOURCES: [&str; 9] = ["c", "i", "cc", "cp", "cpp", "cxx", "c++", "C", "ii"];

/// Understands the words.
pub(crate) fn job(words: &[String]) -> Job {
    let alone = |word: &String| {
        ALONE.contains(&word.as_str()) || ALONE_STARTS.iter().any(|start| word.starts_with(start))
    };
    if words.iter().any(|word| NOTHING.contains(&word.as_str())) {
        return Job::Alone;
    }
    if let Some(option) = words.iter().find(|word| alone(word)) {
        return passed(words, option).map_or(Job::Alone, Job::Passed);
    }
    let mut compile = Compile {
        sources: Vec::new(),
        objects_only: false,
        output: None,
        dependencies: Dependencies::default(),
        lto: false,
    };
    let mut inputs = 0;
    let mut at = 0;
    while at < words.len() {
        let word = words[at].as_str();
        match word {
            "-c" => compile.objects_only = true,
            "-o" => compile.output = words.get(at + 1).map(PathBuf::from),
            "-MF" => compile.dependencies.file_named = true,
            "-MT" | "-MQ" => compile.dependencies.target_named = true,
            "-MD" | "-MMD" => compile.dependencies.wanted = true,
            "-fno-lto" => compile.lto = false,
            _ if word.starts_with("-flto") => compile.lto = true,
            _ if word.starts_with("-Wp,-MD,") || word.starts_with("-Wp,-MMD,") => {
                compile.dependencies = Dependencies {
                    wanted: true,
                    file_named: true,
                    ..compile.dependencies
                };
            }
            _ if word.len() > 2 && word.starts_with("-o") => {
                compile.output = Some(PathBuf::from(&word[2..]))
            }
            "-" => return Job::Alone,
            _ if word.starts_with('-') => {}
            _ => {
                inputs += 1;
                let extension = Path::new(word).extension().and_then(|one| one.to_str());
                if extension.is_some_and(|one| SOURCES.contains(&one)) {
                    compile.sources.push(at);
                }
            }
        }
        at += if WITH_WORD.contains(&word) { 2 } else { 1 };
    }
    match (compile.sources.is_empty(), inputs) {
        (_, 0) => Job::Alone,
        (true, _) if compile.objects_only => Job::Alone,
        (true, _) => Job::Link,
        (false, _) => Job::Compile(compile),
    }
}

/// The object that the compiler makes alone, if it is one whose name is told.
fn passed(words: &[String], option: &str) -> Option<Passed> {
    let at = words.iter().position(|word| word == "-o")?;
    words.iter().find(|word| *word == "-c")?;
    Some(Passed {
        object: words.get(at + 1)?.into(),
        option: option.to_owned(),
    })
}

/// Whether the runtime may go into what is linked.
pub(crate) fn takes_runtime(words: &[String]) -> bool {
    !words.iter().any(|word| NO_RUNTIME.contains(&word.as_str()))
}

impl Compile {
    /// The words for one source, without inputs, `-c` and `-o`; `-S` and the output are still to come.
    pub(crate) fn options(&self, words: &[String]) -> Vec<String> {
        let mut kept = Vec::new();
        let mut at = 0;
        while at < words.len() {
            let word = words[at].as_str();
            let taken = if WITH_WORD.contains(&word) { 2 } else { 1 };
            let input = !word.starts_with('-');
            let of_linker = word.starts_with("-Wl,")
                || word.starts_with("-l")
                || word.starts_with("-L")
                || matches!(
                    word,
                    "-shared" | "-static" | "-rdynamic" | "-Xlinker" | "-s"
                );
            if !(input || of_linker || word == "-c" || word.starts_with("-o")) {
                kept.extend(words[at..words.len().min(at + taken)].iter().cloned());
            }
            at += taken;
        }
        if self.lto {
            kept.push("-fno-lto".into());
        }
        kept
    }

    /// What names the file of dependencies and its target as if the source had been compiled into this object.
    pub(crate) fn dependency_words(&self, object: &Path) -> Vec<String> {
        let mut words = Vec::new();
        if self.dependencies.wanted && !self.dependencies.file_named {
            words.extend([
                "-MF".into(),
                object.with_extension("d").display().to_string(),
            ]);
        }
        if self.dependencies.wanted && !self.dependencies.target_named {
            words.extend(["-MT".into(), object.display().to_string()]);
        }
        words
    }

    /// The object of a source under `-c`.
    pub(crate) fn object(&self, source: &str) -> PathBuf {
        let own =
            || PathBuf::from(Path::new(source).file_stem().unwrap_or_default()).with_extension("o");
        match (&self.output, self.objects_only) {
            (Some(output), true) => output.clone(),
            _ => own(),
        }
    }
}

/// Of the compiler's words those that the assembler needs.
pub(crate) fn for_assembler(words: &[String]) -> Vec<String> {
    let mut kept: Vec<String> = words
        .iter()
        .filter(|word| word.starts_with("-Wa,") || *word == "-m64")
        .cloned()
        .collect();
    for pair in words
        .windows(2)
        .filter(|pair| pair[0] == "-Xassembler" || pair[0] == "-target")
    {
        kept.extend(pair.iter().cloned());
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn compiled(text: &str) -> Compile {
        match job(&words(text)) {
            Job::Compile(compile) => compile,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn only_compilations_get_sites() {
        for alone in [
            "--version",
            "-E a.c",
            "-S a.c -o a.s",
            "-c a.s -o a.o",
            "-x c -c a.c",
            "-xc++ -c a.c",
            "-### a.c -o a",
            "-emit-llvm a.c -o a",
            "-m32 a.c -o a",
            "-x c -E -c a.c -o a.o",
            "-c -",
            "-print-file-name=x",
        ] {
            assert_eq!(job(&words(alone)), Job::Alone, "{alone}");
        }
        for link in [
            "a.o b.o -o prog",
            "-shared -o liba.so a.o",
            "main.o liba.a -lm",
        ] {
            assert_eq!(job(&words(link)), Job::Link, "{link}");
        }
        let one = compiled("-O2 -I include.c -c a.c -o build/a.o");
        assert_eq!(
            (one.sources.as_slice(), one.objects_only),
            ([4].as_slice(), true)
        );
        assert_eq!(one.object("a.c"), Path::new("build/a.o"));
        assert_eq!(compiled("-c x/a.cpp").object("x/a.cpp"), Path::new("a.o"));
        let passed = Passed {
            object: "a.o".into(),
            option: "--coverage".into(),
        };
        let text = "-O2 --coverage -c a.c -o a.o";
        assert_eq!(job(&words(text)), Job::Passed(passed));
        assert!(!takes_runtime(&words("-r a.o -o b.o")) && takes_runtime(&words("a.o -o b")));
    }

    #[test]
    fn what_is_not_the_compilers_is_taken_away() {
        let text = "-O2 -DX=1 -isystem y a.c b.o -o prog -lm -L lib -Wl,-z,now -flto=auto -MF d.d";
        let one = compiled(text);
        let kept = [
            "-O2",
            "-DX=1",
            "-isystem",
            "y",
            "-flto=auto",
            "-MF",
            "d.d",
            "-fno-lto",
        ];
        assert_eq!(one.options(&words(text)), kept);
    }

    #[test]
    fn dependencies_are_those_of_the_object() {
        let said = |text: &str| compiled(text).dependency_words(Path::new("out/a.o"));
        assert_eq!(
            said("-MMD -c a.c -o out/a.o"),
            ["-MF", "out/a.d", "-MT", "out/a.o"]
        );
        assert_eq!(
            said("-MD -MF x.d -MT t -c a.c -o out/a.o"),
            Vec::<String>::new()
        );
        assert_eq!(said("-Wp,-MD,x.d -c a.c -o out/a.o"), ["-MT", "out/a.o"]);
        assert_eq!(said("-c a.c"), Vec::<String>::new());
    }
}
