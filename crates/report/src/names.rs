//! Short method names that still tell methods apart.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use proofmark_profile::MethodId;

/// Full names to the shortest form that is unique among them: `Class.method`, else with parameters (overloads), else
/// with packages, else in full.
#[derive(Debug, Clone, Default)]
pub struct Names {
    short: BTreeMap<String, String>,
}

impl Names {
    /// Short forms of these names; duplicates do no harm.
    pub fn of<'a>(full: impl IntoIterator<Item = &'a str>) -> Self {
        let mut level: BTreeMap<&str, usize> = full.into_iter().map(|name| (name, 0)).collect();
        loop {
            let mut groups: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
            for (name, level) in &level {
                groups.entry(form(name, *level)).or_default().insert(name);
            }
            let clashing: Vec<&str> = groups
                .into_values()
                .filter(|names| names.len() > 1)
                .flatten()
                .filter(|name| level[name] < LONGEST)
                .collect();
            if clashing.is_empty() {
                break;
            }
            for name in clashing {
                *level.entry(name).or_default() += 1;
            }
        }
        let short = level
            .iter()
            .map(|(name, level)| ((*name).to_owned(), form(name, *level)));
        Self {
            short: short.collect(),
        }
    }

    /// These names as they are: functions of native programs have no packages.
    pub fn as_they_are<'a>(full: impl IntoIterator<Item = &'a str>) -> Self {
        let all = full.into_iter().map(|name| (name.to_owned(), clean(name)));
        Self {
            short: all.collect(),
        }
    }

    /// Short form; of a name that was not given, its `Class.method`. Control characters are replaced.
    #[must_use]
    pub fn short(&self, full: &str) -> String {
        self.short
            .get(full)
            .cloned()
            .unwrap_or_else(|| form(full, 0))
    }

    /// Short form cut in the middle to at most `columns`.
    #[must_use]
    pub fn fitted(&self, full: &str, columns: usize) -> String {
        fit(&self.short(full), columns)
    }
}

/// A method in full, with packages and the types of its parameters as Java writes them: `com.acme.Work.place(int)`.
/// What is no method stays as it is; control characters are replaced.
#[must_use]
pub fn full_name(full: &str) -> String {
    form(full, 2)
}

/// Running text with every method that has a JVM descriptor written as [`full_name`] does: `a.B.c(I)V: why` becomes
/// `a.B.c(int): why`. Everything else stays as it is.
#[must_use]
pub fn readable(text: &str) -> String {
    let words = text.split_inclusive(char::is_whitespace);
    words.map(readable_word).collect()
}

/// The same of one word, with signs and blanks around it.
fn readable_word(word: &str) -> String {
    let mut out = String::new();
    let mut rest = word;
    while let Some((method, after)) = method_in(rest) {
        out.push_str(&rest[..method.start]);
        out.push_str(&full_name(&rest[method]));
        rest = after;
    }
    out + rest
}

/// Where the first method with a descriptor stands in a word, and what follows it.
fn method_in(word: &str) -> Option<(Range<usize>, &str)> {
    let signs = |c: char| c.is_ascii_punctuation() && !matches!(c, '/' | '\\' | '.' | '_' | '$');
    let start = word.len() - word.trim_start_matches(signs).len();
    let open = start + word[start..].find('(')?;
    let end = open + descriptor_len(&word[open..])?;
    MethodId::parse(&word[start..end])?;
    Some((start..end, &word[end..]))
}

/// Length of the descriptor at the front: 4 of `(I)V: why`.
fn descriptor_len(text: &str) -> Option<usize> {
    let mut rest = text.strip_prefix('(')?;
    while !rest.starts_with(')') {
        rest = parameter(rest)?.1;
    }
    let result = &rest[1..];
    let after = match result.strip_prefix('V') {
        Some(after) => after,
        None => parameter(result)?.1,
    };
    let goes_on = after.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    (!goes_on).then(|| text.len() - after.len())
}

const LONGEST: usize = 3;

fn form(full: &str, level: usize) -> String {
    let stands_for_itself = full.starts_with('[') || level >= LONGEST;
    let Some(id) = (!stands_for_itself)
        .then(|| MethodId::parse(full))
        .flatten()
    else {
        return clean(full);
    };
    let parameters = || id.descriptor.as_deref().map_or(String::new(), parameters);
    clean(&match level {
        0 => id.short(),
        1 => format!("{}{}", id.short(), parameters()),
        _ => format!("{}{}", id.without_descriptor(), parameters()),
    })
}

/// `(ILjava/lang/String;)V` as `(int, String)`; a descriptor that cannot be read stays as it is.
fn parameters(descriptor: &str) -> String {
    let Some(inside) = descriptor.strip_prefix('(').and_then(|d| d.split_once(')')) else {
        return descriptor.to_owned();
    };
    let mut types = Vec::new();
    let mut rest = inside.0;
    while !rest.is_empty() {
        let Some((name, left)) = parameter(rest) else {
            return descriptor.to_owned();
        };
        types.push(name);
        rest = left;
    }
    format!("({})", types.join(", "))
}

