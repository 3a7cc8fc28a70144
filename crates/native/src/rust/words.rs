//! What the words of rustc ask for. Pure.

use std::path::{Path, PathBuf};

use super::options::{Codegen, Options, is_on};

/// What is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Job {
    /// rustc does it alone: a question, a check, or what runs within a build (build scripts, procedural macros).
    Alone,
    /// It compiles without sites; why, in a sentence.
    Passed(String),
    /// What it makes gets sites.
    Compile(Compile),
}

/// A crate that gets sites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Compile {
    /// Its name, or that of its file.
    pub(super) name: String,
    /// The words, without those that would leave no assembly text.
    words: Vec<String>,
    /// What rustc would link with.
    pub(super) linker: String,
    /// Where a library may be.
    pub(super) archives: Archives,
    /// Link-time optimisation was asked for.
    pub(super) lto: bool,
}

/// Where archives of objects come to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Archives {
    /// There are none.
    None,
    /// If there is one, it is this file.
    Named(PathBuf),
    /// In this directory, by names that rustc tells.
    Within(PathBuf),
}

/// The one target whose machine code the sites are for.
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// Options of code generation that are not handed on.
const TAKEN: [&str; 5] = [
    "incremental",
    "lto",
    "linker-plugin-lto",
    "embed-bitcode",
    "linker",
];
/// Kinds of crates that are no archives.
const NO_ARCHIVES: [&str; 3] = ["bin", "dylib", "cdylib"];

/// Understands the words. `named_binary`: Cargo says that this is a program of the user's, as it does for no build script.
pub(super) fn job(words: &[String], named_binary: bool) -> Job {
    let options = Options::of(words);
    if let Some(file) = options.words_in_file {
        return Job::Passed(format!("{file}: words in a file, so no sites"));
    }
    let [input] = options.inputs[..] else {
        return Job::Alone;
    };
    let kinds = ["link", "obj"];
    let makes = options.emit.is_empty() || kinds.iter().any(|kind| options.emits(kind));
    if options.asks
        || !makes
        || options.crate_types.contains(&"proc-macro")
        || (!named_binary && is_build_script(&options, input))
    {
        return Job::Alone;
    }
    let file = Path::new(input).file_stem().unwrap_or_default();
    let name = options.crate_name.map_or_else(
        || file.to_string_lossy().replace('-', "_"),
        ToOwned::to_owned,
    );
    if let Some(option) = refused(&options) {
        return Job::Passed(format!("crate {name}: no sites with {option}"));
    }
    let last = |option: &str| options.codegen.iter().rfind(|one| one.name == option);
    let linker = last("linker").and_then(|one| one.value);
    Job::Compile(Compile {
        words: kept(words, &options),
        linker: linker.unwrap_or("cc").to_owned(),
        archives: archives(&options),
        lto: last("lto").is_some_and(|one| one.value.is_none_or(is_on)),
        name,
    })
}

/// Whether Cargo compiles a build script: a program that it calls `build_script_build` where its file is `build.rs`. A crate
/// of the user's may have such a name too, but not by the name of its file.
fn is_build_script(options: &Options<'_>, input: &str) -> bool {
    let stem = Path::new(input).file_stem().unwrap_or_default();
    let own = stem.to_string_lossy().replace('-', "_");
    let behind = |name: &str| name.strip_prefix("build_script_") == Some(own.as_str());
    options.crate_types == ["bin"] && !options.test && options.crate_name.is_some_and(behind)
}

/// The option with which there is no text that could have sites, or no place for them.
fn refused(options: &Options<'_>) -> Option<String> {
    if let Some(target) = options.target.filter(|target| *target != TARGET) {
        return Some(format!("--target {target}"));
    }
    if options.inputs == ["-"] {
        return Some("standard input".into());
    }
    if let Some(kind) = ["asm", "obj"].iter().find(|kind| options.emits(kind)) {
        return Some(format!("--emit {kind}"));
    }
    let option = options.codegen.iter().find(|one| refuses(one))?;
    let value = option.value.map(|value| format!("={value}"));
    Some(format!("-C {}{}", option.name, value.unwrap_or_default()))
}

fn refuses(option: &Codegen<'_>) -> bool {
    let value = option.value.unwrap_or_default();
    match option.name.as_str() {
        "no-redzone" | "instrument-coverage" | "profile-generate" => option.value.is_none_or(is_on),
        "split-debuginfo" => is_on(value),
        "code-model" => value != "small",
        "llvm-args" => value.contains("asm-syntax"),
        "linker-flavor" => value != "gcc" && !value.ends_with("-cc"),
        // A linker that is no compiler takes other words.
        "linker" => {
            let name = Path::new(value).file_name().unwrap_or_default();
            let name = name.to_string_lossy();
            let stem = name.split('.').next().unwrap_or_default();
            let kind = stem.rsplit('-').next();
            matches!(kind, Some("ld" | "lld"))
        }
        _ => false,
    }
}

