//! What is special about the text that rustc writes.
//!
//! - *Names* are mangled, and the legacy scheme ends them with a hash of the build. A site has the name that people know,
//!   so that all copies of a generic function which go by one name get the dose together.
//! - *The programmer's own functions* (`naked`, `global_asm!`) stand between the others without a mark: LLVM has read and
//!   printed them again. They are the ones whose size is not said by a label of the compiler.
//! - *The linker* drops sections that nothing needs. A table of sites needs its functions and not the other way round, so
//!   that its entries follow them.
//! - LLVM's text is meant for LLVM's assembler; GNU's does not know all of it.

use std::borrow::Cow;
use std::collections::BTreeSet;

use crate::line::{Line, strings, unquoted};

/// The name that people know a function by. Names that are not Rust's stay as they are, C++'s too.
#[must_use]
pub fn shown_name(symbol: &str) -> Cow<'_, str> {
    let Ok(name) = rustc_demangle::try_demangle(symbol) else {
        return Cow::Borrowed(symbol);
    };
    let short = format!("{name:#}");
    // Without a hash it is C++'s: the old scheme looks the same but for that.
    match symbol.starts_with("_R") || short != name.to_string() {
        true => Cow::Owned(short),
        false => Cow::Borrowed(symbol),
    }
}

/// The codegen unit of a text, by which rustc names its object: `crate.hash-cgu.0`.
#[must_use]
pub fn unit_of(text: &str) -> Option<&str> {
    text.lines().find_map(|line| match Line::of(line) {
        Line::Directive(".file", rest) if rest.starts_with('"') => strings(rest).first().copied(),
        _ => None,
    })
}

/// The text as GNU's assembler takes it.
#[must_use]
pub fn rust_for_gnu(text: &str) -> String {
    let dialect = Dialect::of(text);
    let lines = text.split_inclusive('\n');
    lines.map(|line| dialect.for_gnu(line)).collect()
}

/// What has to be known of a whole text before its lines are gone through.
#[derive(Default)]
pub(crate) struct Dialect<'t> {
    /// Functions that the compiler made.
    compiled: BTreeSet<&'t str>,
    /// Debug information of DWARF 5, whose files GNU's assembler takes as they are.
    dwarf_5: bool,
}

impl<'t> Dialect<'t> {
    /// Reads the text.
    pub(crate) fn of(text: &'t str) -> Self {
        let mut all = Self::default();
        for line in text.lines() {
            match Line::of(line) {
                Line::Directive(".size", rest) => all.compiled.extend(compiled(rest)),
                Line::Directive(".file", rest) if rest.starts_with("0 ") => all.dwarf_5 = true,
                _ => {}
            }
        }
        all
    }

    /// Whether a function is the compiler's, and no assembly of the programmer.
    pub(crate) fn compiled(&self, function: &str) -> bool {
        self.compiled.contains(function)
    }

    /// A line as GNU's assembler takes it.
    pub(crate) fn for_gnu<'l>(&self, line: &'l str) -> Cow<'l, str> {
        match Line::of(line) {
            // Only for the linker's folding of equal functions.
            Line::Directive(".addrsig" | ".addrsig_sym", _) => Cow::Borrowed(""),
            Line::Directive(".file", rest) if !self.dwarf_5 => {
                joined(rest).map_or(Cow::Borrowed(line), Cow::Owned)
            }
            _ => Cow::Borrowed(line),
        }
    }
}

/// The function of `f, .Lfunc_end7-f`.
fn compiled(rest: &str) -> Option<&str> {
    let (name, length) = rest.split_once(',')?;
    let number = length
        .trim()
        .strip_prefix(".Lfunc_end")?
        .split('-')
        .next()?;
    let counted = !number.is_empty() && number.bytes().all(|one| one.is_ascii_digit());
    counted.then(|| unquoted(name))
}

/// `.file 1 "/place" "main.rs"` with one name for both.
fn joined(rest: &str) -> Option<String> {
    let number: u32 = rest.split_whitespace().next()?.parse().ok()?;
    let [place, name] = strings(rest)[..] else {
        return None;
    };
    let path = match name.starts_with('/') || place.is_empty() {
        true => name.to_owned(),
        false => format!("{place}/{name}"),
    };
    Some(format!("\t.file\t{number} \"{path}\"\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_that_people_know() {
        for (symbol, name) in [
            ("_ZN6shapes4area17h3cacaabc498a2939E", "shapes::area"),
            (
                "_ZN52_$LT$shapes..Shape$u20$as$u20$core..fmt..Display$GT$3fmt17h89864fd8102bca3cE",
                "<shapes::Shape as core::fmt::Display>::fmt",
            ),
            ("_RNvCsdNmd93uIjN1_3odd5inner", "odd::inner"),
            (
                "_RNvNtCsgEmfK2I1SDS_4core9panicking9panic_fmt",
                "core::panicking::panic_fmt",
            ),
            // Of C, of C++, of a C++ variable, of nobody.
            ("main", "main"),
            ("_ZN3foo3barEv", "_ZN3foo3barEv"),
            ("_ZN3foo3barE", "_ZN3foo3barE"),
            ("_Reader", "_Reader"),
        ] {
            assert_eq!(shown_name(symbol), name, "{symbol}");
        }
    }

    #[test]
    fn the_unit_is_told_by_the_first_file_without_a_number() {
        let text = "\t.text\n\t.file\t1 \"/p\" \"a.rs\"\n\t.file\t\"a.4c1e-cgu.0\"\n";
        assert_eq!(unit_of(text), Some("a.4c1e-cgu.0"));
        assert_eq!(unit_of("\t.file\t1 \"a.rs\"\n"), None);
    }

    #[test]
    fn gnus_assembler_gets_what_it_knows() {
        let four = Dialect::of("\t.file\t1 \"/p\" \"a.rs\"\n");
        for (line, known) in [
            ("\t.file\t1 \"/p\" \"a.rs\"\n", "\t.file\t1 \"/p/a.rs\"\n"),
            (
                "\t.file\t2 \"/p\" \"/q/b.rs\"\n",
                "\t.file\t2 \"/q/b.rs\"\n",
            ),
            ("\t.file\t3 \"c.rs\"\n", "\t.file\t3 \"c.rs\"\n"),
            ("\t.file\t\"a.4c1e-cgu.0\"\n", "\t.file\t\"a.4c1e-cgu.0\"\n"),
            ("\t.addrsig_sym f\n", ""),
            ("\t.ident\t\"rustc\"\n", "\t.ident\t\"rustc\"\n"),
        ] {
            assert_eq!(four.for_gnu(line), known);
        }
        let whole = "\t.file\t1 \"/p\" \"a.rs\"\n\t.addrsig_sym f\n\tret\n";
        assert_eq!(rust_for_gnu(whole), "\t.file\t1 \"/p/a.rs\"\n\tret\n");
        let text = "\t.file\t0 \"/p\" \"a.rs\" md5 0x1\n\t.file\t1 \"/p\" \"b.rs\"\n";
        let five = Dialect::of(text);
        for line in text.split_inclusive('\n') {
            assert_eq!(five.for_gnu(line), line);
        }
    }
}
