//! The options of rustc among its words. Pure.

use std::ops::Range;

/// What the words say, as far as it matters.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Options<'w> {
    /// What is no option.
    pub(super) inputs: Vec<&'w str>,
    /// A file with more words.
    pub(super) words_in_file: Option<&'w str>,
    /// Nothing is to be compiled: help, versions, `--print`.
    pub(super) asks: bool,
    /// A test harness is made.
    pub(super) test: bool,
    /// `--crate-name`
    pub(super) crate_name: Option<&'w str>,
    /// `--crate-type`, one by one.
    pub(super) crate_types: Vec<&'w str>,
    /// `--emit`, one by one, with files: `link=a.out`.
    pub(super) emit: Vec<&'w str>,
    /// `--target`
    pub(super) target: Option<&'w str>,
    /// `--out-dir`
    pub(super) out_dir: Option<&'w str>,
    /// `-o`
    pub(super) output: Option<&'w str>,
    /// `-C`
    pub(super) codegen: Vec<Codegen<'w>>,
}

/// An option of code generation.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Codegen<'w> {
    /// Its name, in the spelling with hyphens.
    pub(super) name: String,
    /// Its value.
    pub(super) value: Option<&'w str>,
    /// Places of its words.
    pub(super) words: Range<usize>,
}

/// Options in two words, or in one with `=`.
const LONG: [&str; 27] = [
    "--allow",
    "--cap-lints",
    "--cfg",
    "--check-cfg",
    "--codegen",
    "--color",
    "--crate-name",
    "--crate-type",
    "--deny",
    "--diagnostic-width",
    "--edition",
    "--emit",
    "--env-set",
    "--error-format",
    "--explain",
    "--extern",
    "--forbid",
    "--force-warn",
    "--json",
    "--out-dir",
    "--print",
    "--remap-path-prefix",
    "--remap-path-scope",
    "--sysroot",
    "--target",
    "--unpretty",
    "--warn",
];
/// Options in two words, or in one without a sign between.
const SHORT: [&str; 9] = ["-A", "-C", "-D", "-F", "-L", "-W", "-Z", "-l", "-o"];

impl<'w> Options<'w> {
    /// Reads the words.
    pub(super) fn of(words: &'w [String]) -> Self {
        let mut options = Self::default();
        let mut at = 0;
        while at < words.len() {
            let (option, value, taken) = read(&words[at..]);
            options.take(option, value, at..at + taken);
            at += taken;
        }
        options
    }

    fn take(&mut self, option: &'w str, value: &'w str, words: Range<usize>) {
        match option {
            "" if value.starts_with('@') => self.words_in_file = Some(value),
            "" => self.inputs.push(value),
            "-C" | "--codegen" => self.codegen(value, words),
            "-o" => self.output = Some(value),
            "-A" | "-D" | "-F" | "-W" | "-Z" if value == "help" => self.asks = true,
            // The only ones that are answered by the way.
            "--print" if ["native-static-libs", "link-args"].contains(&kind_of(value)) => {}
            "--print" | "--explain" | "--help" | "--version" => self.asks = true,
            "--test" => self.test = true,
            "--crate-name" => self.crate_name = Some(value),
            "--crate-type" => self.crate_types.extend(value.split(',')),
            "--emit" => self.emit.extend(value.split(',')),
            "--out-dir" => self.out_dir = Some(value),
            "--target" => self.target = Some(value),
            // `-V`, `-vV`, `-h`
            _ if !option.starts_with("--") && option.contains(['V', 'h']) => self.asks = true,
            _ => {}
        }
    }

    fn codegen(&mut self, option: &'w str, words: Range<usize>) {
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (option, None),
        };
        self.asks |= name == "help";
        self.codegen.push(Codegen {
            name: name.replace('_', "-"),
            value,
            words,
        });
    }

    /// Whether this is to be written, under whatever name.
    pub(super) fn emits(&self, kind: &str) -> bool {
        let kinds = self.emit.iter();
        kinds.map(|one| kind_of(one)).any(|one| one == kind)
    }
}

/// What is to be written or printed, without the file: `link` of `link=a.out`.
fn kind_of(value: &str) -> &str {
    value.split_once('=').map_or(value, |(kind, _)| kind)
}

/// The first option, its value and the number of words that both take. What is no option has the name "".
fn read(words: &[String]) -> (&str, &str, usize) {
    let word = words[0].as_str();
    let next = || words.get(1).map_or("", String::as_str);
    let both = words.len().min(2);
    if word == "-" || !word.starts_with('-') {
        return ("", word, 1);
    }
    if word.starts_with("--") {
        return match word.split_once('=') {
            Some((option, value)) => (option, value, 1),
            None if LONG.contains(&word) => (word, next(), both),
            None => (word, "", 1),
        };
    }
    match word.split_at_checked(2) {
        Some((option, "")) if SHORT.contains(&option) => (option, next(), both),
        Some((option, value)) if SHORT.contains(&option) => (option, value, 1),
        _ => (word, "", 1),
    }
}

/// Whether the value of an option turns it on.
pub(super) fn is_on(value: &str) -> bool {
    !matches!(value, "n" | "no" | "off" | "false" | "0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_however_they_are_written() {
        let words = "--crate-name a --edition=2024 src/lib.rs --emit=dep-info,link=x.rlib -Copt-level=3 \
                     -C link_arg=-s --codegen lto -L dependency=deps --cfg feature=\"-C\" -o out";
        let words: Vec<String> = words.split_whitespace().map(str::to_owned).collect();
        let options = Options::of(&words);
        assert_eq!(options.inputs, ["src/lib.rs"]);
        assert_eq!(options.crate_name, Some("a"));
        assert_eq!(options.output, Some("out"));
        assert!(options.emits("link") && options.emits("dep-info") && !options.emits("asm"));
        let codegen: Vec<(&str, Option<&str>, Range<usize>)> = options
            .codegen
            .iter()
            .map(|one| (one.name.as_str(), one.value, one.words.clone()))
            .collect();
        let expected = [
            ("opt-level", Some("3"), 5..6),
            ("link-arg", Some("-s"), 6..8),
            ("lto", None, 8..10),
        ];
        assert_eq!(codegen, expected);
        assert!(!options.asks);
        for asks in [
            "-vV",
            "-V",
            "--version",
            "--print cfg a.rs",
            "-C help",
            "-h",
            "-Whelp",
        ] {
            let words: Vec<String> = asks.split_whitespace().map(str::to_owned).collect();
            assert!(Options::of(&words).asks, "{asks}");
        }
        let words = ["a.rs", "--print=native-static-libs=libraries.txt"].map(str::to_owned);
        assert!(!Options::of(&words).asks);
    }

    #[test]
    fn words_that_end_too_early_are_read_to_their_end() {
        for word in ["-C", "--emit", "-o", "-", "--", ""] {
            let words = [word.to_owned()];
            let _ = Options::of(&words);
        }
        // No letter is cut in two.
        assert_eq!(read(&["-é".to_owned()]), ("-é", "", 1));
    }
}