/// The words that are handed on.
fn kept(words: &[String], options: &Options<'_>) -> Vec<String> {
    let taken = |at: &usize| {
        let mut options = options.codegen.iter();
        options.any(|one| TAKEN.contains(&one.name.as_str()) && one.words.contains(at))
    };
    let kept = (0..words.len()).filter(|at| !taken(at));
    kept.map(|at| words[at].clone()).collect()
}

fn archives(options: &Options<'_>) -> Archives {
    let no_archive = |one: &&str| NO_ARCHIVES.contains(one);
    let known = !options.crate_types.is_empty() && options.crate_types.iter().all(no_archive);
    if known || options.test {
        return Archives::None;
    }
    let mut kinds = options.emit.iter();
    let link = kinds.find_map(|one| one.strip_prefix("link="));
    match (link.or(options.output), options.out_dir) {
        (Some(file), _) => Archives::Named(file.into()),
        (None, Some(directory)) => Archives::Within(directory.into()),
        (None, None) => Archives::Within(PathBuf::from(".")),
    }
}

impl Compile {
    /// The words that make rustc leave its assembly text in this file, and link with this command.
    pub(super) fn words(&self, text: &Path, linker: &Path) -> Vec<String> {
        let mut words = self.words.clone();
        if !Options::of(&words).emits("link") {
            words.push("--emit=link".into());
        }
        words.push(format!("--emit=asm={}", text.display()));
        for option in ["codegen-units=1", "embed-bitcode=no"] {
            words.extend(["-C".into(), option.into()]);
        }
        words.extend(["-C".into(), format!("linker={}", linker.display())]);
        // By this a program knows that it may mark its iterations.
        words.extend(["--cfg", "proofmark", "--check-cfg", "cfg(proofmark)"].map(String::from));
        words
    }

    /// The words that make rustc tell the names of what it would make.
    pub(super) fn question(&self) -> Vec<String> {
        let mut words = self.words.clone();
        words.extend(["--print", "file-names"].map(String::from));
        words
    }
}

/// The words in a file of words for a linker, as rustc writes it: one a line, with marked blanks.
pub(super) fn of_file(text: &str) -> impl Iterator<Item = String> {
    text.lines().map(|line| {
        let mut word = String::new();
        let mut signs = line.chars();
        while let Some(sign) = signs.next() {
            match sign {
                '\\' => word.extend(signs.next()),
                _ => word.push(sign),
            }
        }
        word
    })
}

/// Of the words of a linker the object of a codegen unit.
pub(super) fn object_of<'w>(words: &'w [String], unit: &str) -> Option<&'w str> {
    let end = member_end(unit);
    let mut words = words.iter().map(String::as_str);
    words.find(|word| word.ends_with(&end))
}

/// How the name of a unit's object ends, in front of which there is the name of what is made.
pub(super) fn member_end(unit: &str) -> String {
    format!(".{unit}.rcgu.o")
}

