//! Words that stay on one line: a number with its unit, an option with its value.

/// Units that are not parted from the number in front of them.
const UNITS: [&str; 14] = [
    "%", "s", "ms", "us", "\u{b5}s", "ns", "min", "h", "pt", "point", "points", "GHz", "MB", "GB",
];

/// The text divided at its spaces, in groups that stay together: `30 %` and `--methods 4` are groups of two words. Words and
/// groups that are joined with spaces give the text again.
pub(crate) fn together(text: &str) -> Vec<Vec<&str>> {
    let mut groups: Vec<Vec<&str>> = Vec::new();
    for word in text.split(' ') {
        let before = groups.last().and_then(|group| group.last());
        let stays = before.is_some_and(|before| stay(before, word));
        match groups.pop() {
            Some(mut group) if stays => {
                group.push(word);
                groups.push(group);
            }
            last => {
                groups.extend(last);
                groups.push(vec![word]);
            }
        }
    }
    groups
}

fn stay(before: &str, word: &str) -> bool {
    (is_number(before) && is_unit(word)) || (is_option(before) && is_value(word))
}

/// `30`, `(0.5`, `+1,234`; not `98,`, which is followed by something else.
fn is_number(word: &str) -> bool {
    let bare = word.trim_start_matches(['(', '[', '+', '-', '<', '>', '~']);
    let digits = bare.chars().all(|c| c.is_ascii_digit() || ".,".contains(c));
    digits
        && bare.starts_with(|c: char| c.is_ascii_digit())
        && bare.ends_with(|c: char| c.is_ascii_digit())
}

fn is_unit(word: &str) -> bool {
    let bare = word.trim_end_matches([')', ']', ',', ';', ':', '.', '?', '!']);
    UNITS.contains(&bare)
}

/// `--methods`, `(--methods`; not `--methods=4` or `--quiet)`, which have no value behind them.
fn is_option(word: &str) -> bool {
    let bare = word.trim_start_matches(['(', '[', '`', '"', '\'']);
    let sign = |c: char| c.is_ascii_alphanumeric() || c == '-';
    bare.strip_prefix("--").is_some_and(|name| {
        name.starts_with(|c: char| c.is_ascii_alphabetic()) && name.chars().all(sign)
    })
}

fn is_value(word: &str) -> bool {
    !word.is_empty() && !word.starts_with('-')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_units_and_options_their_values() {
        for (text, expected) in [
            ("it shows 30 % there", vec!["it", "shows", "30 %", "there"]),
            ("(0.5 %), 1,234 ms.", vec!["(0.5 %),", "1,234 ms."]),
            ("0, 98, 99 % in", vec!["0,", "98,", "99 %", "in"]),
            ("a --methods 4) b", vec!["a", "--methods 4)", "b"]),
            ("--time-budget 30 s", vec!["--time-budget 30 s"]),
            ("--quiet --runs 4", vec!["--quiet", "--runs 4"]),
            ("`--dry-run` says", vec!["`--dry-run`", "says"]),
            ("-- java -jar", vec!["--", "java", "-jar"]),
            ("A2 s", vec!["A2", "s"]),
        ] {
            let groups = together(text);
            let found: Vec<String> = groups.iter().map(|group| group.join(" ")).collect();
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn nothing_is_lost() {
        for text in ["", " ", "  two  spaces ", "--x  4", "5  %"] {
            let groups = together(text);
            let words: Vec<String> = groups.iter().map(|group| group.join(" ")).collect();
            assert_eq!(words.join(" "), text);
        }
    }
}