fn parameter(text: &str) -> Option<(String, &str)> {
    let element = text.trim_start_matches('[');
    let dimensions = "[]".repeat(text.len() - element.len());
    let (name, left) = match element.chars().next()? {
        'L' => {
            let (class, left) = element[1..].split_once(';')?;
            (class.rsplit(['/', '.']).next().unwrap_or(class), left)
        }
        c => (primitive(c)?, &element[1..]),
    };
    Some((format!("{name}{dimensions}"), left))
}

fn primitive(c: char) -> Option<&'static str> {
    Some(match c {
        'Z' => "boolean",
        'B' => "byte",
        'C' => "char",
        'S' => "short",
        'I' => "int",
        'J' => "long",
        'F' => "float",
        'D' => "double",
        _ => return None,
    })
}

/// The text with every character replaced that would move the cursor, steer a terminal or turn the direction of writing.
#[must_use]
pub fn clean(text: &str) -> String {
    let bad = |c: char| {
        c.is_control()
            || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{feff}')
    };
    text.chars()
        .map(|c| if bad(c) { '\u{fffd}' } else { c })
        .collect()
}

/// Text with its middle left out, if it is wider than so many columns; the method's own name is at the end.
pub(crate) fn fit(text: &str, columns: usize) -> String {
    use crate::style::columns_of;
    if columns_of(text) <= columns {
        return text.to_owned();
    }
    let tail_columns = columns.saturating_sub(1) * 2 / 3;
    let mut tail: Vec<char> = Vec::new();
    for c in text.chars().rev() {
        if columns_of(&tail.iter().collect::<String>()) + columns_of(&c.to_string()) > tail_columns
        {
            break;
        }
        tail.push(c);
    }
    let mut head = String::new();
    for c in text.chars() {
        if columns_of(&head) + columns_of(&c.to_string()) + tail_columns + 1 > columns {
            break;
        }
        head.push(c);
    }
    format!("{head}\u{2026}{}", tail.iter().rev().collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_short_as_it_can_be() {
        let all = [
            "a.b.Queens.place(I)V",
            "a.b.Queens.free()V",
            "[unattributed]",
        ];
        let names = Names::of(all);
        assert_eq!(
            all.map(|n| names.short(n)),
            ["Queens.place", "Queens.free", "[unattributed]"]
        );
    }

    #[test]
    fn clashes_grow_until_they_differ() {
        let all = [
            "a.Node.get(I)V",
            "a.Node.get([Ljava/lang/String;J)V",
            "b.Node.get(I)V",
            "x.y.Other.get()V",
        ];
        let names = Names::of(all);
        let short = all.map(|n| names.short(n));
        assert_eq!(
            short,
            [
                "a.Node.get(int)",
                "Node.get(String[], long)",
                "b.Node.get(int)",
                "Other.get"
            ]
        );
    }

    #[test]
    fn hostile_names_stay_one_line() {
        let names = Names::of(["a.B.\u{1b}[31mred\n", "m0", ""]);
        assert!(
            !names
                .short("a.B.\u{1b}[31mred\n")
                .contains(['\u{1b}', '\n'])
        );
        assert_eq!(names.short("m0"), "m0");
    }

    #[test]
    fn full_names_have_types_and_no_descriptors() {
        for (full, shown) in [
            (
                "org.ecj.Scanner.findSymbol([CIII)V",
                "org.ecj.Scanner.findSymbol(char[], int, int, int)",
            ),
            ("Work$Board.place(I)I", "Work$Board.place(int)"),
            ("Work.run", "Work.run"),
            ("[kernel]", "[kernel]"),
        ] {
            assert_eq!(full_name(full), shown);
        }
    }

    #[test]
    fn running_text_has_no_descriptors() {
        for (text, shown) in [
            (
                "jfr: not slowed: a.Scanner.find([CIII)V: compiled differently here",
                "jfr: not slowed: a.Scanner.find(char[], int, int, int): compiled differently here",
            ),
            (
                "replaced our code (a.B.c()V, a.B$D.<init>(Ljava/lang/String;)V): it changes",
                "replaced our code (a.B.c(), a.B$D.<init>(String)): it changes",
            ),
            (
                "a.B.c(I)Ljava/lang/String;; B.d(J)[I.",
                "a.B.c(int); B.d(long).",
            ),
            (
                "a.B.c()V,a.B.d(Z)Z\n\tnext",
                "a.B.c(),a.B.d(boolean)\n\tnext",
            ),
        ] {
            assert_eq!(readable(text), shown);
        }
    }

    #[test]
    fn text_without_descriptors_stays() {
        for text in [
            "",
            "  two  blanks\n",
            "see /tmp/run-1/a.b(I)V and ../x.log",
            "a(b), Work.run(int) and Work.run",
            "C:\\Users\\me\\app.run(I)V",
            "Work.run(I) has no result",
            "Work.run(I)Void",
            "f(I)V",
            "open ( and close )V",
            "Work.run(I",
            "std::vector<int>::push(I)V",
            "-Dx.y=(I)V",
            "\u{e4}\u{f6}.\u{fc}(\u{df})V",
        ] {
            assert_eq!(readable(text), text);
        }
    }

    #[test]
    fn long_names_lose_their_middle() {
        assert_eq!(
            fit("AbstractBeanFactory.getBean", 16),
            "Abstr\u{2026}ry.getBean"
        );
        assert_eq!(fit("short", 16), "short");
    }
}