/// Whether the runtime may go into what is linked.
pub(super) fn takes_runtime(words: &[String]) -> bool {
    const NONE: [&str; 5] = [
        "-r",
        "-nostdlib",
        "-nostartfiles",
        "-Wl,-r",
        "-Wl,--relocatable",
    ];
    !words.iter().any(|word| NONE.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    fn compiled(text: &str) -> Compile {
        match job(&words(text), false) {
            Job::Compile(compile) => compile,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn only_what_a_program_is_made_of_gets_sites() {
        for alone in [
            "",
            "-vV",
            "- --crate-name ___ --print=file-names --crate-type bin",
            "--crate-name a src/lib.rs --emit=dep-info,metadata",
            "--crate-name a --crate-type proc-macro src/lib.rs --emit=dep-info,link",
            "--crate-name build_script_build build.rs --crate-type bin --emit=dep-info,link",
            "--print cfg a.rs",
            "a.rs b.rs",
        ] {
            assert_eq!(job(&words(alone), false), Job::Alone, "{alone}");
        }
        for (text, option) in [
            ("--target wasm32-wasip1", "--target wasm32-wasip1"),
            ("--emit=asm,link", "--emit asm"),
            ("--emit=obj", "--emit obj"),
            ("-C instrument-coverage", "-C instrument-coverage"),
            ("-Cno_redzone=yes", "-C no-redzone=yes"),
            ("-C split-debuginfo=packed", "-C split-debuginfo=packed"),
            ("-C linker=/usr/bin/ld.lld", "-C linker=/usr/bin/ld.lld"),
            ("-C linker-flavor=gnu-lld", "-C linker-flavor=gnu-lld"),
        ] {
            let passed = Job::Passed(format!("crate a_b: no sites with {option}"));
            let all = words(&format!("src/a-b.rs {text}"));
            assert_eq!(job(&all, false), passed);
        }
        assert!(matches!(job(&words("@words"), false), Job::Passed(_)));
        let sited = "a.rs -C no-redzone=no -C linker=my-build -C linker-flavor=gnu-lld-cc \
                     -C split-debuginfo=off --target=x86_64-unknown-linux-gnu";
        assert_eq!(compiled(sited).linker, "my-build");
    }

    /// A crate of the user's may be called like a build script.
    #[test]
    fn build_scripts_are_told_from_crates_of_that_name() {
        let script = words("--crate-name build_script_my_gen tools/my-gen.rs --crate-type bin");
        assert_eq!(job(&script, false), Job::Alone);
        // A package `build_script_main`, whose program is in main.rs.
        assert!(matches!(job(&script, true), Job::Compile(_)));
        for text in [
            "--crate-name build_script_tools src/main.rs --crate-type bin",
            "--crate-name build_script_lib src/lib.rs --crate-type lib",
            "--crate-name build_script_main src/main.rs --test",
        ] {
            assert_eq!(compiled(text).name, words(text)[1]);
        }
    }

    #[test]
    fn what_would_leave_no_text_is_taken_away() {
        let text = "--crate-name a a.rs --crate-type bin --emit=dep-info,link -C incremental=i -Cembed-bitcode=yes \
                    -C lto=thin -C opt-level=3 -C linker-plugin-lto -C linker=clang";
        let one = compiled(text);
        assert_eq!((one.linker.as_str(), one.lto), ("clang", true));
        assert_eq!(one.archives, Archives::None);
        let expected = "--crate-name a a.rs --crate-type bin --emit=dep-info,link -C opt-level=3 --emit=asm=/t/a.s \
                        -C codegen-units=1 -C embed-bitcode=no -C linker=/t/l --cfg proofmark --check-cfg cfg(proofmark)";
        let handed = one.words(Path::new("/t/a.s"), Path::new("/t/l"));
        assert_eq!(handed, words(expected));
        let plain = compiled("a.rs -C lto=off").words(Path::new("t"), Path::new("l"));
        assert_eq!(plain[..3], ["a.rs", "--emit=link", "--emit=asm=t"]);
    }

    #[test]
    fn archives_are_looked_for_where_rustc_puts_them() {
        let within = |place: &str| Archives::Within(place.into());
        let named = |file: &str| Archives::Named(file.into());
        for (text, expected) in [
            ("a.rs", within(".")),
            ("a.rs --crate-type lib --out-dir d", within("d")),
            ("a.rs --crate-type=lib,cdylib --out-dir d", within("d")),
            ("a.rs --crate-type staticlib -o liba.a", named("liba.a")),
            (
                "a.rs --crate-type rlib --emit=link=x/a.rlib --out-dir d",
                named("x/a.rlib"),
            ),
            ("a.rs --crate-type cdylib --out-dir d", Archives::None),
            ("a.rs --test --out-dir d", Archives::None),
        ] {
            assert_eq!(compiled(text).archives, expected, "{text}");
        }
    }

    #[test]
    fn the_object_is_found_among_the_linkers_words() {
        let unit = "demo.70a4-cgu.0";
        let told = "-m64 out/symbols.o out/demo-x.demo.70a4-cgu.0.rcgu.o out/demo-x.6lwu.rcgu.o liba.rlib -nodefaultlibs";
        let told = words(told);
        assert_eq!(
            object_of(&told, unit),
            Some("out/demo-x.demo.70a4-cgu.0.rcgu.o")
        );
        assert!(takes_runtime(&told) && !takes_runtime(&words("-nostartfiles a.o")));
        let text = "-m64\n/a\\ b/demo-x.demo.70a4-cgu.0.rcgu.o\nc\\\\d\n";
        let of_file: Vec<String> = of_file(text).collect();
        assert_eq!(of_file[2], "c\\d");
        assert_eq!(
            object_of(&of_file, unit),
            Some("/a b/demo-x.demo.70a4-cgu.0.rcgu.o")
        );
        assert_eq!(object_of(&words("a.o b.rlib"), unit), None);
    }
}
