//! Sentences with commands and options in them.

use super::super::escape::{each_kept, name, text};
use crate::together::together;

/// Commands that are not longer stay on one line, signs.
const SHORT: usize = 24;

/// The sentence with commands, which stand between backticks, and options of the JVM as code. Numbers keep their units, options
/// their values.
pub(super) fn marked(sentence: &str) -> String {
    let parts = sentence.split('`').enumerate();
    let parts = parts.map(|(at, part)| match at % 2 {
        1 => command(part),
        _ => each_kept(part, word),
    });
    parts.collect()
}

/// A command, to be copied: its spaces are spaces. What is kept together is so by the style sheet, as long as it fits into a line.
fn command(command: &str) -> String {
    let groups = together(command).into_iter().map(|words| match words[..] {
        [one] => text(one),
        _ => format!("<span class=\"keep\">{}</span>", text(&words.join(" "))),
    });
    let groups: Vec<String> = groups.collect();
    let class = match command.chars().count() <= SHORT {
        true => " class=\"keep\"",
        false => "",
    };
    format!("<code{class}>{}</code>", groups.join(" "))
}

fn word(word: &str) -> String {
    let (option, end) = match word.strip_suffix([':', ',', ';', '.']) {
        Some(option) => (option, &word[option.len()..]),
        None => (word, ""),
    };
    match option.starts_with('-') && option.len() > 1 {
        true => format!("<code>{}</code>{}", text(option), text(end)),
        false => name(word),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_together_stays_on_a_line() {
        assert_eq!(
            marked("it shows 7.5 % of a.B.get, with --methods 4; more"),
            "it shows 7.5&nbsp;% of a<wbr>.B<wbr>.get, with <code>--methods</code>&nbsp;4; more"
        );
    }

    #[test]
    fn commands_are_copied_as_they_are() {
        assert_eq!(
            marked("try `proofmark dose --methods 4 -- java -jar app.jar`."),
            "try <code>proofmark dose <span class=\"keep\">--methods 4</span> -- java -jar app.jar</code>."
        );
        assert_eq!(
            marked("`java -cp . B`"),
            "<code class=\"keep\">java -cp . B</code>"
        );
    }
}
